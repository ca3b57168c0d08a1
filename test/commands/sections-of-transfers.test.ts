// What stands among rows of transfers and is none: titles of sections, their sums, pages, signatures, hidden rows.
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {strFromU8, strToU8, unzipSync, zipSync} from 'fflate'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import writeXlsx, {type SheetData} from 'write-excel-file/node'
import {type FileDialect, readTransferFile} from '../../src/commands/a2a/shared/transfer-file.ts'
import {surroundings} from '../helpers/sheet-surroundings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sections-'))
})
afterAll(() => rm(folder, {recursive: true}))

async function read(content: string | Uint8Array, dialect: FileDialect = {}) {
  const path = join(folder, 'sheet')
  await writeFile(path, content)
  const {transfers, notes} = await readTransferFile(path, surroundings, dialect)
  return {amounts: transfers.map(({amount}) => amount), notes: notes.join(' ')}
}

const HEADER = 'From;To;Amount;Currency;Text\n'
const [FIRST, SECOND] = ['2006;2007;10,00;EUR;A\n', '2006;2008;20,00;EUR;B\n']

describe('left out, and quoted', () => {
  it.each([
    ['titles', `Office Turku;;;;\n${FIRST}Abteilung 12 – Lager;;;;\n${SECOND}`, 'Abteilung 12 – Lager'],
    ['titles in another column', `;;;;Salaries\n${FIRST};;;;Rents\n${SECOND}`, 'Rents'],
    [
      'titles and their sums',
      `Turku;;;;\n${FIRST}Total Turku;;10,00;;\nOulu;;;;\n${SECOND}Total Oulu;;20,00;;\nTotal;;30,00;;\n`,
      'Total Oulu; 20,00',
    ],
    ['sums with words', `${FIRST}Subtotal shop;;10,00;;\n${SECOND}Zwischensumme Lager;;20,00;;\n`, 'Lager'],
    [
      'a summary below',
      `${FIRST}${SECOND}\nAnzahl Zahlungen;2;;;\nGesamtbetrag:;30,00 EUR;;;\n`,
      'Line 6 is left out: it is the sum of the rows. It says "Gesamtbetrag:; 30,00 EUR"',
    ],
    [
      'a sum of no rows',
      `${FIRST}${SECOND}Total EUR;;30,00;;\nTotal CHF;;0,00;;\n`,
      'it is the sum of no rows',
    ],
    ['a sum at the top', `Total;;30,00;;\n${FIRST}${SECOND}`, 'Total; 30,00'],
    ['pages', `${FIRST}Page 1 of 2;;;;\n${SECOND}Page 2 of 2;;;;\n`, 'Page 2 of 2'],
    ['signatures', `${FIRST}${SECOND}\nPrepared by:;Anna;;;\nApproved by:;Bert;;;\n`, 'Approved by:; Bert'],
  ])('%s', async (_, rows, quoted) => {
    const {amounts, notes} = await read(HEADER + rows)
    expect(amounts).toEqual([10, 20])
    expect(notes).toContain(quoted)
  })
})

describe('refused', () => {
  it.each([
    ['a summary that is wrong', `${FIRST}${SECOND}\nGesamtbetrag;31,00;;;\n`, 'is not the sum of the rows'],
    ['a count that is wrong', `${FIRST}${SECOND}\nAnzahl Zahlungen;3;;;\n`, 'is not the sum of the rows'],
    ['a title of no payments', `${FIRST}Credit notes;;;;\n${SECOND}`, 'those below are no payments'],
    ['Gutschriften', `Gutschriften;;;;\n${FIRST}${SECOND}`, 'those below are no payments'],
    ['a title of another currency', `${FIRST}USD;;;;\n${SECOND}`, 'names a currency that no row has'],
    ['a title that holds rows back', `${FIRST}On hold;;;;\n${SECOND}`, 'rows are not to be sent'],
    ['a total of what is no section', `${FIRST}Total Energies;;10,00;;\n${SECOND}`, '1 row of|, row 2'],
    ['a row without an amount', `${FIRST}2006;2008;;EUR;B\n`, 'amount: is missing'],
    ['a row without accounts', `${FIRST};;20,00;EUR;B\n${SECOND}`, '1 row of'],
    [
      'numbers without words',
      `${FIRST};;10,00;;\n${SECOND};;20,00;;\n`,
      'as line 3 has no account: sums and lost rows are not told apart',
    ],
  ])('%s', async (_, rows, why) => {
    const {message, details} = await read(HEADER + rows).catch(error => error)
    expect(`${message} ${JSON.stringify(details.data ?? '')}`).toMatch(new RegExp(why))
  })

  it('a title with an account, if no column says whose account it is', async () => {
    const rows = 'To;Amount;Currency\nFrom account 2010;;\n2007;10,00;EUR\n'
    await expect(read(rows, {fill: ['from=2006']})).rejects.toThrow('1 row of')
  })

  it('more of the texts in a second column', async () => {
    const header = 'From;To;Amount;Currency;Verwendungszweck 1;Verwendungszweck 2\n'
    await expect(read(`${header}${FIRST.trim()};more\n`)).rejects.toThrow('has more of the texts in')
    expect((await read(`${header}${FIRST.trim()};\n`)).amounts).toEqual([10])
  })
})

it('days of execution that are past are said', async () => {
  const rows = `From;To;Amount;Currency;Execution date\n2006;2007;10;EUR;2026-05-31\n2006;2008;20;EUR;2026-06-01\n`
  expect((await read(rows)).notes).toContain(
    'The days of Execution date are past, and the service sends at once: line 2.',
  )
})

it('flats under Unit multiply nothing', async () => {
  const rows = (unit: string) => `Unit;From;To;Total;Currency\n${unit};2006;2007;10,00;EUR\n`
  expect((await read(rows('B-204'))).amounts).toEqual([10])
  await expect(read(rows('k1000'))).rejects.toThrow('another unit')
})

it('numbers that a spreadsheet marked as text are read', async () => {
  const rows = `'2006;'2007;'10,00;EUR;'A\n"=""2006""";"=""2008""";20,00;EUR;B\n`
  expect((await read(HEADER + rows)).amounts).toEqual([10, 20])
})

describe('a workbook', () => {
  const rowsOf = (...rows: readonly (readonly (string | number)[])[]): SheetData =>
    rows.map(row => row.map(value => ({value})))
  const TABLE = rowsOf(
    ['From', 'To', 'Amount', 'Currency'],
    [2006, 2007, 10, 'EUR'],
    [2006, 2008, 20, 'EUR'],
    ['Total', '', 30, ''],
  )
  async function changed(from: string | RegExp, to: string, data = TABLE): Promise<Uint8Array> {
    const parts = unzipSync(await writeXlsx(data).toBuffer())
    const name = Object.keys(parts).find(each => /worksheets\/[^/]+\.xml$/.test(each)) ?? ''
    const xml = strFromU8(parts[name] ?? new Uint8Array())
    expect(xml).toMatch(from)
    return zipSync({...parts, [name]: strToU8(xml.replace(from, to))})
  }

  it('has a sum that counts the hidden row, and says that it is left out', async () => {
    const hidden = await changed('<row r="3"', '<row r="3" hidden="1"')
    const {amounts, notes} = await read(hidden, {'hidden-rows': 'skip'})
    expect(amounts).toEqual([10])
    expect(notes).toContain('Left out, as the sheet hides it: line 3.')
    expect(notes).toContain('it is the sum of the rows, with those that are left out.')
  })

  it('says of a hidden column that --map names that it is used', async () => {
    const hidden = await changed('<sheetData>', '<cols><col min="3" max="3" hidden="1"/></cols><sheetData>')
    const {amounts, notes} = await read(hidden, {map: ['Amount=amount']})
    expect(amounts).toEqual([10, 20])
    expect(notes).toContain('Hidden in the sheet, and used as --map says: the column Amount.')
    expect(notes).not.toContain('not used')
  })

  it('has a sum whose formula shows it, whatever its words', async () => {
    const data = rowsOf(
      ['From', 'To', 'Amount', 'Currency'],
      [2006, 2007, 10, 'EUR'],
      ['Helsinki', '', 10, ''],
      [2006, 2008, 20, 'EUR'],
    )
    const summed = await changed(/(<c r="C3"[^>]*>)/, '$1<f>SUM(C2:C2)</f>', data)
    const {amounts, notes} = await read(summed)
    expect(amounts).toEqual([10, 20])
    expect(notes).toContain('Line 3 is left out: it is the sum of the rows. It says "Helsinki; 10".')
  })
})
