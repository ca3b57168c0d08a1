import {isObject} from '../../errors/is-object.ts'
import {valuesAt} from '../../sensitive/json-pointer.ts'
import type {ImportedPaging} from '../contract-form.ts'
import {type Kind, kindsOf, plainName} from './names.ts'
import {looksLikeLink, nextInLinkHeader} from './next-link.ts'

type Members = Readonly<Record<string, unknown>>
export type Cursor = string | number | Members

/** What a response tells of the page after it. */
export interface Signs {
  /** Whether there is more, if it says so. */
  more?: boolean | undefined
  /** A link to the next page. */
  link?: string | undefined
  /** Cursors, and numbers of the next page or item, by the plain names of their members. */
  readonly nexts: Map<string, Cursor>
  /** It has a place for what leads to the next page, and nothing there. */
  isEnd: boolean
  /** Number of items in the whole list. */
  total?: number | undefined
  /** Whether the total can't be anything else, such as an amount of money. */
  isTotalSure: boolean
  pages?: number | undefined
  page?: number | undefined
  offset?: number | undefined
}

/** Members that are there only if there is a next page. */
export const LEADS = /^next.*(?:cursor|token|key|marker|page|offset|id)$|continuation/

/** Whether a response says by itself that the list goes on. */
export const saysMore = ({more, link, nexts}: Signs): boolean =>
  more ?? (link !== undefined || [...nexts.keys()].some(name => LEADS.test(name)))

const DEEPEST = 3

/**
 * Reads a response: its headers, its fields beside the list, and objects that hold facts about pages.
 *
 * @param told where the profile says that they are.
 */
export function signsOf(
  body: unknown,
  headers: Readonly<Record<string, string>>,
  told: Pick<ImportedPaging, 'next' | 'more'> = {},
): Signs {
  const signs: Signs = {nexts: new Map(), isEnd: false, isTotalSure: false}
  if (isObject(body)) look(signs, body, {depth: 0, isHolder: false})
  const {link} = headers
  if (link !== undefined) {
    signs.link = nextInLinkHeader(link) ?? signs.link
    // Links to pages, and none to a next one.
    if (signs.link === undefined && /\brel\s*=\s*"?(?:first|prev|previous|last)\b/i.test(link))
      signs.isEnd = true
  }
  look(signs, pagingHeaders(headers), {depth: DEEPEST, isHolder: true})
  const range = /^\w+ \d+-\d+\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]
  if (range !== undefined) look(signs, {totalItems: Number(range)}, {depth: DEEPEST, isHolder: true})
  if (told.more !== undefined) signs.more = truthOf(valuesAt(body, told.more)[0]) ?? false
  if (told.next !== undefined) leadBy(signs, valuesAt(body, told.next)[0])
  return signs
}

/** What the profile names leads on, and nothing else does. */
function leadBy(signs: Signs, next: unknown): void {
  signs.nexts.clear()
  signs.link = undefined
  if (typeof next === 'string' && looksLikeLink(next)) signs.link = next
  else if (isCursor(next) && next !== '') signs.nexts.set('next', next)
  else signs.isEnd = true
}

/** `X-Next-Cursor` and the like, without their prefix; one of them may hold JSON. */
function pagingHeaders(headers: Readonly<Record<string, string>>): Members {
  const found: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(headers)) {
    const own = /^(?:x-(?:ms-|amz-)?)?(?:pagination-|paging-)?(.*)$/.exec(name)?.[1] ?? name
    if (own === name && !/cursor|continuation|^next-|^total-/.test(name)) continue
    const text = value.trim()
    if (/^\{.*\}$/.test(text)) Object.assign(found, objectIn(text))
    else found[own] = /^\d{1,15}$/.test(text) ? Number(text) : text
  }
  return found
}

function objectIn(text: string): Members {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

interface Place {
  readonly depth: number
  /** Whether the object is about pages alone. */
  readonly isHolder: boolean
}

/** What is further outside counts more. */
function look(signs: Signs, members: Members, {depth, isHolder}: Place): void {
  const inner: (() => void)[] = []
  for (const [name, value] of Object.entries(members)) {
    const kinds = kindsOf(name)
    readMember(signs, name, value, {kinds, isHolder})
    if (depth >= DEEPEST) continue
    if (isObject(value) && kinds.includes('holder')) {
      if (/^links?$/.test(plainName(name))) inner.push(() => lookAtLinks(signs, value))
      inner.push(() => look(signs, value, {depth: depth + 1, isHolder: true}))
    } else if (isObject(value) && kinds.includes('wrapper')) {
      inner.push(() => look(signs, value, {depth: depth + 1, isHolder}))
    } else if (Array.isArray(value) && /^links?$/.test(plainName(name))) {
      inner.push(() => lookAtLinks(signs, byRelation(value)))
    }
  }
  for (const each of inner) each()
}

function readMember(
  signs: Signs,
  name: string,
  value: unknown,
  {kinds, isHolder}: {readonly kinds: readonly Kind[]; readonly isHolder: boolean},
): void {
  const plain = plainName(name)
  const has = (kind: Kind): boolean => kinds.includes(kind)
  if (has('more')) signs.more ??= truthOf(value)
  if (has('last') && typeof value === 'boolean') signs.more ??= !value
  if (has('total') || plain === 'total') readTotal(signs, value, has('total') || isHolder)
  if (has('pages')) signs.pages ??= countOf(value)
  if (has('page')) signs.page ??= countOf(value)
  if (has('offset') && typeof value === 'number') signs.offset ??= countOf(value)
  const leadsOn = has('link') || has('linkOrCursor') || has('cursor') || /^next./.test(plain)
  if (!leadsOn || typeof value === 'boolean' || has('more')) return
  if (value === null || value === '') {
    signs.isEnd = true
    return
  }
  const link = has('link') || has('linkOrCursor') ? linkOf(value, has('link')) : undefined
  if (link !== undefined) signs.link ??= link
  else if (isCursor(value) && !signs.nexts.has(plain)) signs.nexts.set(plain, value)
}

/** The members of `links` or `_links`. With links to other pages, or none at all, there is no next page. */
function lookAtLinks(signs: Signs, links: Members): void {
  const {next} = links
  const link = linkOf(next, true)
  if (link !== undefined) signs.link ??= link
  const names = Object.keys(links)
  if (
    link === undefined &&
    (names.length === 0 || names.some(name => /^(?:next|first|prev|previous|last)$/.test(name)))
  )
    signs.isEnd = true
}

/** `[{"rel": "next", "href": "…"}]` */
function byRelation(links: readonly unknown[]): Members {
  const found = links.flatMap(link =>
    isObject(link) && typeof link.rel === 'string' ? [[link.rel, link]] : [],
  )
  return found.length === 0 ? {self: ''} : Object.fromEntries(found)
}

function linkOf(value: unknown, isLink: boolean): string | undefined {
  const text = isObject(value) ? (value.href ?? value.url ?? value.uri) : value
  if (typeof text !== 'string' || text === '') return undefined
  return isLink || isObject(value) || looksLikeLink(text) ? text : undefined
}

function readTotal(signs: Signs, value: unknown, isSure: boolean): void {
  const total = countOf(value)
  if (total === undefined || (signs.total !== undefined && (signs.isTotalSure || !isSure))) return
  signs.total = total
  signs.isTotalSure = isSure
}

function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

const isCursor = (value: unknown): value is Cursor =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  (isObject(value) &&
    Object.keys(value).length > 0 &&
    Object.values(value).every(one => typeof one === 'string' || typeof one === 'number'))
