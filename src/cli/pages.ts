import type {Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from './body.ts'

export interface PageFlags {
  readonly all?: boolean | undefined
  readonly limit?: number | undefined
  readonly 'page-size'?: number | undefined
  /** The page to begin with, where it is not the first. */
  readonly page?: number | undefined
}

/** Fetches one page of a list: query members in, the reply's body out. */
export type FetchPage = (query: Record<string, unknown>, options: PageOptions) => Promise<unknown>

export interface PageOptions {
  /** One of several pages, which takes its turn of the quota. The first is a request like any other. */
  readonly paced: boolean
}

/** What a list gave, and whether there was more that nobody asked for. */
export interface PagedItems {
  readonly items: AsyncIterable<unknown>
  /** After the items: true if the service may have more. */
  hasMore(): boolean
}

/** The query members that every page is asked for with: those of the first request. */
export const firstPage = ({'page-size': size}: PageFlags): {readonly size?: number} =>
  size === undefined ? {} : {size}

/** The items of a list, page by page: one page unless `--all` or a larger `--limit` asks for more. */
export function pagedItems(operation: Operation, flags: PageFlags, fetch: FetchPage): PagedItems {
  let more = false
  async function* walk(): AsyncGenerator<unknown> {
    const wanted = flags.all ? Number.POSITIVE_INFINITY : flags.limit
    let given = 0
    for await (const {items, hasNext} of pages(operation, flags, fetch)) {
      for (const [at, item] of items.entries()) {
        if (wanted !== undefined && given >= wanted) {
          more = more || at < items.length
          return
        }
        yield item
        given++
      }
      more = hasNext
      if (wanted === undefined || given >= wanted) return
    }
  }
  return {items: walk(), hasMore: () => more}
}

interface Page {
  readonly items: readonly unknown[]
  /** Whether the service may have another one. */
  readonly hasNext: boolean
}

/**
 * The pages of a list until the service has no more. The contract says how the operation pages; how long a page is says
 * the service, which may send fewer than it was asked for.
 *
 * @throws Failure ANSWER_INVALID when the service sends the same page or cursor again, USAGE for what is no list.
 */
async function* pages(operation: Operation, flags: PageFlags, fetch: FetchPage): AsyncGenerator<Page> {
  const {page: first = 0, 'page-size': size} = flags
  const sized = firstPage(flags)
  if (operation.paging !== 'page') {
    const cursors = new Set<string>()
    for (let next: Record<string, unknown> | undefined = {}; next !== undefined; ) {
      const body = await fetch({...sized, ...next}, {paced: cursors.size > 0})
      next = nextKey(body)
      const cursor = JSON.stringify(next)
      if (next !== undefined && cursors.has(cursor)) throw endless('cursor')
      cursors.add(cursor)
      yield {items: itemsOf(body, operation), hasNext: next !== undefined}
    }
    return
  }
  const usual = size ?? DEFAULT_PAGE
  let longest = 0
  let before = ''
  for (let page = first; ; page++) {
    const items = itemsOf(
      await fetch(page === first ? sized : {...sized, page}, {paced: page > first}),
      operation,
    )
    const content = JSON.stringify(items)
    const isRepeated = items.length > 0 && content === before
    // A service that knows no pages sends its one short page for each of them.
    if (isRepeated && items.length < usual) return
    if (isRepeated) throw endless('page')
    before = content
    const isLast = items.length < longest || items.length === 0
    longest = Math.max(longest, items.length)
    yield {items, hasNext: !isLast && items.length >= usual}
    if (isLast) return
  }
}

function endless(what: 'cursor' | 'page'): Failure {
  return new Failure('ANSWER_INVALID', {
    message: `The service sent the same ${what} twice, so the list has no end.`,
    hint: 'What came until then was read. Report it to the service.',
    effect: 'none',
  })
}

/** A bare array, or the `items` beside a cursor; `[]` where an answer that the contract pages has none. */
function itemsOf(body: unknown, {paging}: Operation): readonly unknown[] {
  const items = isObject(body) ? body.items : body
  if (Array.isArray(items)) return items
  if (paging !== undefined) return []
  throw new Failure('USAGE', {
    message: 'The answer is no list, so it has no pages.',
    hint: 'Leave --paginate out.',
  })
}

/** What a service sends on a page that nobody gave a size for. */
const DEFAULT_PAGE = 30

/**
 * Absent or null on the last page. Goes back to the service as it came, without members that are null.
 *
 * @throws Failure ANSWER_INVALID for one that no query can hold.
 */
function nextKey(body: unknown): Record<string, unknown> | undefined {
  const key = isObject(body) ? body.lastEvaluatedKey : undefined
  if (key === undefined || key === null || key === '') return undefined
  if (typeof key === 'string') return {exclusiveStartKey: key}
  const members = isObject(key) ? Object.entries(key).filter(([, value]) => value !== null) : undefined
  if (members?.every(([, value]) => ['string', 'number'].includes(typeof value))) {
    return members.length === 0 ? undefined : {exclusiveStartKey: Object.fromEntries(members)}
  }
  throw new Failure('ANSWER_INVALID', {
    message:
      "The service's mark for the next page can't be sent back: it is neither text nor an object of texts and numbers.",
    hint: 'What came until then was read. Report it to the service.',
    effect: 'none',
  })
}
