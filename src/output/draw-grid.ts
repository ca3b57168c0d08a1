import {type Line, lineWidth} from './lay-out.ts'
import {painted, type ViewContext} from './view.ts'

export interface GridColumn {
  readonly width: number
  readonly align: 'left' | 'right'
}

/** The lines of each cell of a row. */
export type GridRow = readonly (readonly Line[])[]

/** Stands for a cell's line while cli-table3 lays out: from the private use area, one column wide. */
const PLACEHOLDER = '\ue000'

/** cli-table3 compares every cell with every other, so a long list is drawn in parts. */
const ROWS_AT_ONCE = 50

/**
 * Lets cli-table3 lay out the grid. It gets placeholders as wide as the real lines, which are filled in afterwards: it
 * measures text with an older table of widths, and would cut through colour codes. It is loaded on first use.
 */
export async function drawGrid(
  rows: readonly GridRow[],
  columns: readonly GridColumn[],
  context: ViewContext,
): Promise<string> {
  const {default: Table} = await import('cli-table3')
  const parts: string[] = []
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const grid = new Table({
      chars: noBorders,
      colAligns: columns.map(({align}) => align),
      colWidths: columns.map(({width}) => width + 2),
      style: {head: [], border: [], 'padding-left': 1, 'padding-right': 1},
    })
    const part = rows.slice(from, from + ROWS_AT_ONCE)
    for (const row of part) grid.push(row.map(placeholders))
    parts.push(fill(grid.toString(), part.flatMap(linesInOrder), context))
  }
  return parts.join('\n')
}

const placeholders = (cell: readonly Line[]) =>
  cell.map(line => PLACEHOLDER.repeat(lineWidth(line))).join('\n')

/** The lines as the eye meets them: across the cells, then down. */
function linesInOrder(row: GridRow): Line[] {
  const height = Math.max(...row.map(cell => cell.length))
  return Array.from({length: height}, (_, at) =>
    row.flatMap(cell => (cell[at] === undefined ? [] : [cell[at]])),
  )
    .flat()
    .filter(line => lineWidth(line) > 0)
}

function fill(drawn: string, lines: readonly Line[], context: ViewContext): string {
  let next = 0
  return drawn
    .replace(/\ue000+/g, () => painted(lines[next++] ?? [], context))
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
}

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
}
