// Files of transfers as people of ten locales save them, put together at random: read as they were written, or refused.
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterAll, beforeAll, expect, it} from 'vitest'
import {readTransferFile} from '../../src/commands/a2a/shared/transfer-file.ts'
import {surroundings} from '../helpers/sheet-surroundings.ts'
import {isWhole} from '../helpers/whole.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'locales-'))
})
afterAll(() => rm(folder, {recursive: true}))

interface Locale {
  readonly name: string
  readonly currency: string
  /** Pairs of headings for the accounts. */
  readonly accounts: readonly (readonly [string, string])[]
  readonly amounts: readonly string[]
  readonly currencies: readonly string[]
  readonly texts: readonly string[]
  readonly total: string
  readonly subtotal: string
  readonly title: string
  readonly page: string
}

const ENGLISH = {
  accounts: [
    ['From', 'To'],
    ['Debit account', 'Beneficiary account'],
    ['Payer account no.', 'Payee account no.'],
  ],
  amounts: ['Amount', 'Payment amount'],
  currencies: ['Currency', 'Ccy'],
  texts: ['Description', 'Payment reference'],
  total: 'Total',
  subtotal: 'Subtotal',
  title: 'Payments of May',
  page: 'Page 1 of 2',
} as const
const GERMAN = {
  accounts: [
    ['Von Konto', 'An Konto'],
    ['Auftraggeberkonto', 'Empfängerkonto'],
    ['Konto des Auftraggebers', 'Konto des Begünstigten'],
    ['Debitor', 'Kreditor'],
  ],
  amounts: ['Betrag', 'Überweisungsbetrag'],
  currencies: ['Währung', 'Whg.'],
  texts: ['Verwendungszweck', 'Buchungstext'],
  total: 'Summe',
  subtotal: 'Zwischensumme',
  title: 'Zahlungen im Mai',
  page: 'Seite 1 von 2',
} as const
const LOCALES: readonly Locale[] = [
  {name: 'en-US', currency: 'USD', ...ENGLISH},
  {name: 'en-IN', currency: 'INR', ...ENGLISH},
  {name: 'de-DE', currency: 'EUR', ...GERMAN},
  {name: 'de-CH', currency: 'CHF', ...GERMAN},
  {
    name: 'sv-SE',
    currency: 'SEK',
    accounts: [
      ['Från konto', 'Till konto'],
      ['Avsändarens konto', 'Mottagarens konto'],
    ],
    amounts: ['Belopp', 'Att betala'],
    currencies: ['Valuta'],
    texts: ['Meddelande', 'Meddelande till mottagaren'],
    total: 'Summa',
    subtotal: 'Delsumma',
    title: 'Betalningar i maj',
    page: 'Sida 1 av 2',
  },
  {
    name: 'fi-FI',
    currency: 'EUR',
    accounts: [
      ['Tililtä', 'Tilille'],
      ['Maksajan tili', 'Saajan tilinumero'],
    ],
    amounts: ['Määrä', 'Summa'],
    currencies: ['Valuutta'],
    texts: ['Viesti', 'Viesti saajalle'],
    total: 'Yhteensä',
    subtotal: 'Välisumma',
    title: 'Toukokuun maksut',
    page: 'Sivu 1/2',
  },
  {
    name: 'fr-FR',
    currency: 'EUR',
    accounts: [
      ['Compte débité', 'Compte crédité'],
      ['Compte du donneur d’ordre', 'Compte du bénéficiaire'],
    ],
    amounts: ['Montant', 'Montant à payer'],
    currencies: ['Devise'],
    texts: ['Motif', 'Libellé du virement'],
    total: 'Total',
    subtotal: 'Sous-total',
    title: 'Paiements de mai',
    page: 'Page 1 sur 2',
  },
  {
    name: 'es-ES',
    currency: 'EUR',
    accounts: [
      ['Cuenta de origen', 'Cuenta de destino'],
      ['Cuenta del ordenante', 'Cuenta del beneficiario'],
    ],
    amounts: ['Importe', 'Importe a pagar'],
    currencies: ['Moneda', 'Divisa'],
    texts: ['Concepto', 'Descripción'],
    total: 'Total',
    subtotal: 'Subtotal',
    title: 'Pagos de mayo',
    page: 'Página 1 de 2',
  },
  {
    name: 'da-DK',
    currency: 'DKK',
    accounts: [
      ['Fra konto', 'Til konto'],
      ['Afsenders konto', 'Modtagers konto'],
    ],
    amounts: ['Beløb'],
    currencies: ['Valuta', 'Møntsort'],
    texts: ['Besked', 'Tekst til modtager'],
    total: 'I alt',
    subtotal: 'Delsum',
    title: 'Betalinger i maj',
    page: 'Side 1 af 2',
  },
  {
    name: 'nb-NO',
    currency: 'NOK',
    accounts: [
      ['Fra konto', 'Til konto'],
      ['Avsenders konto', 'Mottakers konto'],
    ],
    amounts: ['Beløp', 'Å betale'],
    currencies: ['Valuta'],
    texts: ['Melding', 'Melding til mottaker'],
    total: 'Totalt',
    subtotal: 'Mellomsum',
    title: 'Betalinger i mai',
    page: 'Side 1 av 2',
  },
]

const layout = fc.record({
  locale: fc.constantFrom(...LOCALES),
  pick: fc.array(fc.nat(5), {minLength: 4, maxLength: 4}),
  /** In cents. */
  blocks: fc.array(fc.array(fc.integer({min: 1, max: 99_999_999}), {minLength: 1, maxLength: 4}), {
    minLength: 1,
    maxLength: 3,
  }),
  delimiter: fc.constantFrom(';', ',', '\t'),
  encoding: fc.constantFrom('utf-8', 'bom', 'utf-16', 'latin1'),
  end: fc.constantFrom('\n', '\r\n'),
  place: fc.constantFrom('column', 'heading', 'code', 'sign'),
  has: fc.record({title: fc.boolean(), sections: fc.boolean(), page: fc.boolean(), total: fc.boolean()}),
})
type Layout = typeof layout extends fc.Arbitrary<infer One> ? One : never

/** A file, and what it says. */
function fileOf({locale, pick, blocks, delimiter, encoding, end, place, has}: Layout) {
  const one = <T>(all: readonly T[], at: number): T => all[(pick[at] ?? 0) % all.length] as T
  const plain = new Intl.NumberFormat(locale.name, {minimumFractionDigits: 2, useGrouping: 'always'})
  const signed = new Intl.NumberFormat(locale.name, {style: 'currency', currency: locale.currency})
  const written = (cents: number): string => {
    const amount = cents / 100
    if (place === 'sign') return signed.format(amount)
    return place === 'code' ? `${plain.format(amount)} ${locale.currency}` : plain.format(amount)
  }
  const [from, to] = one(locale.accounts, 0)
  const amount = one(locale.amounts, 1)
  const hasColumn = place === 'column'
  const row = (a: string, b: string, sum: string, text: string, currency = '') =>
    hasColumn ? [a, b, sum, currency, text] : [a, b, sum, text]
  const heading = place === 'heading' ? `${amount} (${locale.currency})` : amount
  const rows = [row(from, to, heading, one(locale.texts, 2), one(locale.currencies, 3))]
  const transfers: unknown[] = []
  for (const [at, cents] of blocks.entries()) {
    if (has.sections) rows.push(row(`Office ${'ABC'[at]}`, '', '', ''))
    for (const each of cents) {
      const text = `Äpfel ${transfers.length}`
      rows.push(row('2006', `${2007 + transfers.length}`, written(each), text, locale.currency))
      transfers.push(['2006', `${2007 + transfers.length}`, each / 100, locale.currency, text])
    }
    if (has.sections)
      rows.push(row(locale.subtotal, '', written(cents.reduce((sum, each) => sum + each)), ''))
    if (has.page) rows.push(row(locale.page, '', '', ''))
  }
  if (has.total)
    rows.push(row(locale.total, '', written(blocks.flat().reduce((sum, each) => sum + each)), ''))
  const quoted = (cell: string): string =>
    cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell
  const lines = rows.map(cells => cells.map(quoted).join(delimiter))
  const text = [...(has.title ? [locale.title, ''] : []), ...lines, ''].join(end)
  const isLatin = encoding === 'latin1' && Buffer.from(text, 'latin1').toString('latin1') === text
  const bytes =
    encoding === 'utf-16'
      ? Buffer.from(`\ufeff${text}`, 'utf16le')
      : Buffer.from(encoding === 'bom' ? `\ufeff${text}` : text, isLatin ? 'latin1' : 'utf8')
  return {bytes, transfers}
}

const read = async (bytes: Uint8Array) => {
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  const {transfers} = await readTransferFile(path, surroundings)
  return transfers.map(one => [one.fromAccountId, one.toAccountId, one.amount, one.currency, one.text])
}

/** `kr` and `$` are of several countries. */
const isClear = ({place, locale: {name}}: Layout): boolean =>
  place !== 'sign' || !['sv-SE', 'da-DK', 'nb-NO', 'en-US'].includes(name)

it('is read without a flag, row by row as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(layout.filter(isClear), async one => {
      const {bytes, transfers} = fileOf(one)
      expect(await read(bytes)).toEqual(transfers)
    }),
    {numRuns: isWhole ? 2000 : 300},
  )
}, 60_000)

it('is refused where a sign is of several countries', async () => {
  await fc.assert(
    fc.asyncProperty(
      layout.filter(one => !isClear(one)),
      async one => {
        await expect(read(fileOf(one).bytes)).rejects.toThrow(/cannot be used|may be/)
      },
    ),
    {numRuns: 50},
  )
}, 60_000)

it('with a changed total is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      layout.filter(one => isClear(one) && one.has.total),
      async one => {
        const {bytes} = fileOf({...one, encoding: 'utf-8'})
        const lines = bytes.toString().trimEnd().split(one.end)
        const total = lines.at(-1) ?? ''
        // Another first digit: a wrong sum.
        const wrong = total.replace(/[1-9]/, digit => String((Number(digit) % 9) + 1))
        const changed = [...lines.slice(0, -1), wrong, ''].join(one.end)
        await expect(read(Buffer.from(changed))).rejects.toThrow('is not the sum of the rows')
      },
    ),
    {numRuns: 100},
  )
}, 60_000)
