import {Failure} from '../errors/failure.ts'
import type {Limits} from '../limits/limits.ts'
import type {Encoding} from './dialect.ts'
import type {RowProblem} from './problem-groups.ts'
import {ProblemGroups} from './problem-groups.ts'

/** What is known of a fault beside its message. */
export type ProblemFacts = Pick<RowProblem, 'kind' | 'value'>

export interface ProblemSink {
  add(problem: RowProblem): void
}

export interface RowProblemsOptions {
  /** The file's name, or "stdin". */
  readonly source: string
  /** Maximum number of problems to keep and list. All are counted. */
  readonly keep?: number
}

/** "row 3, amount: has 3 decimals ('12.505')" */
export function describeProblem({row, line, column, message, value}: RowProblem): string {
  const place = row === 0 ? 'header' : `row ${row}`
  const where = line === undefined ? place : `${place} (line ${line})`
  const cell = value === undefined ? '' : ` ('${value}')`
  return `${where}${column === undefined ? '' : `, ${column}`}: ${message}${cell}`
}

/**
 * Collects the problems of all rows, so that the user can correct the file in one go: those that many rows have are one
 * group. Bounded in memory.
 */
export class RowProblems implements ProblemSink {
  readonly #options: RowProblemsOptions
  readonly #groups = new ProblemGroups()
  readonly #kept: RowProblem[] = []
  #count = 0
  #rows = 0
  #lastRow = -1

  constructor(options: RowProblemsOptions) {
    this.#options = options
  }

  add(problem: RowProblem): void {
    this.#count += 1
    if (problem.row !== this.#lastRow) this.#rows += 1
    this.#lastRow = problem.row
    this.#groups.add(problem)
    if (this.#kept.length < (this.#options.keep ?? 50)) this.#kept.push(problem)
  }

  /** The number of all problems, including those that weren't kept. */
  get count(): number {
    return this.#count
  }

  get kept(): readonly RowProblem[] {
    return this.#kept
  }

  /** Failure INPUT_INVALID with `data: {source, problems, count, rows, groups}`. The printer lists the groups. */
  toFailure(): Failure {
    const {source} = this.#options
    const [first] = this.#kept
    const message =
      this.#count === 1 && first !== undefined
        ? `${source}, ${describeProblem(first)}`
        : `${this.#rows} ${this.#rows === 1 ? 'row' : 'rows'} of ${source} cannot be used`
    return new Failure('INPUT_INVALID', {
      message,
      data: {
        source,
        problems: this.#kept.map(({kind: _, ...problem}) => problem),
        count: this.#count,
        rows: this.#rows,
        groups: this.#groups.all,
      },
    })
  }

  throwIfAny(): void {
    if (this.#count > 0) throw this.toFailure()
  }
}

export interface Row<Value = unknown> {
  /** Data row from 1. Blank lines aren't counted. */
  readonly row: number
  /** Line of the file from 1, where the row starts. */
  readonly line: number
  /** By column or field. May have a field named `__proto__`: copy with care. */
  readonly values: Readonly<Record<string, Value>>
}

export interface ReadOptions {
  /** The file's name for messages, or "stdin". */
  readonly source: string
  /** Limits of a line, or of a CSV record with several lines; `LIMITS.row` by default. */
  readonly limits?: Limits
  /**
   * Receives the problems of single rows, while valid rows are still returned. Without it, the reader collects the
   * problems, and throws Failure INPUT_INVALID with all of them after the last valid row.
   */
  readonly problems?: ProblemSink
  /** What a column of a CSV header is called in the rows; its own name by default. See `columnNames`. */
  readonly nameOf?: (column: string) => string
  /** The encoding of the text; UTF-8 by default. */
  readonly encoding?: Encoding | undefined
  /** Refuse CSV whose last line has no line end: it may have been cut off. A line of NDJSON shows that itself. */
  readonly finalNewline?: boolean | undefined
}

/**
 * The name of a column if a message may quote it, else undefined. If the header row is missing, data takes its place,
 * perhaps a card number or a PIN. So only a text that looks like the name of a field is quoted.
 */
export function quotableName(name: string): string | undefined {
  const looksLikeName = /^[\p{L}_~][\p{L}\p{N}_.~[\] ()/€-]{0,63}$/u.test(name)
  return looksLikeName && name.replace(/\D/g, '').length <= 4 ? name : undefined
}

/**
 * The text of a cell if an error may show it: an amount with a sign in it. Whole numbers may be PINs or ids, and words
 * may be secrets.
 */
export function shownValue(cell: unknown): string | undefined {
  const text = String(cell ?? '').trim()
  const digits = text.replaceAll(/\D/g, '').length
  const isAmount = /^[-(−–]?[\d\s.,'’]+[-)−–]{0,2}$/u.test(text) && /[^\d]/.test(text)
  return isAmount && digits > 0 && digits <= 10 ? text.replaceAll(/\s/gu, ' ') : undefined
}

/** Names a column in a message, by its name or by its position (from 1). */
export function columnLabel(name: string | undefined, place: number): string {
  return (name === undefined ? undefined : quotableName(name)) ?? `column ${place}`
}

/**
 * The text of an id in a user's file: text stays as it is, and an integer becomes text if it is exact. Undefined for
 * anything else.
 */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : undefined
}
