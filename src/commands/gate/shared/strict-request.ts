import {parseJson} from '../../../cli/body.ts'
import type {Call} from '../../../cli/client/options.ts'
import {isKeptId} from '../../../cli/proposal-content.ts'
import {findOperation, possibleOperations} from '../../../contract/match.ts'
import type {Operation} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {PROPOSAL_HEADER} from '../../../http/index.ts'

/** A request as it came. */
export interface RawRequest {
  readonly method: string
  /** Path and query, as on the request line. */
  readonly url: string
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
  readonly body: Uint8Array
}

/** What a caller asks for, in the contract's terms. Nothing else of what came is sent on. */
export interface AskedCall extends Call {
  /** The idempotency key that the caller gave. */
  readonly key: string | undefined
  /** The proposal that the caller says to have approved. */
  readonly proposal: string | undefined
}

/** A request that may be read in more than one way, or that no operation of the contract describes. */
export class NotRead extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Reads a request in the one way that it can be read. The request to the service is built anew from what this returns.
 *
 * @throws NotRead
 */
export function readStrictly({method, url, rawHeaders, body}: RawRequest): AskedCall {
  if (url.length > LONGEST_URL) throw new NotRead(414, 'The path and query are too long.')
  const headers = singleHeaders(rawHeaders)
  const [path = '', search, ...more] = url.split('?')
  if (more.length > 0) throw new NotRead(403, 'The query holds a second question mark.')
  if (!isPlainPath(path)) throw new NotRead(403, 'The path is not written plainly.')
  const found = findOperation(method, path)
  const [only, ...others] = possibleOperations(method, path)
  if (found === undefined || found.operation.group === 'sandbox')
    throw new NotRead(404, 'No operation has this method and path.')
  const {operation, params} = found
  if (only?.operation.id !== operation.id || only.isOtherMethod || others.length > 0)
    throw new NotRead(403, 'The path may be that of several operations.')
  return {
    operation,
    input: {path: params, query: queryOf(operation, search), ...bodyOf(operation, headers, body)},
    key: keyOf(headers),
    proposal: proposalOf(headers),
  }
}

const LONGEST_URL = 4096

/** Headers that decide what a request is. One that is given twice may be read in two ways. */
const DECIDING =
  /^(?:host|content-(?:type|length|encoding)|transfer-encoding|authorization|x-(?:idempotency-key|cardctl-proposal))$/

function singleHeaders(raw: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    if (headers.has(name) && DECIDING.test(name)) throw new NotRead(403, 'A header is given twice.')
    headers.set(name, raw[at + 1] ?? '')
  }
  return headers
}

/** Unreserved and plain signs (RFC 3986), and percent-encoded text that is none of them. */
const SEGMENT = /^(?:[\w.~!$'()*+,:@&=-]|%[0-9A-Fa-f]{2})+$/
/** What servers and proxies give a meaning of their own: control characters, separators, a percent sign, dots. */
const ACTING = /[\p{C}/\\?#%;]/u

const isPlainPath = (path: string): boolean =>
  path.startsWith('/') &&
  path
    .slice(1)
    .split('/')
    .every(segment => {
      if (!SEGMENT.test(segment)) return false
      const text = decodedStrictly(segment)
      return (
        text !== undefined && !ACTING.test(text) && !/^\.+$/.test(text) && text === text.normalize('NFKC')
      )
    })

function decodedStrictly(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const PAIR = /^([A-Za-z]+)=((?:[\w.~*+:@!$'(),/=-]|%[0-9A-Fa-f]{2})*)$/

/** The names that the contract has for the operation, each once. Who acts is not the caller's word. */
function queryOf({query: known}: Operation, search = ''): Record<string, unknown> {
  const query = new Map<string, unknown>()
  // The fields of a cursor are in the query under their own names.
  const cursor = new Map<string, string>()
  const names = new Set(known.map(({name}) => name))
  const {name: cursorName = '', members: fields = []} = known.find(({members}) => members) ?? {}
  for (const pair of search === '' ? [] : search.split('&')) {
    const [, name = '', value = ''] = PAIR.exec(pair) ?? []
    const text = decodedStrictly(value.replaceAll('+', ' '))
    const isOfCursor = !names.has(name) && fields.includes(name)
    if (name === '' || !(names.has(name) || isOfCursor) || text === undefined || /\p{Cc}/u.test(text))
      throw new NotRead(403, 'The query holds what the operation does not have.')
    if (query.has(name) || cursor.has(name)) throw new NotRead(403, 'The query has a name twice.')
    if (isOfCursor) cursor.set(name, text)
    else query.set(name, INTEGERS.has(name) && /^(?:0|[1-9]\d{0,8})$/.test(text) ? Number(text) : text)
  }
  query.delete('auditUser')
  if (cursor.size > 0 && !query.has(cursorName)) query.set(cursorName, Object.fromEntries(cursor))
  else if (cursor.size > 0) throw new NotRead(403, 'The query has two cursors.')
  return Object.fromEntries(query)
}

const INTEGERS: ReadonlySet<string> = new Set(['page', 'size'])

/** 10,000 transfers have less. All callers wait while one body is read. */
export const MOST_BYTES = 2 * 1024 * 1024
/** Objects in the contract have far fewer fields, and no list is longer than one of transfers. */
const MOST_MEMBERS = 200
const LONGEST_LIST = 10_000
const MOST_VALUES = 100_000

function bodyOf(
  {body: takes}: Operation,
  headers: ReadonlyMap<string, string>,
  bytes: Uint8Array,
): {readonly body?: unknown} {
  if (bytes.length === 0) return {}
  if (takes === 'none') throw new NotRead(403, 'The operation takes no body.')
  if (bytes.length > MOST_BYTES) throw new NotRead(413, 'The body is larger than 2 MiB.')
  const type = headers.get('content-type') ?? ''
  if (!/^application\/json(?:\s*;\s*charset=utf-8)?$/i.test(type.trim()))
    throw new NotRead(415, 'The body is not application/json.')
  if ((headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity')
    throw new NotRead(415, 'The body has a content encoding.')
  let body: unknown
  try {
    body = parseJson(new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes), 'The body')
  } catch (error) {
    if (error instanceof Failure) throw new NotRead(403, error.message)
    throw new NotRead(403, 'The body is not UTF-8 text.')
  }
  if (!isObject(body)) throw new NotRead(403, 'The body is not a JSON object.')
  const excess = excessOf(body)
  if (excess !== undefined) throw new NotRead(403, `The body has ${excess}.`)
  if (hasActingName(body)) throw new NotRead(403, 'The body has a field with a name of the language.')
  return {body}
}

/** What it has too much of. */
function excessOf(body: object): string | undefined {
  const waiting: object[] = [body]
  let values = 0
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const isList = Array.isArray(one)
    const members: readonly unknown[] = Object.values(one)
    if (isList && members.length > LONGEST_LIST) return `a list of more than ${LONGEST_LIST} entries`
    if (!isList && members.length > MOST_MEMBERS) return `an object of more than ${MOST_MEMBERS} fields`
    values += members.length
    if (values > MOST_VALUES) return `more than ${MOST_VALUES} values`
    for (const member of members) if (typeof member === 'object' && member !== null) waiting.push(member)
  }
  return undefined
}

/** Names that some programs take for parts of every object. */
function hasActingName(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasActingName)
  if (!isObject(value)) return false
  return Object.entries(value).some(
    ([name, member]) =>
      name === '__proto__' || name === 'constructor' || name === 'prototype' || hasActingName(member),
  )
}

function proposalOf(headers: ReadonlyMap<string, string>): string | undefined {
  const id = headers.get(PROPOSAL_HEADER)
  if (id === undefined || isKeptId(id)) return id
  throw new NotRead(403, 'The proposal is not named by its id.')
}

function keyOf(headers: ReadonlyMap<string, string>): string | undefined {
  const key = headers.get('x-idempotency-key')
  if (key === undefined) return undefined
  if (!/^[\x21-\x7e]{1,64}$/.test(key))
    throw new NotRead(403, 'The idempotency key is not 1 to 64 characters.')
  return key
}
