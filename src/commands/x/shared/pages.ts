import type {PageFlags} from '../../../cli/pages.ts'
import {type PageOptions, walkPages} from '../../../cli/walk-pages.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {ServiceResponse} from '../../../http/send-types.ts'
import type {ImportedPaging} from '../../../imported/index.ts'

export type FetchImportedPage = (
  query: Record<string, unknown>,
  options: PageOptions,
) => Promise<ServiceResponse>

type Query = Record<string, unknown>

/**
 * The items of a list, page by page, up to --all or --limit. Services link pages in different ways: tries the link to
 * the next page, then the cursor, then the next page or offset, until a page is empty or the last one.
 *
 * @throws Failure ANSWER_INVALID for a page that comes a second time; USAGE for a response that isn't a list
 */
export function importedItems(
  paging: ImportedPaging,
  flags: PageFlags,
  first: Query,
  fetch: FetchImportedPage,
): AsyncIterable<unknown> {
  const {page} = paging
  const wanted = flags.all ? Number.POSITIVE_INFINITY : (flags.limit ?? Number.POSITIVE_INFINITY)
  let pageNumber = Number((page === undefined ? undefined : first[page]) ?? Number.NaN)
  return walkPages(first, {wanted, maxPages: flags['max-pages']}, async (query, options) => {
    const {body, headers} = await fetch(query, options)
    const items = itemsOf(body)
    if (items.length === 0) return {items, next: undefined}
    if (Number.isNaN(pageNumber)) pageNumber = firstPageNumber(body, paging)
    const next = nextQuery({paging, query, body, headers, items, pageNumber})
    pageNumber++
    return {items, next}
  }).items
}

const LISTS = ['data', 'items', 'results', 'content', 'records', 'entries', 'values', 'list', 'elements']

function itemsOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body
  if (isObject(body)) {
    const members = Object.entries(body)
    const named = LISTS.map(name => members.find(([member]) => member.toLowerCase() === name)?.[1])
    const list = named.find(Array.isArray) ?? onlyList(members)
    if (list !== undefined) return list
    for (const name of ['_embedded', 'data', 'result', 'response']) {
      if (isObject(body[name])) return itemsOf(body[name])
    }
  }
  throw new Failure('USAGE', {
    message: 'The response holds no list, so it has no pages.',
    hint: 'Leave --all and --limit out.',
  })
}

function onlyList(members: readonly [string, unknown][]): readonly unknown[] | undefined {
  const lists = members.map(([, value]) => value).filter(Array.isArray)
  return lists.length === 1 ? lists[0] : undefined
}

interface Here {
  readonly paging: ImportedPaging
  readonly query: Query
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly items: readonly unknown[]
  readonly pageNumber: number
}

function nextQuery(here: Here): Query | undefined {
  const {paging, query, body, headers, items, pageNumber} = here
  const link = linkIn(headers) ?? linkOf(body)
  if (link !== undefined) return {...query, ...queryOf(link)}
  const more = isObject(body) ? memberOf(body, MORE) : undefined
  if (more === false) return undefined
  if (paging.cursor !== undefined) {
    const cursor = cursorOf(body) ?? (more === true ? lastId(items) : undefined)
    return cursor === undefined ? undefined : {...query, [paging.cursor]: cursor}
  }
  if (isLast(here)) return undefined
  if (paging.page !== undefined) return {...query, [paging.page]: pageNumber + 1}
  if (paging.offset !== undefined) {
    return {...query, [paging.offset]: Number(query[paging.offset] ?? 0) + items.length}
  }
  return undefined
}

/** The next link in the Link header (RFC 8288). */
const linkIn = ({link = ''}: Readonly<Record<string, string>>): string | undefined =>
  /<([^>]*)>\s*;[^,]*\brel="?next"?/i.exec(link)?.[1]

/** `_links.next.href`, `links.next` and the like, if it is a URL. */
function linkOf(body: unknown): string | undefined {
  if (!isObject(body)) return undefined
  for (const holder of [body._links, body.links, body.paging, body.pagination, body]) {
    if (!isObject(holder)) continue
    const {next} = holder
    const link = isObject(next) ? next.href : next
    if (typeof link === 'string' && /^(?:https?:\/\/|\/|\?)/.test(link)) return link
  }
  return undefined
}

/** Only the query of a link is used; the base URL stays that of the profile. */
function queryOf(link: string): Query {
  const query: Query = {}
  const at = link.indexOf('?')
  const params = new URLSearchParams(at < 0 ? '' : link.slice(at + 1).replace(/#.*$/, ''))
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name)
    query[name] = values.length === 1 ? values[0] : values
  }
  return query
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

const CURSORS = [
  'nextcursor',
  'nextpagetoken',
  'nexttoken',
  'nextpage',
  'next',
  'continuationtoken',
  'continuation',
  'endcursor',
  'lastevaluatedkey',
  'cursor',
  'after',
  'marker',
]
const MORE = ['hasmore', 'hasnext', 'hasnextpage', 'more']
const HOLDERS = [
  'paging',
  'pagination',
  'meta',
  'metadata',
  'page',
  'pageinfo',
  'cursors',
  'responsemetadata',
  'links',
]

/** The first field with one of the names, in the order of the names. Also searches objects about paging. */
function memberOf(body: Readonly<Record<string, unknown>>, names: readonly string[], depth = 3): unknown {
  const members = Object.entries(body)
  for (const name of names) {
    const found = members.find(([member]) => plain(member) === name)?.[1]
    if (found !== undefined && found !== null && found !== '') return found
  }
  if (depth === 0) return undefined
  for (const [member, value] of members) {
    if (!HOLDERS.includes(plain(member)) || !isObject(value)) continue
    const found = memberOf(value, names, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}

function cursorOf(body: unknown): string | number | undefined {
  const found = isObject(body) ? memberOf(body, CURSORS) : undefined
  return typeof found === 'string' || typeof found === 'number' ? found : undefined
}

/** If a service says only that there is more, the next page starts after the last item. */
function lastId(items: readonly unknown[]): string | number | undefined {
  const last = items.at(-1)
  const id = isObject(last) ? last.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

/** Decides by the totals in the response, otherwise by the requested page size. */
function isLast({paging, query, body, items, pageNumber}: Here): boolean {
  if (isObject(body)) {
    const pages = Number(memberOf(body, ['totalpages', 'pagecount', 'lastpage', 'pages']) ?? Number.NaN)
    if (pages > 0 && paging.page !== undefined) return pageNumber >= (pageNumber === 0 ? pages - 1 : pages)
    if (memberOf(body, ['last', 'islast', 'islastpage']) === true) return true
    const total = Number(memberOf(body, ['total', 'totalcount', 'totalelements', 'totalitems']) ?? Number.NaN)
    if (paging.offset !== undefined && total >= 0) {
      return Number(query[paging.offset] ?? 0) + items.length >= total
    }
  }
  const asked = paging.size === undefined ? undefined : query[paging.size]
  return typeof asked === 'number' && items.length < asked
}

/** Services count pages from 0 or from 1; the first response may show which. */
function firstPageNumber(body: unknown, {page}: ImportedPaging): number {
  if (page === undefined || !isObject(body)) return 1
  const first = memberOf(body, [plain(page), 'page', 'currentpage', 'pagenumber', 'number'])
  return typeof first === 'number' ? first : 1
}
