import {titleOf} from '../../../cli/sheet/column-words.ts'
import {inAllSpellings} from '../../../cli/sheet/spellings.ts'
import {currenciesOf} from '../../../money/currency-signs.ts'
import type {Column} from '../../../rows/sheet/find-table.ts'
import {cellText, type SheetRow} from '../../../rows/sheet/sheet.ts'
import {FIELD_NAMES, readTransferHeading, type TransferField} from './transfer-headings.ts'

/** The columns that fields use, and whether the user named them. */
export type UsedColumns = ReadonlyMap<TransferField, Column & {readonly isSaid?: boolean}>

interface Doubt {
  readonly what: string
  readonly rows: readonly SheetRow[]
  readonly cure?: string
}

const NEW = inAllSpellings(
  /(?<!\p{L})(?:new|neue?[rs]?|ny|nytt|nya|uusi|nouveau|nouvelle|nuev[oa]|changed|geändert|ändra[dt]|endret|ændret)(?!\p{L})|correct|korr|corr[ie]g|rectif|rättel|rettel|oikais|adjust|änderung/iu,
)
const CENTS = inAllSpellings(
  /(?<!\p{L})(?:cents?|pence|öre|øre|rappen|rp|centimes?|céntimos?|sentti[äa]?|sentit|decimals?|decimal(?:es|er)?|dezimalen|nachkomma(?:stellen)?|fraction)(?!\p{L})/iu,
)

/** Headings over what is paid in the end, whatever else a row adds up. */
const PAYABLE = inAllSpellings(
  /net pay|netto(?:lohn|gehalt|lön|løn|lønn|palkka)|to pay|payable|payment|transfer|instructed|zahl(?:ungs)?betrag|auszahl|überweisungs|att (?:ut)?betala|utbetal|udbetal|å betale|maksettava|à payer|du (?:virement|paiement)|a pagar|del pago/iu,
)
/** Headings over another amount that a row may be meant to pay. */
const RIVAL = inAllSpellings(
  /(?<!\p{L})(?:gross|brutto\p{L}*|incl|inkl|ttc|open (?:amount|balance)|balance due|amount due|outstanding|remaining|rest(?:betrag|belopp|beløb|beløp)|offener (?:betrag|saldo)|zahlbetrag|kvar att betala|avoin(?:na)?|reste à payer|solde dû|pendiente|udestående|utestående)(?!\p{L})/iu,
)
/** Headings over what may be taken off an amount, or was already. */
const TAKEN_OFF = inAllSpellings(
  /skonto|discount|(?<!\p{L})raba(?:tt?|is)|remise|escompte|descuento|alennus|(?<!\p{L})abz[uü]g|deduction|déduction|deducción|(?<!\p{L})(?:avdrag|fradrag|withholding|einbehalt)|vähennys|quellensteuer/iu,
)
/** Headings over amounts of documents, of which a payment may take off something. */
const OF_DOCUMENT = /invoice|bill|rechnung|faktur|lasku|factur|gross|brutto/iu

const numberIn = (text: string): number => {
  const [, whole = '', decimals = ''] = /^\D*([\d\s.,'’]*?\d)(?:[.,](\d{1,2}))?\D*$/u.exec(text) ?? []
  return whole === '' ? Number.NaN : Number(`${whole.replaceAll(/\D/g, '')}.${decimals || 0}`)
}

/** Whether each amount is the product of this column and another one, such as hours and their price. */
export function explainsAmounts({place}: Column, rows: readonly SheetRow[], used: UsedColumns): boolean {
  const amount = used.get('amount')?.place
  if (amount === undefined || rows.length === 0) return false
  const at = ({fields}: SheetRow, one: number): number => numberIn(cellText(fields[one]))
  const width = Math.max(...rows.slice(0, 1000).map(({fields}) => fields.length))
  return Array.from({length: width}, (_, other) => other).some(
    other =>
      other !== place &&
      other !== amount &&
      rows.every(row => Math.abs(at(row, place) * at(row, other) - at(row, amount)) < 0.0051),
  )
}

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
  const amount = used.get('amount')
  const isPayable = amount?.isSaid || PAYABLE.test(amount?.title ?? '')
  const heading = readTransferHeading(title)
  const isRival = (heading?.field === 'amount' || RIVAL.test(title)) && !isPayable
  const rivals = numbers.filter(row => numberIn(textOf(row)) !== numberIn(inField(row, 'amount')))
  if (isRival && rivals.length > 0) {
    const name = titleOf({place, title})
    const cure = `If it is what is to be paid, add --map "${name}=amount"`
    return {what: 'may be the amount too, and is another one', rows: rivals, cure}
  }
  const takenOff = numbers.filter(row => numberIn(textOf(row)) > 0)
  if (TAKEN_OFF.test(title) && !isPayable && takenOff.length > 0)
    return {what: 'may take something off the amounts', rows: takenOff}
  for (const field of ['fromAccountId', 'toAccountId', 'amount'] as const) {
    const isPart = (isPayable && OF_DOCUMENT.test(title)) || explainsAmounts({place, title}, rows, used)
    if (field === 'amount' && isPart) continue
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
  const isWhole = rows.every(row => /^\D{0,4}[\d\s'’]+\D{0,4}$/u.test(inField(row, 'amount')))
  const mayBeCents = filled.every(row => /^\d{1,2}$/.test(textOf(row)))
  if (mayBeCents && isWhole && (CENTS.test(title) || place - 1 === amount?.place))
    return {what: 'may have the decimals of the amounts', rows: filled}
  return undefined
}
