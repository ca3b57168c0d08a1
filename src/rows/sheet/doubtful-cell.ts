import {currenciesOf} from '../../money/currency-signs.ts'

/** What a cell holds: a number only where the file stores one, which has no second reading. */
export type Cell = string | number | DoubtfulCell

/** Why what is in a cell of a workbook may not be what somebody wrote into it, or sees there. */
export type Doubt =
  /** `#N/A` and the like. */
  | 'error'
  /** The program that wrote the file computed nothing. */
  | 'formula'
  | 'boolean'
  /** Spreadsheets make dates of `3-4` and `1/2`. */
  | 'date'
  /** A number with more digits than a spreadsheet keeps. */
  | 'digits'
  /** Spreadsheets make `1.20E+04` of `12E3`. */
  | 'scientific'
  /** The format shows zeros, letters or digits that aren't in the number: `00012` is 12. */
  | 'padded'
  /** Letters or signs are beside the number: `€ 12`, `K12`. */
  | 'unit'
  /** The format shows another number: 12.4 as 12, 5000 as 5, 0.05 as 5%, or nothing. */
  | 'shown'

/** A cell that only some fields can take. */
export class DoubtfulCell {
  readonly doubt: Doubt
  readonly text: string
  /** What it is as an amount, where that isn't in doubt. */
  readonly number: number | undefined
  /** What its format shows beside the number. */
  readonly unit: string
  /** The code of the format. */
  readonly format: string

  constructor(
    doubt: Doubt,
    text: string,
    number?: number,
    {unit = '', format = ''}: {readonly unit?: string; readonly format?: string} = {},
  ) {
    this.doubt = doubt
    this.text = text
    this.number = number
    this.unit = unit
    this.format = format
  }

  toString(): string {
    return this.text
  }
}

/** What a field makes of a cell. `any` if the contract doesn't say it. */
export type CellUse = 'number' | 'text' | 'date' | 'boolean' | 'any'

/** Uses in which a cell is what it seems. An error or a missing value is nothing anywhere. */
const FINE: Readonly<Record<Doubt, readonly CellUse[]>> = {
  error: [],
  formula: [],
  boolean: ['boolean', 'any'],
  date: ['date', 'any'],
  digits: ['number'],
  scientific: ['number'],
  padded: ['number'],
  unit: ['number'],
  shown: [],
}

const AS_TEXT = 'format the column as text and enter it again'

const PADDED = `is shown with zeros or letters that its number does not have; ${AS_TEXT}`

const FAULTS: Readonly<Record<Exclude<Doubt, 'shown'>, string>> = {
  error: 'is an error of the spreadsheet; correct the formula there, or enter the value',
  formula:
    'is a formula that was saved without its value; open the file in a spreadsheet and save it, or enter the value',
  boolean: `is TRUE or FALSE, and no text; ${AS_TEXT}`,
  date: `is a date, which a spreadsheet may have made of something else; ${AS_TEXT}`,
  digits: `has more digits than the 15 that a spreadsheet keeps, so the last ones may be wrong; ${AS_TEXT}`,
  scientific: `is a number in scientific notation, which a spreadsheet may have made of something else; ${AS_TEXT}`,
  padded: PADDED,
  unit: PADDED,
}

/** What spreadsheets in several languages save as text for a cell with an error. */
const ERROR_TEXT =
  /^#(?:n\/?[av]|n\/d|(?:ref|bezug|value|wert|valeur|¡valor|num|zahl|nombre|null|nul|div\/0|spill|calc)!|name\?)$/i
/** `1.23457E+15`: what is shown of a long number, without its other digits. */
const SHORT_FORM = /^-?\d[.,]\d+E\+\d+$/

/** Why a field can't take a cell, in the form of `RowProblem.message`; undefined if it can. */
export function cellFault(cell: Cell, use: CellUse): string | undefined {
  if (typeof cell === 'number') return undefined
  if (typeof cell === 'string') {
    if (ERROR_TEXT.test(cell.trim())) return FAULTS.error
    return use !== 'number' && SHORT_FORM.test(cell.trim()) ? FAULTS.scientific : undefined
  }
  const isFine = FINE[cell.doubt].includes(use) && (use !== 'number' || cell.number !== undefined)
  // `k` and `TEUR` are no currency, and make another number.
  const isShown = isFine && cell.unit !== '' && currenciesOf(cell.unit).length === 0
  if (isFine && !isShown) return undefined
  return isShown || cell.doubt === 'shown' ? shownFault(cell) : FAULTS[cell.doubt]
}

/** A longer format, or one with a number in it, may say more than how a number is shown. */
const QUOTABLE = /^(?!.*[1-9]\d{3})[^\p{C}]{1,40}$/u

function shownFault({format}: DoubtfulCell): string {
  const by = QUOTABLE.test(format) ? ` (by the format ${format})` : ''
  return `is shown as another number than it holds, or not at all${by}; give the cells the format General, and check the numbers`
}

/** What a cell of a workbook holds that shows another number, for the problem of its row. */
export const heldNumber = (cell: Cell | undefined): {readonly value?: string} =>
  cell instanceof DoubtfulCell && cell.format !== '' && cell.number !== undefined ? {value: cell.text} : {}

/** A cell as a field takes it that has no fault with it. */
export const plainCell = (cell: Cell, use: CellUse): string | number => {
  if (typeof cell !== 'object') return cell
  return use === 'number' ? (cell.number ?? cell.text) : cell.text
}
