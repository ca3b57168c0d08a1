import type {AnyInput, Operation} from '../contract/operation.ts'
import {isObject} from '../errors/is-object.ts'
import {sumByCurrency} from '../money/sum-by-currency.ts'
import {maskWithin} from '../sensitive/mask-text.ts'
import {redact} from '../sensitive/redact.ts'

/** Of longer lists only the length is kept, and the totals if the items are amounts. */
const MOST_ITEMS = 20
const LONGEST_TEXT = 300
/** Above this size, nested values are left out, but for the totals of amounts. */
const LONGEST_JSON = 16_384

/**
 * The fields of a request as the journal keeps them: sensitive ones masked, everything else scanned for card numbers,
 * long lists and texts shortened. Ids of resources are kept separately. Other choices in the path, such as the property
 * to update, are included.
 */
export function sentFields(
  {touches, sensitive, personal, ids: named}: Operation,
  {path, body}: AnyInput,
): Readonly<Record<string, unknown>> | undefined {
  const ids = touches.map(({at}) => at)
  const choices = Object.entries(path).filter(
    ([name]) => !ids.includes(`path:${name}`) && !personal?.path?.includes(name),
  )
  const shown = shortened(
    redact(summed(body), {
      sensitive: [...sensitive.request, ...(personal?.request ?? [])],
      typed: ids,
      plain: named?.request ?? [],
    }),
  )
  const members = body === undefined ? {} : isObject(shown) ? shown : {body: shown}
  const all = {...Object.fromEntries(choices), ...members}
  if (Object.keys(all).length === 0) return undefined
  return JSON.stringify(all).length <= LONGEST_JSON ? all : withoutNested(all)
}

function summed(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > MOST_ITEMS ? sizeOf(value) : value.map(summed)
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
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
    // Only with --no-check-input can an amount be something else than a number.
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
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(shortened)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]))
}

function withoutNested(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(members).slice(0, MOST_ITEMS)
  return Object.fromEntries(
    entries.map(([name, member]) => {
      if (typeof member !== 'object' || member === null) return [name, member]
      if (Array.isArray(member)) return [name, sizeOf(member)]
      const isShort = 'totals' in member && JSON.stringify(member).length <= LONGEST_TEXT
      return [name, isShort ? member : {count: Object.keys(member).length}]
    }),
  )
}
