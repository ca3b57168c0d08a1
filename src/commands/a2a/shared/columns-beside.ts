import {currenciesOf} from '../../../money/currency-signs.ts'
import type {Column} from '../../../rows/sheet/find-table.ts'
import {cellText, type SheetRow} from '../../../rows/sheet/sheet.ts'
import {FIELD_NAMES, type TransferField} from './transfer-headings.ts'

/** The columns that fields use. */
export type UsedColumns = ReadonlyMap<TransferField, Column>

interface Doubt {
  readonly what: string
  readonly rows: readonly SheetRow[]
}

const NEW =
  /(?<!\p{L})(?:new|neue?[rs]?|ny|nytt|nya|uusi|nouveau|nouvelle|nuev[oa]|changed|geändert|ändra[dt]|endret|ændret)(?!\p{L})|correct|korr|corr[ie]g|rectif|rättel|rettel|oikais|adjust|änderung/iu
const CENTS =
  /(?<!\p{L})(?:cents?|pence|öre|øre|rappen|rp|centimes?|céntimos?|sentti[äa]?|sentit|decimals?|decimal(?:es|er)?|dezimalen|nachkomma(?:stellen)?|fraction)(?!\p{L})/iu

/**
 * What a column that no field uses may say of those that are used: another account or amount, a currency, the cents.
 */
export function besideUsed(
  {place, title}: Column,
  rows: readonly SheetRow[],
  used: UsedColumns,
): Doubt | undefined {
  const textOf = ({fields}: SheetRow): string => cellText(fields[place])
  const filled = rows.filter(row => textOf(row) !== '')
  if (filled.length === 0) return undefined
  const inField = (row: SheetRow, field: TransferField): string => {
    const column = used.get(field)
    return column === undefined ? '' : cellText(row.fields[column.place])
  }
  const numbers = filled.filter(row => /\d/.test(textOf(row)) && !/\p{L}{2}/u.test(textOf(row)))
  if (NEW.test(title) && numbers.length > 0)
    return {what: 'may correct what other columns say', rows: numbers}
  const negative = numbers.filter(row => /^[-−–(]\s*\d|\d\s*[-−–]$/.test(textOf(row)))
  if (negative.length > 0 && negative.length < rows.length)
    return {what: 'has negative numbers, which may change amounts', rows: negative}
  for (const field of ['fromAccountId', 'toAccountId', 'amount'] as const) {
    const others = filled.filter(row => /\d/.test(textOf(row)) && textOf(row) !== inField(row, field))
    // Some are the same, so the others are no chance.
    const isAnother = others.length > 0 && filled.some(row => textOf(row) === inField(row, field))
    if (isAnother && (field !== 'amount' || filled.some(row => /[.,]\d/.test(textOf(row)))))
      return {what: `is the same as ${FIELD_NAMES[field]} in some rows and another in others`, rows: others}
  }
  const currencies = filled.map(row => currenciesOf(textOf(row)))
  if (currencies.every(codes => codes.length > 0)) {
    const others = filled.filter((row, at) => {
      const [own] = currenciesOf(inField(row, 'currency'))
      return own !== undefined && !currencies[at]?.includes(own)
    })
    if (others.length > 0) return {what: 'has another currency than the rows', rows: others}
  }
  const amount = used.get('amount')
  const isWhole = rows.every(row => /^\D{0,4}[\d\s'’]+\D{0,4}$/u.test(inField(row, 'amount')))
  const mayBeCents = filled.every(row => /^\d{1,2}$/.test(textOf(row)))
  if (mayBeCents && isWhole && (CENTS.test(title) || place - 1 === amount?.place))
    return {what: 'may have the decimals of the amounts', rows: filled}
  return undefined
}
