import type {Operation} from '../contract/operation.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {ReceivedPage} from '../http/index.ts'
import {PageTurner, saysMore, signsOf} from '../imported/commands.ts'
import {parsePaging} from '../profiles/index.ts'
import type {pagingFlags, SomeFlagValues} from './flags.ts'
import {
  type Page,
  type PagedItems,
  type PageOptions,
  type Query,
  type Stuck,
  walkPages,
} from './walk-pages.ts'

export type PageFlags = SomeFlagValues<typeof pagingFlags> & {
  /** The first page to read, if it is not 1. */
  readonly page?: number | undefined
}

/** Fetches one page of a list. Takes query fields and returns the body. */
export type FetchPage = (query: Query, options: PageOptions) => Promise<unknown>

/** The query fields that every page is requested with: those of the first request. */
export function firstPage(operation: Operation, flags: PageFlags): {readonly size?: number} {
  const size = flags['page-size'] ?? largerPage(operation, flags)
  return size === undefined ? {} : {size}
}

/**
 * The largest page of the contract if more than one usual page is wanted, because each request counts against the rate
 * limit. One item more than wanted shows whether there are more. Undefined from a page on that the caller has numbered:
 * its number counts pages of the usual size.
 */
function largerPage({pageSize}: Operation, {all, limit, page}: PageFlags): number | undefined {
  if (pageSize === undefined || page !== undefined) return undefined
  if (all) return pageSize.largest
  return limit === undefined || limit <= pageSize.usual ? undefined : Math.min(limit + 1, pageSize.largest)
}

/** How many items the flags ask for; undefined means one page. */
const wantedItems = ({all, limit}: PageFlags): number | undefined => (all ? Number.POSITIVE_INFINITY : limit)

/** The items of a list, page by page: one page unless `--all` or a larger `--limit` asks for more. */
export function pagedItems(operation: Operation, flags: PageFlags, fetch: FetchPage): PagedItems {
  const turn = operation.paging === 'page' ? byNumbers(operation, flags) : byCursor(operation, flags)
  const told = asTold(operation, flags)
  const options = {wanted: wantedItems(flags), maxPages: flags['max-pages']}
  return walkPages(firstPage(operation, flags), options, async (query, more) => {
    const received = await receive(operation, fetch, query, more)
    const page = told(query, received) ?? turn(received)
    if (received.page?.told !== undefined || !goesOn(received)) return page
    return {...page, hasMore: true, ...(page.next === undefined && {stuck: notTold(operation)})}
  })
}

/** A page to show, and the same as the service wrote it. */
interface Received {
  readonly body: unknown
  readonly raw: unknown
  readonly items: readonly unknown[]
  readonly content: readonly unknown[]
  /** What it says of the next page. */
  readonly page: ReceivedPage | undefined
}

async function receive(
  operation: Operation,
  fetch: FetchPage,
  query: Query,
  options: PageOptions,
): Promise<Received> {
  let came: {readonly body: unknown; readonly page: ReceivedPage | undefined} | undefined
  const unmasked = (body: unknown, page?: ReceivedPage): void => {
    came = {body, page}
  }
  const body = await fetch(query, {...options, unmasked})
  const raw = came === undefined ? body : came.body
  return {body, raw, items: itemsOf(body, operation), content: itemsOf(raw, operation), page: came?.page}
}

/** How pages follow each other as the profile says; undefined if it says nothing. */
function asTold(operation: Operation, flags: PageFlags) {
  let turner: PageTurner | undefined
  return (query: Query, {items, content, page}: Received): Page | undefined => {
    const paging = page?.told === undefined ? undefined : parsePaging(page.told)
    if (page === undefined || paging === undefined) return undefined
    turner ??= new PageTurner({
      operation: {path: operation.path, parameters: [], paging},
      first: firstPage(operation, flags),
      here: page.here,
      all: wantedItems(flags) === Number.POSITIVE_INFINITY,
    })
    const turned = turner.turn(query, page, content)
    return {items, content, hasMore: turned.isSaid === true, ...turned}
  }
}

/** Whether the service says that there is more, beside what the contract has: an empty page is an end. */
const goesOn = ({content, page}: Received): boolean =>
  content.length > 0 && page !== undefined && saysMore(signsOf(page.body, page.headers))

const notTold = ({id}: Operation): Stuck => ({
  reason: 'NEXT_UNKNOWN',
  message: 'The service says that there is more, and not as the contract does.',
  hint: advice`Say how its pages follow: ${cardctl('profiles', 'edit', {value: 'NAME'}, '--paging', {value: `${id}=cursor=PARAMETER,next=/POINTER`})}`,
})

function byCursor(operation: Operation, flags: PageFlags) {
  const first = firstPage(operation, flags)
  return ({items, content, raw}: Received): Page => {
    const next = nextKey(raw)
    return {items, content, next: next && {...first, ...next}}
  }
}

/** The service decides how long a page is, and may send fewer items than requested. Only an empty page is the end. */
function byNumbers(operation: Operation, flags: PageFlags) {
  const {page: first = 0, 'page-size': usual = operation.pageSize?.usual ?? DEFAULT_PAGE} = flags
  const query = firstPage(operation, flags)
  const {size: full = usual} = query
  let page = first
  let longest = 0
  let before = ''
  return ({items, content: compared}: Received): Page => {
    const content = JSON.stringify(compared)
    // A service without pages sends its one short page for every page number, and some send the last page again.
    const isAgain = items.length > 0 && content === before
    if (isAgain && items.length < Math.max(usual, longest)) return {items: []}
    before = content
    longest = Math.max(longest, items.length)
    // The service may send shorter pages than requested. Then a second one as long as the first is full.
    const isFull = items.length >= full || (page > first && items.length >= longest)
    const next = items.length === 0 ? undefined : {...query, page: ++page}
    return {items, next, hasMore: next !== undefined && isFull, content: compared}
  }
}

/** The items that are wanted, up to a limit. Reads no further than that. */
export async function* chosenItems(
  items: AsyncIterable<unknown>,
  keep: (item: unknown) => boolean,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<unknown> {
  let given = 0
  for await (const item of items) {
    if (!keep(item)) continue
    yield item
    if (++given >= limit) return
  }
}

/**
 * A bare array, or the `items` beside a cursor; `[]` if the contract pages the operation and the response has neither.
 */
function itemsOf(body: unknown, {paging}: Operation): readonly unknown[] {
  const items = isObject(body) ? body.items : body
  if (Array.isArray(items)) return items
  if (paging !== undefined) return []
  throw new Failure('USAGE', {
    message: 'The response is not a list, so it has no pages.',
    hint: 'Leave --paginate out.',
  })
}

/** The page size of a service if none is requested. */
const DEFAULT_PAGE = 30

/**
 * Absent or null on the last page. Sent back to the service unchanged, without fields that are null.
 *
 * @throws Failure ANSWER_INVALID if a query can't hold it.
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
      "The service's cursor for the next page can't be sent back: it is neither text nor an object of texts and numbers.",
    hint: 'The pages before it were read. Report this to the service.',
    effect: 'none',
  })
}
