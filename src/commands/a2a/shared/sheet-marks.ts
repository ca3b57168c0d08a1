import {Failure} from '../../../errors/failure.ts'
import {quotableName} from '../../../rows/problems.ts'
import type {FaultyRecord} from '../../../rows/read-csv.ts'
import type {Column} from '../../../rows/sheet/find-table.ts'
import {cellText, linesOf, type SheetRow} from '../../../rows/sheet/sheet.ts'
import {daysOf} from './sheet-days.ts'
import {
  DATE_HEADINGS,
  DUE_HEADINGS,
  FACTOR_HEADINGS,
  KIND_HEADINGS,
  NO_TRANSFER,
  NO_WORDS,
  NOT_FINAL,
  NOW_WORDS,
  OTHER_UNIT,
  plainWord,
  RELEASED_HEADINGS,
  REVERSED_WORDS,
  SETTLED_HEADINGS,
} from './sheet-words.ts'

/**
 * Says of a row that it is settled or is not to be sent, in the languages of the headings: `Paid`, `storniert am 3.5.`,
 * `do not pay`. Names of people and firms may begin with such a word, so nothing but a date may follow most of them.
 */
const SETTLED =
  /^(?:cancel(?:l?ed)?|stornie?r?t?|storno|annull?(?:ed|iert|erad|eret|ert)?|void(?:ed)?|(?:already )?paid|done|duplicate|(?:on )?hold|stop(?:ped)?|rejected|declined|bezahlt|erledigt|gesperrt|doppelt|abgelehnt|betald|klar|makulerad|stoppad|maksettu|peruttu|hyl[aä]tty|pay[ée]e?|annul[ée]e?|pagad[oa]|anulad[oa]|betalt|slettet|annulleret|afvist|avvist)[\s.,:!()]*(?:(?:am|on|le|el|den|pvm)?\s*[\d./-]+)?$/iu
const NEGATED = /^(?:do not|don.t|nicht|ej|[aä]l[aä]|ne pas|no (?:pagar|enviar)|ikke)\s/iu

/** Columns that say in which direction money goes. */
const DIRECTION =
  /^(?:s\/h|soll\/haben|soll|haben|d\/c|dr\/cr|debit\/credit|debit|credit|cr|dr|type d\/c|sign|vorzeichen|sens|signo|tecken|fortegn|etumerkki)$/i

/**
 * Refuses a sheet whose other columns say of rows that they are not to be sent as they stand: a state, a direction, a
 * day to come.
 *
 * @throws Failure INPUT_INVALID, with the flag that leaves the column out.
 */
export function refuseNotes(
  columns: readonly Column[],
  rows: readonly (SheetRow | FaultyRecord)[],
  {source, today}: {readonly source: string; readonly today: string},
): void {
  const whole = rows.filter((row): row is SheetRow => !('fault' in row))
  for (const {place, title} of columns) {
    const having = (test: (cell: string) => boolean) =>
      whole.filter(({fields}) => test(cellText(fields[place])))
    const refuse = (what: string, found: readonly SheetRow[]): void => {
      if (found.length === 0) return
      const name = quotableName(title) ?? `column ${place + 1}`
      throw new Failure('INPUT_INVALID', {
        message: `${source}: ${/^column /.test(name) ? name : `the column ${name}`} ${what}: ${linesOf(found)}.`,
        hint: `Nothing was sent. Remove the rows that are not to be sent now, or add --map "${name}=none" to send them whatever it says.`,
        effect: 'none',
      })
    }
    if (DIRECTION.test(title))
      refuse(
        'may say in which direction money goes',
        having(cell => cell !== ''),
      )
    refuse(
      'may say that rows are not to be sent',
      having(cell => SETTLED.test(cell) || NEGATED.test(cell)),
    )
    const heading = plainWord(title)
    const says = (words: ReadonlySet<string>) => (cell: string) => words.has(plainWord(cell))
    if (SETTLED_HEADINGS.has(heading)) {
      refuse(
        'may say that rows are not to be sent',
        having(cell => /[\p{L}\p{N}+✓✔☑✗✘]/u.test(cell) && !says(NO_WORDS)(cell)),
      )
    }
    if (RELEASED_HEADINGS.has(heading)) refuse('may say that rows are not to be sent', having(says(NO_WORDS)))
    if (KIND_HEADINGS.has(heading)) refuse('may say that rows are no payments', having(says(REVERSED_WORDS)))
    if (FACTOR_HEADINGS.has(heading)) {
      refuse(
        'may say that amounts are to be multiplied',
        having(cell => cell !== '' && !/^1(?:[.,]0*)?$|^[A-Z]{3}$/.test(cell)),
      )
    }
    const isDue = DUE_HEADINGS.has(heading)
    const isDay = isDue || DATE_HEADINGS.has(heading)
    refuse(
      'has days to come, but the service sends at once',
      having(cell => (isDay || !isBareNumber(cell)) && isLater(cell, today)),
    )
    if (isDue) {
      refuse(
        'has what cannot be read as a day, and may be to come, but the service sends at once',
        having(cell => cell !== '' && daysOf(cell).length === 0 && !says(NOW_WORDS)(cell)),
      )
    }
  }
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
  refuse(
    OTHER_UNIT,
    'may say that amounts are in another unit',
    'Write amounts in whole units of their currency',
  )
  refuse(NOT_FINAL, 'may say that the rows are not to be sent', 'Make sure that they are')
}

/** @throws Failure INPUT_INVALID for texts that say their transfers are not to be sent. */
export function refuseTexts(
  {place, title}: Column,
  rows: readonly (SheetRow | FaultyRecord)[],
  source: string,
): void {
  const found = rows.filter(
    (row): row is SheetRow => !('fault' in row) && NO_TRANSFER.test(cellText(row.fields[place])),
  )
  if (found.length === 0) return
  const name = quotableName(title) ?? `column ${place + 1}`
  throw new Failure('INPUT_INVALID', {
    message: `${source}: the text of a transfer may say that it is not to be sent: ${linesOf(found)}.`,
    hint: `Nothing was sent. Remove the rows that are not to be sent, or write another text; --map "${name}=none" sends all rows without a text.`,
    effect: 'none',
  })
}
