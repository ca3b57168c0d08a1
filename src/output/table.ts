import {type ColumnNeed, columnWidths, type Fit} from './column-widths.ts'
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
  /** How narrow it may become as long as a spare column can leave instead; `least` without. */
  readonly ease?: number
  /** Falls out when no item has a value. */
  readonly optional?: boolean
  /** Falls out where there is no room for all: of several the one with the lowest number first. */
  readonly spare?: number
}

/**
 * A table that never exceeds the width: columns that may are cut or wrapped, spare ones left out, and where not even that
 * is enough each item becomes a block of labels and values. cli-table3 is loaded on first use.
 */
export async function table<Item>(
  columns: readonly Column<Item>[],
  items: readonly Item[],
  context: ViewContext,
  whenEmpty = 'Nothing.',
): Promise<string> {
  if (items.length === 0) return sentence(dim(whenEmpty), context)
  const rows = items.map(item => columns.map(column => column.value(item) ?? ''))
  const filled = columns
    .map((column, at) => ({column, cells: rows.map(row => row[at] ?? '')}))
    .filter(({column, cells}) => column.optional !== true || cells.some(cell => styledWidth(cell) > 0))
    .map(({column, cells}) => ({
      column,
      cells,
      natural: widest(context.header === false ? cells : [column.title, ...cells]),
    }))
  const fitting = columnsFor(filled, context.width)
  if (fitting === undefined) return stacked(filled, items.length, context)
  const {shown, widths} = fitting
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

interface Filled<Item> {
  readonly column: Column<Item>
  readonly cells: readonly Styled[]
  readonly natural: number
}

/** As many columns as there is room for, and their widths; undefined if there is none for those that have to stay. */
function columnsFor<Item>(
  filled: readonly Filled<Item>[],
  width: number,
): {shown: readonly Filled<Item>[]; widths: readonly number[]} | undefined {
  const leaving = filled
    .filter(({column}) => column.spare !== undefined)
    .toSorted((a, b) => (a.column.spare ?? 0) - (b.column.spare ?? 0))
  const without = (gone: number) => filled.filter(each => !leaving.slice(0, gone).includes(each))
  for (let gone = 0; gone <= leaving.length; gone++) {
    const shown = without(gone)
    const widths = columnWidths(
      shown.map(({column, natural}) => needOf(column, natural, column.ease)),
      width,
    )
    if (widths) return {shown, widths}
  }
  const shown = without(leaving.length)
  const widths = columnWidths(
    shown.map(({column, natural}) => needOf(column, natural)),
    width,
  )
  return widths && {shown, widths}
}

const needOf = <Item>({fit = 'cut', least}: Column<Item>, natural: number, ease = least): ColumnNeed => ({
  natural,
  fit,
  least: ease,
})

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
