/** What a JSON text may hold. */
export interface JsonLimits {
  /** Objects and lists inside each other. */
  readonly depth: number
  /** Members and items, at all levels together. */
  readonly values: number
  /** Characters of one text, as they are written. */
  readonly text: number
}

export interface Limits extends JsonLimits {
  readonly bytes: number
}

const KiB = 1024
const MiB = 1024 * KiB

/**
 * How much is read of what comes from outside, by what it is. All of it is counted before it is parsed: nothing stops a
 * parser on its way, and what walks through a value afterwards would exhaust memory, stack or patience.
 */
export const LIMITS = {
  /** What a service answers, decompressed. A page of 10,000 cards has 250,000 values at a depth of 6. */
  response: {bytes: 16 * MiB, depth: 100, values: 500_000, text: 2 * MiB},
  /** What goes to a service: `--data`, and the value of a `-F`. */
  body: {bytes: 32 * MiB, depth: 100, values: 500_000, text: 2 * MiB},
  /** What the sandbox takes. A batch of 10,000 transfers fits in with room. */
  request: {bytes: 8 * MiB, depth: 100, values: 500_000, text: 2 * MiB},
  /** A row of a file: a line of NDJSON, or a record of CSV, whose values are its cells. */
  row: {bytes: 1 * MiB, depth: 64, values: 10_000, text: 1 * MiB},
  /** A line that `bulk export` wrote: a row, and what the service answered. */
  jobLine: {bytes: 34 * MiB, depth: 110, values: 600_000, text: 2 * MiB},
  /** An authorisation call, and an answer to it. They are a few KiB; whatever is larger is none of them. */
  call: {bytes: 64 * KiB, depth: 60, values: 10_000, text: 64 * KiB},
  /** A recorded call, as `webhook events export` writes it: two of them, escaped, and what was said meanwhile. */
  recordedCall: {bytes: 2 * MiB, depth: 64, values: 30_000, text: 1 * MiB},
  /** A user's own OpenAPI document, each file: much more than any has, and less than would fill the memory. */
  document: {bytes: 128 * MiB, depth: 200, values: 20_000_000, text: 16 * MiB},
  /** A file of rules. */
  rules: {bytes: 1 * MiB, depth: 60, values: 100_000, text: 1 * MiB},
} as const satisfies Record<string, Limits>

/** "16 MiB", "64 KiB" */
export const inBytes = (bytes: number): string =>
  bytes >= MiB ? `${bytes / MiB} MiB` : bytes >= KiB ? `${bytes / KiB} KiB` : `${bytes} bytes`

/** Why a text is not parsed. */
export interface ExceededLimit {
  /** The end of a sentence: "is nested deeper than 100 levels". */
  readonly why: string
  /** The offset in the text from which on it is too much. */
  readonly at: number
}

/**
 * What is too much in a JSON text, or undefined. Told in one pass before it is parsed: a few bytes of brackets and commas,
 * compressed, would else become gigabytes of objects, and nothing can stop a parser on its way. Whether the text is JSON
 * at all is not looked at.
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

/** The place of the quote that ends the string that begins here. */
function endOfString(text: string, from: number): number {
  for (let place = from + 1; place < text.length; place++) {
    const code = text.charCodeAt(place)
    if (code === QUOTE) return place
    if (code === BACKSLASH) place++
  }
  return text.length
}

/**
 * Whether a value holds objects or lists more than `limit` levels inside each other. Level by level, because a recursion
 * over hostile input would end in a stack overflow.
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}
