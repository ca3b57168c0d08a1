import {dim, isEmpty, joinStyled, type Styled, strong} from './styled.ts'
import {type Line, lineWidth, spaces, styledWidth, wrap} from './text-layout.ts'
import {glyphsOf, paintedLines, said, type ViewContext} from './view.ts'

/** Several values with one label, each on its own line. */
export interface Lines {
  readonly lines: readonly Styled[]
}

/** A label and its value. Rows without a value are left out. */
export type DetailRow = readonly [label: string, value: Styled | Lines | undefined]

export interface Detail {
  readonly title: Styled
  /** Shown to the right of the title. */
  readonly status?: Styled | undefined
  readonly rows: readonly DetailRow[]
}

const NARROWEST = 40

/** A title with a status, a rule, then labels and values in two columns, wrapped to the width. */
export function detail({title, status, rows}: Detail, context: ViewContext): string {
  if (context.accessible === true) return spokenDetail({title, status, rows}, context)
  const body = [...labelledLines(rows, context)].flat()
  const head = styledWidth(title) + (status === undefined ? 0 : 2 + styledWidth(status))
  const natural = body.reduce((most, line) => Math.max(most, lineWidth(line)), Math.max(NARROWEST, 1 + head))
  const width = Math.min(context.width, natural)
  const {rule: sign} = glyphsOf(context)
  const rule = sign === '' ? [] : wrap(dim(sign.repeat(width - 1)), width - 1)
  return paintedLines([...titleLines(title, status, width), ...rule.map(indented), ...body], context)
}

/** Nothing side by side: the status is in the line of the title. */
function spokenDetail({title, status, rows}: Detail, context: ViewContext): string {
  const mark: Styled = status === undefined || isEmpty(status) ? [] : joinStyled([', ', status])
  const head = wrap(said(joinStyled([emphasised(title), mark]), context), context.width)
  return paintedLines([...head, ...[...labelledLines(rows, context)].flat()], context)
}

function titleLines(title: Styled, status: Styled | undefined, width: number): Line[] {
  const lines = wrap(emphasised(title), width - 1).map(indented)
  if (status === undefined || isEmpty(status)) return lines
  const mark = wrap(status, width - 1)
  const [first = [], ...more] = mark
  const room = width - lineWidth(lines[0] ?? []) - lineWidth(first)
  if (lines.length > 1 || more.length > 0 || room < 2) return [...lines, ...mark.map(indented)]
  return [[...(lines[0] ?? []), ...spaces(room), ...first]]
}

const emphasised = (title: Styled): Styled => (typeof title === 'string' ? strong(title) : title)

/** Labels and values in two columns, or each value below its label if two columns don't fit. */
export function labelledText(rows: Iterable<DetailRow>, context: ViewContext): string {
  const texts: string[] = []
  for (const lines of labelledLines(rows, context)) texts.push(paintedLines(lines, context))
  return texts.join('\n')
}

/** The lines of each row, when they are wanted: an answer may have very many rows. */
function* labelledLines(rows: Iterable<DetailRow>, context: ViewContext): Generator<Line[]> {
  const {width, check} = context
  if (context.accessible === true) {
    for (const [label, value] of rows) {
      check?.()
      const lines = spokenLines(label, shownValues(value), context)
      if (lines.length > 0) yield lines
    }
    return
  }
  let labelWidth = 0
  for (const [label, value] of rows)
    if (shownValues(value).length > 0) labelWidth = Math.max(labelWidth, styledWidth(label))
  const column = 1 + labelWidth + 2
  const besides = width - column >= Math.min(16, width / 2)
  for (const [label, value] of rows) {
    const values = shownValues(value)
    if (values.length === 0) continue
    check?.()
    const indent = besides ? column : 3
    const lines = values.flatMap(value => wrap(value, width - indent))
    const marked = wrap(dim(label), besides ? labelWidth : width - 1)
    if (besides)
      yield lines.map((line, at): Line => {
        const start = at === 0 ? [...spaces(1), ...(marked[0] ?? [])] : []
        return [...start, ...spaces(column - lineWidth(start)), ...line]
      })
    else yield [...marked.map(indented), ...lines.map(line => [...spaces(indent), ...line])]
  }
}

/** `Status: CARD_OK`. Of several values, each line has the label. */
const spokenLines = (label: string, values: readonly Styled[], context: ViewContext): Line[] =>
  values.flatMap(value => {
    const named: Styled = label.trim() === '' ? [] : dim(`${label}: `)
    return wrap(joinStyled([named, said(value, context)]), context.width)
  })

function shownValues(value: DetailRow[1]): readonly Styled[] {
  if (value === undefined) return []
  return (typeof value === 'object' && 'lines' in value ? value.lines : [value]).filter(
    each => !isEmpty(each),
  )
}

const indented = (line: Line): Line => [...spaces(1), ...line]
