import type {Prompter} from '../../../cli/question.ts'
import {columnsTitled, plainTitle, samplesOf, titleOf, titlesOf} from '../../../cli/sheet/column-words.ts'
import {refuseUnit, unitIn} from '../../../cli/sheet/other-unit.ts'
import {parsePairs, type SheetSource} from '../../../cli/sheet/sheet-source.ts'
import {Failure} from '../../../errors/failure.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {readCurrency} from '../../../money/currency-name.ts'
import {currenciesOf} from '../../../money/currency-signs.ts'
import {escapeText} from '../../../output/styled.ts'
import {quotableName} from '../../../rows/problems.ts'
import {type Cell, DoubtfulCell} from '../../../rows/sheet/doubtful-cell.ts'
import type {Column, Table} from '../../../rows/sheet/find-table.ts'
import {cellText} from '../../../rows/sheet/sheet.ts'
import {namesAccount} from './account-headings.ts'
import {namesDirection} from './direction-words.ts'
import {isOtherHeading} from './noted-columns.ts'
import {
  FIELD_NAMES,
  readTransferHeading,
  TRANSFER_FIELDS,
  type TransferField,
  textWords,
} from './transfer-headings.ts'

export const NEEDED: readonly TransferField[] = ['fromAccountId', 'toAccountId', 'amount', 'currency']

export type FieldColumn = Column & {readonly heading?: {readonly unit?: string}; readonly isSaid?: boolean}

/** What is said of a spreadsheet of transfers. */
export interface TransferSource extends SheetSource {
  /** Any text may be the id of an account. */
  readonly unchecked?: boolean | undefined
}

/** Where the fields of a transfer are. */
export interface FieldPlaces {
  readonly columns: ReadonlyMap<TransferField, FieldColumn>
  /** Values for rows that have none. */
  readonly fill: ReadonlyMap<string, string>
  /** Columns that the user leaves out, by their places. */
  readonly ignored: ReadonlySet<number>
}

/** The column of each field: as `--map` says, as its heading says, or as a person says. */
export async function placesOf(table: Table, given: TransferSource): Promise<FieldPlaces> {
  const {columns, ignored} = columnsSaid(table, given)
  const fill = new Map(parsePairs('--fill', given.fill, Object.values(FIELD_NAMES)))
  const isOpen = (field: TransferField): boolean => {
    if (columns.has(field)) return false
    // Without headings, nothing else says that the rows have a text.
    if (!NEEDED.includes(field)) return table.doubtful.has(field) || table.headings.length === 0
    const isSaid = field === 'currency' && saysCurrency(table, columns.get('amount'))
    return !fill.has(FIELD_NAMES[field]) && !isSaid
  }
  if (isOpen('amount')) refuseOnlyUnits(table, columns, given.source)
  for (const field of TRANSFER_FIELDS) {
    if (given.prompter === undefined || !isOpen(field)) continue
    await askColumn(field, table, {columns, fill}, {...given, prompter: given.prompter})
  }
  const open = TRANSFER_FIELDS.filter(
    field => isOpen(field) && (given.prompter === undefined || NEEDED.includes(field)),
  )
  if (open.length > 0) throw unknownColumns(given.source, table, open)
  const amount = columns.get('amount')
  if (amount !== undefined) refuseUnit({...amount, rows: table.rows}, amountIn(table, given.source))
  return {columns, fill, ignored}
}

const amountIn = ({line}: Table, source: string) => ({field: FIELD_NAMES.amount, source, line})

/** @throws Failure INPUT_INVALID if no column can be the amount but one that gives another unit */
function refuseOnlyUnits(
  table: Table,
  columns: ReadonlyMap<TransferField, FieldColumn>,
  source: string,
): void {
  const taken = new Set([...columns.values()].map(({place}) => place))
  const numbers = table.columns.filter(column => {
    const cells = table.rows.flatMap(row => ('fault' in row ? [] : [cellText(row.fields[column.place])]))
    const filled = cells.filter(cell => cell !== '')
    const isAmount = (cell: string): boolean => /^\D{0,5}\d[\d\s.,'’-]*\D{0,5}$/u.test(cell)
    return !taken.has(column.place) && filled.length > 0 && filled.every(isAmount)
  })
  const [first] = numbers
  if (first === undefined || numbers.some(({title}) => unitIn(title) === undefined)) return
  refuseUnit({...first, rows: table.rows}, amountIn(table, source))
}

/** The columns that flags name, and those whose headings are known. */
function columnsSaid(
  table: Table,
  {map, source}: SheetSource,
): {columns: Map<TransferField, FieldColumn>; ignored: ReadonlySet<number>} {
  const columns = new Map<TransferField, FieldColumn>()
  const mapped = new Set<number>()
  const ignored = new Set<number>()
  for (const [title, name] of mapsOf(map)) {
    const [column, another] = columnsTitled(table, title)
    if (column === undefined) {
      throw new Failure('USAGE', {
        message: `--map names a column that ${source} does not have. It has ${titlesOf(table.columns)}.`,
        effect: 'none',
      })
    }
    if (another !== undefined) {
      throw new Failure('USAGE', {
        message: `--map names ${titleOf(column)}, which several columns of ${source} are called.`,
        hint: `Say which one by its place, for example --map "column ${column.place + 1}=${name}".`,
        effect: 'none',
      })
    }
    mapped.add(column.place)
    const field = TRANSFER_FIELDS.find(each => FIELD_NAMES[each] === name)
    if (field === undefined) {
      ignored.add(column.place)
      continue
    }
    if (columns.has(field)) {
      throw new Failure('USAGE', {message: `--map names two columns as ${name}.`, effect: 'none'})
    }
    columns.set(field, withHeading(column))
  }
  for (const field of TRANSFER_FIELDS) {
    const found = table.found.get(field)
    if (!columns.has(field) && found !== undefined && !mapped.has(found.place)) columns.set(field, found)
  }
  return {columns, ignored}
}

const mapsOf = (map: SheetSource['map']): ReadonlyMap<string, string> =>
  parsePairs('--map', map, [...Object.values(FIELD_NAMES), 'none'])

/** A column that flags or a person named may have its currency in the heading. */
function withHeading(column: Column): FieldColumn {
  const heading = readTransferHeading(column.title)
  return {...column, isSaid: true, ...(heading ? {heading} : {})}
}

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

async function askColumn(
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
    columns.set(field, withHeading(column))
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
function mayHave(field: TransferField, table: Table, {place}: Column): boolean {
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

/** Whether each amount that a cell has comes with its currency. */
function saysCurrency(table: Table, column: FieldColumn | undefined): boolean {
  if (column === undefined) return false
  if (column.heading?.unit !== undefined) return true
  const cells = table.rows.flatMap(row => ('fault' in row ? [] : [row.fields[column.place]]))
  const filled = cells.filter(cell => cellText(cell) !== '')
  const isSaid = (cell: Cell | undefined) =>
    cell instanceof DoubtfulCell ? cell.unit !== '' : splitAmount(cellText(cell)).word !== ''
  return filled.length > 0 && filled.every(isSaid)
}

function unknownColumns(source: string, table: Table, fields: readonly TransferField[]): Failure {
  const names = fields.map(field => FIELD_NAMES[field])
  const several = fields.filter(field => table.doubtful.has(field))
  const known = table.found.size + table.doubtful.size > 0
  const first = several[0]
  const why =
    first !== undefined
      ? `${titlesOf(table.doubtful.get(first) ?? [])} may each be ${FIELD_NAMES[first]}`
      : known
        ? `no column is known as ${names.join(' or ')}`
        : table.headings.length === 0
          ? `no column is named as ${names.join(' or ')}`
          : `line ${table.line} names no column that is known here`
  // A list of those who are paid hardly says who pays.
  const isList = names.includes('to') && table.columns.filter(({title}) => namesAccount(title)).length === 1
  const sought = first ?? (isList ? 'toAccountId' : fields[0]) ?? 'amount'
  const example = exampleFor(sought, table)
  const mapped =
    example === undefined ? '' : ` Say which is which, for example --map "${example}=${FIELD_NAMES[sought]}".`
  const filled = names.includes('currency')
    ? ' If all rows have one currency, add --fill currency=EUR.'
    : names.includes('from')
      ? ' If all come from one account, add --fill from=ACCOUNT.'
      : ''
  return new Failure('INPUT_INVALID', {
    message: `${source}: ${why}.`,
    hint: `Found: ${titlesOf(table.columns)}. Needed: from; to; amount; currency (text is optional).${mapped}${filled}`,
    effect: 'none',
  })
}

/** A column that looks like it has a field, as `--map` names it. */
function exampleFor(field: TransferField, table: Table): string | undefined {
  const taken = new Set([...table.found.values()].map(({place}) => place))
  const open = (table.doubtful.get(field) ?? table.columns).filter(
    ({place, title}) =>
      !taken.has(place) && unitIn(title) === undefined && !(/\p{L}/u.test(title) && namesDirection(title)),
  )
  const likely = open.filter(column => mayHave(field, table, column))
  const [cells, isLikeIt]: [RegExp, (title: string) => boolean] =
    field === 'amount' ? [/\d[.,]\d/, () => false] : [/^\d+$/, namesAccount]
  const hasSome = (column: Column): boolean => cells.test(samplesOf(table, column).split(', ')[0] ?? '')
  const chosen = likely.find(({title}) => isLikeIt(title)) ?? likely.find(hasSome) ?? likely[0] ?? open[0]
  if (chosen === undefined) return undefined
  const isTwice = table.columns.filter(({title}) => title === chosen.title).length > 1
  return isTwice ? `column ${chosen.place + 1}` : titleOf(chosen)
}

/** The text is the only column that may be missing, so a misspelt heading would lose it. */
export function refuseMisspelt(columns: readonly Column[], source: string): void {
  for (const {title} of columns) {
    const name = quotableName(title)
    const meant = isOtherHeading({title}) ? undefined : nearestName(plainTitle(title), textWords)
    if (meant === undefined || name === undefined) continue
    throw new Failure('INPUT_INVALID', {
      message: `${source} has a column ${name}, which is not known here. Did you mean ${meant}?`,
      hint: `Add --map "${name}=text", or --map "${name}=none" to leave it out.`,
      effect: 'none',
    })
  }
}

/**
 * A transfer has one text: what is in `Verwendungszweck 2` beside it would be lost.
 *
 * @throws Failure INPUT_INVALID
 */
export function refuseMoreText(table: Table, columns: readonly Column[], source: string): void {
  const more = columns.filter(column => {
    const [, word = ''] = /^(.*\D)[\s.-]*[2-9]$/.exec(column.title.trim()) ?? []
    return readTransferHeading(word)?.field === 'text' && samplesOf(table, column) !== 'empty'
  })
  if (more.length === 0) return
  throw new Failure('INPUT_INVALID', {
    message: `${source} has more of the texts in ${titlesOf(more)}, and a transfer has one text.`,
    hint: `Put the texts in one column, or add ${more.map(column => `--map "${titleOf(column)}=none"`).join(' ')} to leave it out.`,
    effect: 'none',
  })
}

/** `12,50 €`, `EUR 12.50`: the number, and the currency beside it. */
export function splitAmount(text: string): {readonly number: string; readonly word: string} {
  const match =
    /^(?<word>[A-Za-z]{2,7}\.?|[€£¥$₹₺₩]|zł|Kč)?\s*(?<number>[-−–+(]?\s*[\d].*?)\s*(?<after>[A-Za-z]{2,7}\.?|[€£¥$₹₺₩]|zł|Kč)?$/u.exec(
      text,
    )
  const {word = '', after = '', number = text} = match?.groups ?? {}
  const unit = word || after
  return currenciesOf(unit).length > 0 ? {number, word: unit} : {number: text, word: ''}
}
