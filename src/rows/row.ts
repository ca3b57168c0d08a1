import type {Limits} from '../limits/limits.ts'
import type {ProblemSink} from './problems.ts'

export interface Row<Value = unknown> {
  /** Data row from 1, blank lines not counted. */
  readonly row: number
  /** Line of the file from 1, where the row starts. */
  readonly line: number
  /** By column or member. May hold an own member named `__proto__`: copy with care. */
  readonly values: Readonly<Record<string, Value>>
}

export interface ReadOptions {
  /** The file's name for messages, or "stdin". */
  readonly source: string
  /** What a line, and a CSV record over several lines, may hold; `LIMITS.row` by default. */
  readonly limits?: Limits
  /**
   * Takes the problems of single rows while the good rows come. Without it the reader collects them itself and throws
   * Failure INPUT_INVALID with all of them behind the last good row.
   */
  readonly problems?: ProblemSink
}

/**
 * A column's name if it may be quoted in a message, else undefined. A file without a header row has data where the names
 * should be, a card number or a PIN among it; so only what looks like a member's name is ever repeated.
 */
export function quotableName(name: string): string | undefined {
  const looksLikeName = /^[A-Za-z_~][\w.~[\] -]{0,63}$/.test(name)
  return looksLikeName && name.replace(/\D/g, '').length <= 4 ? name : undefined
}

/** A column for a message, by name or by its place (from 1). */
export function columnLabel(name: string | undefined, place: number): string {
  return (name === undefined ? undefined : quotableName(name)) ?? `column ${place}`
}

/**
 * The text of an id that stands in somebody's file: a text as it is, and a whole number whose digits are kept. undefined
 * for anything else, which has no digits of its own.
 */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : undefined
}
