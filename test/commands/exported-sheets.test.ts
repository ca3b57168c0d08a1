// Spreadsheets as other programs export them: headings in two rows, bars between values, workbooks without positions.
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {strToU8, zipSync} from 'fflate'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {readTransferFile} from '../../src/commands/a2a/shared/transfer-file.ts'
import {surroundings} from '../helpers/sheet-surroundings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheets-'))
})
afterAll(() => rm(folder, {recursive: true}))

async function read(content: string | Uint8Array) {
  const path = join(folder, 'sheet')
  await writeFile(path, content)
  const {transfers, notes} = await readTransferFile(path, surroundings)
  const rows = transfers.map(one => [one.fromAccountId, one.toAccountId, one.amount, one.currency, one.text])
  return {rows, notes: notes.join(' ')}
}

const ROWS = [
  ['2006', '2007', '1250.5', 'EUR', 'Äpfel'],
  ['2006', '2008', '12', 'EUR', undefined],
]
const amounts = (rows: readonly (readonly unknown[])[]) =>
  rows.map(row => row.map((cell, at) => (at === 2 ? String(Number(cell)) : cell)))

const readAs = async (content: string | Uint8Array) => {
  const {rows, notes} = await read(content)
  expect(amounts(rows)).toEqual(ROWS)
  return notes
}

describe('headings in two rows', () => {
  it.each([
    [
      'who over what',
      'Auftraggeber;;Empfänger;;Betrag;Währung;Zweck\nKonto;Name;Konto;Name;;;\n2006;A;2007;B;1.250,50;EUR;Äpfel\n2006;A;2008;C;12,00;EUR;\n',
    ],
    [
      'over columns that only the lower row names',
      'Maksaja;Saaja;Maksu;;\nTili;Tili;Määrä;Valuutta;Viesti\n2006;2007;1250,50;EUR;Äpfel\n2006;2008;12,00;EUR;\n',
    ],
    [
      'a currency below the amount',
      'From,To,Amount,Details\n,,(EUR),\n2006,2007,"1,250.50",Äpfel\n2006,2008,12.00,\n',
    ],
    [
      'which columns a bank needs',
      'From,To,Amount,Currency,Text\nmandatory,mandatory,mandatory,mandatory,optional\n2006,2007,1250.50,EUR,Äpfel\n2006,2008,12.00,EUR,\n',
    ],
    [
      'what goes on over other columns',
      'Débiteur;;Bénéficiaire;;;;\nCompte;Nom;Compte;Nom;Montant;Devise;Motif\n2006;A;2007;B;1250,50;EUR;Äpfel\n2006;A;2008;C;12;EUR;\n',
    ],
  ])('%s', async (_, content) => {
    expect(await readAs(content)).toContain('Lines 1 and 2 are read as headings.')
  })

  it.each([
    ['another unit', 'From,To,Amount,Currency\n,,in thousands,\n2006,2007,1.5,EUR\n', 'another unit'],
    [
      'what is no amount',
      'Auftraggeber;Empfänger;Betrag;Währung\nKonto;Konto;netto;\n2006;2007;1,5;EUR\n',
      'no column is known as',
    ],
    ['a row without its amount', 'From,To,Amount,Currency\nAnna,Bert,,EUR\n2006,2007,1.5,EUR\n', '1 row of'],
    [
      'a row without anything but a currency',
      'From,To,Amount,Currency\n,,,EUR\n2006,2007,1,EUR\n',
      '1 row of',
    ],
  ])('%s is no heading', async (_, content, why) => {
    await expect(read(content)).rejects.toThrow(why)
  })

  it('that come again on each page are left out, and said', async () => {
    const page = 'From,To,Amount,Currency,Text\n'
    const notes = await readAs(`${page}2006,2007,1250.50,EUR,Äpfel\n\n${page}2006,2008,12.00,EUR,\n`)
    expect(notes).toContain('The headings come again on line 4')
  })
})

describe('texts', () => {
  it.each([
    ['bars', 'From|To|Amount|Currency|Text\n2006|2007|1250.50|EUR|Äpfel\n2006|2008|12|EUR|\n'],
    [
      'a list of SAP',
      'Payments   Page 1\n\n-----------------\n|From |To   |   Amount|Crcy |Text   |\n|-----------------|\n|2006 |2007 | 1,250.50|EUR  |Äpfel  |\n|2006 |2008 |    12.00|EUR  |       |\n-----------------\n|*    |     | 1,262.50|EUR  |       |\n-----------------\n',
    ],
    [
      'each row in quotes',
      '"From,To,Amount,Currency,Text"\n"2006,2007,""1,250.50"",EUR,Äpfel"\n"2006,2008,12.00,EUR,"\n',
    ],
    [
      'lines of an old Macintosh',
      'From,To,Amount,Currency,Text\r2006,2007,1250.50,EUR,Äpfel\r2006,2008,12.00,EUR,\r',
    ],
    [
      'remarks that say what a transfer is for',
      'From,To,Amount,Currency,Text,Remarks\n2006,2007,1250.50,EUR,Äpfel,Invoice 4711\n2006,2008,12.00,EUR,,\n',
    ],
  ])('%s', async (_, content) => {
    await readAs(content)
  })

  it.each([
    ['a web page', '<html><table><tr><td>From</td></tr></table></html>', 'is a web page (HTML)'],
    ['a workbook of 2003', '<?xml version="1.0"?>\n<Workbook><Worksheet/></Workbook>', 'is an XML workbook'],
    ['a PDF', '%PDF-1.7\n', 'is a PDF'],
    [
      'ODS',
      zipSync({mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet')}, {level: 0}),
      'ODS',
    ],
  ])('%s is told by what it is', async (_, content, why) => {
    await expect(read(content)).rejects.toThrow(why)
  })

  it.each([
    'Invoice 4711 cancelled',
    'new account',
    'Rechnung 100,50',
    'May',
    'no invoice',
    'after 31.12.2026',
  ])('a remark of %s is told', async remark => {
    const row = '2006,2007,1,EUR'
    const content = `From,To,Amount,Currency,Remarks\n${row},"${remark}"\n${row},\n`
    const {message, details} = await read(content).catch(error => error)
    expect(`${message} ${JSON.stringify(details.data ?? '')}`).toContain(`Line 2: ${remark}`)
  })
})

const cell = (value: string | number) =>
  typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`
const row = (...cells: readonly string[]) => `<row>${cells.join('')}</row>`

function workbook(rows: readonly string[]): Uint8Array {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const of = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const parts = {
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${of}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${of}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${rows.join('')}</sheetData></worksheet>`,
  }
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])))
}

const HEADER = ['From', 'To', 'Amount', 'Currency', 'Text'].map(cell)
const FIRST = row(...[2006, 2007, 1250.5, 'EUR', 'Äpfel'].map(cell))

describe('workbooks', () => {
  it('without the positions of rows and cells, and with empty cells of some kind', async () => {
    const empty = '<c t="s"/>'
    const second = [cell(2006), cell(2008), cell(12), cell('EUR'), empty]
    await readAs(workbook([row(...HEADER), FIRST, row(...second)]))
    // With positions of some: a cell after column D is in column E, and a row after 7 is row 8.
    const placed = `<row r="7">${cell(2006)}<c r="B7"><v>2008</v></c>${cell(12)}<c r="D7" t="inlineStr"><is><t>EUR</t></is></c>${empty}</row>`
    await readAs(workbook([row(...HEADER), FIRST, placed]))
  })

  it('a row without a position may be hidden', async () => {
    const hidden = row(...[2006, 2008, 12, 'EUR'].map(cell)).replace('<row', '<row hidden="1"')
    await expect(read(workbook([row(...HEADER), FIRST, hidden]))).rejects.toThrow('has hidden rows: line 3')
  })

  it('with a sum whose value was not saved', async () => {
    const second = row(...[2006, 2008, 12, 'EUR'].map(cell))
    const sum = row(cell('Total'), cell(''), '<c><f>SUM(C2:C3)</f></c>')
    const notes = await readAs(workbook([row(...HEADER), FIRST, second, sum]))
    expect(notes).toContain('Line 4 is left out: it is a sum, whose value was not saved.')
  })

  it('formulas that may say something of rows are told, and those that number them are not', async () => {
    const formula = '<c t="str"><f>IF(C2&gt;9,"stop","")</f></c>'
    const rows = (title: string) => [row(...HEADER, cell(title)), FIRST.replace('</row>', `${formula}</row>`)]
    await expect(read(workbook(rows('Check')))).rejects.toThrow('saved without their values')
    expect((await read(workbook(rows('Nr.')))).rows).toHaveLength(1)
  })
})
