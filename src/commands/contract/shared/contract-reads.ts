import {pagedItems} from '../../../cli/pages.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import type {Dialect} from '../../../dialect/index.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {Target} from '../../../profiles/target.ts'
import type {SmallPages} from './check-pages.ts'

/** Kinds of ids that reads need; each has a flag. */
const ID_KINDS = ['card', 'account', 'customer', 'reference', 'batch', 'trace'] as const
type IdKind = (typeof ID_KINDS)[number]

/** The reads of a contract, and the ids to read with. */
export interface CheckedReads {
  readonly reads: readonly Operation[]
  topicOf(operation: Operation): string
  /** The input of an operation, or what it still needs: `--card`. */
  inputFor(operation: Operation): {readonly input: AnyInput} | {readonly needs: string}
  /** How a list is read in small pages; undefined for what is no list, or has no pages. */
  smallPages(operation: Operation, input: AnyInput): SmallPages | undefined
  /** Takes ids from a response, for later operations. Ids from flags win. */
  learn(operation: Operation, body: unknown): void
  close(): void
}

/** Ids to read with: from flags, and from earlier responses. */
export class KnownIds implements CheckedReads {
  readonly reads: readonly Operation[]
  readonly #dialect: Dialect | undefined
  readonly #ids: Map<IdKind, string>
  readonly #bid: string | undefined
  readonly #isLive: boolean

  constructor(
    given: Readonly<Partial<Record<IdKind | 'bid', string | undefined>>>,
    {bid, dialect, kind}: Target,
  ) {
    this.#dialect = dialect
    this.#isLive = kind === 'live'
    // Of a dialect, also what it says and reads can't prove.
    this.reads =
      dialect === undefined
        ? READS
        : DOCUMENTED.filter(one => one.effect === 'read' || dialect.requests(one.id).length > 0)
    this.#ids = new Map(
      ID_KINDS.flatMap(kind => {
        const id = given[kind]
        return id === undefined ? [] : [[kind, id] as const]
      }),
    )
    this.#bid = given.bid ?? bid
  }

  topicOf({topic}: Operation): string {
    return topic
  }

  close(): void {}

  inputFor(operation: Operation): {readonly input: AnyInput} | {readonly needs: string} {
    const wanting = this.#notChecked(operation)
    if (wanting !== undefined) return {needs: wanting}
    const path: Record<string, string> = {}
    for (const name of operation.pathParams) {
      const kind = kindOf(operation, name)
      const id = kind === undefined ? undefined : this.#ids.get(kind)
      if (id === undefined)
        return {needs: kind === undefined ? `needs a value for ${name}` : `needs --${kind}`}
      path[name] = id
    }
    const hasSize = operation.paging !== undefined && this.#hasPlace(operation, 'query:size')
    const query = hasSize ? {size: PAGE} : {}
    if (operation.body === 'none') return {input: {path, query}}
    if (operation.group !== 'remotecheckout') return {needs: 'needs a card number'}
    return this.#bid === undefined
      ? {needs: 'needs --bid'}
      : {input: {path, query, body: {customerBID: this.#bid}}}
  }

  smallPages(operation: Operation, {query}: AnyInput): SmallPages | undefined {
    // Of one batch, the items are deeper.
    if (operation.paging === undefined || operation.id === 'a2a.get.v1') return undefined
    const isSized = 'size' in query
    if (!isSized && operation.paging === 'page' && !this.#hasPlace(operation, 'query:page')) return undefined
    const flags = {all: true, ...(isSized && {'page-size': 1})}
    return {
      isSized,
      items: fetch =>
        pagedItems(operation, flags, async page => (await fetch({...query, ...page})).body).items,
    }
  }

  /** Whether the service takes a parameter, by every request that its dialect has for an operation. */
  #hasPlace({id}: Operation, name: string): boolean {
    return this.#dialect?.requests(id).every(({input}) => input.some(({ours}) => ours === name)) ?? true
  }

  /** Why an operation can't be checked, whatever ids are known. */
  #notChecked(operation: Operation): string | undefined {
    const {id, effect} = operation
    if (this.#dialect === undefined) return undefined
    const cannot = this.#dialect.cannot(id)
    if (cannot !== undefined) return `the dialect says that it is not possible: ${cannot}`
    if (this.#dialect.requests(id).length === 0) return 'the dialect does not name it'
    if (effect !== 'read') return effect === 'disclose' ? 'it shows a secret' : 'it changes something'
    return this.#isLive && this.#dialect.isOnlySaidToRead(operation)
      ? 'the dialect sends it as a POST, and the profile is live'
      : undefined
  }

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

/** A page size that is enough to see the form of an item. */
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

/** Those of the service, without the controls of the sandbox. */
const DOCUMENTED: readonly Operation[] = Object.values<Operation>(operations).filter(
  ({group}) => group !== 'sandbox',
)
/** All operations with the effect read. Disclosures don't count, because they return secrets. */
const READS = DOCUMENTED.filter(({effect}) => effect === 'read')
