import {Failure} from '../errors/failure.ts'

/** What is wrong with a row of somebody's file. */
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

/** Collects the problems of all rows, so that a person mends a file once and not row by row. Bounded in memory. */
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
