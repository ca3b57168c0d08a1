import {Failure} from '../errors/failure.ts'
import type {Limits} from '../limits/limits.ts'

/** What is wrong with a row of an input file. */
export interface RowProblem {
  /** Data row from 1; the header row is 0. */
  readonly row: number
  /** Line of the file from 1, where the row starts. */
  readonly line?: number
  readonly column?: string
  /** Without the row's contents: a misplaced column may hold something sensitive. */
  readonly message: string
}

export interface ProblemSink {
  add(problem: RowProblem): void
}

export interface RowProblemsOptions {
  /** The file's name, or "stdin". */
  readonly source: string
  /** How many problems are kept and listed; all are counted. */
  readonly keep?: number
}

/** "row 3, amount: has 3 decimals" */
export function describeProblem({row, line, column, message}: RowProblem): string {
  const place = row === 0 ? 'header' : `row ${row}`
  const where = line === undefined ? place : `${place} (line ${line})`
  return `${where}${column === undefined ? '' : `, ${column}`}: ${message}`
}

/** Collects the problems of all rows, so that a person corrects the file once. Bounded in memory. */
export class RowProblems implements ProblemSink {
  readonly #options: RowProblemsOptions
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
    if (this.#kept.length < (this.#options.keep ?? 50)) this.#kept.push(problem)
  }

  /** All problems, also those no longer kept. */
  get count(): number {
    return this.#count
  }

  get kept(): readonly RowProblem[] {
    return this.#kept
  }

  /** Failure INPUT_INVALID with `data: {source, problems, count, rows}`: the printer lists the problems. */
  toFailure(): Failure {
    const {source} = this.#options
    const [first] = this.#kept
    const message =
      this.#count === 1 && first !== undefined
        ? `${source}, ${describeProblem(first)}`
        : `${this.#rows} ${this.#rows === 1 ? 'row' : 'rows'} of ${source} cannot be used`
    return new Failure('INPUT_INVALID', {
      message,
      data: {source, problems: this.#kept, count: this.#count, rows: this.#rows},
    })
  }

  throwIfAny(): void {
    if (this.#count > 0) throw this.toFailure()
  }
}

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
