import type {DecimalReading} from '../../../cli/ask-decimal.ts'
import {isWorthAsking, MOST_EXAMPLES, mayBeShown} from '../../../cli/ask-decimal.ts'
import {Failure} from '../../../errors/failure.ts'
import {ambiguousNumber, type ReadNumber, readColumn, unreadNumber} from '../../../money/column-numbers.ts'
import {type Decimal, type DecimalSigns, decimalPoint} from '../../../money/decimal-sign.ts'
import type {Cell} from '../../../rows/sheet/doubtful-cell.ts'

/** Whether a text is a number as JSON has it, which nobody reads otherwise. */
const isJsonNumber = (text: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)

/** The texts of a column of numbers, read together. Texts that are no numbers stay. */
export class NumberColumn {
  readonly #read: ReadonlyMap<string, ReadNumber>
  readonly #signs: DecimalSigns

  constructor(texts: readonly string[], signs: DecimalSigns) {
    this.#signs = signs
    const read = readColumn(
      texts.map(text => ({text, decimals: undefined})),
      signs,
    )
    this.#read = new Map(texts.map((text, at) => [text, read[at]]))
  }

  /** A cell as plain decimal text. @throws Failure INPUT_INVALID with both readings if it has two */
  plain(text: string): string {
    const read = this.#read.get(text)
    if (read === undefined) return unreadNumber(text, this.#signs)
    if ('readings' in read) throw ambiguousNumber(text, read.readings)
    return read.isNegative ? `-${read.number}` : read.number
  }

  /** A cell as a number; undefined if it is none, or may be two. */
  numberIn(cell: Cell): number | undefined {
    if (typeof cell === 'number') return cell
    if (typeof cell === 'object') return cell.number
    const read = this.#read.get(cell.trim())
    if (read === undefined || 'readings' in read) return undefined
    return Number(read.number) * (read.isNegative ? -1 : 1)
  }

  /** The cells that need to know the sign before decimals. */
  get open(): readonly string[] {
    return [...this.#read].flatMap(([text, read]) =>
      read !== undefined && 'readings' in read && mayBeShown(text) ? [text] : [],
    )
  }
}

/** What each sign makes of the cells that need it; nothing if neither reads any. */
export function decimalReadings(
  columns: readonly (readonly string[])[],
  signs: DecimalSigns,
): readonly DecimalReading[] {
  const examples = [...new Set(columns.flatMap(texts => new NumberColumn(texts, signs).open))].slice(
    0,
    MOST_EXAMPLES,
  )
  const readings = (['comma', 'point'] as const).map(
    (decimal): DecimalReading => ({
      decimal,
      examples: examples.map(written => ({written, read: readAlone(written, decimal)})),
    }),
  )
  return isWorthAsking(readings) ? readings : []
}

function readAlone(text: string, decimal: Decimal): string | undefined {
  const [read] = readColumn([{text, decimals: undefined}], {decimal})
  if (read === undefined || !('number' in read)) return undefined
  const number = read.number.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
  return `${read.isNegative ? '-' : ''}${number}`
}

/** Whether a cell of a number field has one reading wherever it is, so that its column need not be read. */
export const isPlainNumber = (text: string): boolean => {
  const given = text.trim()
  if (!/\d/.test(given)) return true
  if (!isJsonNumber(given) || given !== text) return false
  try {
    decimalPoint(given)
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return false
  }
}
