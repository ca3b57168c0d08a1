import type {Result} from './bench.ts'
import type {Verdict} from './judge.ts'
import type {Limit} from './limits.ts'

/** A benchmark for the terminal. */
export function suiteText({name, columns, rows, skipped}: Result): string {
  const table = aligned([[name, ...columns.slice(1)], ...rows])
  return `${[...table, ...skipped.map(text => `skipped: ${text}`)].join('\n')}\n\n`
}

/** The limits for the terminal: the measured value, the limit, the goal. */
export function verdictsText(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({suite, figure, value, limit, outcome}) => [
    `${suite}: ${figure}`,
    figureText(value),
    boundText(limit),
    limit.wanted.toString(),
    outcome === 'wanted' ? 'not yet' : outcome,
  ])
  return `${aligned([['limits', 'measured', 'limit', 'wanted', ''], ...rows]).join('\n')}\n`
}

export function figureText(value: number | null): string {
  return value === null ? '-' : value.toFixed(value < 20 ? 2 : 0)
}

export function boundText(limit: Limit): string {
  return 'most' in limit ? `at most ${limit.most}` : `at least ${limit.least}`
}

/** Aligns the first column left, the others right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => row[at]?.length ?? 0)))
  return rows.map(row =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
