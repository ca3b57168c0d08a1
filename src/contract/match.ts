import type {Method, Operation} from './operation.ts'
import {operations} from './operations.gen.ts'

export interface Match {
  readonly operation: Operation
  /** Path parameters, percent-decoded. */
  readonly params: Record<string, string>
}

export interface MatchOptions {
  /** Also take paths that begin with their group's prefix, `/card/v4/3001`; false by default. */
  readonly prefixes?: boolean
}

interface Route {
  readonly operation: Operation
  readonly segments: readonly string[]
}

const routes: readonly Route[] = Object.values(operations as Readonly<Record<string, Operation>>).map(
  operation => ({
    operation,
    segments: operation.path.split('/').slice(1),
  }),
)

const isParameter = (segment: string): boolean => segment.startsWith('{')

/**
 * The operation that a method and a concrete path mean. Where two fit, the one whose earlier segments are literal wins:
 * `/v3/customer/1` is a customer's cards and no card of the id "customer".
 */
export function findOperation(
  method: Method | string,
  path: string,
  {prefixes = false}: MatchOptions = {},
): Match | undefined {
  const found = match(method, path)
  if (found || !prefixes) return found
  for (const prefix of new Set(routes.map(({operation}) => operation.prefix))) {
    if (prefix === '' || !path.startsWith(`${prefix}/`)) continue
    const inside = match(method, path.slice(prefix.length))
    if (inside?.operation.prefix === prefix) return inside
  }
  return undefined
}

function match(method: string, path: string): Match | undefined {
  const segments = path.split('/').slice(1)
  const [best] = routes
    .filter(route => route.operation.method === method && fits(route.segments, segments))
    .sort((a, b) => compare(a.segments, b.segments))
  if (!best) return undefined
  const params: Record<string, string> = {}
  for (const [at, segment] of best.segments.entries()) {
    if (!isParameter(segment)) continue
    const value = decode(segments[at] ?? '')
    if (value === undefined || value === '') return undefined
    params[segment.slice(1, -1)] = value
  }
  return {operation: best.operation, params}
}

function fits(route: readonly string[], path: readonly string[]): boolean {
  return (
    route.length === path.length && route.every((segment, at) => isParameter(segment) || segment === path[at])
  )
}

/** Literal before parameter, from the left. */
function compare(a: readonly string[], b: readonly string[]): number {
  for (const [at, segment] of a.entries()) {
    const order = Number(isParameter(segment)) - Number(isParameter(b[at] ?? ''))
    if (order !== 0) return order
  }
  return 0
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
