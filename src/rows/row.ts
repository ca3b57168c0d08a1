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
  /** Longest line, and longest CSV record over several lines, in bytes. */
  readonly maxLineBytes?: number
  /**
   * Takes the problems of single rows while the good rows come. Without it the reader collects them itself and throws
   * Failure INPUT_INVALID with all of them behind the last good row.
   */
  readonly problems?: ProblemSink
}

export const MAX_LINE_BYTES = 1024 * 1024
