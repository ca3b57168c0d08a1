import type {Hint} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import type {SendOptions} from '../http/index.ts'

export type Query = Record<string, unknown>

export interface PageOptions {
  /** One of several pages, which waits for its turn of the quota. The first is a request like any other. */
  readonly paced: boolean
  /** The cursor of a later page is the service's own: it is not compared with the contract. */
  readonly uncheckedInput?: true
  /** Pass it to the request: pages are compared, and cursors sent back, as the service wrote them. */
  readonly unmasked?: SendOptions['unmasked']
}

/** Why a list is not whole, for programs. */
export type IncompleteReason =
  /** `--limit` ended it. */
  | 'LIMIT'
  /** Only the first page was wanted. */
  | 'FIRST_PAGE'
  /** The service says that there is more, but not how to get it. */
  | 'NEXT_UNKNOWN'
  /** The next page is at an address of another service. */
  | 'OTHER_ORIGIN'
  /** The next page is at another path of the service. */
  | 'OTHER_PATH'
  /** The service announces no end, and as many pages as allowed were read. */
  | 'MAX_PAGES'
  /** The service announced fewer items, and offers more. */
  | 'TOTAL_PASSED'
  /** The service announced more items than it sent. */
  | 'TOTAL_MISSED'
  /** The same page or cursor came again. */
  | 'REPEATED'
  /** A page could not be read. */
  | 'FAILED'

/** Why a walk can't go on although there is more. */
export interface Stuck {
  readonly reason: IncompleteReason
  readonly message: string
  readonly hint: Hint
}

/** One page of a list, and how the list continues. */
export interface Page {
  readonly items: readonly unknown[]
  /** The query of the next page; undefined after the last. */
  readonly next?: Query | undefined
  /** There is more, but it can't be read. */
  readonly stuck?: Stuck | undefined
  /** Whether to tell the user that there may be more. By default that is so if there is a next page. */
  readonly hasMore?: boolean
  /** What is compared with the page before: the items before anything in them was masked. */
  readonly content?: unknown
  /** The service announced where the list ends, so the number of pages needs no limit. */
  readonly isBounded?: boolean
}

/** What a list returned, and whether there was more. */
export interface PagedItems {
  /** @throws Failure LIST_INCOMPLETE after the last item that could be read, if there are more. */
  readonly items: AsyncIterable<unknown>
  /** After the items: true if the service may have more. */
  hasMore(): boolean
}

export interface WalkOptions {
  /** How many items; undefined means one page. */
  readonly wanted: number | undefined
  /** `--max-pages`. Without it, a list whose end isn't announced has at most 1,000 pages, or one for each item. */
  readonly maxPages?: number | undefined
}

const FIRST: PageOptions = {paced: false}
const LATER: PageOptions = {paced: true, uncheckedInput: true}

/** The most pages of a list whose service announces neither an end nor a total. */
const MOST_PAGES = 1000

/**
 * The items of a list, page by page, until there is no next page or `wanted` items were read. Without `wanted`, one
 * page.
 *
 * @throws Failure LIST_INCOMPLETE if there is more that can't be read; ANSWER_INVALID if the service sends the same
 * page or cursor again.
 */
export function walkPages(
  first: Query,
  {wanted, maxPages}: WalkOptions,
  read: (query: Query, options: PageOptions) => Promise<Page>,
): PagedItems {
  let more = false
  async function* walk(): AsyncGenerator<unknown> {
    const asked = new Set<string>()
    let before = ''
    let given = 0
    for (let query: Query | undefined = first; query !== undefined; ) {
      asked.add(JSON.stringify(query))
      const page = await read(query, asked.size > 1 ? LATER : FIRST)
      const {items, next, stuck, hasMore = next !== undefined || stuck !== undefined, isBounded} = page
      const {content: compared = items} = page
      if (next !== undefined && asked.has(JSON.stringify(next))) throw endless('cursor')
      const content = JSON.stringify(compared)
      if (items.length > 0 && content === before) throw endless('page')
      before = content
      for (const [at, item] of items.entries()) {
        if (wanted !== undefined && given >= wanted) {
          more = more || at < items.length
          return
        }
        yield item
        given++
      }
      more = hasMore
      if (wanted === undefined || given >= wanted) return
      if (stuck !== undefined) throw incomplete(stuck)
      const most = maxPages ?? (isBounded ? Number.POSITIVE_INFINITY : mostPages(wanted))
      if (next !== undefined && asked.size >= most) throw incomplete(tooManyPages(most))
      query = next
    }
  }
  return {items: walk(), hasMore: () => more}
}

const mostPages = (wanted: number): number =>
  Number.isFinite(wanted) ? Math.max(wanted, MOST_PAGES) : MOST_PAGES

/** A list that is not whole. What was read has been given to the caller. */
export function incomplete({reason, message, hint}: Stuck): Failure {
  return new Failure('LIST_INCOMPLETE', {message, hint, effect: 'none', data: {complete: false, reason}})
}

const tooManyPages = (pages: number): Stuck => ({
  reason: 'MAX_PAGES',
  message: `The list has more than ${pages} pages, and the service announces no end.`,
  hint: `If it is that long, allow more: --max-pages ${pages * 10}`,
})

function endless(what: 'cursor' | 'page'): Failure {
  const reason: IncompleteReason = 'REPEATED'
  return new Failure('ANSWER_INVALID', {
    message: `The service sent the same ${what} twice, so the list has no end.`,
    hint: 'The items before it were printed. Report this to the service.',
    effect: 'none',
    data: {complete: false, reason},
  })
}
