import * as Flags from '@oclif/core/flags'
import {operations} from '../../../contract/operations.gen.ts'
import {Failure} from '../../../errors/failure.ts'
import {nearestName} from '../../../errors/nearest-name.ts'

export const BY_TYPE = {
  credit: 'accounts.patchCredit.v4',
  debit: 'accounts.patchDebit.v4',
  prepaid: 'accounts.patchPrepaid.v4',
  fleet: 'accounts.patchFleet.v4',
} as const

/** The operations that change fields of an account. */
export const PATCHES = [
  'accounts.patchCredit.v4',
  'accounts.patchDebit.v4',
  'accounts.patchPrepaid.v4',
  'accounts.patchFleet.v4',
  'accounts.patchMulticurrency.v4',
  'accounts.patch.v3',
] as const

export const typeFlags = {
  type: Flags.string({
    summary: 'Type: credit, debit, prepaid, fleet, or a multicurrency segment, for example MULTICURR_EUR_FI.',
    exclusive: ['segment'],
  }),
  segment: Flags.string({
    summary: 'Multicurrency segment that cardctl does not know yet.',
  }),
}

/** `--type` and `--segment`. */
export interface AccountType {
  readonly type?: string | undefined
  readonly segment?: string | undefined
}

/** The hint where the type is missing or unknown. */
export const ADD_TYPE = 'Add --type credit, debit, prepaid, fleet or MULTICURR_<currency>_<country>.'

const isSingleCurrency = (type: string): type is keyof typeof BY_TYPE => type in BY_TYPE

/** The segments of multicurrency accounts that the contract knows. */
export const multicurrencySegments = () => operations['accounts.patchMulticurrency.v4'].known.multiCurr

/** The types that a user can choose. */
export const accountTypes = (): string[] => [...Object.keys(BY_TYPE), ...multicurrencySegments()]

/** The operation and path that change an account. @throws Failure USAGE without a type, or for an unknown one */
export function choosePatch(id: string, {type: given, segment}: AccountType) {
  const type = segment ?? given
  if (type === undefined) {
    throw new Failure('USAGE', {
      message: 'The type of the account is missing.',
      hint: ADD_TYPE,
    })
  }
  if (segment === undefined && isSingleCurrency(type.toLowerCase())) {
    return {operation: BY_TYPE[type.toLowerCase() as keyof typeof BY_TYPE], path: {id}} as const
  }
  const path = {id, multiCurr: segment ?? knownSegment(type)}
  return {operation: 'accounts.patchMulticurrency.v4', path} as const
}

/**
 * The service may have segments that the contract doesn't list, but a mistyped name is more likely. `--segment` names
 * the first one.
 */
function knownSegment(type: string): string {
  const segment = multicurrencySegments().find(name => name === type.toUpperCase())
  if (segment !== undefined) return segment
  const meant = nearestName(type, accountTypes())
  throw new Failure('USAGE', {
    message: `Unknown type of account.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: `${ADD_TYPE} For any other, pass --segment.`,
  })
}
