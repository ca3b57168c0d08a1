import {Failure} from '../../errors/failure.ts'
import {placeKey} from '../../rows/sheet/cell-marks.ts'
import type {Table} from '../../rows/sheet/find-table.ts'
import {cellText, linesOf, type Sheet} from '../../rows/sheet/sheet.ts'

/**
 * Who strikes a row through, in whole or in part, hardly wants it sent.
 *
 * @param isIgnored whether the user leaves the column at this place out
 * @throws Failure INPUT_INVALID
 */
export function refuseStruck(
  rows: Table['rows'],
  {looks}: Pick<Sheet, 'looks'>,
  isIgnored: (place: number) => boolean,
  source: string,
): void {
  if (looks === undefined || looks.struck.size === 0) return
  const struck = rows.filter(
    row =>
      'fields' in row &&
      row.fields.some(
        (cell, place) =>
          cellText(cell) !== '' && !isIgnored(place) && looks.struck.has(placeKey(row.line, place)),
      ),
  )
  if (struck.length === 0) return
  throw new Failure('INPUT_INVALID', {
    message: `${source}: what is struck through may not be meant to be sent: ${linesOf(struck)}.`,
    hint: 'Nothing was sent. Remove these rows in the spreadsheet, or if they are meant, show them without the line.',
    effect: 'none',
  })
}
