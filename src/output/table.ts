import {columnWidths, type Fit} from './column-widths.ts'
import {labelledLines} from './detail.ts'
import {drawGrid} from './draw-grid.ts'
import {cut, styledWidth, wrap} from './lay-out.ts'
import {dim, type Styled, strong} from './styled.ts'
import {glyphsOf, painted, sentence, type ViewContext} from './view.ts'

export interface Column<Item> {
  readonly title: string
  value(item: Item): Styled | undefined
  /** Amounts and counts stand at the right. */
  readonly align?: 'left' | 'right'
  /** What happens where there is no room: `cut` (the default) with a mark, `wrap`, or `keep` for what is useless cut. */
  readonly fit?: Fit
  /** How narrow it may become, in columns of the terminal. */
  readonly least?: number
  /** Falls out when no item has a value. */
  readonly optional?: boolean
}

/**
 * A table that never exceeds the width: columns that may are cut or wrapped, and where not even that is enough each item
 * becomes a block of labels and values. cli-table3 is loaded on first use.
 */
export async function table<Item>(
  columns: readonly Column<Item>[],
  items: readonly Item[],
  context: ViewContext,
  whenEmpty = 'Nothing.',
): Promise<string> {
  if (items.length === 0) return sentence(dim(whenEmpty), context)
  const rows = items.map(item => columns.map(column => column.value(item) ?? ''))
  const shown = columns
    .map((column, at) => ({column, cells: rows.map(row => row[at] ?? '')}))
    .filter(({column, cells}) => column.optional !== true || cells.some(cell => styledWidth(cell) > 0))
  const widths = columnWidths(
    shown.map(({column, cells}) => ({
      natural: widest(context.header === false ? cells : [column.title, ...cells]),
      fit: column.fit ?? 'cut',
      least: column.least,
    })),
    context.width,
  )
  if (widths === undefined) return stacked(shown, items.length, context)
  const {ellipsis, rule} = glyphsOf(context)
  const head =
    context.header === false
      ? []
      : [
          shown.map(({column}, at) => [cut(strong(column.title), widths[at] ?? 0, ellipsis)]),
          widths.map(width => [cut(dim(rule.repeat(width)), width, ellipsis)]),
        ]
  const body = items.map((_, row) =>
    shown.map(({column, cells}, at) => {
      const [cell, width] = [cells[row] ?? '', widths[at] ?? 0]
      return column.fit === 'wrap' ? wrap(cell, width) : [cut(cell, width, ellipsis)]
    }),
  )
  const grid = shown.map(({column}, at) => ({width: widths[at] ?? 0, align: column.align ?? 'left'}))
  return drawGrid([...head, ...body], grid, context)
}

/** Not spread into Math.max: a list may have more items than a call takes arguments. */
const widest = (cells: readonly Styled[]): number =>
  cells.reduce<number>((most, cell) => Math.max(most, styledWidth(cell)), 0)

interface ShownColumn {
  readonly column: {readonly title: string}
  readonly cells: readonly Styled[]
}

function stacked(columns: readonly ShownColumn[], count: number, context: ViewContext): string {
  return Array.from({length: count}, (_, row) =>
    labelledLines(
      columns.map(({column, cells}) => [column.title, cells[row] ?? '']),
      context.width,
    ),
  )
    .map(lines => lines.map(line => painted(line, context).trimEnd()).join('\n'))
    .join('\n\n')
}
