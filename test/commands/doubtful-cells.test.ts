// Cells of workbooks that may not hold what somebody wrote into them: refused with their line, never guessed.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {strFromU8, strToU8, unzipSync, zipSync} from 'fflate'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import writeXlsx, {type SheetData} from 'write-excel-file/node'
import {columnReader} from '../../src/commands/bulk/shared/row-input.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {cellFault, DoubtfulCell, plainCell} from '../../src/rows/sheet/doubtful-cell.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

type Cell = NonNullable<SheetData[number][number]>

const plain = (value: string | number): Cell => ({value})

async function workbook(
  rows: readonly (readonly (Cell | string | number)[])[],
  edit: (xml: string) => string = xml => xml,
): Promise<string> {
  const data: SheetData = rows.map(row =>
    row.map(cell => (typeof cell === 'object' ? cell : plain(cell)) as Cell),
  )
  const parts = unzipSync(await writeXlsx(data).toBuffer())
  const name = Object.keys(parts).find(each => /worksheets\/[^/]+\.xml$/.test(each)) ?? ''
  const xml = strFromU8(parts[name] ?? new Uint8Array())
  const path = join(home.folder, 'sheet.xlsx')
  await writeFile(path, zipSync({...parts, [name]: strToU8(edit(xml))}))
  return path
}

const HEADER = ['from', 'to', 'amount', 'currency', 'text', 'due']

async function transfers(from: string): Promise<readonly Record<string, unknown>[]> {
  const sent = await home.json<{body: {transfers: Record<string, unknown>[]}}>([
    'a2a',
    'create',
    '--from',
    from,
    '--dry-run',
  ])
  return sent.body.transfers
}

async function refused(words: readonly string[], from: string): Promise<string> {
  const result = await home.run([...words, '--from', from, '--yes'])
  expect(result.code).toBe(2)
  expect(await home.json(['requests', 'list'])).toEqual([])
  return result.stderr
}

const FORMULA: Cell = {value: '=A2', type: 'Formula'}
const DAY: Cell = {value: new Date('2026-04-03T00:00:00Z'), type: Date, format: 'dd.mm.yyyy'}
const AS_TEXT = 'format the column as text and enter it again'

describe('a transfer is refused for', () => {
  it.each<[what: string, row: readonly (Cell | string | number)[], column: string, why: string]>([
    [
      'an account of 16 digits',
      [1234567890123456, 2007, 1, 'EUR'],
      'fromAccountId',
      'more digits than the 15',
    ],
    // A spreadsheet makes it of 2345678901234567.
    [
      'one that ends in 0 by then',
      [2006, 2345678901234560, 1, 'EUR'],
      'toAccountId',
      'more digits than the 15',
    ],
    [
      'a number of 17 digits as the text',
      [2006, 2007, 1, 'EUR', 12345678901234568],
      'text',
      'more digits than the 15',
    ],
    ['an amount of 16 digits', [2006, 2007, 1234567890123456, 'EUR'], 'amount', 'more digits than the 15'],
    [
      'an account that was computed with an error',
      [2006.0000000000002, 2007, 1, 'EUR'],
      'fromAccountId',
      AS_TEXT,
    ],
    [
      '12E3 in a cell',
      [2006, {value: 12000, format: '0.00E+00'}, 1, 'EUR'],
      'toAccountId',
      'scientific notation',
    ],
    [
      'leading zeros of a format',
      [2006, {value: 2007, format: '00000000'}, 1, 'EUR'],
      'toAccountId',
      'shown with zeros',
    ],
    [
      'letters of a format',
      [2006, {value: 2007, format: '"K"0'}, 1, 'EUR'],
      'toAccountId',
      'shown with zeros or letters',
    ],
    [
      'a date as account',
      [DAY, 2007, 1, 'EUR'],
      'fromAccountId',
      `is a date, which a spreadsheet may have made`,
    ],
    ['a date as text', [2006, 2007, 1, 'EUR', DAY], 'text', AS_TEXT],
    ['a date as amount', [2006, 2007, DAY, 'EUR'], 'amount', 'is a date'],
    ...(
      [
        ['thousands', 5000, '#,##0,'],
        ['millions with a letter', 5000000, '0.0,,"M"'],
        ['a percentage', 0.05, '0%'],
        ['nothing', 5, ';;;'],
        ['a letter for thousands', 5, '0"k"'],
        ['a word for thousands', 5, '#,##0 "TEUR"'],
        ['a minus that the number has not', 5, '"-"0.00'],
        ['brackets that it has not', 5, '(0.00)'],
        ['a digit of the format', 5, '"1"0'],
        ['fewer decimals', 12.4, '0'],
        ['a third decimal rounded away', 12.345, '#,##0.00'],
        ['a fraction', 0.5, '# ?/?'],
        ['what depends on a condition', 5, '[>1]0;"no"'],
      ] as const
    ).map(([what, value, format]): [string, readonly (Cell | string | number)[], string, string] => [
      `an amount whose format shows ${what}`,
      [2006, 2007, {value, format}, 'EUR'],
      'amount',
      'is shown as another number than it holds, or not at all',
    ]),
    [
      'an amount that is shown in another currency',
      [2006, 2007, {value: 5, format: '[$USD] #,##0.00'}, 'EUR'],
      'currency',
      'is EUR, but USD is beside the amount',
    ],
    ['TRUE as account', [2006, {value: true}, 1, 'EUR'], 'toAccountId', 'is TRUE or FALSE'],
    ['TRUE as text', [2006, 2007, 1, 'EUR', {value: true}], 'text', 'is TRUE or FALSE'],
    ['a formula without its value', [2006, 2007, FORMULA, 'EUR'], 'amount', 'saved without its value'],
    ['one that makes the text', [2006, 2007, 1, 'EUR', FORMULA], 'text', 'saved without its value'],
  ])('%s', async (_, row, column, why) => {
    const stderr = await refused(['a2a', 'create'], await workbook([HEADER, [2006, 2008, 5, 'EUR'], row]))
    expect(stderr).toContain(`row 2 (line 3), ${column}: `)
    expect(stderr).toContain(why)
  })

  it('an error of the spreadsheet, wherever it would be sent', async () => {
    for (const [at, column] of ['fromAccountId', 'toAccountId', 'amount', 'currency', 'text'].entries()) {
      const row = [2006, 2007, 1, 3, 4]
      const cell = `${'ABCDE'[at]}2`
      const from = await workbook([HEADER, row], xml =>
        xml.replace(
          new RegExp(`<c r="${cell}"[^>]*>.*?</c>`),
          `<c r="${cell}" t="e"><f>VLOOKUP(1,X,2)</f><v>#N/A</v></c>`,
        ),
      )
      const stderr = await refused(['a2a', 'create'], from)
      expect(stderr).toContain(`row 1 (line 2), ${column}: is an error of the spreadsheet`)
    }
  })

  it('an error that was saved as text', async () => {
    const path = join(home.folder, 'sheet.csv')
    await writeFile(path, 'from,to,amount,currency,text\n2006,2007,1,EUR,#NV\n2006,1.23457E+15,1,EUR,Rent\n')
    const stderr = await refused(['a2a', 'create'], path)
    expect(stderr).toContain('row 1 (line 2), text: is an error of the spreadsheet')
    expect(stderr).toContain('row 2 (line 3), toAccountId: is a number in scientific notation')
  })
})

it('a row of formulas without values is not taken for an empty one', async () => {
  const from = await workbook([HEADER, [2006, 2008, 5, 'EUR'], [FORMULA, FORMULA, FORMULA, FORMULA]])
  expect(await refused(['a2a', 'create'], from)).toContain('(line 3), fromAccountId: is a formula')
})

it('a currency that a flag fills in does not take the place of one that has no value', async () => {
  const from = await workbook([HEADER, [2006, 2008, 5, FORMULA]])
  expect(await refused(['a2a', 'create', '--fill', 'currency=EUR'], from)).toContain('currency: is a formula')
})

it('nor is a text that was not computed', async () => {
  const from = await workbook([HEADER, [2006, 2008, 5, 'EUR', 'x']], xml =>
    xml.replace(/<c r="E2"[^>]*>[\s\S]*?<\/c>/, '<c r="E2" t="str"><f>A2&amp;B2</f></c>'),
  )
  expect(await refused(['a2a', 'create'], from)).toContain('row 1 (line 2), text: is a formula')
})

it('what is plain stays: 15 digits, cents of a formula, amounts in any format, dates beside', async () => {
  const from = await workbook([
    HEADER,
    [123456789012345, '1234567890123456', 55.1 * 1.0000000000000002, 'EUR', 2026, DAY],
    [
      2006,
      {value: 2007, format: '#,##0'},
      {value: 12000, format: '0.00E+00'},
      'EUR',
      {value: 12.5, format: '0.00'},
    ],
    [2006, {value: 2007, format: '0000'}, {value: 7, format: '000.00'}, 'EUR'],
  ])
  expect(await transfers(from)).toEqual([
    {
      fromAccountId: '123456789012345',
      toAccountId: '1234567890123456',
      amount: 55.1,
      currency: 'EUR',
      text: '2026',
    },
    {fromAccountId: '2006', toAccountId: '2007', amount: 12000, currency: 'EUR', text: '12.5'},
    {fromAccountId: '2006', toAccountId: '2007', amount: 7, currency: 'EUR'},
  ])
})

it('an amount keeps its value in every format that shows it whole, with its currency', async () => {
  const formats = [
    '#,##0.00',
    '#,##0.00 "€"',
    '[$€-407] #,##0.00',
    '_-* #,##0.00\\ [$EUR]_-',
    '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
    '"EUR" 0.00',
    '[Red]0.00;[Blue]-0.00',
    'General',
    '0.0#',
  ]
  const from = await workbook([
    HEADER,
    ...formats.map(format => [2006, 2007, {value: 1250.5, format}, 'EUR']),
  ])
  expect((await transfers(from)).map(({amount}) => amount)).toEqual(formats.map(() => 1250.5))
  const without = [
    ['from', 'to', 'amount'],
    [2006, 2007, {value: 5, format: '0.00 "€"'}],
  ]
  expect(await transfers(await workbook(without))).toMatchObject([{amount: 5, currency: 'EUR'}])
})

it('a number that is shown otherwise is named, with its format', async () => {
  const from = await workbook([HEADER, [2006, 2007, {value: 5000, format: '#,##0,'}, 'EUR']])
  const stderr = await refused(['a2a', 'create'], from)
  expect(stderr).toMatch(/amount: is shown as another number .* \(by the format #,##0,\); .* \('5000'\)/)
  const limit = await workbook([
    ['id', 'creditLimit'],
    [2001, {value: 0, format: '0;-0;'}],
  ])
  const rows = await refused(['bulk', 'run', 'accounts', 'patch', '--type', 'credit'], limit)
  expect(rows).toMatch(/creditLimit: is shown as another number .* \('0'\)/)
})

it('a sum below rows that cannot be read is not blamed', async () => {
  const from = await workbook([
    HEADER,
    [1234567890123456, 2007, 1, 'EUR'],
    [2006, 2007, 2, 'EUR'],
    ['', '', 3],
  ])
  const stderr = await refused(['a2a', 'create'], from)
  expect(stderr).toContain('row 1 (line 2), fromAccountId')
  expect(stderr).not.toContain('sum')
})

describe('a row of a bulk run', () => {
  const PATCH = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit']

  it.each<[what: string, row: readonly (Cell | string | number)[], column: string, why: string]>([
    ['an id of 16 digits', [1234567890123456, 6000], 'id', 'more digits than the 15'],
    ['an id that is a date', [DAY, 6000], 'id', 'is a date'],
    ['an id without a value', [FORMULA, 6000], 'id', 'saved without its value'],
    ['a limit without a value', [2001, FORMULA], 'creditLimit', 'saved without its value'],
    ['a limit that is a date', [2001, DAY], 'creditLimit', 'is a date'],
    ['a limit that is TRUE', [2001, {value: true}], 'creditLimit', 'is TRUE or FALSE'],
    ['a limit of 16 digits', [2001, 1234567890123456], 'creditLimit', 'more digits than the 15'],
  ])('is refused for %s', async (_, row, column, why) => {
    const stderr = await refused(PATCH, await workbook([['id', 'creditLimit'], [2003, 5], row]))
    expect(stderr).toContain(`row 2 (line 3), ${column}: `)
    expect(stderr).toContain(why)
  })

  it('keeps true and days where a field takes them', async () => {
    const {useOf} = await columnReader(operations['accounts.patchCredit.v4'], {})
    expect(useOf('interestPostingEnabled')).toBe('boolean')
    expect(useOf('creditLimit')).toBe('number')
    expect(useOf('id')).toBe('text')
    const [yes, day] = [new DoubtfulCell('boolean', 'true'), new DoubtfulCell('date', '2026-04-03')]
    expect(cellFault(yes, 'boolean')).toBeUndefined()
    expect(plainCell(yes, 'boolean')).toBe('true')
    expect(cellFault(day, 'date')).toBeUndefined()
    expect(cellFault(day, 'boolean')).toContain('is a date')
    const from = await workbook([
      ['id', 'interestPostingEnabled'],
      [2001, {value: true}],
    ])
    const {code, stderr} = await home.run([...PATCH, '--from', from, '--yes'])
    expect(stderr).not.toContain('INPUT_INVALID')
    expect(code).toBe(0)
  })

  it('of CSV is refused for what a spreadsheet shows in place of a value', async () => {
    const path = join(home.folder, 'rows.csv')
    await writeFile(path, 'id,creditLimit\n2001,5\n1.23457E+15,6\n#REF!,7\n')
    const stderr = await refused(PATCH, path)
    expect(stderr).toContain('row 2 (line 3), id: is a number in scientific notation')
    expect(stderr).toContain('row 3 (line 4), id: is an error of the spreadsheet')
  })
})
