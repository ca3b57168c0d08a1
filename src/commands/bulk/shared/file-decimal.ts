import {
  askDecimal,
  type DecimalReading,
  isWorthAsking,
  MOST_EXAMPLES,
  mayBeShown,
} from '../../../cli/ask-decimal.ts'
import type {Context} from '../../../cli/context.ts'
import type {Operation} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import {canReadAgain, readInput} from '../../../input/read-input.ts'
import {type Decimal, type DecimalSigns, decimalPoint} from '../../../money/decimal-sign.ts'
import type {Encoding} from '../../../rows/dialect.ts'
import {formatOfName, readRows} from '../../../rows/read-rows.ts'
import {type ColumnMap, columnReader} from './input.ts'

interface RowFile {
  readonly from: string
  readonly signs: DecimalSigns
  readonly encoding?: Encoding | undefined
  readonly map: ColumnMap
}

/**
 * Asks a person how decimals are written in a CSV file that doesn't tell. The file is read to the first numbers that
 * can't be read without the answer, and again from the start later.
 */
export async function askFileDecimal(
  context: Context,
  operation: Operation,
  file: RowFile,
): Promise<Decimal | undefined> {
  const {interactive, surroundings} = context
  if (!interactive || formatOfName(file.from) !== 'csv' || !(await canReadAgain(file.from))) return undefined
  const examples = await unreadNumbers(operation, file, surroundings.signal)
  const readings = (['comma', 'point'] as const).map(
    (decimal): DecimalReading => ({
      decimal,
      examples: examples.map(written => ({written, read: numberIn(written, {decimal})})),
    }),
  )
  return isWorthAsking(readings) ? askDecimal(context, file.from, readings) : undefined
}

/** What is wrong with the file is reported when its rows are read. */
async function unreadNumbers(
  operation: Operation,
  {from, signs, encoding, map}: RowFile,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const columns = await columnReader(operation, map)
  const found = new Set<string>()
  const options = {source: from, format: 'csv', problems: {add: () => undefined}, encoding} as const
  try {
    for await (const {values} of readRows(readInput(from, signal), {...options, nameOf: columns.nameOf})) {
      for (const [, text] of columns.numbersIn(values)) {
        if (numberIn(text, signs) === undefined && mayBeShown(text.trim())) found.add(text.trim())
        if (found.size === MOST_EXAMPLES) return [...found]
      }
    }
  } catch (error) {
    if (isInterruption(error)) throw error
  }
  return [...found]
}

function numberIn(text: string, signs: DecimalSigns): string | undefined {
  try {
    return decimalPoint(text, signs)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return undefined
  }
}
