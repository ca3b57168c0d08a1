import {isObject} from '../errors/is-object.ts'
import {Secret} from '../sensitive/secret.ts'
import type {Route, Step} from './dialect-file.ts'
import {put, valueAt} from './pointer.ts'

/** A request as the service takes it, its secrets closed. */
export interface TheirRequest extends Route {
  readonly params: Readonly<Record<string, string | Secret>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | Secret>>
  readonly body: unknown
  /** The header of the idempotency key; undefined if the key goes elsewhere or nowhere. */
  readonly keyHeader: string | undefined
}

export const dotted = (pointer: string): string =>
  pointer === '' ? 'the body' : pointer.slice(1).replaceAll('/', '.')

const isFirst = (value: unknown): value is {readonly first: string} =>
  isObject(value) && typeof value.first === 'string' && Object.keys(value).length === 1

/** An id or a version; anything else can't go on to the next request. */
export const isScalar = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '')

export const fromFirst = (given: Step['with']): readonly string[] =>
  Object.values(given).flatMap(value => (isFirst(value) ? [value.first] : []))

export function theirRequest(
  {route, with: others}: Step,
  mapped: unknown,
  {key, location}: {readonly key?: string | undefined; readonly location?: string | undefined},
  first?: unknown,
): TheirRequest {
  let theirs = structuredShape(mapped)
  for (const [at, value] of Object.entries(others)) {
    const given = isFirst(value) ? (valueAt(first, value.first) ?? `{${dotted(value.first)}}`) : value
    theirs = put(theirs, at, given)
  }
  const header = /^\/header\/(.+)$/.exec(location ?? '')?.[1]
  if (key !== undefined && location !== undefined && header === undefined) theirs = put(theirs, location, key)
  const {path, query, header: headers, body} = isObject(theirs) ? theirs : {}
  const texts = (value: unknown): Record<string, string | Secret> =>
    Object.fromEntries(
      Object.entries(isObject(value) ? value : {}).map(([name, one]) => [
        name,
        one instanceof Secret ? one : String(one),
      ]),
    )
  return {
    ...route,
    params: texts(path),
    query: isObject(query) ? query : {},
    headers: Object.fromEntries(
      Object.entries(texts(headers)).map(([name, one]) => [name.toLowerCase(), one]),
    ),
    body,
    keyHeader: header?.toLowerCase(),
  }
}

/** A copy of its maps and lists, so that later values don't change what was mapped. */
function structuredShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structuredShape)
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, structuredShape(one)]))
}
