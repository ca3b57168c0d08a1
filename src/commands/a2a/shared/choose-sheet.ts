import {Failure} from '../../../errors/failure.ts'
import {escapeText} from '../../../output/escape-text.ts'
import {findTable, type Table} from '../../../rows/sheet/find-table.ts'
import {cellText, linesOf, type Sheet} from '../../../rows/sheet/sheet.ts'
import type {SheetSource} from './sheet-source.ts'
import {fitsHeading, readTransferHeading} from './transfer-headings.ts'

export const emptyFile = (source: string): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${source} is empty`,
    hint: 'The first line must name the columns.',
  })

/** The sheet with the rows. Of several, the user says which. */
export async function chooseSheet(
  sheets: readonly Sheet[],
  {source, sheet: wanted, prompter, answered}: SheetSource,
): Promise<{sheet: Sheet; notes: readonly string[]}> {
  const [first] = sheets
  if (wanted !== undefined) {
    const found = sheets.find(({name}) => name?.toLowerCase() === wanted.toLowerCase())
    if (found) return {sheet: found, notes: []}
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
  const candidates = shown.filter(sheet => namesTransfers(sheet))
  const open = candidates.length > 0 ? candidates : shown
  const hidden = filled.filter(({isHidden, ...sheet}) => isHidden && namesTransfers(sheet))
  const notes = hidden.map(({name = ''}) => `The hidden sheet ${escapeText(name)} is not read.`)
  const [only] = open
  if (open.length > 1) {
    const names = open.map(({name = ''}) => name)
    if (prompter === undefined) {
      throw new Failure('INPUT_INVALID', {
        message: `${source} has rows on ${open.length} sheets: ${names.map(escapeText).join(', ')}.`,
        hint: 'Name the one to send with --sheet.',
        effect: 'none',
      })
    }
    const chosen = await prompter.choose(
      'Which sheet has the transfers?',
      open.map(({name = '', records}) => ({
        value: name,
        name: `${escapeText(name)}: ${records.length} lines`,
      })),
    )
    answered?.('--sheet', chosen)
    return {sheet: open.find(({name}) => name === chosen) ?? (only as Sheet), notes}
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

function namesTransfers(sheet: Sheet): boolean {
  const table = findTable(sheet, readTransferHeading, fitsHeading)
  return table !== undefined && table.found.size + table.doubtful.size > 1 && table.rows.length > 0
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
  if (prompter === undefined) {
    throw new Failure('INPUT_INVALID', {
      message: `${source} has hidden rows: ${lines}.`,
      hint: 'Add --hidden-rows skip to leave them out, or --hidden-rows send to send them too.',
      effect: 'none',
    })
  }
  const chosen = await prompter.choose(`The sheet hides ${lines}. What about them?`, [
    {value: 'skip', name: 'Leave them out'},
    {value: 'send', name: 'Send them too'},
  ])
  answered?.('--hidden-rows', chosen)
  return chosen === 'skip' ? shown : rows
}
