import {getCACertificates} from 'node:tls'
import {Failure} from '../errors/failure.ts'
import {checkBaseUrl, checkUrl} from '../network/check-url.ts'
import type {TargetTls} from '../profiles/target.ts'
import {openSecrets, Secret} from '../sensitive/secret.ts'
import type {ReceivedBody} from './response-body.ts'

/** Certificate authorities that requests of a target trust; Node's own list if undefined. */
export const authoritiesOf = ({ca}: TargetTls): string[] | undefined =>
  // Node uses `ca` instead of its own list and NODE_EXTRA_CA_CERTS, so add a private CA to them.
  ca === undefined ? undefined : [...getCACertificates('default'), ca]

/** The parts of a base URL that requests are built from. */
export interface Base {
  /** Scheme, host and port. */
  readonly origin: string
  /** `host` or `host:port`, the port only if it isn't the scheme's own. */
  readonly host: string
  /** '' or '/path' without a trailing slash, as sent. */
  readonly path: string
}

/** @throws Failure PROFILE_INVALID for an unusable URL. */
function accepted(what: string, checked: ReturnType<typeof checkUrl>): URL {
  if ('url' in checked) return checked.url
  throw new Failure('PROFILE_INVALID', {message: `${what} ${checked.problem}.`, effect: 'none'})
}

/**
 * Checks a base URL of the profile and splits it. `what` names it in errors, for example "The base URL". The URL itself
 * is not printed where it may hold a password.
 *
 * @throws Failure PROFILE_INVALID: not absolute, not http(s), with user, query or fragment, or `http:` to another host
 * than loopback without `allowInsecure`.
 */
export function parseBase(text: string, what: string, allowInsecure: boolean): Base {
  const url = accepted(what, checkBaseUrl(text, allowInsecure))
  return {origin: url.origin, host: url.host, path: url.pathname.replace(/\/+$/, '')}
}

/** The same for a URL that is called as it is, such as a token endpoint: its path keeps slash and query. */
export function parseEndpoint(text: string, what: string, allowInsecure: boolean): Base {
  const url = accepted(what, checkUrl(text, allowInsecure))
  return {origin: url.origin, host: url.host, path: url.pathname + url.search}
}

const isPlain = (value: unknown): value is string | number | boolean | bigint =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  typeof value === 'bigint'

function* members(name: string, value: unknown): Generator<[string, string]> {
  if (value === undefined || value === null) return
  if (isPlain(value)) {
    yield [name, String(value)]
  } else if (Array.isArray(value)) {
    for (const item of value) yield* members(name, item)
  } else if (typeof value === 'object') {
    // OpenAPI's `style: form, explode: true`: the fields of an object are in the query under their own names.
    for (const [member, item] of Object.entries(value)) yield* members(member, item)
  } else {
    throw new Failure('INPUT_INVALID', {
      message: `The query parameter ${name} must be text, a number, a list or an object.`,
      effect: 'none',
    })
  }
}

/**
 * A query with its `?`, or ''. Arrays repeat their name, objects are exploded into their fields, null and undefined are
 * left out. Everything outside RFC 3986's unreserved characters is percent-encoded.
 */
export function requestQuery(query: Readonly<Record<string, unknown>>): string {
  const parts: string[] = []
  for (const [name, value] of Object.entries(query)) {
    for (const [member, text] of members(name, value)) {
      parts.push(`${encodeURIComponent(member.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`)
    }
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

const invalid = (message: string): Failure => new Failure('INPUT_INVALID', {message, effect: 'none'})

/** One path segment, percent-encoded so that it can neither end the segment nor climb out of it. */
function encodeSegment(name: string, value: string): string {
  if (value === '') throw invalid(`The value for ${name} is empty, but the path needs it.`)
  // Servers and proxies resolve these even when encoded (RFC 3986, 5.2.4 and 6.2.2.3).
  if (value.split(/[/\\]/).some(part => part === '.' || part === '..')) {
    throw invalid(`The value for ${name} contains a . or .. segment, which would lead to another path.`)
  }
  if (!value.isWellFormed()) throw invalid(`The value for ${name} is not well-formed text.`)
  return encodeURIComponent(value)
}

/**
 * Fills a path of the contract, such as `/v4/{id}`. `words` replaces literal segments but never values of parameters,
 * which are percent-encoded whole.
 *
 * @throws Failure INPUT_INVALID if a value is missing, empty, has `.` or `..` as a segment, or is not well-formed.
 */
export function requestPath(
  template: string,
  params: Readonly<Record<string, string>>,
  words: Readonly<Record<string, string>>,
): string {
  const segments = template.split('/').map(segment => {
    const parameter = /^\{(.+)\}$/.exec(segment)?.[1]
    if (parameter === undefined) {
      const word = Object.hasOwn(words, segment) ? words[segment] : undefined
      return word === undefined ? segment : encodeSegment(`the word ${segment}`, word)
    }
    const value = Object.hasOwn(params, parameter) ? params[parameter] : undefined
    if (value === undefined) throw invalid(`The path needs a value for ${parameter}.`)
    // The type says text. A value from a file that escaped the check must not become text by accident.
    if (typeof value !== 'string') throw invalid(`The value for ${parameter} is not text.`)
    return encodeSegment(parameter, value)
  })
  return segments.join('/')
}

/**
 * The bytes of a body, made once: every attempt sends the same.
 *
 * @throws Failure INPUT_INVALID if the value can't be written as JSON.
 */
export function bodyBytes(body: unknown, words: Readonly<Record<string, string>>): Buffer | undefined {
  if (body === undefined) return undefined
  try {
    return Buffer.from(JSON.stringify(openSecrets(renameFields(body, toServiceNames(words)))), 'utf8')
  } catch {
    throw new Failure('INPUT_INVALID', {
      message:
        "The body can't be written as JSON: it is nested too deeply, or contains a value that JSON does not have.",
      effect: 'none',
    })
  }
}

/** New names of fields, by their old ones; values stay. */
type Renaming = ReadonlyMap<string, string>

/** Neutral names to the service's own. */
export function toServiceNames(words: Readonly<Record<string, string>>): Renaming {
  return new Map(Object.entries(words))
}

/** The service's own names back to the neutral ones. If two neutral names map to the same name, the first wins. */
export function toNeutralNames(words: Readonly<Record<string, string>>): Renaming {
  return new Map(
    Object.entries(words)
      .reverse()
      .map(([neutral, own]) => [own, neutral]),
  )
}

/** Deeper than any document of the service. Fields below it keep their names, so that the stack is not exhausted. */
const DEEPEST = 200

/**
 * The same JSON value with its fields renamed at every depth. A field keeps its name if the new one is taken, so that
 * nothing is lost.
 */
export function renameFields(value: unknown, renaming: Renaming, depth = 0): unknown {
  if (renaming.size === 0 || depth > DEEPEST) return value
  if (Array.isArray(value)) return value.map(item => renameFields(item, renaming, depth + 1))
  if (value === null || typeof value !== 'object' || value instanceof Secret) return value
  // Object.fromEntries defines own properties, so that a field named __proto__ stays one.
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const other = renaming.get(name)
      const renamed = other !== undefined && !Object.hasOwn(value, other) ? other : name
      return [renamed, renameFields(item, renaming, depth + 1)]
    }),
  )
}

/** The body of a response under the contract's neutral names. */
export function neutralBody(body: ReceivedBody, words: Readonly<Record<string, string>>): ReceivedBody {
  return body.kind === 'json' ? {kind: 'json', value: renameFields(body.value, toNeutralNames(words))} : body
}
