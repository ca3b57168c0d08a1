import {escapeText} from '../../output/styled.ts'
import {quotableName} from '../../rows/problems.ts'
import type {Column, Table} from '../../rows/sheet/find-table.ts'
import {cellText, type SheetRow} from '../../rows/sheet/sheet.ts'
import {maskText, maskWithin} from '../../sensitive/mask-text.ts'

export const plainTitle = (title: string): string => title.trim().toLowerCase()

/** A title for messages, or the position of one that may be data. */
export const titleOf = ({title, place}: Column): string => quotableName(title) ?? `column ${place + 1}`

export const titlesOf = (columns: readonly Column[]): string => columns.map(titleOf).join('; ')

/** The column of this title, in any case. */
export const columnTitled = ({columns}: Table, title: string): Column | undefined =>
  columns.find(each => each.title === title) ??
  columns.find(each => plainTitle(each.title) === plainTitle(title))

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
