import {Failure} from '../../errors/failure.ts'
import {counted} from '../../money/amount.ts'
import {escapeText} from '../../output/styled.ts'
import type {Column, Table} from '../../rows/sheet/find-table.ts'
import {cellText, linesOf, type Sheet} from '../../rows/sheet/sheet.ts'
import {columnTitled, quotedLines, titlesOf} from './column-words.ts'
import type {SheetSource} from './sheet-source.ts'

export const emptyFile = (source: string): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${source} is empty`,
    hint: 'The first line must name the columns.',
  })

/**
 * The sheet with the rows. Of several, the user says which: `chosen`. A sheet that isn't read is named.
 *
 * @param rows how the rows that are looked for are known.
 */
export async function chooseSheet(
  sheets: readonly Sheet[],
  {source, sheet: wanted, prompter, answered}: SheetSource,
  {isTable, tableIn, numbers}: SoughtRows,
  question: string,
): Promise<{sheet: Sheet; notes: readonly string[]; chosen?: string}> {
  const [first] = sheets
  if (wanted !== undefined) {
    const found = sheets.find(({name}) => name?.toLowerCase() === wanted.toLowerCase())
    if (found) return {sheet: found, notes: [], chosen: found.name ?? wanted}
    const names = sheets.flatMap(({name}) => (name === undefined ? [] : [name]))
    throw new Failure('USAGE', {
      message:
        names.length === 0
          ? `${source} has no sheets.`
          : `${source} has no sheet of that name. It has ${names.map(escapeText).join(', ')}.`,
      effect: 'none',
    })
  }
  const filled = sheets.filter(({records}) =>
    records.some(each => 'fault' in each || each.fields.some(cell => cellText(cell) !== '')),
  )
  const shown = filled.filter(({isHidden}) => !isHidden)
  const hasRows = (sheet: Sheet): boolean => isTable(sheet) || hasNumbers(sheet, numbers)
  const hidden = filled.filter(sheet => sheet.isHidden && hasRows(sheet))
  const notes: string[] = hidden.map(({name = ''}) => `The hidden sheet ${escapeText(name)} is not read.`)
  // Rows without known headings are sent only if no other sheet has some.
  const open = shown.some(isTable) ? shown.filter(hasRows) : shown
  for (const sheet of shown)
    if (!open.includes(sheet)) notes.push(`The sheet ${escapeText(sheet.name ?? '')} is not read.`)
  const [only] = open
  if (open.length > 1) {
    const names = open.map(({name = ''}) => name)
    if (prompter === undefined) {
      throw new Failure('INPUT_INVALID', {
        message: `${source} has ${open.every(isTable) ? 'rows' : 'what may be rows'} on ${open.length} sheets: ${names.map(escapeText).join(', ')}.`,
        hint: 'Name the one to send with --sheet.',
        effect: 'none',
      })
    }
    const chosen = await prompter.choose(
      question,
      open.map(one => ({
        value: one.name ?? '',
        name: `${escapeText(one.name ?? '')}: ${counted(tableIn(one)?.rows.length ?? one.records.length, 'row')}`,
      })),
    )
    answered?.('--sheet', chosen)
    return {sheet: open.find(({name}) => name === chosen) ?? (only as Sheet), notes, chosen}
  }
  const sheet = only ?? hidden[0] ?? first
  if (sheet === undefined) throw emptyFile(source)
  if (sheet === hidden[0]) {
    throw new Failure('INPUT_INVALID', {
      message: `${source} has its rows on a hidden sheet, ${escapeText(sheet.name ?? '')}.`,
      hint: 'If they are meant, name it with --sheet.',
      effect: 'none',
    })
  }
  return {sheet, notes}
}

/** How rows are known. */
export interface SoughtRows {
  /** Whether a sheet has them under headings that say so. */
  readonly isTable: (sheet: Sheet) => boolean
  readonly tableIn: (sheet: Sheet) => Pick<Table, 'rows'> | undefined
  /** How many ids and numbers a row of them has at least. */
  readonly numbers: number
}

/** Whether any line has enough ids and numbers to be a row. Headings don't matter. */
const hasNumbers = ({records}: Sheet, least: number): boolean =>
  records.some(
    each => 'fields' in each && each.fields.filter(cell => /^\S*\d\S*$/.test(cellText(cell))).length >= least,
  )

/** Lines between rows that hardly anybody scrolls past. */
const FAR = 50

/** What is to be said of rows far below the others. */
export function noteFarRows(rows: Table['rows'], headerLine: number): readonly string[] {
  return rows.flatMap(({line}, at) => {
    const before = rows[at - 1]?.line ?? headerLine
    const left = rows.length - at
    return line - before <= FAR
      ? []
      : [
          `Lines ${before + 1} to ${line - 1} are empty, and below them ${left === 1 ? 'is 1 row' : `are ${left} rows`}.`,
        ]
  })
}

/** What is to be said of headings in two rows, and of those that come again below. */
export function noteHeadings({headings, repeated}: Table): readonly string[] {
  const [above, below] = headings
  return [
    ...(above && below ? [`Lines ${above.line} and ${below.line} are read as headings.`] : []),
    ...(repeated.length === 0
      ? []
      : [`The headings come again on ${linesOf(repeated)}, and are left out there.`]),
  ]
}

/** What is to be said of hidden rows that are left out. */
export function noteHiddenRows(rows: Table['rows'], visible: Table['rows']): readonly string[] {
  const kept = new Set(visible)
  const hidden = rows.filter(row => !kept.has(row))
  return hidden.length === 0
    ? []
    : [`Left out, as the sheet hides ${hidden.length === 1 ? 'it' : 'them'}: ${linesOf(hidden)}.`]
}

/** Rows that nobody sees who opens the workbook: sent or left out as the user says. */
export async function withoutHidden(
  rows: Table['rows'],
  {hiddenLines}: Sheet,
  {source, 'hidden-rows': wanted, prompter, answered}: SheetSource,
): Promise<Table['rows']> {
  const hidden = rows.filter(({line}) => hiddenLines?.has(line))
  if (hidden.length === 0 || wanted === 'send') return rows
  const shown = rows.filter(({line}) => !hiddenLines?.has(line))
  if (wanted === 'skip') return shown
  const lines = linesOf(hidden)
  const quoted = quotedLines(hidden.filter(row => 'fields' in row))
  if (prompter === undefined) {
    throw new Failure('INPUT_INVALID', {
      message: `${source} has hidden rows: ${lines}.${quoted}`,
      hint: 'Add --hidden-rows skip to leave them out, or --hidden-rows send to send them too.',
      effect: 'none',
    })
  }
  const chosen = await prompter.choose(
    `The sheet hides ${lines}.${quoted} What about ${hidden.length === 1 ? 'it' : 'them'}?`,
    [
      {value: 'skip', name: `Leave ${hidden.length === 1 ? 'it' : 'them'} out`},
      {value: 'send', name: `Send ${hidden.length === 1 ? 'it' : 'them'} too`},
    ],
  )
  answered?.('--hidden-rows', chosen)
  return chosen === 'skip' ? shown : rows
}

/**
 * Columns that nobody sees who opens the workbook. What is in them is not sent unless `--map` names them.
 *
 * @throws Failure INPUT_INVALID for a hidden column that has a field
 * @returns what is to be said of them.
 */
export function noteHiddenColumns(
  {hiddenColumns}: Sheet,
  table: Table,
  used: readonly Column[],
  {source, map = [], kept}: SheetSource,
): readonly string[] {
  const hidden = table.columns.filter(({place}) => hiddenColumns?.has(place))
  // A mapping may be older than what the sheet hides now.
  const typed = map.filter(text => !kept?.map.includes(text))
  const named = new Set(typed.map(text => columnTitled(table, text.slice(0, text.lastIndexOf('=')))?.place))
  const taken = hidden.filter(({place}) => used.some(one => one.place === place) && !named.has(place))
  const [first] = taken
  if (first !== undefined) {
    throw new Failure('INPUT_INVALID', {
      message: `${source} hides ${columnsOf(taken)}, which would be sent.`,
      hint: 'If it is meant, show it in the spreadsheet, or name it with --map. Otherwise leave it out with --map "COLUMN=none".',
      effect: 'none',
    })
  }
  const isUsed = ({place}: Column): boolean => used.some(one => one.place === place)
  return [
    {columns: hidden.filter(isUsed), what: 'used as --map says'},
    {columns: hidden.filter(column => !isUsed(column)), what: 'not used'},
  ].flatMap(({columns, what}) =>
    columns.length === 0 ? [] : [`Hidden in the sheet, and ${what}: ${columnsOf(columns)}.`],
  )
}

const columnsOf = (columns: readonly Column[]): string =>
  `${columns.length === 1 ? 'the column' : 'the columns'} ${titlesOf(columns)}`
