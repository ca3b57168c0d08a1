export type Fit = 'keep' | 'cut' | 'wrap'

export interface ColumnNeed {
  /** Columns of the terminal that the widest cell takes. */
  readonly natural: number
  readonly fit: Fit
  /** What it keeps when it shrinks; 8 without. */
  readonly least?: number | undefined
}

/** A column that may shrink keeps this many. */
const NARROWEST = 8

/**
 * How wide each column becomes within `width`, every column with one blank before it and one behind (behind the last
 * none): natural where there is room, else the widest shrinkable columns give way first. Undefined if nothing helps.
 */
export function columnWidths(needs: readonly ColumnNeed[], width: number): readonly number[] | undefined {
  const room = width - (2 * needs.length - 1)
  const widths = needs.map(({natural}) => natural)
  const floor = needs.map(({natural, fit, least = NARROWEST}) =>
    fit === 'keep' ? natural : Math.min(natural, least),
  )
  if (sum(floor) > room) return undefined
  for (let excess = sum(widths) - room; excess > 0; ) {
    const slack = widths.map((each, at) => (each > (floor[at] ?? 0) ? each : 0))
    const top = Math.max(...slack)
    const second = Math.max(...slack.map(each => (each === top ? 0 : each)))
    const widest = slack.flatMap((each, at) => (each === top ? [at] : []))
    for (const at of widest) {
      const step = Math.min(top - Math.max(second, floor[at] ?? 0), Math.ceil(excess / widest.length))
      const taken = Math.min(Math.max(step, 1), excess)
      widths[at] = top - taken
      excess -= taken
      if (excess <= 0) break
    }
  }
  return widths
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
