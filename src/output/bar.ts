import type {Glyphs} from './terminal.ts'

/** A bar in eighths of a cell. A share above 0 is always visible. */
export function barOf(share: number, cells: number, ascii: boolean): string {
  if (share <= 0 || cells <= 0) return ''
  const part = Math.min(share, 1) * cells
  if (ascii) return '#'.repeat(Math.max(1, Math.round(part)))
  const eighths = Math.max(1, Math.round(part * 8))
  const rest = eighths % 8
  return '█'.repeat(Math.floor(eighths / 8)) + (rest === 0 ? '' : String.fromCodePoint(0x2590 - rest))
}

/** A series as one row of signs whose height grows with the value, at most `cells` long. Empty if it says nothing. */
export function sparkline(series: readonly number[], cells: number, {heights}: Glyphs): string {
  const most = Math.max(...series)
  if (series.length < 2 || cells < 2 || !(most > 0)) return ''
  const perCell = Math.ceil(series.length / cells)
  const signs: string[] = []
  // Counted from the end, so that the newest cell is always whole.
  for (let end = series.length; end > 0; end -= perCell) {
    const part = series.slice(Math.max(0, end - perCell), end)
    const mean = part.reduce((sum, value) => sum + value, 0) / part.length
    signs.unshift(heights[Math.round((mean / most) * (heights.length - 1))] ?? '')
  }
  return signs.join('')
}
