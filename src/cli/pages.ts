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
export type FetchPage = (query: Record<string, unknown>) => Promise<unknown>

/** What a list gave, and whether there was more that nobody asked for. */
export interface PagedItems {
  readonly items: AsyncIterable<unknown>
  /** After the items: true if the service may have more. */
  hasMore(): boolean
}

/** The query members that every page is asked for with: those of the first request. */
export const firstPage = ({'page-size': size}: PageFlags): {readonly size?: number} =>
  size === undefined ? {} : {size}

/**
 * The items of a list, page by page: one page unless `--all` or a larger `--limit` asks for more. The contract says how
 * the operation pages; a short page or an absent cursor is the end.
 */
export function pagedItems(operation: Operation, flags: PageFlags, fetch: FetchPage): PagedItems {
  let more = false
  async function* walk(): AsyncGenerator<unknown> {
    const wanted = flags.all ? Number.POSITIVE_INFINITY : flags.limit
    const {size} = firstPage(flags)
    let next: Record<string, unknown> | undefined = {}
    let given = 0
    for (let page = flags.page ?? 0; next !== undefined; page++) {
      const body = await fetch({...firstPage(flags), ...next})
      const items = itemsOf(body, operation)
      next = operation.paging === 'page' ? nextPage(items, size, page) : nextKey(body)
      for (const [at, item] of items.entries()) {
        if (wanted !== undefined && given >= wanted) {
          more = more || at < items.length
          return
        }
        yield item
        given++
      }
      more = next !== undefined
      if (wanted === undefined || given >= wanted) return
    }
  }
  return {items: walk(), hasMore: () => more}
}

/** A bare array, or the `items` beside a cursor. @throws Failure USAGE for what nobody says is a list, and is none. */
function itemsOf(body: unknown, {paging}: Operation): readonly unknown[] {
  const items = isObject(body) ? body.items : body
  if (Array.isArray(items)) return items
  if (paging !== undefined) return []
  throw new Failure('USAGE', {
    message: 'The answer is no list, so it has no pages.',
    hint: 'Leave --paginate out.',
  })
}

const DEFAULT_PAGE = 30

/** A bare array has no total: a full page may have a successor, a short one has none. */
function nextPage(
  items: readonly unknown[],
  size = DEFAULT_PAGE,
  page: number,
): Record<string, unknown> | undefined {
  return items.length < size ? undefined : {page: page + 1}
}

function nextKey(body: unknown): Record<string, unknown> | undefined {
  const key = isObject(body) ? body.lastEvaluatedKey : undefined
  return isObject(key) ? {exclusiveStartKey: key} : undefined
}
