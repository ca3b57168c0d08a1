import {currenciesOf} from '../../money/currency-signs.ts'
import {listed} from './sheet-words.ts'
import {inAllSpellings, spellingsOf} from './spellings.ts'

/** A word for a sum, in the languages of the columns. Names of firms may begin with one. */
const SUM_WORD = inAllSpellings(
  /^(?:\p{L}{0,12}summ[ea]n?|(?:sub|grand|total|del|slut|hoved|mellom)?sum(?:s|men)?|(?:sub|grand|under|del|slut)?totals?|tot|total(?:e|es|t|en|summe|summa|sum|betrag|belopp|beløb|beløp|amount)|totaux|gesamt(?:betrag|total)?|insgesamt|yhteensä|somme|suma|ialt|sammanlagt|alt|σ|∑)$/u,
)

const BESIDE = listed(
  'grand, sub, report, end, final, overall, of, the, all, amount, amounts, value, for, per, as, at, on, to, in, and, i, is, date',
  'am, zum, vom, von, der, die, des, aller, betrag, wert, und, datum, belopp, värde, och, av, alla, den, määrä, kaikki, pvm',
  'général, générale, general, de, du, la, le, les, des, montant, y, del, los, importe, beløb, beløp, af, og, pr',
)
const COUNTED = listed(
  'count, number, no, nr, payments, payment, transfers, transfer, transactions, transaction, items, item, rows, row, records, record, lines, line, entries',
  'anzahl, stück, stk, zahlungen, zahlung, überweisungen, überweisung, transaktionen, zeilen, buchungen, buchung, posten, positionen',
  'antal, st, betalningar, betalning, överföringar, transaktioner, rader, poster, lukumäärä, kpl, maksua, maksut, maksu, tilisiirtoa, riviä',
  'nombre, paiements, paiement, virements, opérations, lignes, número, pagos, pago, transferencias, filas, antall, betalinger, betaling, overførsler, overføringer, linjer',
)

/** A word for a sum with which no firm begins its name: what follows says of what it is. */
const SURE = inAllSpellings(
  /^(?:sub[\s-]?totals?|sous[\s-]totals?|grand total|zwischensumme|gesamtsumme|endsumme|delsumm?a?|mellansumma|slutsumma|välisumma|loppusumma|kokonaissumma|mellomsum|hovedsum)(?!\p{L})/iu,
)

/** Longer texts are none. */
const LONGEST = 60

/** What a label of a sum says. */
export interface SumLabel {
  /** The currencies that it names. */
  readonly currencies: readonly string[]
  /** Whether it is the word for a sum alone. */
  readonly isBare: boolean
}

/**
 * Reads a label of a sum: `Summe`, `Total per 01.10.2026`, `Totalt SEK`, `Anzahl Zahlungen: 2`. Each of its words belongs
 * to it, so that `Total Energies` and `Total rent May` are none.
 *
 * @param count of the rows that it may be of
 * @param titles words of titles among the rows: `Total Helsinki` is none of a firm there
 */
export function readSumLabel(
  text: string,
  count: number,
  titles: ReadonlySet<string> = NONE,
): SumLabel | undefined {
  if (text.length > LONGEST) return undefined
  // Lists of SAP mark sums so, by their level.
  if (/^\*{1,4}$/.test(text)) return {currencies: [], isBare: false}
  const words = labelWords(text)
  const codes = words.map(word => (isOther(word) ? currenciesOf(word.toUpperCase()) : []))
  const numbers = words.filter(word => /^\d+$/.test(word)).map(Number)
  const isKnown = (word: string, at: number): boolean =>
    SUM_WORD.test(word) ||
    !isOther(word) ||
    titles.has(word) ||
    (codes[at] ?? []).length > 0 ||
    isMonth(word) ||
    (/^\d+$/.test(word) && (Number(word) <= 31 || Number(word) === count || /^(?:19|20)\d\d$/.test(word)))
  if (words.length === 0 || !(words.every(isKnown) || SURE.test(text))) return undefined
  const isSum = words.some(word => SUM_WORD.test(word)) || SURE.test(text)
  const isCount = words.some(word => COUNTED.has(word)) && numbers.length === 1 && numbers[0] === count
  if (!isSum && !isCount) return undefined
  return {currencies: codes.flat(), isBare: isSum && words.length === 1}
}

const NONE: ReadonlySet<string> = new Set()

/** The words of a label or a title, in lower case. */
export const labelWords = (text: string): readonly string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/\bi alt\b/u, 'ialt')
    .replaceAll(CARRIED, 'total')
    .split(/[^\p{L}\p{N}∑€£$]+/u)
    .filter(word => word !== '')

/** A sum at the end of a page, and again at the top of the next. */
const CARRIED = inAllSpellings(
  /(?<!\p{L})(?:(?:carried|brought|carry|bring) (?:forward|over|down)|[bc]\/f(?:wd)?|übertrag|à reporter|suma y sigue)(?!\p{L})/gu,
)

const isOther = (word: string): boolean => !BESIDE.has(word) && !COUNTED.has(word)

let months: ReadonlySet<string> | undefined

/** The name of a month in one of the languages, in lower case. */
export function isMonth(word: string): boolean {
  months ??= new Set(
    ['en', 'de', 'sv', 'fi', 'fr', 'es', 'da', 'nb'].flatMap(locale =>
      (['long', 'short'] as const).flatMap(month => {
        const format = new Intl.DateTimeFormat(locale, {month, day: 'numeric', timeZone: 'UTC'})
        return Array.from({length: 12}, (_, at) => {
          const parts = format.formatToParts(Date.UTC(2000, at, 1))
          return (parts.find(({type}) => type === 'month')?.value ?? '').replace(/\.$/, '')
        }).flatMap(spellingsOf)
      }),
    ),
  )
  return months.has(word) || months.has(`${word}ta`)
}
