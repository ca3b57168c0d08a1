import {Failure} from '../../../errors/failure.ts'
import {quotableName} from '../../../rows/problems.ts'
import type {FaultyRecord} from '../../../rows/read-csv.ts'
import type {Column} from '../../../rows/sheet/find-table.ts'
import {cellText, linesOf, type SheetRow} from '../../../rows/sheet/sheet.ts'

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

const ISO = /^(\d{4})-(\d{2})-(\d{2})/
const DAY_FIRST = /^(\d{1,2})[./-] ?(\d{1,2})[./-] ?(\d{4})$/

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
    refuse(
      'has days to come, but the service sends at once',
      having(cell => isLater(cell, today)),
    )
  }
}

/** Whether a date is after today in any of its readings. */
function isLater(cell: string, today: string): boolean {
  const [, year, month, day] = ISO.exec(cell) ?? []
  if (year !== undefined) return `${year}-${month}-${day}` > today
  const [, first = '', second = '', in4] = DAY_FIRST.exec(cell) ?? []
  if (in4 === undefined) return false
  const [a, b] = [first.padStart(2, '0'), second.padStart(2, '0')]
  const readings = [
    ...(Number(b) <= 12 ? [`${in4}-${b}-${a}`] : []),
    ...(cell.includes('/') && Number(a) <= 12 ? [`${in4}-${a}-${b}`] : []),
  ]
  return readings.some(date => date > today)
}
