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
