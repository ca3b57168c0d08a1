import {isObject} from '../../errors/is-object.ts'
import type {ImportedOperation, ImportedPaging, ImportedParameter} from '../contract-form.ts'
import {lastId, takesLastId} from './last-id.ts'
import {listIn} from './list-in.ts'
import {isCursorName, plainName} from './names.ts'
import {followed, type Query, type Stuck} from './next-link.ts'
import {type Cursor, LEADS, type Signs, signsOf} from './signs.ts'

/** What the walk needs to know of the operation. */
export type PagedOperation = Pick<ImportedOperation, 'path' | 'parameters'> & {
  readonly paging: ImportedPaging
}

export interface TurnerOptions {
  readonly operation: PagedOperation
  /** The query of the first request. */
  readonly first: Query
  /** The URL that is requested, without its query. */
  readonly here: URL
  /** Whether all items are wanted, so that their number is compared with the announced one. */
  readonly all: boolean
}

/** How the list goes on after a page. */
export interface Turned {
  readonly next?: Query
  readonly stuck?: Stuck
  /** The service announced the end of the list. */
  readonly isBounded: boolean
  /** The response itself says that there is more. */
  readonly isSaid?: boolean
}

export interface PageResponse {
  /** The body before anything in it was masked. */
  readonly body: unknown
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

type Way = {readonly next: Query} | {readonly stuck: Stuck} | undefined

/**
 * Finds the next page of a list of any service: by its links, cursors, page numbers or offsets, as the document's
 * parameters and the responses show them. One turner serves one walk.
 */
export class PageTurner {
  readonly #options: TurnerOptions
  readonly #parameters: readonly ImportedParameter[]
  #pages = 0
  #given = 0
  #longest = 0
  /** What earlier pages said of the whole list. */
  #announced: {total?: number | undefined; pages?: number | undefined; more: boolean} = {more: false}
  #pageNumber: number | undefined
  #isFromZero = false
  /** Nothing said that there is a page after the last one. */
  #isImplied = false
  /** A page before had a link or a cursor, so the last page has none. */
  #hadLead = false

  constructor(options: TurnerOptions) {
    this.#options = options
    this.#parameters = options.operation.parameters.filter(one => one.in === 'query' && !one.sensitive)
  }

  /** @throws Failure USAGE for a response without a list */
  turn(query: Query, response: PageResponse, items = listIn(response.body)): Turned {
    this.#isImplied = false
    const signs = signsOf(response.body, response.headers, this.#options.operation.paging)
    this.#count(query, signs, items)
    const {link} = signs
    const cursor = this.#cursorQuery(query, signs)
    const hasLead = link !== undefined || cursor !== undefined
    const isCounted = items.length > 0 && this.#continuesByNumbers(signs)
    // A place for a cursor that is never filled tells nothing where the number of items or pages does.
    const hasNoLead = this.#hadLead || (signs.isEnd && !(isCounted && this.#hasNumbers))
    const isEnd =
      signs.more === false ||
      (signs.more === undefined && !hasLead && (hasNoLead || this.#endsByNumbers(signs)))
    this.#hadLead ||= hasLead
    const announced = this.#announced
    this.#announced = {
      total: signs.total ?? announced.total,
      pages: signs.pages ?? announced.pages,
      more: signs.more === true,
    }
    if (items.length === 0 && signs.more === undefined && announced.more)
      return missed('The service said that there is more, and then sent an empty page.')
    if (isEnd) return this.#ended(signs, items)
    const isSaid = signs.more === true || hasLead
    if (!isSaid && !isCounted) return this.#implied(query, signs, items)
    if (isSaid && this.#isPast(signs, items)) return this.#passed(signs)
    const way =
      link !== undefined
        ? followed(link, this.#options.here, query)
        : (cursor ?? this.#numbered(query, signs, items) ?? this.#afterLast(query, items) ?? {stuck: UNKNOWN})
    // The cursor of an empty page may be the one that it was asked for: there is nothing after it yet.
    const isSame = 'next' in way && JSON.stringify(way.next) === JSON.stringify(query)
    if (isSame && items.length === 0 && signs.more !== true) return this.#ended(signs, items)
    return {...way, isBounded: this.#continuesByNumbers(signs), isSaid: true}
  }

  /** Whether a page with the items of the one before is the last one again, sent for a number after the end. */
  isLastAgain(length: number): boolean {
    if (!this.#isImplied) return false
    const {paging} = this.#options.operation
    const size = paging.size === undefined ? undefined : this.#options.first[paging.size]
    return length < Math.max(this.#longest, typeof size === 'number' ? size : 0)
  }

  #count(query: Query, signs: Signs, items: readonly unknown[]): void {
    const {paging} = this.#options.operation
    if (this.#pages === 0 && paging.page !== undefined) {
      const asked = query[paging.page]
      this.#pageNumber = Number(asked ?? signs.page ?? this.#defaultOf(paging.page) ?? 1)
      this.#isFromZero = this.#pageNumber === 0
    } else if (this.#pageNumber !== undefined) this.#pageNumber++
    this.#pages++
    this.#given += items.length
    this.#longest = Math.max(this.#longest, items.length)
  }

  #defaultOf(name: string): unknown {
    const schema = this.#parameters.find(one => one.name === name)?.schema
    const usual = isObject(schema) ? schema.default : undefined
    return typeof usual === 'number' ? usual : undefined
  }

  /** How many items of the whole list were read up to here; undefined if the list began somewhere in its middle. */
  #position(): number | undefined {
    const {operation, first} = this.#options
    const {page, offset, cursor} = operation.paging
    if (offset !== undefined && Number(first[offset] ?? 0) > 1) return undefined
    const isBegun = [page, cursor].some(name => name !== undefined && first[name] !== undefined)
    return isBegun ? undefined : this.#given
  }

  #continuesByNumbers({pages, total, page}: Signs): boolean {
    if (pages !== undefined) return this.#pagesUpTo(page) < pages
    const position = this.#position()
    return total !== undefined && position !== undefined && position < total
  }

  #endsByNumbers({pages, total, page}: Signs): boolean {
    if (pages !== undefined && pages > 0) return this.#pagesUpTo(page) >= pages
    const position = this.#position()
    return total !== undefined && position !== undefined && position >= total
  }

  /** Number of the page, counted from 1. */
  #pagesUpTo(page: number | undefined): number {
    const number = this.#pageNumber ?? (this.#pages === 1 ? page : undefined)
    return number === undefined ? this.#pages : number + (this.#isFromZero ? 1 : 0)
  }

  #isPast({total, isTotalSure}: Signs, items: readonly unknown[]): boolean {
    const position = this.#position()
    if (!this.#options.all || total === undefined || position === undefined || position <= total) return false
    // Some services call the number of items on this page so.
    return isTotalSure || total !== items.length
  }

  #passed({total}: Signs): Turned {
    return {
      isBounded: true,
      stuck: {
        reason: 'TOTAL_PASSED',
        message: `The service announced ${total} items, sent ${this.#given} and offers more.`,
        hint: 'To read on, pass --limit with the number of items that you want.',
      },
    }
  }

  /** The service says that the list ends here. What it announced, on any page, may say otherwise. */
  #ended({isTotalSure}: Signs, items: readonly unknown[]): Turned {
    const {total, pages} = this.#announced
    const position = this.#position()
    if (!this.#options.all || position === undefined) return {isBounded: true}
    // What is only called "total" may be money. With an empty page after fewer items it is taken for their number.
    const isCount = isTotalSure || (items.length === 0 && Number.isInteger(total))
    if (isCount && total !== undefined && position < total)
      return missed(`The service announced ${total} items, and its list ends after ${position}.`)
    const read = this.#pages - (items.length === 0 ? 1 : 0)
    if (pages !== undefined && read < pages)
      return missed(`The service announced ${pages} pages, and its list ends after ${read}.`)
    return {isBounded: true}
  }

  /** Nothing says whether there is more. With numbers or ids an empty page will; an absent cursor is the end. */
  #implied(query: Query, signs: Signs, items: readonly unknown[]): Turned {
    if (items.length === 0) return this.#ended(signs, items)
    this.#isImplied = true
    const {cursor} = this.#options.operation.paging
    const parameter = this.#parameters.find(one => one.name === cursor)
    const way =
      this.#numbered(query, signs, items) ??
      (parameter !== undefined && takesLastId(parameter) ? this.#afterLast(query, items) : undefined)
    return {...way, isBounded: false}
  }

  #numbered(query: Query, {offset: here}: Signs, items: readonly unknown[]): Way {
    const {page, offset} = this.#options.operation.paging
    if (page !== undefined && this.#pageNumber !== undefined) {
      return {next: {...query, [page]: this.#pageNumber + 1}}
    }
    if (offset === undefined || items.length === 0) return undefined
    // Where the service counts from 1, its first response shows it.
    const from = Number(query[offset] ?? here ?? this.#defaultOf(offset) ?? 0)
    return {next: {...query, [offset]: from + items.length}}
  }

  #afterLast(query: Query, items: readonly unknown[]): Way {
    const {operation} = this.#options
    const parameter = this.#parameters.find(({name}) => name === operation.paging.cursor)
    const id = parameter === undefined ? undefined : lastId(items, operation, parameter)
    return parameter === undefined || id === undefined ? undefined : {next: {...query, [parameter.name]: id}}
  }

  /** The query that the response's cursor leads to, or the number of the next page or item. */
  #cursorQuery(query: Query, {nexts, more}: Signs): Way {
    const isNext = ([name]: readonly [string, Cursor]): boolean => name.startsWith('next')
    const found = [...nexts]
    for (const one of [...found.filter(isNext), ...found.filter(each => !isNext(each))]) {
      const [name, value] = one
      const parameter = this.#parameterFor(name)
      if (parameter === undefined) continue
      // Some services repeat the cursor of this page beside the next one.
      if (!isNext(one) && query[parameter] === value && more === undefined) continue
      return {next: {...query, [parameter]: value}}
    }
    const leads = found.some(([name]) => LEADS.test(name))
    return leads && more !== false && !this.#hasNumbers ? {stuck: UNKNOWN} : undefined
  }

  get #hasNumbers(): boolean {
    const {page, offset} = this.#options.operation.paging
    return page !== undefined || offset !== undefined
  }

  /** The parameter that takes the value of a member with this plain name. */
  #parameterFor(member: string): string | undefined {
    const {cursor} = this.#options.operation.paging
    const stem = member.replace(/^(?:next|new|end|last|after)/, '')
    const named = (wanted: string): string | undefined =>
      this.#parameters.find(({name}) => plainName(name) === wanted)?.name
    const isCursor = isCursorName(member)
    if (isCursor || member.startsWith('next')) {
      const own = named(member) ?? (stem === '' ? undefined : named(stem))
      if (own !== undefined) return own
    }
    return isCursor || /^next(?:page)?$/.test(member) ? cursor : undefined
  }
}

const UNKNOWN: Stuck = {
  reason: 'NEXT_UNKNOWN',
  message:
    'The service says that there is more, but neither its response nor the document shows how to get it.',
  hint: 'Leave --all and --limit out, and pass the parameters of the next page yourself: see --help.',
}

const missed = (message: string): Turned => ({
  isBounded: true,
  stuck: {
    reason: 'TOTAL_MISSED',
    message,
    hint: "If it counts what it doesn't send, pass --limit with a large number instead of --all.",
  },
})
