import {isObject} from '../../../cli/body.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'

/** Kinds of ids that reads ask for, and the flag that gives each. */
export const ID_KINDS = ['card', 'account', 'customer', 'reference', 'batch', 'trace'] as const
export type IdKind = (typeof ID_KINDS)[number]

/** Ids to read with: those that were given, and those that came in answers read before. */
export class KnownIds {
  readonly #ids: Map<IdKind, string>
  readonly #bid: string | undefined

  constructor(given: Readonly<Partial<Record<IdKind, string | undefined>>>, bid: string | undefined) {
    this.#ids = new Map(
      ID_KINDS.flatMap(kind => {
        const id = given[kind]
        return id === undefined ? [] : [[kind, id] as const]
      }),
    )
    this.#bid = bid
  }

  /** What an operation is sent with, or what it lacks: `--card`. */
  inputFor(operation: Operation): {readonly input: AnyInput} | {readonly needs: string} {
    const path: Record<string, string> = {}
    for (const name of operation.pathParams) {
      const kind = kindOf(operation, name)
      const id = kind === undefined ? undefined : this.#ids.get(kind)
      if (id === undefined) return {needs: kind === undefined ? `a value for ${name}` : `--${kind}`}
      path[name] = id
    }
    const query = operation.paging === undefined ? {} : {size: PAGE}
    if (operation.body === 'none') return {input: {path, query}}
    if (operation.group !== 'remotecheckout') return {needs: 'a card number'}
    return this.#bid === undefined ? {needs: '--bid'} : {input: {path, query, body: {customerBID: this.#bid}}}
  }

  /** Takes ids out of an answer, for operations that are read later. What was given wins. */
  learn({id: operation, group}: Operation, body: unknown): void {
    const items = isObject(body) && Array.isArray(body.items) ? body.items : body
    const one = Array.isArray(items) ? items[0] : items
    if (!isObject(one)) return
    const keep = (kind: IdKind, value: unknown): void => {
      if (!this.#ids.has(kind) && (typeof value === 'string' || typeof value === 'number') && value !== '') {
        this.#ids.set(kind, String(value))
      }
    }
    if (group === 'a2a' && operation === 'a2a.list.v1') keep('batch', one.id)
    if (group !== 'cards' || operation === 'cards.plastics.v3') return
    keep('card', one.id)
    keep('account', one.accountId)
    keep('customer', one.customerId)
    keep('reference', one.referenceNumber)
  }
}

/** Enough to see the form of an item. */
const PAGE = 5

function kindOf({group}: Operation, name: string): IdKind | undefined {
  const kinds: Readonly<Record<string, IdKind>> = {
    accountId: 'account',
    customerId: 'customer',
    refNumber: 'reference',
    traceId: 'trace',
    id: group === 'a2a' ? 'batch' : 'card',
  }
  return kinds[name]
}
