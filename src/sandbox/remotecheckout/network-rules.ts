import type {ErrorDetail} from '../state/enrolment.ts'

/** What the card network doesn't take in an address. It says so later, in the status, not when it is asked. */
const REFUSED = /[[\]{}:&$^!=;*#<>"@`]/

/** Why the card network would refuse these members; empty when it takes them. */
export function badCharacters(overrides: Readonly<Record<string, unknown>> | undefined): ErrorDetail[] {
  return Object.entries(overrides ?? {})
    .filter(([, value]) => typeof value === 'string' && REFUSED.test(value))
    .map(([member]) => ({
      field: `cardOverrides.${member}`,
      reason: 'INVALID_CHARACTERS',
      message: `${member} holds a character that the card network does not take`,
    }))
}

export const notEnrolled = (field: string): ErrorDetail => ({
  field,
  reason: 'NOT_ENROLLED',
  message: `${field} names nothing that is enrolled with this customerBID`,
})

export const alreadyEnrolled = (field: string): ErrorDetail => ({
  field,
  reason: 'ALREADY_ENROLLED',
  message: `${field} names what is enrolled already`,
})
