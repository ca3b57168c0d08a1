import {quotedCells, titleOf} from '../../../cli/sheet/column-words.ts'
import {isHarmless, noteOf, remarksIn} from '../../../cli/sheet/noted-columns.ts'
import {refuseUnitLines} from '../../../cli/sheet/other-unit.ts'
import {daysOf} from '../../../cli/sheet/sheet-days.ts'
import type {SheetSource} from '../../../cli/sheet/sheet-source.ts'
import {
  DATE_HEADINGS,
  DUE_HEADINGS,
  FACTOR_HEADING,
  NOT_FINAL,
  NOW_WORDS,
  OTHER_WAYS,
  plainWord,
  REVERSED_WORDS,
  SETTLED_HEADINGS,
  UNIT,
  WAY_HEADING,
} from '../../../cli/sheet/sheet-words.ts'
import {Failure} from '../../../errors/failure.ts'
import {quotableName} from '../../../rows/problems.ts'
import type {FaultyRecord} from '../../../rows/read-csv.ts'
import {type Cell, DoubtfulCell} from '../../../rows/sheet/doubtful-cell.ts'
import type {Column} from '../../../rows/sheet/find-table.ts'
import {cellText, linesOf, type SheetRow} from '../../../rows/sheet/sheet.ts'
import {besideUsed, explainsAmounts, type UsedColumns} from './columns-beside.ts'
import {namesDirection, sayDirection} from './direction-words.ts'

/** Who reads the sheet, and who may be asked about it. */
type NotesReader = Pick<SheetSource, 'source' | 'today' | 'prompter' | 'answered'>

/**
 * Refuses a sheet whose other columns may say of rows that they are not to be sent as they stand: a state, a direction, a
 * day to come, a mark. A person is asked.
 *
 * @param columns that no field uses
 * @param rows of which nothing is decided
 * @param isKept of columns that a kept mapping leaves out: only what differs from file to file is a doubt
 * @throws Failure INPUT_INVALID, with the flag that leaves the column out.
 */
export async function refuseNotes(
  columns: readonly Column[],
  rows: readonly (SheetRow | FaultyRecord)[],
  used: UsedColumns,
  {source, today, prompter, answered, isKept = false, seen}: NotesReader & KnownOfColumn,
): Promise<void> {
  const whole = rows.filter((row): row is SheetRow => !('fault' in row))
  for (const column of columns) {
    const doubt = doubtOf(column, whole, used, {today, isKept})
    if (doubt === undefined) continue
    if (doubt.isNote && seen === column.place) {
      answered?.('--map', `${column.title}=none`)
      continue
    }
    const name = quotableName(column.title) ?? `column ${column.place + 1}`
    const named = /^column /.test(name) ? name : `the column ${name}`
    if (prompter !== undefined) {
      const choice = await prompter.choose(
        `${named.replace(/^./, first => first.toUpperCase())} ${doubt.what}. What about these rows?${quotedCells(column, doubt.rows)}`,
        [
          {value: 'stop', name: 'Send nothing'},
          {value: 'send', name: 'Send them too, whatever it says'},
        ],
      )
      if (choice === 'send') {
        answered?.('--map', `${column.title}=none`)
        continue
      }
    }
    throw new Failure('INPUT_INVALID', {
      message: `${source}: ${named} ${doubt.what}: ${linesOf(doubt.rows)}.${quotedCells(column, doubt.rows)}`,
      hint: `Nothing was sent. ${doubt.cure ?? 'Remove the rows that are not to be sent now'}, or add --map "${name}=none" to send them whatever it says.`,
      effect: 'none',
    })
  }
}

interface KnownOfColumn {
  readonly isKept?: boolean
  /** The place of a column of which a person has seen all that it says of rows, and has decided. */
  readonly seen?: number | undefined
}

interface Doubt {
  /** Whether it is only that the column tells rows from others. */
  readonly isNote?: boolean
  readonly what: string
  readonly rows: readonly SheetRow[]
  /** What to do about it, if not to remove rows. */
  readonly cure?: string
}

/** What stands under `Unit` or `Quantity` and multiplies nothing: one, a currency, a flat: `B-204`. */
const NO_FACTOR = /^1(?:[.,]0*)?$|^[A-Z]{3}$|^(?![xktm])\p{L}{1,4}[\s.-]?\d{1,4}\p{L}?$/iu

/** The first thing that a column may say about rows. */
function doubtOf(
  column: Column,
  rows: readonly SheetRow[],
  used: UsedColumns,
  {today, isKept}: {readonly today: string; readonly isKept: boolean},
): Doubt | undefined {
  const cells = rows.map(({fields}) => cellText(fields[column.place]))
  const heading = plainWord(column.title)
  const says = (words: ReadonlySet<string>) => (cell: string) => words.has(plainWord(cell))
  const having = (what: string, test: (cell: string) => boolean): Doubt | undefined => {
    const found = rows.filter((_, at) => test(cells[at] ?? ''))
    return found.length === 0 ? undefined : {what, rows: found}
  }
  const isSettled = SETTLED_HEADINGS.has(heading)
  const isFactor = FACTOR_HEADING.test(heading)
  const isDue = DUE_HEADINGS.has(heading)
  const isDay = isDue || DATE_HEADINGS.has(heading)
  const noted = (): Doubt | undefined => {
    const note = isSettled || isFactor || isDue ? undefined : noteOf(column, cells)
    return note && {isNote: true, what: note.what, rows: rows.filter((_, at) => note.at.includes(at))}
  }
  return (
    (sayDirection(cells) || namesDirection(column.title)
      ? having('may say in which direction money goes', cell => cell !== '')
      : undefined) ??
    having('may say that rows are no payments', says(REVERSED_WORDS)) ??
    (WAY_HEADING.test(column.title)
      ? having('may say that rows are paid in another way', says(OTHER_WAYS))
      : undefined) ??
    having(
      'may say that amounts are in another unit',
      isFactor && !isKept && !explainsAmounts(column, rows, used)
        ? cell => cell !== '' && !NO_FACTOR.test(cell)
        : cell => UNIT.test(cell),
    ) ??
    having(
      'has days to come, but the service sends at once',
      cell => (isDay || !isBareNumber(cell)) && isLater(cell, today),
    ) ??
    (isDay
      ? having(
          'has what cannot be read as a day, and may be to come, but the service sends at once',
          cell => cell !== '' && daysOf(cell).length === 0 && !says(NOW_WORDS)(cell),
        )
      : undefined) ??
    (isKept
      ? undefined
      : (besideUsed(column, rows, used) ??
        noted() ??
        (isHarmless(column)
          ? undefined
          : unsaved(rows.filter(({fields}) => isUnsaved(fields[column.place]))))))
  )
}

/** What is to be said of days on which money was to be sent, and which are past: the service sends at once. */
export function pastNotes(
  columns: readonly Column[],
  rows: readonly (SheetRow | FaultyRecord)[],
  today: string,
): readonly string[] {
  const isPast = (cell: string): boolean => {
    const days = daysOf(cell)
    return days.length > 0 && days.every(day => day < today)
  }
  return columns.flatMap(column => {
    if (!DUE_HEADINGS.has(plainWord(column.title))) return []
    const past = rows.filter(row => 'fields' in row && isPast(cellText(row.fields[column.place])))
    if (past.length === 0) return []
    return [`The days of ${titleOf(column)} are past, and the service sends at once: ${linesOf(past)}.`]
  })
}

const isUnsaved = (cell: Cell | undefined): boolean =>
  cell instanceof DoubtfulCell && cell.doubt === 'formula'

/** Formulas of which nobody knows what they say. */
const unsaved = (rows: readonly SheetRow[]): Doubt | undefined =>
  rows.length === 0
    ? undefined
    : {
        what: 'has formulas that were saved without their values, and may say something of rows',
        rows,
        cure: 'Open the file in a spreadsheet and save it',
      }

/** Whether a date is after today in any of its readings. */
const isLater = (cell: string, today: string): boolean => daysOf(cell).some(date => date > today)

/** Whether a number of eight digits is hardly a date: only under a heading for days is it one. */
const isBareNumber = (cell: string): boolean => /^\d+$/.test(cell)

/**
 * @param lines above and below the table
 * @throws Failure INPUT_INVALID for a line that changes the unit of all amounts, or says that they are not to be sent.
 */
export function refuseLines(lines: readonly SheetRow[], source: string): void {
  const refuse = (test: RegExp, what: string, cure: string): void => {
    const found = lines.filter(({fields}) => fields.some(cell => test.test(cellText(cell))))
    if (found.length === 0) return
    throw new Failure('INPUT_INVALID', {
      message: `${source}: beside the table, ${linesOf(found)} ${what}.`,
      hint: `Nothing was sent. ${cure}, then remove the line.`,
      effect: 'none',
    })
  }
  refuseUnitLines(lines, source)
  refuse(NOT_FINAL, 'may say that the rows are not to be sent', 'Make sure that they are')
}

/**
 * A column of remarks that would be the text of transfers, and has something at some of them only: what the payee is to
 * read, or what the bank is.
 *
 * @throws Failure INPUT_INVALID
 */
export async function refuseRemarks(
  column: Column,
  rows: readonly (SheetRow | FaultyRecord)[],
  {source, prompter, answered}: NotesReader,
): Promise<void> {
  const whole = rows.filter((row): row is SheetRow => !('fault' in row))
  const remarks = remarksIn(
    column,
    whole.map(({fields}) => cellText(fields[column.place])),
  )
  if (remarks.length === 0 || whole.every(({fields}) => cellText(fields[column.place]) !== '')) return
  const found = whole.filter((_, at) => remarks.includes(at))
  const name = quotableName(column.title) ?? `column ${column.place + 1}`
  const what = `may have the texts of transfers, or remarks about them`
  if (prompter !== undefined) {
    const choice = await prompter.choose(`The column ${name} ${what}. Which?${quotedCells(column, found)}`, [
      {value: 'stop', name: 'Send nothing'},
      {value: 'text', name: 'Texts, which the payee reads'},
    ])
    if (choice === 'text') {
      answered?.('--map', `${column.title}=text`)
      return
    }
  }
  throw new Failure('INPUT_INVALID', {
    message: `${source}: the column ${name} ${what}: ${linesOf(found)}.${quotedCells(column, found)}`,
    hint: `Nothing was sent. Add --map "${name}=text" if the payee is to read them, or --map "${name}=none" to send the rows without them.`,
    effect: 'none',
  })
}
