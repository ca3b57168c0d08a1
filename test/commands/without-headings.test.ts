// Files without a line that names the columns: the first row is one of the rows, or the file is refused.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import writeXlsx from 'write-excel-file/node'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const ROWS = [
  ['2006', '2007', '10.00', 'EUR', 'Rent'],
  ['2006', '2008', '20.00', 'EUR', 'a'],
  ['2006', '2011', '30.00', 'EUR', 'De'],
]
const CSV = ROWS.map(row => `${row.join(',')}\n`).join('')

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(home.folder, name)
  await writeFile(path, content)
  return path
}
const workbook = (): Promise<Buffer> =>
  writeXlsx(ROWS.map(row => row.map(value => ({value: Number(value) || value})))).toBuffer()

const CREATE = ['a2a', 'create', '--from']
const PLACES = ['from', 'to', 'amount', 'currency', 'text'].flatMap((name, at) => [
  '--map',
  `column ${at + 1}=${name}`,
])
const onTerminal = (typed: NonNullable<RunOptions['typed']>): RunOptions => ({
  columns: 200,
  questionsAt: {columns: 200, rows: 30},
  typed,
})

describe.each([
  ['rows.csv', async () => CSV],
  ['rows.xlsx', workbook],
])('transfers of %s', (name, content) => {
  it('are all read, after it was asked', async () => {
    const {code, stderr} = await home.run(
      [...CREATE, await file(name, await content()), '-p', 'sandbox'],
      onTerminal([
        ['Line 1 looks like a row: does the file have headings?', ''],
        ['that the money comes from?', ''],
        ['that the money goes to?', ''],
        ['Which column has the amount?', ''],
        ['Which column has the currency?', ''],
        ['Which column has the text', ''],
        ['Continue?', 'y'],
      ]),
    )
    expect(stderr).toContain('send 3 transfers: EUR 60.00')
    expect(stderr).not.toContain('not used')
    expect(code).toBe(0)
  })

  it('are refused where nobody can be asked, and read with columns named by their places', async () => {
    const from = await file(name, await content())
    const {code, stderr} = await home.run([...CREATE, from, '--yes'])
    expect(code).toBe(2)
    expect(stderr).toContain('line 1 should name the columns, but looks like a row')
    expect(stderr).toContain('--map "column 1=from"')
    const {body} = await home.json<{body: {transfers: unknown[]}}>([...CREATE, from, ...PLACES, '--dry-run'])
    expect(body.transfers).toMatchObject([
      {fromAccountId: '2006', toAccountId: '2007', amount: 10, currency: 'EUR', text: 'Rent'},
      {toAccountId: '2008', text: 'a'},
      {toAccountId: '2011', text: 'De'},
    ])
  })
})

it('only columns that may have the field are offered, and typing finds them', async () => {
  const from = await file('rows.csv', '2006,2007,EUR,10.00,SEK\n2006,2008,EUR,20.00,SEK\n')
  const {code, stderr} = await home.run(
    [...CREATE, from, '-p', 'sandbox'],
    onTerminal([
      ['Line 1 looks like a row', ''],
      ['that the money comes from?', ''],
      ['that the money goes to?', ''],
      ['Which column has the amount?', ''],
      ['Which column has the currency?', '3'],
      ['Which column has the text', ''],
      ['Continue?', 'y'],
    ]),
  )
  expect(stderr).toContain('send 2 transfers: EUR 30.00')
  expect(code).toBe(0)
})

it('headings that look like a row are some, if a person or a flag says so', async () => {
  const from = await file('numbers.csv', '1,2,3\n2006,2007,10\n')
  const flags = ['--map', '1=from', '--map', '2=to', '--map', '3=amount', '--fill', 'currency=EUR']
  const {body} = await home.json<{body: {transfers: unknown[]}}>([...CREATE, from, ...flags, '--dry-run'])
  expect(body.transfers).toHaveLength(1)
  const {stderr} = await home.run(
    [...CREATE, from, '--fill', 'currency=EUR', '-p', 'sandbox'],
    onTerminal([
      ['Line 1 looks like a row', '\u001b[B'],
      ['that the money comes from?', ''],
      ['that the money goes to?', ''],
      ['Which column has the amount?', ''],
      ['Continue?', 'y'],
    ]),
  )
  expect(stderr).toContain('send 1 transfer: EUR 10.00')
})

it('a mapping of places is kept, for files without headings alone', async () => {
  const first = await file('first.csv', CSV)
  await home.run([...CREATE, first, ...PLACES, '--save-mapping', 'bare', '--dry-run'])
  const from = await file('second.csv', CSV.replace('10.00', '11.00'))
  const {body} = await home.json<{body: {transfers: unknown[]}}>([
    ...CREATE,
    from,
    '--mapping',
    'bare',
    '--dry-run',
  ])
  expect(body.transfers).toHaveLength(3)
  const named = await file('named.csv', `from,to,amount,currency,text\n${CSV}`)
  expect((await home.run([...CREATE, named, '--mapping', 'bare', '--yes'])).code).toBe(2)
})

describe('rows of bulk run', () => {
  const RUN = ['bulk', 'run', 'accounts.patchCredit.v4', '--from']
  const LIMITS = '2001,6000\n2004,7000\n2007,8000\n'

  it('are all read, after it was asked', async () => {
    const {stderr} = await home.run(
      [...RUN, await file('limits.csv', LIMITS), '-p', 'sandbox'],
      onTerminal([
        ['Line 1 looks like a row: does the file have headings?', ''],
        ['column 1 (2001, 2004, 2007): what is it?', ''],
        ['column 2 (6000, 7000, 8000): what is it?', 'creditLimit'],
        ['Continue?', 'y'],
      ]),
    )
    expect(stderr).toContain('3 rows')
  })

  it('are refused where nobody can be asked, and read with columns named by their places', async () => {
    const from = await file('limits.csv', LIMITS)
    const {code, stderr} = await home.run([...RUN, from, '--yes'])
    expect(code).toBe(2)
    expect(stderr).toContain('line 1 should name the columns, but looks like a row')
    expect(stderr).toContain('--map "column 1=id"')
    const flags = ['--map', 'column 1=id', '--map', 'column 2=creditLimit', '--yes']
    expect((await home.run([...RUN, from, ...flags])).stderr).toContain('3 rows')
  })

  it('of one column too', async () => {
    const from = await file('ids.csv', '2001\n2004\n2007\n')
    const flags = ['-F', 'creditLimit=9000']
    expect((await home.run([...RUN, from, ...flags, '--yes'])).stderr).toContain('looks like a row')
    const {stderr} = await home.run([...RUN, from, ...flags, '--map', 'column 1=id', '--yes'])
    expect(stderr).toContain('3 rows')
  })
})
