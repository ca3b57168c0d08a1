// A table whose headings nobody knows is divided by the delimiter of its header, whatever its numbers and texts hold.
import fc from 'fast-check'
import {expect, it} from 'vitest'
import {findTable} from '../../src/rows/sheet/find-table.ts'
import {readSheets} from '../../src/rows/sheet/read-sheets.ts'
import {runs} from '../helpers/whole.ts'

const tableOf = async (text: string) => {
  const options = {source: 'x.csv', fitness: () => 0}
  const [sheet] = await readSheets(Buffer.from(text), options)
  const table =
    sheet &&
    findTable(
      sheet,
      () => undefined,
      () => true,
    )
  return {
    line: table?.line,
    titles: table?.columns.map(({title}) => title),
    rows: table?.rows.map(row => ('fields' in row ? row.fields : row.fault)),
  }
}

const WAYS = [
  {delimiter: ';', decimal: ','},
  {delimiter: ',', decimal: '.'},
  {delimiter: '\t', decimal: ','},
  {delimiter: '\t', decimal: '.'},
  {delimiter: '|', decimal: ','},
] as const

const titles = fc.uniqueArray(fc.constantFrom('Konto', 'Limit', 'Kunde', 'Rahmen', 'Notiz', 'Datum'), {
  minLength: 2,
  maxLength: 6,
})
const amount = fc.record({whole: fc.integer({min: 1, max: 999_999}), cents: fc.option(fc.nat(99))})

const sheets = fc.record({way: fc.constantFrom(...WAYS), titles, title: fc.boolean()}).chain(given =>
  fc
    .array(fc.array(amount, {minLength: given.titles.length, maxLength: given.titles.length}), {
      minLength: 1,
      maxLength: 40,
    })
    .map(rows => ({...given, rows})),
)

it('a sheet has the header and the cells that were written, for any delimiter and sign', async () => {
  await fc.assert(
    fc.asyncProperty(sheets, async ({way: {delimiter, decimal}, titles: header, title, rows}) => {
      const written = rows.map(row =>
        row.map(({whole, cents}, at) => {
          const thousands = decimal === ',' && at % 2 === 1 ? '.' : ''
          const digits = String(whole).replace(/\B(?=(?:\d{3})+$)/g, thousands)
          return at === 0 || cents === null ? digits : `${digits}${decimal}${String(cents).padStart(2, '0')}`
        }),
      )
      const above = title ? 'Limits of June\n\n' : ''
      const text = `${above}${[header, ...written].map(cells => cells.join(delimiter)).join('\n')}\n`
      expect(await tableOf(text)).toEqual({line: title ? 3 : 1, titles: header, rows: written})
    }),
    {numRuns: runs(1000)},
  )
})

it.each([
  ['Konto;Limit\n2001;5.600,00\n2004;21000\n', ['Konto', 'Limit']],
  ['Konto;Limit\n2001;5.600,00\n', ['Konto', 'Limit']],
  ['Konto;Limit\n2001;5.600,00\n2004;21.000,00\n', ['Konto', 'Limit']],
  ['Limits, Q3 2024\nKonto;Limit\n2001;5,00\n2004;6,00\n', ['Konto', 'Limit']],
  ['Konto;Limit;Notiz\n2001;5,00\n2004;6,0;x\n', ['Konto', 'Limit', 'Notiz']],
  ['Konto;Notiz\n2001;a, b\n2004;c, d\n', ['Konto', 'Notiz']],
  ['Konto,Notiz\n2001,a; b\n2004,c; d\n', ['Konto', 'Notiz']],
  ['Konto,Limit\n2001,5600\n', ['Konto', 'Limit']],
])('%j is named by its first table', async (text, header) => {
  expect((await tableOf(text)).titles).toEqual(header)
})
