/** What is wrong with a row of an input file. */
export interface RowProblem {
  /** Data row from 1; the header row is 0. */
  readonly row: number
  /** Line of the file from 1, where the row starts. */
  readonly line?: number
  readonly column?: string
  /** Never quotes the row: a value in the wrong column may be sensitive. */
  readonly message: string
  /** What faults have in common that are told in other words; the message by default. */
  readonly kind?: string | undefined
  /** The value, if it may be shown: see `shownValue`. */
  readonly value?: string | undefined
}

/** Rows with the same fault in the same column. */
export interface ProblemGroup {
  readonly column?: string
  /** What is wrong, as the first of the rows says it. */
  readonly message: string
  /** Number of faults. */
  readonly count: number
  /** Data rows from 1, at most the first `MOST_ROWS`. */
  readonly rows: readonly number[]
  /** Lines of the file where the rows start. */
  readonly lines: readonly number[]
  /** Different values that may be shown, in the order of the rows. */
  readonly values: readonly string[]
}

/** A batch of transfers has at most as many. */
const MOST_ROWS = 10_000
const MOST_GROUPS = 50
const MOST_VALUES = 20

interface OpenGroup {
  readonly column?: string
  readonly message: string
  count: number
  readonly rows: number[]
  readonly lines: number[]
  readonly values: string[]
}

/** Collects faults that rows have in common. Bounded in memory, whatever the file has. */
export class ProblemGroups {
  readonly #groups = new Map<string, OpenGroup>()

  add({row, line, column, message, kind = message, value}: RowProblem): void {
    const key = JSON.stringify([column, kind])
    const group = this.#groups.get(key) ?? this.#open(key, {column, message})
    if (group === undefined) return
    group.count += 1
    if (group.rows.length < MOST_ROWS) {
      group.rows.push(row)
      if (line !== undefined) group.lines.push(line)
    }
    if (value !== undefined && group.values.length < MOST_VALUES && !group.values.includes(value))
      group.values.push(value)
  }

  #open(key: string, {column, message}: {column: string | undefined; message: string}) {
    if (this.#groups.size === MOST_GROUPS) return undefined
    const named = column === undefined ? {} : {column}
    const group: OpenGroup = {...named, message, count: 0, rows: [], lines: [], values: []}
    this.#groups.set(key, group)
    return group
  }

  get all(): readonly ProblemGroup[] {
    return [...this.#groups.values()]
  }
}

const SHOWN_PLACES = 5
const SHOWN_VALUES = 3

/** `12 rows (lines 5, 13, 20 to 22, 31 and 6 more), amount: has 3 decimals ('12.505', '3.001', …)` */
export function describeGroup({column, message, count, rows, lines, values}: ProblemGroup): string {
  const where = lines.length === rows.length ? placesIn('line', lines, count) : placesIn('row', rows, count)
  const head = lines.length === rows.length ? `${count} rows (${where})` : `${count} ${where}`
  const shown = values.slice(0, SHOWN_VALUES).map(value => `'${value}'`)
  const cells = [...shown, ...(values.length > shown.length ? ['…'] : [])].join(', ')
  return `${head}${column === undefined ? '' : `, ${column}`}: ${message}${cells === '' ? '' : ` (${cells})`}`
}

/** "lines 5, 13, 20 to 22 and 6 more" */
function placesIn(word: string, places: readonly number[], count: number): string {
  const runs: [first: number, last: number][] = []
  for (const place of places) {
    const last = runs.at(-1)
    if (last !== undefined && (place === last[1] || place === last[1] + 1)) last[1] = place
    else runs.push([place, place])
  }
  const shown = runs.slice(0, SHOWN_PLACES)
  const named = shown.map(([first, last]) =>
    first === last ? `${first}` : last === first + 1 ? `${first}, ${last}` : `${first} to ${last}`,
  )
  const [, end = 0] = shown.at(-1) ?? []
  const left = count - places.filter(place => place <= end).length
  return `${word}s ${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}
