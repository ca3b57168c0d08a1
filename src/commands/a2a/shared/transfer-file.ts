import {type DecimalReading, isWorthAsking, MOST_EXAMPLES, mayBeShown} from '../../../cli/ask-decimal.ts'
import type {SaidOfSheet, UsedMapping} from '../../../cli/sheet/named-mapping.ts'
import {refuseSheetFlags} from '../../../cli/sheet/sheet-source.ts'
import type {AskedReader, Asking} from '../../../cli/sheet/way-back.ts'
import type {Surroundings} from '../../../cli/surroundings.ts'
import {Failure} from '../../../errors/failure.ts'
import {isStreamed, joinPieces, readInput, unreadableInput, untilAborted} from '../../../input/read-input.ts'
import {amount, counted, decimalText} from '../../../money/amount.ts'
import {ambiguousNumber, type ReadNumber, readColumn, unreadNumber} from '../../../money/column-numbers.ts'
import {type DecimalSigns, decimalPoint} from '../../../money/decimal-sign.ts'
import {findExponent} from '../../../money/exponents.ts'
import {sumByCurrency} from '../../../money/sum-by-currency.ts'
import {localDate, timeZoneOf} from '../../../output/when.ts'
import type {Encoding} from '../../../rows/dialect.ts'
import type {RowProblem} from '../../../rows/problem-groups.ts'
import {type ProblemFacts, type Row, RowProblems} from '../../../rows/problems.ts'
import {formatOfName, readRows} from '../../../rows/read-rows.ts'
import {holdsCardNumber} from '../../../sensitive/card-number.ts'
import {negativeAmount, type Transfer, toTransfer} from './read-transfers.ts'
import {addReplaced, type FailedItem, REPLACES, type Replaced} from './replaced-rows.ts'
import {readTransferSheet, type SettledAmounts, type TransferSheet} from './transfer-sheet.ts'

/** How the file is written. */
export interface FileDialect extends DecimalSigns, SaidOfSheet {
  readonly encoding?: Encoding | undefined
  readonly 'no-final-newline'?: boolean | undefined
  /** Accept any text as the id of an account. */
  readonly 'no-check-input'?: boolean | undefined
  /** Accept texts that look like card numbers. */
  readonly 'not-a-card-number'?: boolean | undefined
}

/** A table of more bytes is no list of transfers: a batch has at most 10,000. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Transfers from a spreadsheet (CSV, TSV, XLSX) or an NDJSON file, or from stdin (`-`). Every row is checked before any
 * is sent.
 *
 * @returns the transfers, what was left out of the file, in sentences, and of a spreadsheet what was read as what.
 * @throws Failure INPUT_INVALID, which lists all bad rows by number.
 */
export async function readTransferFile(
  source: string,
  {stdin, signal, now, env}: Surroundings,
  given: FileDialect = {},
  asking?: Asking,
): Promise<{transfers: Transfer[]; notes: readonly string[]; replaced: Replaced; used?: UsedMapping}> {
  const name = source === '-' ? 'stdin' : source
  const {encoding, 'no-final-newline': mayBeCut, decimal, usual, ...others} = given
  const {'no-check-input': unchecked, 'not-a-card-number': mayLookSo, ...sheetFlags} = others
  const checks = {unchecked, mayLookSo}
  try {
    // Asked before it is read: a file that was read to its end is closed.
    const finalNewline = !mayBeCut && (await isStreamed(source, stdin))
    const pieces = source === '-' ? untilAborted(stdin, signal) : readInput(source, signal)
    const bytes = await joinPieces(pieces, MOST_BYTES)
    if (bytes === undefined) {
      throw new Failure('INPUT_INVALID', {
        message: `${name} is no file of transfers: it is longer than ${MOST_BYTES / 1024 / 1024} MiB.`,
        effect: 'none',
      })
    }
    if (isNdjson(source, bytes)) {
      refuseSheetFlags(sheetFlags, `${name} is NDJSON, whose fields have names`)
      // Programs write NDJSON, and mean a decimal point.
      const signs = {usual, decimal: decimal ?? ('point' as const)}
      const problems: RowProblem[] = []
      const rows: Row[] = []
      const options = {
        source: name,
        format: 'ndjson' as const,
        encoding,
        problems: {add: (one: RowProblem) => void problems.push(one)},
      }
      for await (const row of readRows(oneOf(bytes), options)) rows.push(row)
      const found = transfersIn(rows, text => decimalPoint(text, signs), checks)
      return {transfers: goodOnes(name, problems, found), notes: [], replaced: found.replaced}
    }
    const today = localDate(now(), {timeZone: timeZoneOf(env)})
    const read = async (reader?: AskedReader) => {
      const given = {...sheetFlags, source: name, encoding, finalNewline, today, unchecked}
      const sheet = await readTransferSheet(bytes, {...given, ...reader})
      const settle = (signs: DecimalSigns) => {
        const {amounts, notes} = sheet.settle(signs)
        return {amounts, notes, ...transfersOf({rows: sheet.rows, amounts}, signs, checks)}
      }
      let found = settle({decimal, usual})
      if (decimal === undefined && reader !== undefined) {
        const readings = readingsOf({...sheet, ...found}, found.problems, checks)
        if (readings.length > 0) found = settle({decimal: await reader.chooseDecimal(readings)})
      }
      const {notes, replaced} = found
      const {faults, lacking} = sheet
      const problems = found.problems.filter(({column}) => !lacking.some(field => field === column))
      const transfers = faults.try(() => goodOnes(name, sheet.problems, {...found, problems}), [])
      faults.throwIfAny()
      return {transfers, notes, replaced, used: sheet.used}
    }
    return await (asking === undefined ? read() : asking(name, read))
  } catch (error) {
    throw unreadableInput(name, error)
  }
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const isNdjson = (source: string, bytes: Uint8Array): boolean =>
  formatOfName(source) === 'ndjson' ||
  (formatOfName(source) === undefined &&
    /^[\s\ufeff]*[{[]/.test(Buffer.from(bytes.subarray(0, 4096)).toString('utf8')))

/** @throws Failure INPUT_INVALID if there is a problem. */
function goodOnes(source: string, broken: readonly RowProblem[], read: ReadTransfers): Transfer[] {
  const problems = new RowProblems({source})
  // What was found in the file says more than that a field is missing then.
  const told = new Set(broken.map(({row, column}) => `${row} ${column}`))
  const more = read.problems.filter(({row, column}) => !told.has(`${row} ${column}`))
  for (const problem of [...broken, ...more].toSorted((a, b) => a.row - b.row)) problems.add(problem)
  problems.throwIfAny()
  return read.transfers
}

interface ReadTransfers {
  readonly transfers: Transfer[]
  readonly problems: readonly RowProblem[]
  readonly replaced: Replaced
}

const CARD_NUMBER =
  'looks like a card number, and who gets the money reads it; if it is none, add --not-a-card-number'

interface Checks {
  readonly unchecked: boolean | undefined
  readonly mayLookSo: boolean | undefined
}

function transfersIn(
  rows: readonly Row[],
  plain: (text: string, row: Row, currency: string) => string,
  {unchecked, mayLookSo}: Checks,
): ReadTransfers {
  const problems: RowProblem[] = []
  const replaced = new Map<string, FailedItem[]>()
  const transfers = rows.flatMap(row => {
    const {line, values} = row
    const report = (column: string, message: string, facts: ProblemFacts) =>
      void problems.push({row: row.row, line, column, message, ...facts})
    const made = toTransfer(values, report, (text, currency) => plain(text, row, currency), unchecked)
    if (made === undefined) return []
    addReplaced(replaced, made, values[REPLACES])
    if (mayLookSo || !holdsCardNumber(made.text ?? '')) return made
    report('text', CARD_NUMBER, {})
    return []
  })
  return {transfers, problems, replaced}
}

/** The transfers of a sheet, whose amounts were read together. */
function transfersOf(
  {rows, amounts}: Pick<TransferSheet & SettledAmounts, 'rows' | 'amounts'>,
  signs: DecimalSigns,
  checks: Checks,
): ReadTransfers {
  const written = rows.map(row => {
    const {amount} = row.values
    // A number that the file stores has no second reading.
    return typeof amount === 'number' ? {...row, values: {...row.values, amount: decimalText(amount)}} : row
  })
  return transfersIn(
    written,
    (text, {row}, currency) => plainAmount(text, amounts.get(row), signs, findExponent(currency)),
    checks,
  )
}

/** @throws Failure INPUT_INVALID */
function plainAmount(text: string, read: ReadNumber, signs: DecimalSigns, decimals?: number): string {
  // What is no number in any way, or not with the sign that the user named.
  if (read === undefined) return unreadNumber(text, signs)
  if ('number' in read) {
    if (!read.isNegative) return read.number
    throw negativeAmount()
  }
  throw ambiguousNumber(text, read.readings, decimals)
}

/** What each sign makes of the rows; nothing if neither reads an amount that can't be read without it. */
function readingsOf(
  sheet: Pick<TransferSheet & SettledAmounts, 'rows' | 'amounts'>,
  problems: readonly RowProblem[],
  checks: Checks,
): readonly DecimalReading[] {
  const unread = new Set(problems.filter(({column}) => column === 'amount').map(({row}) => row))
  const examples = new Map<string, Row>()
  for (const row of sheet.rows) {
    const written = row.values.amount
    if (examples.size === MOST_EXAMPLES) break
    if (unread.has(row.row) && typeof written === 'string' && mayBeShown(written.trim()))
      examples.set(written.trim(), row)
  }
  const readings = (['comma', 'point'] as const).map((decimal): DecimalReading => {
    const signs = {decimal}
    const texts = sheet.rows.filter(({values}) => typeof values.amount === 'string')
    const numbers = readColumn(
      texts.map(({values}) => ({text: String(values.amount), decimals: undefined})),
      signs,
    )
    const amounts = new Map([...sheet.amounts, ...texts.map(({row}, at) => [row, numbers[at]] as const)])
    const read = (rows: readonly Row[]) => transfersOf({rows, amounts}, signs, checks).transfers
    return {
      decimal,
      examples: [...examples].map(([written, row]) => {
        const [one] = read([row])
        return {written, read: one && amount(one.amount, one.currency)}
      }),
      sum: sumOf(read(sheet.rows)),
    }
  })
  return isWorthAsking(readings) ? readings : []
}

function sumOf(transfers: readonly Transfer[]): string | undefined {
  if (transfers.length === 0) return undefined
  const totals = sumByCurrency(transfers).map(({currency, text}) => amount(text, currency))
  return `${counted(transfers.length, 'transfer')}, ${totals.join(', ')}`
}
