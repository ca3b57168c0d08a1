import {amountsIn, type FoundAmount} from '../contract/marked-values.ts'
import type {AnyInput, Operation} from '../contract/operation.ts'
import {touchedBy} from '../contract/resource.ts'
import {isObject} from '../errors/is-object.ts'
import type {Journal, RequestRecord} from '../journal/index.ts'
import {decimalText} from '../money/amount.ts'
import {shownNumber} from '../money/decimal-sign.ts'
import {formerValues} from './former-values.ts'

/** A request that may change amounts, before it is recorded. */
interface ComingChange extends Partial<Pick<RequestRecord, 'key' | 'path' | 'retryOf'>> {
  readonly operation: Operation
  readonly input: AnyInput
}

const MANY = 10

/**
 * The amounts of a request that are at least ten times what was last sent from here for the same field, or at most a
 * tenth of it, or that are or were 0: a slip of the decimal sign or of a digit looks like that. In words, one by one.
 */
export function largeChanges(journal: Journal, change: ComingChange): readonly string[] {
  const former = formerAmounts(journal, change)
  return amountsIn(change.operation, change.input).flatMap(amount => {
    const before = former.get(amount.name)
    const words = before === undefined ? undefined : changeInWords(amount, before)
    return words === undefined ? [] : [`${amount.name}: ${words}.`]
  })
}

/** That an amount is set for the first time from here, so that nothing can take it back; undefined if none is. */
export function firstAmounts(journal: Journal | undefined, change: ComingChange): string | undefined {
  const former = journal === undefined ? new Map<string, number>() : formerAmounts(journal, change)
  const first = amountsIn(change.operation, change.input).filter(({name}) => !former.has(name))
  if (first.length === 0) return undefined
  const names = first.map(({name}) => name).join(', ')
  return `The former ${names} is not known here, so this can't be undone from here.`
}

/** What was last sent from here, by field. */
function formerAmounts(journal: Journal, {operation, input, ...record}: ComingChange): Map<string, number> {
  if (amountsIn(operation, input).length === 0 || !isObject(input.body)) return new Map()
  const about = {...record, operation: operation.id, resources: touchedBy(operation, input)}
  const {known} = formerValues(journal, about, Object.keys(input.body))
  const body = Object.fromEntries([...known].map(([name, {value}]) => [name, value]))
  return new Map(amountsIn(operation, {body}).map(amount => [amount.name, amount.value]))
}

function changeInWords(amount: FoundAmount, before: number): string | undefined {
  const {value} = amount
  const [large, small] = [
    Math.max(Math.abs(before), Math.abs(value)),
    Math.min(Math.abs(before), Math.abs(value)),
  ]
  // A little less, so that 1.1 -> 11 counts, which floating point makes 10 times at most.
  if (large === small || large < small * MANY * (1 - 1e-9)) return undefined
  const shown = (number: number): string =>
    shownNumber(decimalText(number)) + (number === 0 && amount.unlimited ? ' (no limit)' : '')
  const change = `${shown(before)} was last sent from here, now ${shown(value)}`
  if (small === 0) return change
  return `${change}: ${Math.abs(value) === large ? `${MANY} times as much or more` : 'a tenth or less'}`
}
