import {quotedLines} from '../../../cli/sheet/column-words.ts'
import {refuseUnitCell, refuseUnitLines} from '../../../cli/sheet/other-unit.ts'
import type {SheetFaults} from '../../../cli/sheet/sheet-faults.ts'
import {readSumLabel} from '../../../cli/sheet/sum-label.ts'
import {Failure} from '../../../errors/failure.ts'
import {decimalText} from '../../../money/amount.ts'
import {currenciesOf} from '../../../money/currency-signs.ts'
import type {FaultyRecord} from '../../../rows/read-csv.ts'
import {cellFault} from '../../../rows/sheet/doubtful-cell.ts'
import type {Table} from '../../../rows/sheet/find-table.ts'
import {cellText, linesOf, type SheetRow} from '../../../rows/sheet/sheet.ts'
import type {RowFields} from './row-fields.ts'
import type {NamedColumn} from './sheet-columns.ts'
import type {NumberColumn} from './sheet-numbers.ts'

interface FieldsOfFile {
  readonly fields: RowFields
  /** Name of the file. */
  readonly source: string
}

/** The columns of numbers, by their places. */
export type Numbers = ReadonlyMap<number, NumberColumn>

const idCells = (
  {fields: cells}: SheetRow,
  columns: readonly NamedColumn[],
  {ids}: RowFields,
): readonly string[] =>
  columns.filter(({field}) => ids.includes(field)).map(({place}) => cellText(cells[place]))

/** An id is one word with a digit in it, where the others are. */
export const looksLikeId = (text: string): boolean => /^\S*\d\S*$/.test(text)

/** @throws Failure INPUT_INVALID if a row above the header may be one */
export function refuseAbove(
  table: Table,
  columns: readonly NamedColumn[],
  fields: RowFields,
  source: string,
): void {
  const mayBeRows = table.above.filter(row => {
    const ids = idCells(row, columns, fields)
    const filled = row.fields.filter(cell => cellText(cell) !== '').length
    return ids.length === 0 ? filled > 1 : ids.every(looksLikeId) && filled >= Math.min(2, columns.length)
  })
  if (mayBeRows.length === 0) return
  throw new Failure('INPUT_INVALID', {
    message: `${source} names its columns on line ${table.line}, and what is above them may be rows: ${linesOf(mayBeRows)}.`,
    hint: 'Move the line with the headings to the top, or remove what is above it.',
    effect: 'none',
  })
}

/**
 * The rows without a first one that gives the currency of each column of numbers: `EUR` under `creditLimit`.
 *
 * @throws Failure INPUT_INVALID if it gives another unit
 */
export function withoutUnits(
  rows: Table['rows'],
  counted: readonly NamedColumn[],
  source: string,
): {readonly rows: Table['rows']; readonly notes: readonly string[]} {
  const [first, ...others] = rows
  if (first === undefined || 'fault' in first || first.fields.some(cell => /[1-9]/.test(cellText(cell))))
    return {rows, notes: []}
  for (const {place} of counted) refuseUnitCell(first, place, source)
  const filled = counted.map(({place}) => cellText(first.fields[place])).filter(text => text !== '')
  const isCurrency = (text: string): boolean =>
    currenciesOf(text.replace(/^(?:in|i|en)\s|[()[\]]/giu, '').trim()).length > 0
  if (filled.length === 0 || !filled.every(isCurrency)) return {rows, notes: []}
  return {
    rows: others,
    notes: [`Line ${first.line} is left out: it has units and no row.${quotedLines([first])}`],
  }
}

interface BodyOfFile extends FieldsOfFile {
  /** Rows that are not sent, and may be in a sum below. */
  readonly leftOut: readonly (SheetRow | FaultyRecord)[]
  /** Told of a sum that the rows don't come to. */
  readonly faults: SheetFaults
}

/** The rows without what is below them: their sum, or some words. */
export function withoutSums(
  rows: Table['rows'],
  columns: readonly NamedColumn[],
  numbers: Numbers,
  given: BodyOfFile,
): {readonly body: Table['rows']; readonly notes: readonly string[]} {
  const idsOf = (row: SheetRow) => idCells(row, columns, given.fields)
  const whole = rows.filter((row): row is SheetRow => !('fault' in row))
  const areNumbered = whole.filter(row => idsOf(row).every(looksLikeId)).length * 2 >= whole.length
  const namesId = (row: SheetRow | FaultyRecord): boolean => {
    if ('fault' in row) return true
    const ids = idsOf(row)
    const isUnread = columns.some(
      ({field, place}) =>
        given.fields.ids.includes(field) && cellFault(row.fields[place] ?? '', 'text') !== undefined,
    )
    if (isUnread) return true
    // `Total` under a column of numbers is no id.
    return ids.length === 0 || ids.some(id => (areNumbered ? /\d/.test(id) : id !== ''))
  }
  const last = rows.findLastIndex(namesId)
  const body = rows.slice(0, last + 1)
  const below = rows.slice(last + 1).filter((row): row is SheetRow => !('fault' in row))
  const noteOf = (row: SheetRow) => given.faults.try(() => belowNote(row, body, columns, numbers, given), '')
  const notes = body.length === 0 ? [] : below.map(noteOf)
  // A row that lost its id is told so, with the other faults.
  return notes.length === below.length && notes.every(note => note !== undefined)
    ? {body, notes: notes.filter(note => note !== '')}
    : {body: rows, notes: []}
}

/**
 * What is said of a line below the rows; undefined if it is a row without its id.
 *
 * @throws Failure INPUT_INVALID for a sum that the rows don't come to
 */
function belowNote(
  row: SheetRow,
  body: Table['rows'],
  columns: readonly NamedColumn[],
  numbers: Numbers,
  {fields, source, leftOut}: BodyOfFile,
): string | undefined {
  const {line, fields: cells} = row
  const filled = cells.flatMap((cell, place) => (cellText(cell) === '' ? [] : [{cell, place}]))
  const sums = filled.filter(({place}) => numbers.has(place))
  const [label, ...more] = filled.filter(({place}) => !numbers.has(place))
  const place = (column: NamedColumn): number => column.place
  const idPlaces = columns.filter(({field}) => fields.ids.includes(field)).map(place)
  const isBeside =
    label !== undefined && (idPlaces.includes(label.place) || !columns.map(place).includes(label.place))
  if (more.length > 0 || (label !== undefined && !isBeside)) return undefined
  if (sums.length === 0) {
    if (numbers.size > 0) refuseUnitLines([row], source)
    // A few words.
    return label !== undefined && /\S[\s:]+\S/.test(cellText(label.cell))
      ? `Line ${line} below the rows is left out: it names nothing to change.${quotedLines([row])}`
      : undefined
  }
  const unread = body.find(
    one =>
      'fields' in one &&
      sums.some(({place: at}) => {
        const cell = one.fields[at] ?? ''
        return cellText(cell) !== '' && numbers.get(at)?.numberIn(cell) === undefined
      }),
  )
  if (unread !== undefined && label !== undefined)
    throw new Failure('INPUT_INVALID', {
      message: `${source}: line ${unread.line} has no number that can be read, so line ${line} cannot be checked as the sum of the rows.`,
      hint: `Correct line ${unread.line}. If it is no row, remove it.`,
      effect: 'none',
    })
  const isSumOf = (rows: Table['rows']): boolean =>
    sums.every(({cell, place: at}) => {
      const column = numbers.get(at)
      const each = rows.map(one => {
        if ('fault' in one) return undefined
        const written = one.fields[at] ?? ''
        return cellText(written) === '' ? 0 : column?.numberIn(written)
      })
      const total = column?.numberIn(cell)
      const sum = each.reduce((all: number, one) => all + (one ?? Number.NaN), 0)
      return total !== undefined && Math.abs(total - sum) < 0.0005
    })
  // One row and one sum without a word may be two rows.
  const isSum =
    label === undefined
      ? body.length > 1
      : [body, [...body, ...leftOut]].some(
          ({length}) => readSumLabel(cellText(label.cell), length) !== undefined,
        )
  if (isSumOf(body) && isSum)
    return `Line ${line} is left out: it is the sum of the rows.${quotedLines([row])}`
  if (label === undefined) return undefined
  if (!isSum && (isSumOf(body) || isSumOf([...body, ...leftOut])))
    throw new Failure('INPUT_INVALID', {
      message: `${source}: line ${line} does not name what it changes. It comes to as much as the rows above it, but its words may be of a row.${quotedLines([row])}`,
      hint: 'If it is a row, write its id. If it is a sum, remove the line.',
      effect: 'none',
    })
  if (leftOut.length > 0 && isSumOf([...body, ...leftOut]))
    return `Line ${line} is left out: it is the sum of the rows, with those that are left out.${quotedLines([row])}`
  const compared = (): string => {
    const figures = sums.flatMap(({cell, place: at}) => {
      const column = numbers.get(at)
      const total = column?.numberIn(cell)
      const sum = body.reduce((all, one) => {
        const written = 'fault' in one ? '' : (one.fields[at] ?? '')
        return all + (cellText(written) === '' ? 0 : (column?.numberIn(written) ?? Number.NaN))
      }, 0)
      if (total === undefined || Number.isNaN(sum) || Math.abs(total - sum) < 0.0005) return []
      const [says, come, less] = [total, sum, Math.abs(total - sum)].map(value =>
        decimalText(Number(value.toFixed(3))),
      )
      return [
        `it says ${says}, and the rows come to ${come}, which is ${less} ${total > sum ? 'less' : 'more'}`,
      ]
    })
    return figures[0] === undefined ? '' : `: ${figures[0]}`
  }
  const isLost = (one: Table['rows'][number]): boolean =>
    'fields' in one && !idCells(one, columns, fields).some(looksLikeId)
  const lost = body.filter(isLost)
  if (lost.length > 0 && isSumOf(body.filter(one => !isLost(one)))) {
    throw new Failure('INPUT_INVALID', {
      message: `${source}: line ${line} is the sum of the rows if ${linesOf(lost)}, without an id, ${lost.length === 1 ? 'is' : 'are'} no row.`,
      hint: 'If it is a row, write its id. If it is a sum, remove the line.',
      effect: 'none',
    })
  }
  throw new Failure('INPUT_INVALID', {
    message: `${source}: line ${line} does not name what it changes, and is not the sum of the rows${compared()}.`,
    hint: 'If it is a row, write its id. If it is a sum, a row may be missing or wrong. If you removed a row, correct the sum or remove its line.',
    effect: 'none',
  })
}
