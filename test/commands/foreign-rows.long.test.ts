// Rows for bulk run as other people send them: spreadsheets in their languages, or refused with the flag that says more.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import writeXlsx, {type SheetData} from 'write-excel-file/node'
import {readRowSheet} from '../../src/commands/bulk/shared/read-sheet.ts'
import {rowFields} from '../../src/commands/bulk/shared/row-fields.ts'
import {columnReader} from '../../src/commands/bulk/shared/row-input.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {RowProblems} from '../../src/rows/problems.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {runs} from '../helpers/whole.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(home.folder, name)
  await writeFile(path, content)
  return path
}

const RUN = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--yes', '--from']
const limitOf = async (id: string) =>
  (await home.json<{creditLimit: number}>(['sandbox', 'state', 'show', 'account', id])).creditLimit

const refused = async (from: string, ...flags: string[]) => {
  const result = await home.run([...RUN, from, ...flags])
  expect(result.code).toBe(2)
  expect(await home.json(['requests', 'list'])).toEqual([])
  return result.stderr
}

const rowsOf = (...rows: readonly (readonly (string | number)[])[]): SheetData =>
  rows.map(row => row.map(value => ({value})))

it.each<[what: string, name: string, content: () => Promise<Uint8Array> | Uint8Array]>([
  ['TSV', 'a.tsv', () => Buffer.from('Account ID\tCredit Limit\n2001\t6 000,50\n')],
  [
    'UTF-16 with a title and a sum',
    'b.csv',
    () =>
      Buffer.from(
        '\ufeffLimits in May;\r\n;\r\nID;Credit limit\r\n2001;6.000,50\r\nTotal;6.000,50\r\n',
        'utf16le',
      ),
  ],
  ['windows-1252', 'c.csv', () => Buffer.from("ID;Credit limit;Reason\n2001;6'000.50;\xc4rger\n", 'latin1')],
  ['a workbook', 'd.xlsx', () => writeXlsx(rowsOf(['id', 'creditLimit'], [2001, 6000.5])).toBuffer()],
  [
    'a workbook with text',
    'e.xlsx',
    () => writeXlsx(rowsOf(['id', 'creditLimit'], ['2001', '6.000,50'])).toBuffer(),
  ],
])('%s is read without a flag', async (_, name, content) => {
  const from = await file(name, await content())
  expect(await home.run([...RUN, from])).toMatchObject({code: 0})
  expect(await limitOf('2001')).toBe(6000.5)
})

it('a pipe is read as a file is', async () => {
  const stdin = 'Id;Credit Limit\n2001;1.250,50\n'
  expect(await home.run([...RUN, '-'], {stdin})).toMatchObject({code: 0})
  expect(await limitOf('2001')).toBe(1250.5)
})

it('what was left out is said, and a column too, if the user leaves it out', async () => {
  const from = await file('x.csv', 'Limits,,\nid,creditLimit,Kunde\n2001,6000,A\n2001,6500,B\nSum,12500,\n')
  const {code, stderr} = await home.run([...RUN, from, '--map', 'kunde=none'])
  expect(stderr).toContain('Above the header, line 1 is left out.')
  expect(stderr).toContain('Line 5 is left out: it is the sum of the rows.')
  expect(code).toBe(0)
  expect(await limitOf('2001')).toBe(6500)
})

it('rows of accounts are sent under a type that somebody chose', async () => {
  const from = await file('x.csv', 'id;creditLimit\n2001;5\n')
  const line = ['bulk', 'run', 'accounts', 'patch', '--from', from]
  const {code, stderr} = await home.run([...line, '--yes'])
  expect({code, stderr}).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Add --type credit or debit'),
  })
  expect(await home.json(['requests', 'list'])).toEqual([])
  const asked = await home.run([...line, '-p', 'sandbox'], {
    columns: 80,
    typed: [
      ['Which type do all rows have?', ''],
      ['Continue?', 'y'],
    ],
  })
  expect(asked).toMatchObject({code: 0, stderr: expect.stringContaining('accounts.patchCredit.v4')})
  expect(await limitOf('2001')).toBe(5)
})

describe('refused', () => {
  it('unknown headings, with what is there, what is needed, and the flags to type', async () => {
    const stderr = await refused(await file('x.csv', 'Kennung;Limit\n2001;5\n'))
    expect(stderr).toContain('names no column that is known here')
    expect(stderr).toContain('Found: Kennung; Limit. Needed: id.')
    expect(stderr).toContain('--map "Kennung=id" --map "Limit=creditLimit"')
    expect(stderr).toContain('Optional: creditLimit;')
    const from = await file('y.csv', 'Konto;Limit\n2001;5\n')
    expect(await home.run([...RUN, from, '--map', 'Konto=id', '--map', 'limit=creditLimit'])).toMatchObject({
      code: 0,
    })
    expect(await limitOf('2001')).toBe(5)
  })

  it.each([
    ['no header, without quoting a row', '4111111111111111,5\n2001,6\n', 'line 1 should name the columns'],
    ['no id', 'creditLimit\n5000\n', 'has no column id'],
    ['two columns of one field', 'id,credit limit,Credit_Limit\n2001,1,2\n', 'may each be creditLimit'],
    [
      'unknown headings above decimal commas',
      'Konto;Limit\n2001;5.600,00\n2004;21000\n',
      'Found: Konto; Limit. Needed: id.',
    ],
    [
      'unknown headings above one row with a decimal comma',
      'Konto;Limit\n2001;5.600,00\n',
      'Found: Konto; Limit. Needed: id.',
    ],
    [
      'two readings',
      'id;creditLimit\n2001;6.000\n2002;5\n',
      'If it is 6, add --decimal point; if it is 6\u202f000',
    ],
    [
      'a sum that is none',
      'id,creditLimit\n2001,6000\n2002,1\nSum,7000\n',
      'line 4 does not name what it changes',
    ],
    [
      'a sum among the rows',
      'id,creditLimit\n2001,6000\n2004,1\nSubtotal,6001\n2007,4\nSum,6005\n',
      'line 6 is the sum of the rows if line 4, without an id, is no row',
    ],
    [
      'a number that a comma cut',
      'id,creditLimit,reason\n2001,1,500\n',
      'creditLimit: may be 1,500, cut at its comma, or 1 and a 500 beside it',
    ],
    ['a row that lost its id', 'id,creditLimit\n2001,6000\n,6000\n', 'row 2 (line 3)'],
    ['a status that lost its id', 'id,status\n2001,ACCOUNT_BLOCKED\n,ACCOUNT_BLOCKED\n', 'row 2 (line 3)'],
    ['rows above the header', '2002,5\nid,creditLimit\n2001,6000\n', 'may be rows: line 1'],
  ])('%s', async (_, content, why) => {
    const stderr = await refused(await file('x.csv', content))
    expect(stderr).toContain(why)
    expect(stderr).not.toContain('4111')
  })

  it('a column that --map names and the file does not have', async () => {
    const from = await file('x.csv', 'id,creditLimit\n2001,5\n')
    expect(await refused(from, '--map', 'Limit=creditLimit')).toContain('--map names a column that')
  })
})

it('of several sheets the user names one, and says what becomes of hidden rows and columns', async () => {
  const {strFromU8, strToU8, unzipSync, zipSync} = await import('fflate')
  const sheet = (limit: number) =>
    rowsOf(['id', 'creditLimit', 'reason'], [2001, limit, 'x'], [2001, limit + 1, 'y'])
  const parts = unzipSync(
    await writeXlsx([
      {sheet: 'May', data: sheet(100)},
      {sheet: 'June', data: sheet(200)},
    ]).toBuffer(),
  )
  const from = await file('x.xlsx', zipSync(parts))
  expect(await refused(from)).toContain('rows on 2 sheets: May, June')
  const name = Object.keys(parts).find(each => /worksheets\/sheet2\.xml$/.test(each)) ?? ''
  const edit = async (to: string, change: (xml: string) => string) =>
    file(to, zipSync({...parts, [name]: strToU8(change(strFromU8(parts[name] ?? new Uint8Array())))}))
  const rows = await edit('rows.xlsx', xml => xml.replace('<row r="3"', '<row r="3" hidden="1"'))
  expect(await refused(rows, '--sheet', 'June')).toContain('has hidden rows: line 3')
  const column = await edit('column.xlsx', xml =>
    xml.replace('<sheetData>', '<cols><col min="3" max="3" hidden="1"/></cols><sheetData>'),
  )
  expect(await refused(column, '--sheet', 'June')).toContain('hides the column reason, which would be sent')
  const {code, stderr} = await home.run([...RUN, column, '--sheet', 'June', '--map', 'reason=none'])
  expect({code, stderr}).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Hidden in the sheet, and not used: the column reason.'),
  })
  expect(await home.run([...RUN, rows, '--sheet', 'June', '--hidden-rows', 'skip'])).toMatchObject({code: 0})
  expect(await limitOf('2001')).toBe(200)
})

it('the same command continues its job, and another file is noticed', async () => {
  const from = await file('x.csv', 'Konto;Credit Limit\n2001;6.000,50\n2001;5,00\n')
  const argv = [...RUN, from, '--map', 'Konto=id', '--job-key', 'k1', '-o', 'json']
  expect(await home.run(argv)).toMatchObject({code: 0})
  expect(JSON.parse((await home.run(argv)).stdout)).toMatchObject({already: true})
  await writeFile(from, 'Konto;Credit Limit\n2001;6.000,51\n2001;5,00\n')
  expect(await home.run(argv)).toMatchObject({code: 2, stderr: expect.stringContaining('JOB_DIFFERS')})
})

it('on a terminal, a person says what the columns are and how decimals are written', async () => {
  const from = await file('x.csv', 'Kennung;Limit;Kunde\n2001;6.000;Meier\n')
  const run = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', from, '-p', 'sandbox']
  const {code, stderr} = await home.run(run, {
    columns: 200,
    questionsAt: {columns: 200, rows: 40},
    typed: [
      ['Kennung (2001): what is it?', ''],
      ['Limit (6.000): what is it?', ''],
      ['Kunde (Meier): what is it?', ''],
      ['How are decimals written in', ''],
      ['Continue?', 'y'],
    ],
  })
  expect({code, stderr}).toMatchObject({code: 0})
  expect(await limitOf('2001')).toBe(6000)
})

/** How people write amounts and tables: the sign before decimals, between thousands, and between values. */
const LOCALES = [
  ['.', ',', ','],
  ['.', "'", ';'],
  ['.', '', '\t'],
  [',', '.', ';'],
  [',', ' ', ';'],
  [',', '\u00a0', '\t'],
  [',', ' ', ';'],
  [',', '', ';'],
  [',', '’', '\t'],
  ['.', ' ', ','],
] as const

const row = fc.record({
  id: fc.integer({min: 1, max: 999_999}),
  cents: fc.integer({min: -99_999_999, max: 999_999_999}),
})

it('rows written in ten ways are read back, or refused with both readings; never as others', async () => {
  const operation = operations['accounts.patchCredit.v4']
  const fields = await rowFields(operation, {}, [])
  const {takesNumber, useOf} = await columnReader(operation, {})
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, {minLength: 1, maxLength: 8}),
      fc.constantFrom(...LOCALES),
      fc.constantFrom(2, 1, 3),
      fc.boolean(),
      async (rows, [decimal, by, delimiter], decimals, isWide) => {
        const written = (cents: number): string => {
          const [whole = '', fraction] = (Math.abs(cents) / 100).toFixed(decimals).split('.')
          const number = `${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, by)}${decimal}${fraction}`
          return `${cents < 0 ? '-' : ''}${delimiter === ',' && by === ',' ? `"${number}"` : number}`.replace(
            '-"',
            '"-',
          )
        }
        const lines = rows.map(({id, cents}) => `${id}${delimiter}${written(cents)}`)
        const text = [`ID${delimiter}Credit Limit`, ...lines, ''].join('\r\n')
        const bytes = isWide ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(text)
        const problems = new RowProblems({source: 'x'})
        const sheet = await readRowSheet(bytes, {
          source: 'x',
          finalNewline: false,
          signs: {},
          today: '2026-01-01',
          columns: {},
          fields,
          operation: 'accounts.patchCredit.v4',
          takesNumber,
          useOf,
        })
        const read = new Map([...sheet.rows(problems)].map(one => [one.row, one.values]))
        const refusedRows = new Set(problems.kept.map(problem => problem.row))
        for (const [at, {id, cents}] of rows.entries()) {
          const values = read.get(at + 1)
          if (values === undefined) {
            expect(refusedRows.has(at + 1)).toBe(true)
            // Only thousandths look like thousands.
            expect(decimals).toBe(3)
          } else {
            expect(values.id).toBe(String(id))
            expect(Number(values.creditLimit)).toBe(Number((cents / 100).toFixed(decimals)))
          }
        }
      },
    ),
    {numRuns: runs(300)},
  )
})
