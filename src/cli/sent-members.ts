import type {AnyInput, Operation} from '../contract/operation.ts'
import {isObject} from '../errors/is-object.ts'
import {sumByCurrency} from '../money/sum-by-currency.ts'
import {maskWithin} from '../sensitive/mask-text.ts'
import {redact} from '../sensitive/redact.ts'

/** Longer lists are told by their number, and by their totals where their items are amounts. */
const MOST_ITEMS = 20
const LONGEST_TEXT = 300
/** Beyond it, what is nested is left out. */
const LONGEST_JSON = 16_384

/**
 * What a request asks for, member by member, as the journal keeps it: sensitive members masked, everything else scanned
 * for card numbers, long lists and texts cut down. Ids of what is touched stand elsewhere; other choices of the path,
 * such as the property to update, are told too.
 */
export function sentMembers(
  {touches, sensitive}: Operation,
  {path, body}: AnyInput,
): Readonly<Record<string, unknown>> | undefined {
  const ids = touches.map(({at}) => at)
  const choices = Object.entries(path).filter(([name]) => !ids.includes(`path:${name}`))
  const shown = shortened(redact(summed(body), {sensitive: sensitive.request, typed: ids}))
  const members = body === undefined ? {} : isObject(shown) ? shown : {body: shown}
  const all = {...Object.fromEntries(choices), ...members}
  if (Object.keys(all).length === 0) return undefined
  return JSON.stringify(all).length <= LONGEST_JSON ? all : withoutNested(all)
}

function summed(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > MOST_ITEMS ? sizeOf(value) : value.map(summed)
  if (!isObject(value) || !isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, summed(member)]))
}

/** A Secret stays one, for the mask. */
const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype

function sizeOf(items: readonly unknown[]) {
  const amounts = items.filter(isAmount)
  if (amounts.length < items.length) return {count: items.length}
  try {
    return {
      count: items.length,
      totals: Object.fromEntries(sumByCurrency(amounts).map(({currency, text}) => [currency, text])),
    }
  } catch {
    // An amount that is no number goes out with --no-check-input only.
    return {count: items.length}
  }
}

const isAmount = (item: unknown): item is {amount: number; currency: string} =>
  isObject(item) && typeof item.amount === 'number' && typeof item.currency === 'string'

function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > LONGEST_TEXT
      ? `${maskWithin(value, LONGEST_TEXT)} (${value.length} characters)`
      : value
  }
  if (Array.isArray(value)) return value.map(shortened)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]))
}

function withoutNested(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(members).slice(0, MOST_ITEMS)
  return Object.fromEntries(
    entries.map(([name, member]) => {
      if (typeof member !== 'object' || member === null) return [name, member]
      return [name, {count: Object.keys(member).length}]
    }),
  )
}
