import {escapeText} from '../../output/styled.ts'
import {quotableName} from '../../rows/problems.ts'
import type {Column, Table} from '../../rows/sheet/find-table.ts'
import {cellText, type SheetRow} from '../../rows/sheet/sheet.ts'
import {maskText, maskWithin} from '../../sensitive/mask-text.ts'

export const plainTitle = (title: string): string => title.trim().toLowerCase()

/** A title for messages, or the position of one that may be data. */
export const titleOf = ({title, place}: Column): string => quotableName(title) ?? `column ${place + 1}`

export const titlesOf = (columns: readonly Column[]): string => columns.map(titleOf).join('; ')

/** The columns of this title, in any case, or the one at a place: `column 3`. */
export function columnsTitled({columns}: Table, title: string): readonly Column[] {
  const exact = columns.filter(each => each.title === title)
  const alike =
    exact.length > 0 ? exact : columns.filter(each => plainTitle(each.title) === plainTitle(title))
  if (alike.length > 0) return alike
  const place = Number(/^\s*column (\d+)\s*$/i.exec(title)?.[1]) - 1
  return columns.filter(each => each.place === place)
}

export const columnTitled = (table: Table, title: string): Column | undefined =>
  columnsTitled(table, title)[0]

/** The first cells of a column, for a question. */
export function samplesOf({rows}: Table, {place}: Column): string {
  const cells = rows
    .flatMap(row => ('fault' in row ? [] : [cellText(row.fields[place])]))
    .filter(cell => cell !== '')
  return cells.length === 0
    ? 'empty'
    : cells
        .slice(0, 3)
        .map(cell => escapeText(maskText(cell).slice(0, 24)))
        .join(', ')
}

const MOST_SHOWN = 3

/** ` It says "Total; 30,00".`: what is in lines that are left out, short and without card numbers. */
export function quotedLines(rows: readonly SheetRow[]): string {
  const texts = rows.slice(0, MOST_SHOWN).map(({fields}) => {
    const cells = fields.map(cell => cellText(cell)).filter(text => text !== '')
    return `"${escapeText(maskWithin(cells.join('; '), 80))}"`
  })
  const more = rows.length > MOST_SHOWN ? ` and ${rows.length - MOST_SHOWN} more` : ''
  return ` ${rows.length === 1 ? 'It says' : 'They say'} ${texts.join(', ')}${more}.`
}

/** A sentence that ends with what somebody wrote, which may have its own full stop. */
const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** ` Line 3: entfällt; line 5: paid.` */
export function quotedCells({place}: Column, rows: readonly SheetRow[]): string {
  const shown = rows.slice(0, 3).flatMap(({line, fields}) => {
    const text = cellText(fields[place])
    return text === '' ? [] : [`line ${line}: ${escapeText(maskText(text).slice(0, 40))}`]
  })
  const more = rows.length > 3 ? ` and ${rows.length - 3} more` : ''
  return shown.length === 0
    ? ''
    : ` ${ended(`${shown.join('; ').replace(/^./, first => first.toUpperCase())}${more}`)}`
}

/**
 * ` The others say: à payer; nothing.`: all that a column says of other rows; undefined if that is more than a question can
 * show.
 */
export function quotedOthers(
  {place}: Column,
  rows: readonly SheetRow[],
  quoted: readonly SheetRow[],
): string | undefined {
  const texts = rows.filter(row => !quoted.includes(row)).map(({fields}) => cellText(fields[place]))
  const different = [...new Set(texts)].toSorted((a, b) => Number(a === '') - Number(b === ''))
  if (different.length > MOST_SHOWN || different.some(text => text.length > 40)) return undefined
  if (different.length === 0) return ''
  return ` The other rows say: ${ended(different.map(text => (text === '' ? 'nothing' : escapeText(maskText(text)))).join('; '))}`
}
