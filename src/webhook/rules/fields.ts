import {isObject} from '../../errors/is-object.ts'
import {maskWithin} from '../../sensitive/mask-text.ts'
import {kindOf, namesItsKind, type ReceivedCall, readAmount} from '../received-call.ts'
import {amountsOf, isAboutMoney, UNREADABLE, type Values} from './amounts.ts'

export type Field = (call: ReceivedCall) => Values

const paths: Readonly<Record<string, string>> = {
  mcc: 'merchantData.category.code',
  country: 'merchantData.country',
  merchant: 'merchantData.name',
  entryMode: 'transactionData.cardEntryMode',
  type: 'transactionData.transactionType',
  category: 'metadata.messageCategory',
}

/** Fields that only some calls have. Missing, they are known to be absent; any other missing field is unknown. */
export const OPTIONAL_FIELDS: readonly string[] = [
  'token',
  'metadata.linkId',
  'transactionData.cashbackAmount',
  'transactionData.originalTransactionId',
  'transactionData.replacementAmount',
  'transactionData.schemeTransactionLinkId',
  'transactionData.transactionFees',
]

/** The dotted path of a short name. */
export const pathOf = (name: string): string => (Object.hasOwn(paths, name) ? (paths[name] ?? name) : name)

/** The short name that a longer one has in it: `merchant` of `merchantName` and `merchant_name`. */
export const shortNameIn = (name: string): string | undefined =>
  Object.keys(paths).find(short => name.toLowerCase().startsWith(short.toLowerCase()))

/** The field of a short name, or of a dotted path. */
export function fieldOf(name: string): Field {
  if (name === 'amount') {
    return call => {
      const found = amountsOf(call)
      return {found, lacking: found.length === 0 && isAboutMoney(call)}
    }
  }
  if (name === 'kind') {
    return call => (namesItsKind(call) ? {found: [kindOf(call)], lacking: false} : {found: [], lacking: true})
  }
  const path = pathOf(name)
  const steps = path.split('.')
  const mayBeAbsent = OPTIONAL_FIELDS.some(part => path === part || path.startsWith(`${part}.`))
  return call => valuesAt(call, steps, mayBeAbsent)
}

function valuesAt(call: ReceivedCall, steps: readonly string[], mayBeAbsent: boolean): Values {
  let found: readonly unknown[] = [call]
  let lacking = false
  for (const step of steps) {
    const next: unknown[] = []
    for (const value of found) {
      if (!isObject(value)) {
        lacking = true
        continue
      }
      const member = Object.hasOwn(value, step) ? value[step] : undefined
      if (member === undefined || member === null) lacking ||= !mayBeAbsent
      else if (Array.isArray(member)) next.push(...member.filter(item => item !== null))
      else next.push(member)
    }
    found = next
  }
  return {found, lacking}
}

const LONGEST = 40

/**
 * Values in words, for the steps of a decision. They come from others: card numbers are masked, and long values cut.
 */
export function wordsOf({found}: Values): string {
  if (found.length === 0) return 'absent'
  return maskWithin(found.map(wordOf).join(', '), LONGEST)
}

function wordOf(value: unknown): string {
  if (value === UNREADABLE) return 'unreadable'
  if (typeof value !== 'object') return String(value)
  const amount = readAmount(value)
  return amount ? `${amount.text} ${amount.currency}` : 'an object'
}
