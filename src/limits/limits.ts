/** Limits of a JSON text. */
export interface JsonLimits {
  /** Maximum nesting of objects and lists. */
  readonly depth: number
  /** Maximum number of fields and items, at all levels together. */
  readonly values: number
  /** Maximum length of one string, in characters as written. */
  readonly text: number
}

export interface Limits extends JsonLimits {
  readonly bytes: number
}

const KiB = 1024
const MiB = 1024 * KiB

/**
 * Limits of everything that is read from outside, by kind. They are checked before parsing, because a running parser
 * can't be stopped, and code that walks the parsed value could run out of memory, stack or time.
 */
export const LIMITS = {
  /** A response of a service, decompressed. A page of 10,000 cards has 250,000 values at a depth of 6. */
  response: {bytes: 16 * MiB, depth: 100, values: 500_000, text: 2 * MiB},
  /** The body of a request: `--data`, and the value of a `-F`. */
  body: {bytes: 32 * MiB, depth: 100, values: 500_000, text: 2 * MiB},
  /** A request to the sandbox. A batch of 10,000 transfers fits easily. */
  request: {bytes: 8 * MiB, depth: 100, values: 500_000, text: 2 * MiB},
  /** A row of a file: a line of NDJSON, or a record of CSV, whose values are its cells. */
  row: {bytes: 1 * MiB, depth: 64, values: 10_000, text: 1 * MiB},
  /** A line of a file that `bulk export` wrote: a row, and the service's response. */
  jobLine: {bytes: 34 * MiB, depth: 110, values: 600_000, text: 2 * MiB},
  /** An authorisation call, or an answer to one. They have a few KiB. */
  call: {bytes: 64 * KiB, depth: 60, values: 10_000, text: 64 * KiB},
  /** A recorded call as `webhook events export` writes it: call and answer, escaped, and notes. */
  recordedCall: {bytes: 2 * MiB, depth: 64, values: 30_000, text: 1 * MiB},
  /** Each file of a user's own OpenAPI document: much more than any real one, but not enough to fill the memory. */
  document: {bytes: 128 * MiB, depth: 200, values: 20_000_000, text: 16 * MiB},
  /** A signed report of another machine: some 50,000 entries. */
  report: {bytes: 64 * MiB, depth: 20, values: 2_000_000, text: 1 * MiB},
  /** A file of rules. */
  rules: {bytes: 1 * MiB, depth: 60, values: 100_000, text: 1 * MiB},
  /** A test suite, also one of recorded calls. */
  suite: {bytes: 32 * MiB, depth: 64, values: 500_000, text: 1 * MiB},
} as const satisfies Record<string, Limits>

/** "16 MiB", "64 KiB" */
export const inBytes = (bytes: number): string =>
  bytes >= MiB ? `${bytes / MiB} MiB` : bytes >= KiB ? `${bytes / KiB} KiB` : `${bytes} bytes`

/** Why a text is refused. */
interface ExceededLimit {
  /** The end of a sentence: "is nested deeper than 100 levels". */
  readonly why: string
  /** The offset in the text where it exceeds the limit. */
  readonly at: number
}

/**
 * How a JSON text exceeds the limits, or undefined. Scans the text once before it is parsed: otherwise a few compressed
 * bytes of brackets and commas could become gigabytes of objects, and a running parser can't be stopped. Doesn't check
 * whether the text is valid JSON.
 */
export function exceededLimit(json: string, {depth, values, text}: JsonLimits): ExceededLimit | undefined {
  let open = 0
  let count = 0
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(json, at)
        if (end - at - 1 > text) return {why: `holds a text of more than ${inBytes(text)}`, at}
        at = end
        break
      }
      case COMMA:
        count++
        break
      case LIST:
      case OBJECT:
        open++
        count++
        break
      case LIST_END:
      case OBJECT_END:
        open--
        break
      default:
        continue
    }
    if (open > depth) return {why: `is nested deeper than ${depth} levels`, at}
    if (count > values) return {why: `holds more than ${values} values`, at}
  }
  return undefined
}

const [QUOTE, COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d]
const BACKSLASH = 0x5c

/** The position of the quote that ends the string that begins here. */
function endOfString(text: string, from: number): number {
  for (let place = from + 1; place < text.length; place++) {
    const code = text.charCodeAt(place)
    if (code === QUOTE) return place
    if (code === BACKSLASH) place++
  }
  return text.length
}

/**
 * Whether objects and lists in a value are nested deeper than `limit` levels. Works level by level, because recursion
 * over hostile input would overflow the stack.
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}

/**
 * The field with a number that `JSON.parse` would silently change, because it has more digits than a double keeps. ''
 * if the number isn't in a field, undefined if there is no such number. The text must be JSON.
 */
export function changedNumber(json: string): string | undefined {
  // Checking every number's source costs several times the parse, so skip texts that can't have such a number.
  if (!/[\d.]{16}|\d[eE]/.test(json)) return undefined
  let changed: string | undefined
  // The third parameter (ECMA-262, JSON.parse source text access) is not in TypeScript's library yet.
  const review = (key: string, value: unknown, context?: {source?: string}) => {
    if (typeof value === 'number' && !keepsItsDigits(context?.source ?? '', value)) changed ??= key
    return value
  }
  JSON.parse(json, review as (key: string, value: unknown) => unknown)
  return changed
}

function keepsItsDigits(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return false
  const digits = source
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  return digits.length <= 15 || (Number.isSafeInteger(value) && source === String(value))
}

/**
 * Whether an object in a JSON text has a name twice. Readers take the first or the last value, so nobody can know which
 * one is meant (RFC 8259, 4). The text must be JSON.
 *
 * @param value what `JSON.parse` makes of it.
 */
export function repeatsName(json: string, value: unknown): boolean {
  let names = 0
  for (const [, colon] of json.matchAll(/"(?:[^"\\]+|\\.)*"\s*(:)?/gs)) if (colon !== undefined) names++
  return names !== countNames(value)
}

function countNames(value: unknown): number {
  let count = 0
  // Without recursion: a text may be nested deeply.
  const open: unknown[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.values(next)
    if (!Array.isArray(next)) count += inner.length
    for (const one of inner) if (typeof one === 'object' && one !== null) open.push(one)
  }
  return count
}
