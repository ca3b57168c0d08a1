import {decoded, decodedWhole} from './marked-values.ts'
import type {Method, Operation} from './operation.ts'
import {operations} from './operations.gen.ts'

export interface Match {
  readonly operation: Operation
  /** Path parameters, percent-decoded. */
  readonly params: Record<string, string>
}

export interface PossibleMatch extends Match {
  /** The contract knows the path for another writing method only. */
  readonly isOtherMethod: boolean
}

export interface MatchOptions {
  /** Also take paths that begin with their group's prefix, `/card/v4/3001`; false by default. */
  readonly prefixes?: boolean
  /** Neutral segments and a service's own words for them: `{walleta: 'examplepay'}`. Both match. */
  readonly words?: Words
}

type Words = Readonly<Record<string, string>>

interface Route {
  readonly operation: Operation
  readonly segments: readonly string[]
}

/** By method and number of segments, with literal segments first: the first route that fits is the right one. */
const routes: ReadonlyMap<string, readonly Route[]> = routesByShape()

function routesByShape(): Map<string, Route[]> {
  const byShape = new Map<string, Route[]>()
  for (const operation of Object.values(operations as Readonly<Record<string, Operation>>)) {
    const segments = operation.path.split('/').slice(1)
    const shape = shapeOf(operation.method, segments)
    byShape.set(shape, [...(byShape.get(shape) ?? []), {operation, segments}])
  }
  for (const alike of byShape.values()) alike.sort((a, b) => compare(a.segments, b.segments))
  return byShape
}

function shapeOf(method: string, segments: readonly string[]): string {
  return `${method} ${segments.length}`
}

const prefixesInUse: ReadonlySet<string> = new Set(
  Object.values(operations as Readonly<Record<string, Operation>>).map(({prefix}) => prefix),
)

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

/**
 * The operation of a method and a concrete path. If two match, the one whose earlier segments are literal wins:
 * `/v3/customer/1` is a customer's cards, not a card with the id "customer".
 */
export function findOperation(
  method: Method | string,
  path: string,
  {prefixes = false, words = {}}: MatchOptions = {},
): Match | undefined {
  const found = match(method, path, words)
  if (found || !prefixes) return found
  for (const prefix of prefixesInUse) {
    if (prefix === '' || !path.startsWith(`${prefix}/`)) continue
    const inside = match(method, path.slice(prefix.length), words)
    if (inside?.operation.prefix === prefix) return inside
  }
  return undefined
}

/**
 * All operations that some server or proxy could take a request for, however its path is written: behind any prefix, in
 * another case, with extra slashes, dots or percent-encoding. For checks, where the strictest counts; an ordinary path
 * of the contract fits one operation. A path that the contract knows for another writing method is that operation: many
 * services take PUT and PATCH for the same.
 */
export function possibleOperations(
  method: Method | string,
  path: string,
  {words = {}}: Pick<MatchOptions, 'words'> = {},
): readonly PossibleMatch[] {
  const segments = plainSegments(path)
  const methods = WRITING.includes(method) ? [method, ...WRITING] : [method]
  const lower = Object.fromEntries(Object.entries(words).map(([name, word]) => [name, word.toLowerCase()]))
  const found = segments.flatMap((_, at) => {
    const rest = segments.slice(at)
    const fitting = (one: string): Route | undefined =>
      routes
        .get(shapeOf(one, rest))
        ?.find(route => route.segments.every((name, index) => couldMean(name, rest[index] ?? '', lower)))
    const [best] = methods.flatMap(one => fitting(one) ?? [])
    if (best === undefined) return []
    const {operation} = best
    return [{operation, params: paramsOf(best, rest), isOtherMethod: operation.method !== method}]
  })
  return [...new Map(found.map(one => [one.operation.id, one])).values()]
}

const WRITING: readonly string[] = ['PATCH', 'PUT', 'POST']

/** Whether a server could take the path for the template of an imported contract, as `possibleOperations` does. */
export function couldFit(template: string, path: string): boolean {
  const route = template.split('/').filter(segment => segment !== '')
  const segments = plainSegments(path)
  const rest = segments.slice(Math.max(0, segments.length - route.length))
  return (
    route.length > 0 &&
    rest.length === route.length &&
    // A parameter may also be a part of a segment: `/{id}.json`.
    route.every((one, at) => one.includes('{') || couldMean(one, rest[at] ?? '', {}))
  )
}

/** The segments that remain when everything that servers and proxies may undo is undone (RFC 3986, 6.2.2). */
function plainSegments(path: string): readonly string[] {
  const text = decodedWhole(path.split('?', 1)[0] ?? '')
  const segments: string[] = []
  for (const written of text.normalize('NFKC').split(/[/\\]/)) {
    // A `;` begins parameters of a segment (RFC 3986, 3.3), which many servers leave out.
    const segment = written.replace(/[;?#].*$/s, '').trim()
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments
}

function couldMean(segment: string, given: string, words: Words): boolean {
  if (isParameter(segment)) return true
  // Without blanks and signs that nobody sees, and without what names a format or ends in dots.
  const word = given
    .replaceAll(/[\s\p{C}]/gu, '')
    .toLowerCase()
    .replace(/\.+$/, '')
    .replace(/\.(?:json|xml|html?|ya?ml|csv|txt|do|action|aspx?|php|jsp)$/, '')
  return means(segment.toLowerCase(), word, {}) || word === words[segment]
}

const paramsOf = ({segments: route}: Route, segments: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    route.flatMap((segment, at) =>
      isParameter(segment) ? [[segment.slice(1, -1), segments[at] ?? '']] : [],
    ),
  )

function match(method: string, path: string, words: Words): Match | undefined {
  const segments = path.split('/').slice(1)
  const best = routes.get(shapeOf(method, segments))?.find(route => fits(route.segments, segments, words))
  if (!best) return undefined
  const params: Record<string, string> = {}
  for (const [at, segment] of best.segments.entries()) {
    if (!isParameter(segment)) continue
    const value = decoded(segments[at] ?? '')
    if (value === undefined || value === '') return undefined
    params[segment.slice(1, -1)] = value
  }
  return {operation: best.operation, params}
}

function fits(route: readonly string[], path: readonly string[], words: Words): boolean {
  return route.every((segment, at) => isParameter(segment) || means(segment, path[at] ?? '', words))
}

/** A literal segment, also when it is percent-encoded or the service's own word. */
function means(segment: string, given: string, words: Words): boolean {
  const text = given.includes('%') ? decoded(given) : given
  return text === segment || (Object.hasOwn(words, segment) && text === words[segment])
}

/** Literal before parameter, from the left. */
function compare(a: readonly string[], b: readonly string[]): number {
  for (const [at, segment] of a.entries()) {
    const order = Number(isParameter(segment)) - Number(isParameter(b[at] ?? ''))
    if (order !== 0) return order
  }
  return 0
}
