// Sums among, below and in the rows of a spreadsheet: left out where they can't be rows, with what they say, else refused.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import writeXlsx, {type SheetData} from 'write-excel-file/node'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

async function sheet(rows: string, name = 'sums.csv'): Promise<string> {
  const path = join(home.folder, name)
  await writeFile(path, `Von Konto;An Konto;Betrag;Währung;Verwendungszweck\n${rows}`)
  return path
}

const run = (from: string) => home.run(['a2a', 'create', '--from', from, '--dry-run', '-o', 'json'])
const sent = (stdout: string): unknown => JSON.parse(stdout).body.transfers.length

const TWO = '2006;2007;10,00;EUR;A\n2006;2011;20,00;EUR;B\n'

describe('left out, and quoted', () => {
  it.each([
    [`${TWO}Totalsumma;;30,00;EUR;\n`, 'Totalsumma; 30,00; EUR'],
    [`${TWO};;30,00;EUR;Kokonaissumma\n`, '30,00; EUR; Kokonaissumma'],
    [`${TWO}∑;;30,00;;\n`, '∑; 30,00'],
    [`${TWO}Report Total;;30,00;EUR;\n`, 'Report Total; 30,00; EUR'],
    [`${TWO};;30,00;EUR;2 payments\n`, '30,00; EUR; 2 payments'],
    [`${TWO}Count: 2;;30,00;EUR;\n`, 'Count: 2; 30,00; EUR'],
    [`${TWO}Anzahl Zahlungen: 2;;30,00;EUR;\n`, 'Anzahl Zahlungen: 2'],
    [`${TWO}Summe per 01.10.2026;;30,00;EUR;\n`, 'Summe per 01.10.2026'],
    [`${TWO}Total May 2026;;30,00;EUR;\n`, 'Total May 2026'],
    [`${TWO}Summe;;30,00;EUR;\nErstellt am 01.05.2026;;;;\n`, 'Erstellt am 01.05.2026'],
    [`${TWO}Zwischensumme;;30,00;;\nSumme;;30,00;;\n`, 'Zwischensumme; 30,00'],
    ['2006;2007;1500;EUR;A\n2006;2011;2250;EUR;B\n;;3.750;Summe;\n', '3.750; Summe'],
    [
      '2006;2007;10,00;EUR;A\nSumme;;10,00;;\n2006;2011;20,00;EUR;B\nSumme;;20,00;;\nTotal;;30,00;;\n',
      'Total',
    ],
    ['2006;2007;10,00;EUR;A\n2005;2011;20,00;SEK;B\nSumme EUR;;10,00;;\nSumme SEK;;20,00;;\n', 'Summe SEK'],
    [
      `${TWO}Carried forward;;30,00;;\nVon Konto;An Konto;Betrag;Währung;Verwendungszweck\nBrought forward;;30,00;;\n`,
      'Brought forward; 30,00',
    ],
    [`2006;2007;10,00;EUR;A\nÜbertrag;;10,00;;\n2006;2011;20,00;EUR;B\nSumme;;30,00;;\n`, 'Übertrag; 10,00'],
    [
      '2006;2007;10,00;EUR;A\nSubtotal rent;;10,00;;\n2006;2011;20,00;EUR;B\n;;20,00;;Zwischensumme Lager\n',
      'Subtotal rent; 10,00',
    ],
  ])('%s', async (rows, quoted) => {
    const {code, stdout, stderr} = await run(await sheet(rows))
    expect(stderr).toContain(quoted)
    expect(code).toBe(0)
    expect(sent(stdout)).toBe(2)
  })
})

describe('refused', () => {
  const LOST = 'It is as much as the rows above it, but its words may be of a transfer'
  it.each([
    [`${TWO}Total Energies;;30,00;EUR;Fuel\n`, LOST],
    [`${TWO}TotalEnergies;;30,00;EUR;\n`, LOST],
    ['2006;2007;30,00;EUR;A\nTotal;;30,00;EUR;Fuel May inv 77\n', LOST],
    ['2006;2007;30,00;EUR;A\n;;30,00;EUR;Total rent May\n', LOST],
    [`${TWO}Anzahl Zahlungen: 3;;30,00;EUR;\n`, LOST],
    [`${TWO}Summe;;31,00;EUR;\n`, 'line 4 has an amount and no account, and is not the sum of the rows'],
    [`${TWO}2006;2011;30,00;EUR;Summe\n`, 'line 4 may be the sum of other rows, although it has accounts'],
    [`${TWO}2006;2011;30,00;EUR;Gesamtsumme\n`, 'line 4 may be the sum of other rows'],
    [`${TWO}2006;2011;35,00;EUR;Total\n`, 'line 4 may be the sum of other rows'],
    [`2006;2011;30,00;EUR;Summe\n${TWO}`, ''],
    ['2006;2007;1,00;EUR;A\n2005;2011;2,00;SEK;B\nSumme;;3,00;;\n', 'a sum of amounts in several currencies'],
  ])('%s', async (rows, why) => {
    const {code, stderr} = await run(await sheet(rows))
    expect(code).toBe(why === '' ? 0 : 2)
    expect(stderr).toContain(why)
  })

  it.each([
    [`${TWO};;30,00;EUR;\n2006;2007;5,00;EUR;C\nTotal;;35,00;EUR;\n`, 'line 4, without an account, is'],
    [
      `${TWO}Rents;;30,00;;\n2006;2007;5,00;EUR;C\nTotal food;;5,00;;\n2006;2007;1,00;EUR;C\nTotal;;36,00;;\n`,
      'lines 4, 6, without an account, are',
    ],
  ])('%s is no sum that is said to be wrong', async (rows, why) => {
    const {code, stderr} = await run(await sheet(rows))
    expect(code).toBe(2)
    expect(stderr).toContain(`is the sum of the rows if ${why} no transfer`)
    expect(stderr).not.toContain('is not the sum')
  })

  it('says of rows that may be thousands how to read them, not that their sum is wrong', async () => {
    const path = await sheet('2006;2007;1.500;EUR;A\n2006;2011;2.250;EUR;B\n;;3.750;Summe;\n')
    const {code, stderr} = await run(path)
    expect(code).toBe(2)
    expect(stderr).toContain('add --decimal comma')
    expect(stderr).not.toContain('not the sum')
    const wrong = await sheet('2006;2007;1.500;EUR;A\n2006;2011;2.250;EUR;B\n;;3.760;Summe;\n', 'wrong.csv')
    const again = await home.run(['a2a', 'create', '--from', wrong, '--dry-run', '--decimal', 'comma'])
    expect(again.stderr).toContain('is not the sum of the rows')
  })

  it.each([
    ['Summe;;45,00;;', 'it says 45.00, and the rows come to 30.00, which is 15.00 less.'],
    [
      'Summe;;20,00;;',
      'it says 20.00, and the rows come to 30.00, which is 10.00 more, the amount of line 2.',
    ],
  ])('a wrong sum is shown with that of the rows: %s', async (line, why) => {
    const {stderr} = await run(await sheet(`${TWO}${line}\n`))
    expect(stderr).toContain(why)
  })

  it('a sum that counts one of the rows that are left out says which', async () => {
    const rows = `${TWO}2006;2011;7,00;EUR;storniert\n2006;2011;8,00;EUR;on hold\nSumme;;37,00;;\n`
    const from = await sheet(rows)
    const {stderr} = await home.run([
      ...['a2a', 'create', '--from', from, '--marked-rows', 'skip', '--dry-run'],
    ])
    expect(stderr).toContain('which is 7.00 less, the amount of line 4, which is left out')
  })

  it('a number of an invoice beside an amount is what is left of a row', async () => {
    const path = join(home.folder, 'lost.csv')
    await writeFile(path, 'From;To;Amount;Currency;Invoice\n2006;2007;30;EUR;4711\n;;30;EUR;4712\n')
    expect((await run(path)).stderr).toContain('line 3 has an amount and no account')
  })
})

it('what is quoted of a line has no card number, and is short', async () => {
  const path = join(home.folder, 'title.csv')
  await writeFile(
    path,
    `Card 4111 1111 1111 1111 ${'x'.repeat(200)};;;\nFrom;To;Amount;Currency\n2006;2007;1;EUR\n`,
  )
  const {stderr} = await run(path)
  expect(stderr).toContain('Above the header, line 1 is left out. It says ')
  expect(stderr).not.toContain('4111 1111 1111 1111')
  expect(stderr).not.toContain('x'.repeat(80))
})

describe('in a workbook', () => {
  const HEADER = ['Von', 'An', 'Betrag', 'Währung', 'Text'].map(value => ({value}))
  const row = (to: number, amount: number, text: string): SheetData[number] =>
    [2006, to, amount, 'EUR', text].map(value => ({value}))

  async function changed(change: (xml: string) => string, styles = (xml: string) => xml): Promise<string> {
    const {strFromU8, strToU8, unzipSync, zipSync} = await import('fflate')
    const data = [HEADER, row(2007, 10, 'A'), row(2011, 20, 'B'), row(2011, 30, 'C')]
    const parts = unzipSync(await writeXlsx(data).toBuffer())
    const edit = (end: string, make: (xml: string) => string): void => {
      const name = Object.keys(parts).find(each => each.endsWith(end)) ?? ''
      parts[name] = strToU8(make(strFromU8(parts[name] ?? new Uint8Array())))
    }
    edit('worksheets/sheet1.xml', change)
    edit('styles.xml', styles)
    const path = join(home.folder, 'book.xlsx')
    await writeFile(path, zipSync(parts))
    return path
  }

  it.each([
    ['SUM(C2:C3)', true],
    ['SUBTOTAL(9,C2:C3)', true],
    ['C2+C3', true],
    ['SUM(Table1[Betrag])', true],
    ['SUM(A4:B4)', false],
    ['B4*2', false],
    ['SUM(Data!C2:C9)', false],
  ])('an amount of %s over other rows is refused: %s', async (formula, isSum) => {
    const from = await changed(xml => xml.replace('<v>30</v>', `<f>${formula}</f><v>30</v>`))
    const {code, stderr} = await run(from)
    expect(code).toBe(isSum ? 2 : 0)
    if (isSum) expect(stderr).toContain('line 4 may be the sum of other rows, although it has accounts')
  })

  it.each([
    ['<strike/>', 2],
    ['<strike val="1"/>', 2],
    ['<strike val="0"/>', 0],
  ])('a cell of a font with %s', async (strike, code) => {
    const from = await changed(
      xml => xml.replace(/<c r="C3"(?: s="\d+")?/, '<c r="C3" s="1"'),
      xml =>
        xml
          .replace(/<fonts[^>]*>([\s\S]*?)<\/fonts>/, `<fonts>$1<font>${strike}<sz val="11"/></font></fonts>`)
          .replace(/<cellXfs[^>]*>([\s\S]*?)<\/cellXfs>/, (_, xfs: string) => {
            const [first = '<xf/>'] = xfs.match(/<xf[\s\S]*?(?:\/>|<\/xf>)/) ?? []
            return `<cellXfs>${first}<xf numFmtId="0" fontId="1"/></cellXfs>`
          })
          .replace(/<fonts>[\s\S]*?(<font>[\s\S]*?<\/font>|<font\/>)[\s\S]*(<font><strike)/, '<fonts>$1$2'),
    )
    const result = await run(from)
    expect(result.code).toBe(code)
    if (code === 2)
      expect(result.stderr).toContain('what is struck through may not be meant to be sent: line 3')
  })
})

describe('rows with negative amounts', () => {
  const ROWS = '2006;2007;100,00;EUR;A\n2006;2011;-20,00;EUR;B\n'

  it('count as what they are', async () => {
    const {code, stderr} = await run(await sheet(`${ROWS}Summe;;80,00;;\n`))
    expect(code).toBe(2)
    expect(stderr).toContain('row 2 (line 3), amount: is negative')
    expect(stderr).not.toContain('is not the sum')
  })

  it('are compared with another sum as what they are', async () => {
    const {stderr} = await run(await sheet(`${ROWS}Summe;;100,00;;\n`))
    expect(stderr).toContain('it says 100.00, and the rows come to 80.00, which is 20.00 less')
  })
})
