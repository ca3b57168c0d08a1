import {maskWithin} from '../../sensitive/mask-within.ts'
import {type AuthCall, kindOf} from '../call-kind.ts'
import {amountsOf, isMoney} from './amounts.ts'

/** What stands under a name in a call: the items of lists one by one, and nothing for what is absent or null. */
export type Field = (call: AuthCall) => readonly unknown[]

const paths: Readonly<Record<string, string>> = {
  mcc: 'merchantData.category.code',
  country: 'merchantData.country',
  merchant: 'merchantData.name',
  entryMode: 'transactionData.cardEntryMode',
  type: 'transactionData.transactionType',
  category: 'metadata.messageCategory',
}

/** The dotted path that a short name stands for. */
export const pathOf = (name: string): string => (Object.hasOwn(paths, name) ? (paths[name] ?? name) : name)

/** The field of a short name, or of a dotted path. */
export function fieldOf(name: string): Field {
  if (name === 'amount') return amountsOf
  if (name === 'kind') return call => [kindOf(call)]
  const steps = pathOf(name).split('.')
  return call => steps.reduce<readonly unknown[]>((values, step) => values.flatMap(memberOf(step)), [call])
}

const memberOf =
  (step: string) =>
  (value: unknown): readonly unknown[] => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return []
    const member: unknown = (value as Readonly<Record<string, unknown>>)[step]
    return [member].flat().filter(item => item !== null && item !== undefined)
  }

const LONGEST = 40

/** Values in words, for the way to a decision. Others wrote them: card numbers are masked, and long ones cut. */
export function wordsOf(values: readonly unknown[]): string {
  if (values.length === 0) return 'absent'
  return maskWithin(values.map(wordOf).join(', '), LONGEST)
}

function wordOf(value: unknown): string {
  if (isMoney(value)) return `${value.amount} ${value.currency}`
  return typeof value === 'object' ? 'an object' : String(value)
}
