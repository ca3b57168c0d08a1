import {Failure} from '../../errors/failure.ts'
import {quotableName} from '../../rows/problems.ts'
import type {Column, Table} from '../../rows/sheet/find-table.ts'
import {cellText, linesOf, type SheetRow} from '../../rows/sheet/sheet.ts'
import {quotedCells, quotedOthers} from './column-words.ts'
import {isNotToSend, saysNotToSend} from './not-to-send.ts'
import {isHarmless, isStateHeading} from './noted-columns.ts'
import type {SheetSource} from './sheet-source.ts'
import {NO_WORDS, plainWord, RELEASED_HEADINGS, SETTLED_HEADINGS} from './sheet-words.ts'
import {inAllSpellings} from './spellings.ts'

/** Rows of which a column says that they are settled or not to be sent. */
interface Marked {
  readonly column: Column
  readonly rows: readonly SheetRow[]
}

/** What is to be sent of a table, and what was decided about the rest. */
export interface MarkedRows {
  readonly rows: Table['rows']
  /** Lines of which the user has said what to do. */
  readonly decided: ReadonlySet<number>
  /** The place of a column of which a person has seen all that it says of rows. */
  readonly seen?: number | undefined
  readonly notes: readonly string[]
}

/**
 * Rows that may not be meant to be sent, by their text or another column: sent or left out as the user says.
 *
 * @param columns that no field uses
 * @param text the column of the texts
 * @param areUnsent whether the user has said that the columns are not sent
 * @throws Failure INPUT_INVALID, with the flag that says it
 */
export async function withoutMarked(
  rows: Table['rows'],
  {
    columns,
    text,
    areUnsent = false,
  }: {
    readonly columns: readonly Column[]
    readonly text: Column | undefined
    readonly areUnsent?: boolean
  },
  {source, 'marked-rows': wanted, prompter, answered}: SheetSource,
): Promise<MarkedRows> {
  const whole = rows.filter((row): row is SheetRow => !('fault' in row))
  const all = [
    ...(text === undefined ? [] : [markedBy(text, whole, saysNotToSend)]),
    ...columns.map(column => markedBy(column, whole, markOf(column))),
  ].filter(marked => marked.rows.length > 0)
  const marks = new Set(all.flatMap(marked => marked.rows))
  const found = whole.filter(row => marks.has(row))
  if (found.length === 0) return {rows, decided: new Set(), notes: []}
  const lines = linesOf(found)
  const quoted = all.map(marked => quotedCells(marked.column, marked.rows)).join('')
  const says = saying(all, text)
  const it = found.length === 1 ? 'it' : 'them'
  const choices = [
    {value: 'skip', name: `Leave ${it} out`},
    {value: 'send', name: `Send ${it} too`},
    {value: 'stop', name: 'Send nothing'},
  ] as const
  const [only, more] = all
  const others =
    only && only.column !== text && more === undefined
      ? quotedOthers(only.column, whole, only.rows)
      : undefined
  const question = `${says.replace(/^./, first => first.toUpperCase())}: ${lines}.${quoted}${others ?? ''} What about ${it}?`
  const chosen =
    wanted ?? (prompter && (await prompter.choose<(typeof choices)[number]['value']>(question, choices)))
  if (chosen === 'send' || chosen === 'skip') {
    if (wanted === undefined) answered?.('--marked-rows', chosen)
    const isSent = chosen === 'send'
    return {
      rows: isSent ? rows : rows.filter(row => 'fault' in row || !marks.has(row)),
      decided: new Set(found.map(({line}) => line)),
      ...(wanted === undefined && others !== undefined && {seen: only?.column.place}),
      notes: [`${isSent ? 'Sent, whatever is said there' : 'Left out'}: ${lines}.${quoted}`],
    }
  }
  const named = all.filter(({column}) => column !== text).map(({column}) => nameOf(column))
  const unused = named.map(name => `--map "${name}=none"`).join(' ')
  throw new Failure('INPUT_INVALID', {
    message: `${source}: ${says}: ${lines}.${quoted}`,
    hint: `Nothing was sent. Add --marked-rows skip to leave ${found.length === 1 ? 'that row' : 'those rows'} out, or --marked-rows send to send all.${unused === '' || areUnsent ? '' : ` If it says something else, add ${unused}.`}`,
    effect: 'none',
  })
}

/** Whether a column says of rows in which state they are, and of some that they are not to be sent. */
export const marksRows = (column: Column, rows: Table['rows']): boolean =>
  isStateHeading(column) &&
  markedBy(
    column,
    rows.filter((row): row is SheetRow => !('fault' in row)),
    markOf(column),
  ).rows.length > 0

/** What is to be said of rows that are sent although a column marks them, since `--map` leaves the column out. */
export function markedNotes(columns: readonly Column[], rows: Table['rows']): readonly string[] {
  const whole = rows.filter((row): row is SheetRow => !('fault' in row))
  return columns.flatMap(column => {
    const {rows: found} = markedBy(column, whole, markOf(column))
    if (found.length === 0) return []
    const count = `${found.length} ${found.length === 1 ? 'row' : 'rows'}`
    return [
      `The column ${nameOf(column)} is left out as --map says, and may say of ${count} not to send ${found.length === 1 ? 'it' : 'them'}: ${linesOf(found)}.${quotedCells(column, found)}`,
    ]
  })
}

const nameOf = ({title, place}: Column): string => quotableName(title) ?? `column ${place + 1}`

function saying(all: readonly Marked[], text: Column | undefined): string {
  const [first] = all
  if (all.length === 1 && first?.column === text)
    return 'the text of a transfer may say that it is not to be sent'
  const names = all.map(({column}) => nameOf(column))
  if (names.length > 1) return `the columns ${names.join('; ')} may say that rows are not to be sent`
  const named = names.map(name => (/^column /.test(name) ? name : `the column ${name}`))
  return `${named.join()} may say that rows are not to be sent`
}

const markedBy = (
  column: Column,
  rows: readonly SheetRow[],
  isMarked: (cell: string) => boolean,
): Marked => ({column, rows: rows.filter(({fields}) => isMarked(cellText(fields[column.place])))})

/** Names of people and firms may begin with such a word. */
const NEGATED = inAllSpellings(/^(?:do not|don.t|nicht|ej|[aä]l[aä]|ne pas|no (?:pagar|enviar)|ikke)\s/iu)

/** How the cells of a column that no field uses say that their rows are not to be sent. */
export function markOf(column: Pick<Column, 'title'>): (cell: string) => boolean {
  const heading = plainWord(column.title)
  const [isSettled, isReleased] = [SETTLED_HEADINGS.has(heading), RELEASED_HEADINGS.has(heading)]
  const isFree = !isHarmless(column)
  return cell =>
    isNotToSend(cell) ||
    NEGATED.test(cell) ||
    (isFree && saysNotToSend(cell)) ||
    (isSettled && /[\p{L}\p{N}+✓✔☑✗✘]/u.test(cell) && !NO_WORDS.has(plainWord(cell))) ||
    (isReleased && NO_WORDS.has(plainWord(cell)))
}
