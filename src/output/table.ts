import {type DetailRow, labelledText} from './detail.ts'
import {textAt} from './fields.ts'
import {dim, type Styled, strong} from './styled.ts'
import {cut, isNarrow, type Line, lineWidth, styledWidth, wrap} from './text-layout.ts'
import {glyphsOf, painted, sentence, stack, type ViewContext} from './view.ts'

export interface Column<Item> {
  readonly title: string
  /** The value of an item, or the path of the field that has it. */
  readonly value: string | ((item: Item) => Styled | undefined)
  /** Use `right` for amounts and counts. */
  readonly align?: 'left' | 'right'
  /**
   * What to do if the table is too wide: `cut` (the default) shortens the value, `wrap` breaks it, `keep` is for values
   * that are useless when cut.
   */
  readonly fit?: 'keep' | 'cut' | 'wrap'
  /** Minimum width in terminal columns. Default: 8. */
  readonly least?: number
  /** Minimum width as long as a spare column can be left out instead. Default: `least`. */
  readonly ease?: number
  /** The column is left out if no item has a value. */
  readonly optional?: boolean
  /** The column is left out if the table is too wide, the lowest number first. */
  readonly spare?: number
}

/**
 * A table that never exceeds the width. Columns are cut or wrapped as their `fit` allows, and spare ones are left out.
 * If that isn't enough, each item becomes a block of labels and values. So it does for a screen reader, which reads the
 * lines of wrapped cells across the columns.
 *
 * @param entry what an item is, in the singular: `card`. A screen reader's blocks begin with it: "Card 1 of 3".
 */
export async function table<Item>(
  entry: string,
  columns: readonly Column<Item>[],
  items: readonly Item[],
  context: ViewContext,
  whenEmpty = 'Nothing.',
): Promise<string> {
  if (items.length === 0) return sentence(dim(whenEmpty), context)
  const {check} = context
  const isEndless = context.width === Number.POSITIVE_INFINITY
  const filled = columns
    .map(column => {
      check?.()
      return {column, content: widest(column, items)}
    })
    .filter(({column, content}) => column.optional !== true || content > 0)
    .map(({column, content}) => {
      const natural = context.header === false ? content : Math.max(styledWidth(column.title), content)
      return {column, natural: isEndless ? Math.min(natural, LONGEST_ALIGNED) : natural}
    })
  if (context.accessible === true) return numbered(entry, filled, items, context)
  const fitting = fitColumns(filled, context.width)
  if (fitting === undefined) return stacked(filled, items, context)
  return drawGrid(rowsOf(fitting, items, context), fitting, context)
}

/** Made when they are drawn: all at once, they would take many times the memory of the answer. */
function* rowsOf<Item>(
  columns: readonly Fitting<Item>[],
  items: readonly Item[],
  context: ViewContext,
): Generator<GridRow, undefined, undefined> {
  const {ellipsis, rule} = glyphsOf(context)
  if (context.header !== false) {
    yield columns.map(({column, width}) => cut(strong(column.title), width, ellipsis))
    if (rule !== '') yield columns.map(({width}) => cut(dim(rule.repeat(width)), width, ellipsis))
  }
  const isEndless = context.width === Number.POSITIVE_INFINITY
  for (const item of items) {
    const cells = columns.map(({column, width}) => {
      const cell = cellOf(column, item)
      if (column.fit === 'wrap' && !isEndless) return wrap(cell, width)
      return [cut(cell, isEndless ? context.width : width, ellipsis)]
    })
    const height = Math.max(...cells.map(cell => cell.length))
    for (let at = 0; at < height; at++) yield cells.map(cell => cell[at] ?? [])
  }
}

/** Asked for each time: kept, the cells of all rows would take many times the memory of the answer. */
function cellOf<Item>({value}: Column<Item>, item: Item): Styled {
  return (typeof value === 'string' ? textAt(item, value) : value(item)) ?? ''
}

/**
 * Without a width, nothing is cut, and a text longer than this sticks out: otherwise one such text would be paid for in
 * spaces in every other row.
 */
const LONGEST_ALIGNED = 500

interface Filled<Item> {
  readonly column: Column<Item>
  /** Width of the widest cell in terminal columns. */
  readonly natural: number
}

type Fitting<Item> = Filled<Item> & {readonly width: number}

/** The columns that fit, with their widths. Undefined if the required columns don't fit. */
function fitColumns<Item>(
  filled: readonly Filled<Item>[],
  width: number,
): readonly Fitting<Item>[] | undefined {
  const spare = filled
    .filter(({column}) => column.spare !== undefined)
    .toSorted((a, b) => (a.column.spare ?? 0) - (b.column.spare ?? 0))
  for (let left = 0; left <= spare.length; left++) {
    const shown = filled.filter(each => !spare.slice(0, left).includes(each))
    const fitting = shrink(shown, width, ({ease, least}) => ease ?? least)
    if (fitting) return fitting
  }
  return shrink(
    filled.filter(each => !spare.includes(each)),
    width,
    ({least}) => least,
  )
}

/** The minimum width of a column. */
const NARROWEST = 8

/**
 * Shrinks columns until they fit, the widest first. Each column has a space before and after it, except after the last.
 * Undefined if they can't fit.
 */
function shrink<Item>(
  filled: readonly Filled<Item>[],
  width: number,
  leastOf: (column: Column<Item>) => number | undefined,
): readonly Fitting<Item>[] | undefined {
  const room = width - (2 * filled.length - 1)
  const widths = filled.map(({natural}) => natural)
  const floor = filled.map(({column, natural}) =>
    column.fit === 'keep' ? natural : Math.min(natural, leastOf(column) ?? NARROWEST),
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
  return filled.map((each, at) => ({...each, width: widths[at] ?? 0}))
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** Without spreading into Math.max: a list may have more items than a call takes arguments. */
const widest = <Item>(column: Column<Item>, items: readonly Item[]): number =>
  items.reduce((most, item) => Math.max(most, styledWidth(cellOf(column, item))), 0)

function stacked<Item>(
  columns: readonly Filled<Item>[],
  items: readonly Item[],
  context: ViewContext,
): string {
  return items.map(item => labelledText(labelledCells(columns, item), context)).join('\n\n')
}

const labelledCells = <Item>(columns: readonly Filled<Item>[], item: Item): readonly DetailRow[] =>
  columns.map(({column}) => [column.title, cellOf(column, item)])

function numbered<Item>(
  entry: string,
  columns: readonly Filled<Item>[],
  items: readonly Item[],
  context: ViewContext,
): string {
  const blocks = items.map((item, at) => {
    context.check?.()
    const title = entryTitle(entry, at, items.length, context)
    return stack(title, labelledText(labelledCells(columns, item), context))
  })
  return blocks.join('\n\n')
}

/** "Card 2 of 3". In a part of a longer list the number counts on, and the end isn't known. */
export function entryTitle(entry: string, at: number, total: number, context: ViewContext): string {
  const name = entry.charAt(0).toUpperCase() + entry.slice(1)
  const {printed} = context
  const words = printed === undefined ? `${name} ${at + 1} of ${total}` : `${name} ${printed + at + 1}`
  return sentence(strong(words), context)
}

/** One line of the screen: a line of each cell. A row of wrapped cells takes several. */
type GridRow = readonly Line[]

/** cli-table3 compares every cell with every other, so a long list is drawn in parts of this many cells. */
const CELLS_AT_ONCE = 400

/** While cli-table3 does the layout, a text is replaced by this, once for each of its columns. From the private use area. */
const STAND_IN = '\ue000'

const NO_BORDERS = Object.fromEntries(
  ['top', 'bottom', 'mid', 'left', 'right', 'middle']
    .concat(['top-left', 'top-mid', 'top-right', 'left-mid', 'mid-mid', 'right-mid'])
    .concat(['bottom-left', 'bottom-mid', 'bottom-right'])
    .map(name => [name, '']),
)

/** Lets cli-table3 place and align the cells. Loaded on first use: most commands print no table. */
async function drawGrid<Item>(
  rows: Iterable<GridRow>,
  columns: readonly Fitting<Item>[],
  context: ViewContext,
): Promise<string> {
  const {default: Table} = await import('cli-table3')
  const longest = context.width === Number.POSITIVE_INFINITY ? LONGEST_ALIGNED : context.width
  const drawPart = (part: readonly GridRow[]): string => {
    // What it would measure by Unicode 12, take quadratic time for, or cut (docs/decisions/0013-text-layout-is-ours.md).
    const special: Line[] = []
    const textOf = (line: Line): string => {
      const width = lineWidth(line)
      if (width <= longest && isNarrow(line)) return painted(line, context)
      if (width > 0) special.push(line)
      return STAND_IN.repeat(Math.min(width, longest))
    }
    const grid = new Table({
      chars: NO_BORDERS,
      colAligns: columns.map(({column}) => column.align ?? 'left'),
      colWidths: columns.map(({width}) => width + 2),
      style: {head: [], border: []},
    })
    grid.push(...part.map(row => row.map(textOf)))
    const next = special.values()
    const placed = grid
      .toString()
      .replace(/\ue000+/g, () => painted(next.next().value ?? [], context))
      .split('\n')
    return placed.map(withoutEndSpaces).join('\n')
  }
  const together = Math.max(1, Math.floor(CELLS_AT_ONCE / columns.length))
  const parts: string[] = []
  let part: GridRow[] = []
  for (const row of rows) {
    if (part.push(row) < together) continue
    context.check?.()
    parts.push(drawPart(part))
    part = []
  }
  if (part.length > 0) parts.push(drawPart(part))
  return parts.join('\n')
}

/** A pattern such as / +$/ would try every space of the line as the start of its end. */
function withoutEndSpaces(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  return line.slice(0, end)
}
