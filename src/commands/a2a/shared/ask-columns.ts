import type {Prompter} from '../../../cli/question.ts'
import {plainTitle, samplesOf} from '../../../cli/sheet/column-words.ts'
import {Failure} from '../../../errors/failure.ts'
import {readCurrency} from '../../../money/currency-name.ts'
import {currenciesOf} from '../../../money/currency-signs.ts'
import {escapeText} from '../../../output/styled.ts'
import type {Column, Table} from '../../../rows/sheet/find-table.ts'
import {cellText} from '../../../rows/sheet/sheet.ts'
import {type FieldColumn, saidColumn} from './field-cells.ts'
import type {TransferSource} from './sheet-columns.ts'
import {FIELD_NAMES, NEEDED, type TransferField} from './transfer-headings.ts'

/** What is asked for each field. */
const QUESTIONS: Readonly<Record<TransferField, string>> = {
  fromAccountId: 'Which column has the account that the money comes from?',
  toAccountId: 'Which column has the account that the money goes to?',
  amount: 'Which column has the amount?',
  currency: 'Which column has the currency?',
  text: 'Which column has the text of the transfer?',
}
const NO_COLUMN = 'none'
/** The answer of a file that lacks a field, and what is asked for then. */
const LACKING: Readonly<Partial<Record<TransferField, readonly [answer: string, question: string]>>> = {
  fromAccountId: ['None: all come from one account', 'Which account does all the money come from?'],
  toAccountId: ['None: all go to one account', 'Which account does all the money go to?'],
  currency: ['None: all rows have one currency', 'Which currency do all rows have?'],
}

/** Asks which column has a field, or what all rows have if none does. */
export async function askColumn(
  field: TransferField,
  table: Table,
  {columns, fill}: {columns: Map<TransferField, FieldColumn>; fill: Map<string, string>},
  {prompter, answered, unchecked}: TransferSource & {readonly prompter: Prompter},
): Promise<void> {
  const taken = new Set([...columns.values()].map(({place}) => place))
  const open = (table.doubtful.get(field) ?? table.columns).filter(({place}) => !taken.has(place))
  const fitting = open.filter(column => mayHave(field, table, column))
  const free = fitting.length > 0 || field === 'currency' ? fitting : open
  // The answer is shown as it is chosen: two columns may have one title.
  const answerOf = ({title, place}: Column): string =>
    title === NO_COLUMN || free.filter(other => other.title === title).length > 1
      ? `${title} (${place + 1})`
      : title
  const choices = free.map(column => ({
    value: answerOf(column),
    name: `${escapeText(column.title)}: ${samplesOf(table, column)}`,
  }))
  const lacking = LACKING[field]
  if (lacking !== undefined || !NEEDED.includes(field))
    choices.push({value: NO_COLUMN, name: lacking?.[0] ?? 'None'})
  if (choices.length === 0) return
  // In a list without a search, a digit would jump to another column.
  const choice = await prompter.search(QUESTIONS[field], typed =>
    choices.filter(({name}) => plainTitle(name).includes(plainTitle(typed ?? ''))),
  )
  const column = free.find(column => answerOf(column) === choice)
  if (column !== undefined) {
    columns.set(field, saidColumn(column))
    answered?.('--map', `${column.title}=${FIELD_NAMES[field]}`)
  } else if (lacking !== undefined) {
    const isAccount = (text: string): true | string =>
      /^\d+$/.test(text) || (unchecked && text !== '') || 'The id of an account has digits only.'
    const typed = await prompter.text(lacking[1], field === 'currency' ? isCurrency : isAccount)
    const value = field === 'currency' ? readCurrency(typed) : typed
    fill.set(FIELD_NAMES[field], value)
    answered?.('--fill', `${FIELD_NAMES[field]}=${value}`)
  }
}

/** Whether a column may have a field: at least half of its cells do. */
export function mayHave(field: TransferField, table: Table, {place}: Column): boolean {
  if (field === 'text') return true
  const cells = table.rows.flatMap(row => ('fault' in row ? [] : [cellText(row.fields[place])]))
  const filled = cells.filter(cell => cell !== '')
  const fits = (cell: string): boolean =>
    field === 'currency' ? currenciesOf(cell).length > 0 || isCurrency(cell) === true : /\d/.test(cell)
  return filled.filter(fits).length * 2 >= filled.length
}

function isCurrency(text: string): true | string {
  try {
    readCurrency(text)
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return `${error.message}.`
  }
}
