// Mappings of spreadsheets that are kept by name: used again for the same headings only, with the checks of --map.
import {readFileSync, statSync, writeFileSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {strFromU8, strToU8, unzipSync, zipSync} from 'fflate'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import writeXlsx, {type SheetData} from 'write-excel-file/node'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'

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

const CREATE = ['a2a', 'create', '--from']
const MAPS = ['Kunde=from', 'Ziel=to', 'Menge=amount', 'Notiz A=none'].flatMap(map => ['--map', map])
const FILE = 'Kunde;Ziel;Menge;Notiz A\n2006;2007;12,50;x\n'

const kept = () => home.json<{name: string; [key: string]: unknown}[]>(['mappings', 'list'])

async function keep(): Promise<void> {
  const from = await file('first.csv', FILE)
  const flags = [...MAPS, '--fill', 'currency=EUR', '--save-mapping', 'acme', '--dry-run']
  const {code, stderr} = await home.run([...CREATE, from, ...flags])
  expect(stderr).toContain('The mapping acme is kept.')
  expect(code).toBe(0)
}

async function refused(argv: readonly string[], options?: RunOptions): Promise<string> {
  const result = await home.run(argv, options)
  expect(result.code).toBe(2)
  return result.stderr
}

async function transfers(...argv: string[]): Promise<readonly Record<string, unknown>[]> {
  const sent = await home.json<{body: {transfers: Record<string, unknown>[]}}>([
    ...CREATE,
    ...argv,
    '--dry-run',
  ])
  return sent.body.transfers
}

it('keeps what flags say, lists it and uses it for other rows, in any order and case', async () => {
  await keep()
  expect(await kept()).toEqual([
    {
      name: 'acme',
      operation: 'a2a.create.v1',
      map: ['Kunde=from', 'Ziel=to', 'Menge=amount', 'Notiz A=none'],
      fill: ['currency=EUR'],
      headings: ['Kunde', 'Ziel', 'Menge', 'Notiz A'],
    },
  ])
  const from = await file('second.csv', 'ZIEL,Menge,Notiz A,Kunde\n2008,7.00,x,2006\n')
  expect(await transfers(from, '--mapping', 'acme')).toEqual([
    {fromAccountId: '2006', toAccountId: '2008', amount: 7, currency: 'EUR'},
  ])
  const path = join(home.folder, '.config/cardctl/mappings.json')
  expect(JSON.parse(readFileSync(path, 'utf8')).schema).toBe(1)
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o077).toBe(0)
})

it('keeps columns that are known by their headings, too', async () => {
  const from = await file('known.csv', 'Von;An;Betrag;Währung;Datum\n2006;2007;1,00;EUR;01.01.2020\n')
  await home.run([...CREATE, from, '--save-mapping', 'german', '--dry-run'])
  expect(await kept()).toMatchObject([
    {map: ['Von=from', 'An=to', 'Betrag=amount', 'Währung=currency'], fill: []},
  ])
  expect(await transfers(from, '--mapping', 'german')).toHaveLength(1)
})

describe('a column that the mapping leaves out', () => {
  const HEADINGS = 'Von;An;Betrag;Währung;Text;Status'
  const later = (...rows: readonly string[]) => file('later.csv', [HEADINGS, ...rows, ''].join('\n'))
  const RELEASED = '2006;2007;1,00;EUR;RE 1;freigegeben'

  beforeEach(async () => {
    const from = await file('first.csv', `${HEADINGS}\n${RELEASED}\n`)
    const flags = ['--map', 'Status=none', '--save-mapping', 'status', '--dry-run']
    expect((await home.run([...CREATE, from, ...flags])).code).toBe(0)
  })

  it.each(['bereits bezahlt', 'paid', 'cancelled', 'on hold', 'ne pas payer', 'storno'])(
    'says of a later file: %s',
    async state => {
      const from = await later(RELEASED, `2006;2008;2,00;EUR;RE 2;${state}`)
      const stderr = await refused([...CREATE, from, '--mapping', 'status', '--yes'])
      expect(stderr).toContain('the column Status')
      expect(stderr).toContain('line 3')
      expect(await home.json(['requests', 'list'])).toEqual([])
      // What is said of this file is done, and not without a word.
      const typed = ['--mapping', 'status', '--map', 'Status=none']
      expect(await transfers(from, ...typed)).toHaveLength(2)
    },
  )

  it('is no doubt where its rows only have other states', async () => {
    const from = await later(RELEASED, '2006;2008;2,00;EUR;RE 2;gebucht 7')
    expect(await transfers(from, '--mapping', 'status')).toHaveLength(2)
  })

  it('leaves the rows out, or sends them, as is said of this file', async () => {
    const from = await later(RELEASED, '2006;2008;2,00;EUR;RE 2;bereits bezahlt')
    expect(await refused([...CREATE, from, '--mapping', 'status', '--yes'])).toContain('--marked-rows skip')
    const some = ['--mapping', 'status', '--marked-rows']
    expect(await transfers(from, ...some, 'skip')).toMatchObject([{text: 'RE 1'}])
    expect(await transfers(from, ...some, 'send')).toHaveLength(2)
    const {code} = await home.run([...CREATE, from, '--mapping', 'status', '-p', 'sandbox'], {
      questionsAt: {columns: 200, rows: 30},
      typed: [
        ['What about it?', ''],
        ['Continue?', 'y'],
      ],
    })
    expect(code).toBe(0)
    const [batch] = await home.json<object[]>(['a2a', 'list'])
    expect(batch).toMatchObject({transferItemCount: 1})
  })

  it('names the rows that are sent although it marks them', async () => {
    const from = await later(RELEASED, '2006;2008;2,00;EUR;RE 2;bereits bezahlt')
    const {stderr, code} = await home.run([...CREATE, from, '--map', 'Status=none', '--dry-run'])
    expect(code).toBe(0)
    expect(stderr).toContain('may say of 1 row not to send it: line 3. Line 3: bereits bezahlt.')
  })
})

describe('a file with other headings is refused', () => {
  it.each([
    ['one more', 'Kunde;Ziel;Menge;Notiz A;Betrag\n2006;2007;1;x;2\n', 'the file also has Betrag.'],
    ['one less', 'Kunde;Ziel;Menge\n2006;2007;1\n', 'the file lacks Notiz A.'],
    [
      'another name',
      'Kunde;Konto;Menge;Notiz A\n2006;2007;1;x\n',
      'the file lacks Ziel, and the file also has Konto.',
    ],
    ['one twice', 'Kunde;Ziel;Menge;Notiz A;Menge\n2006;2007;1;x;2\n', 'the file also has Menge.'],
  ])('with %s', async (_, content, differs) => {
    await keep()
    const from = await file('other.csv', content)
    const stderr = await refused([...CREATE, from, '--mapping', 'acme', '--yes'])
    expect(stderr).toContain(`has other headings than those of the mapping acme: ${differs}`)
    expect(stderr).toContain('--save-mapping acme')
    expect(await home.json(['requests', 'list'])).toEqual([])
  })
})

it('never makes an amount, a sign or an account be guessed', async () => {
  await keep()
  for (const [row, why] of [
    ['2006;2007;1.500;x', 'thousands'],
    ['2006;2007;-5;x', 'is negative'],
    ['2006;Miller;5;x', 'is not an account id'],
    ['2006;2007;;x', 'is missing'],
  ]) {
    const from = await file('doubt.csv', `Kunde;Ziel;Menge;Notiz A\n${row}\n`)
    expect(await refused([...CREATE, from, '--mapping', 'acme', '--yes'])).toContain(why)
  }
})

it('a flag wins over the mapping, and that is said', async () => {
  await keep()
  const from = await file('both.csv', FILE)
  const flags = [
    '--mapping',
    'acme',
    '--map',
    'Notiz A=text',
    '--fill',
    'currency=SEK',
    '--dry-run',
    '--json',
  ]
  const {stdout, stderr} = await home.run([...CREATE, from, ...flags])
  expect(JSON.parse(stdout).body.transfers).toEqual([
    {fromAccountId: '2006', toAccountId: '2007', amount: 12.5, currency: 'SEK', text: 'x'},
  ])
  expect(stderr).toContain('in place of what the mapping acme says: Notiz A=none; currency=EUR')
  // What adds to it, or says the same, is no news.
  const same = await home.run([...CREATE, from, '--mapping', 'acme', '--map', 'Ziel=to', '--dry-run'])
  expect(same.stderr).not.toContain('in place of')
})

it('answers to questions are kept', async () => {
  const from = await file('ask.csv', 'Kunde;Ziel;Menge\n2006;2007;12,50\n')
  await home.run([...CREATE, from, '--save-mapping', 'asked', '-p', 'sandbox'], {
    columns: 200,
    questionsAt: {columns: 200, rows: 30},
    typed: [
      ['that the money comes from?', ''],
      ['that the money goes to?', ''],
      ['Which column has the amount?', ''],
      ['Which column has the currency?', ''],
      ['Which currency do all rows have?', 'euro'],
      ['Continue?', 'y'],
    ],
  })
  expect(await kept()).toMatchObject([
    {name: 'asked', map: ['Kunde=from', 'Ziel=to', 'Menge=amount'], fill: ['currency=EUR']},
  ])
})

const HEADER = ['Von', 'An', 'Betrag', 'Währung']
const rowsOf = (...rows: readonly (readonly (string | number)[])[]): SheetData =>
  rows.map(row => row.map(value => ({value})))

it('the sheet is kept, and one that a flag names wins', async () => {
  const sheet = (amount: number) => rowsOf(HEADER, [2006, 2007, amount, 'EUR'])
  const workbook = await writeXlsx([
    {sheet: 'May', data: sheet(5)},
    {sheet: 'June', data: sheet(6)},
  ]).toBuffer()
  const from = await file('months.xlsx', workbook)
  await home.run([...CREATE, from, '--sheet', 'may', '--save-mapping', 'months', '--dry-run'])
  expect(await kept()).toMatchObject([{sheet: 'May'}])
  expect(await transfers(from, '--mapping', 'months')).toMatchObject([{amount: 5}])
  expect(await transfers(from, '--mapping', 'months', '--sheet', 'June')).toMatchObject([{amount: 6}])
})

it('a column that the sheet hides by now has to be named on the command line', async () => {
  const data = rowsOf(HEADER, [2006, 2007, 5, 'EUR'])
  const from = await file('shown.xlsx', await writeXlsx(data).toBuffer())
  await home.run([...CREATE, from, '--save-mapping', 'shown', '--dry-run'])
  const parts = unzipSync(await writeXlsx(data, {columns: [{width: 10}, {}, {}, {}]}).toBuffer())
  const name = Object.keys(parts).find(each => /worksheets\/[^/]+\.xml$/.test(each)) ?? ''
  const xml = strFromU8(parts[name] ?? new Uint8Array()).replace('<col ', '<col hidden="1" ')
  const hidden = await file('hidden.xlsx', zipSync({...parts, [name]: strToU8(xml)}))
  expect(await refused([...CREATE, hidden, '--mapping', 'shown', '--yes'])).toContain('hides the column Von')
  expect(await transfers(hidden, '--mapping', 'shown', '--map', 'Von=from')).toHaveLength(1)
})

describe('bulk run', () => {
  const PATCH = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--yes', '--from']
  const MAP = ['--map', 'Konto=id', '--map', 'Rahmen=creditLimit', '--map', 'Kunde=none']

  it('keeps and uses mappings, of any file that it reads', async () => {
    const from = await file('limits.csv', 'Konto,Rahmen,Kunde\n2001,6000,a\n')
    const {code, stderr} = await home.run([...PATCH, from, ...MAP, '--save-mapping', 'limits'])
    expect(stderr).toContain('The mapping limits is kept.')
    expect(code).toBe(0)
    const next = await file('next.csv', 'Rahmen;Konto;Kunde\n6.500,00;2001;b\n')
    expect((await home.run([...PATCH, next, '--mapping', 'limits'])).code).toBe(0)
    const account = await home.json<Record<string, unknown>>(['sandbox', 'state', 'show', 'account', '2001'])
    expect(account).toMatchObject({creditLimit: 6500})
    const plan = [
      'bulk',
      'plan',
      'accounts',
      'patch',
      '--type',
      'credit',
      '--from',
      from,
      '--mapping',
      'limits',
    ]
    const planned = await home.run([
      ...plan,
      '--save-mapping',
      'planned',
      '--out',
      join(home.folder, 'limits.plan'),
    ])
    expect(planned.stderr).toContain('The mapping planned is kept.')
    expect(planned.code).toBe(0)
    const other = await file('other.csv', 'Konto,Rahmen,Limit\n2001,6000,7000\n')
    expect(await refused([...PATCH, other, '--mapping', 'limits'])).toContain(
      'the file lacks Kunde, and the file also has Limit.',
    )
  })

  it('refuses the mapping of another command, and NDJSON', async () => {
    await keep()
    const from = await file('limits.csv', 'Konto,Rahmen,Kunde\n2001,6000,a\n')
    expect(await refused([...PATCH, from, '--mapping', 'acme'])).toContain(
      'The mapping acme is for a2a.create.v1, and not for accounts.patchCredit.v4.',
    )
    const rows = await file('rows.ndjson', '{"id":"2001","creditLimit":1}\n')
    expect(await refused([...PATCH, rows, '--save-mapping', 'x'])).toContain(
      '--save-mapping needs a spreadsheet',
    )
  })
})

it('rows that are refused keep nothing, nor do titles that may be data', async () => {
  const bad = await file('bad.csv', 'Von;An;Betrag;Währung\n2006;2007;x;EUR\n')
  await refused([...CREATE, bad, '--save-mapping', 'bad', '--yes'])
  const data = await file('data.csv', '2006123;An;Betrag;Währung\n2006;2007;1,00;EUR\n')
  expect(
    await refused([...CREATE, data, '--map', '2006123=from', '--save-mapping', 'bad', '--yes']),
  ).toContain('the one of from may be data')
  const twice = await file('twice.csv', 'Von;An;Betrag;Währung;Von\n2006;2007;1,00;EUR;\n')
  expect(await refused([...CREATE, twice, '--map', 'Von=from', '--yes'])).toContain(
    'by its place, for example --map "column 1=from"',
  )
  expect(
    await refused([...CREATE, twice, '--map', 'column 1=from', '--save-mapping', 'bad', '--yes']),
  ).toContain('2 columns have the one of from')
  expect(await kept()).toEqual([])
  expect(await home.json(['requests', 'list'])).toEqual([])
})

it('a mapping of the same name is replaced, and what it was is said', async () => {
  await keep()
  const from = await file('new.csv', 'Von;An;Betrag;Währung\n2006;2007;1,00;EUR\n')
  const {stderr} = await home.run([...CREATE, from, '--save-mapping', 'acme', '--dry-run'])
  expect(stderr).toContain('The mapping acme is replaced.')
  expect(stderr).toContain(
    'It was for a2a.create.v1: Kunde=from; Ziel=to; Menge=amount; Notiz A=none; currency=EUR.',
  )
  expect(await kept()).toHaveLength(1)
})

it('a mapping is removed by its name, and one that is not there is named by the nearest', async () => {
  await keep()
  expect(await refused(['mappings', 'remove', 'acne'])).toContain('Did you mean acme?')
  const from = await file('first.csv', FILE)
  expect(await refused([...CREATE, from, '--mapping', 'acne'])).toContain('cardctl mappings list')
  expect(await refused([...CREATE, from, '--save-mapping', 'A b'])).toContain('lower-case letters')
  expect(
    await refused(['a2a', 'create', '--transfer', '2006:2007:1:EUR', '--mapping', 'acme', '--yes']),
  ).toContain('there is no --from')
  const {code, stderr} = await home.run(['mappings', 'remove', 'acme'])
  expect(code).toBe(0)
  expect(stderr).toContain('The mapping acme is removed.')
  expect(await kept()).toEqual([])
})

it('a damaged file is named and left as it is', async () => {
  await keep()
  const path = join(home.folder, '.config/cardctl/mappings.json')
  for (const content of ['{', '{"schema":2,"mappings":{}}', '{"schema":1,"mappings":{"acme":{"map":"x"}}}']) {
    writeFileSync(path, content)
    const {stderr, code} = await home.run(['mappings', 'list'])
    expect(code).not.toBe(0)
    expect(stderr).toContain('mappings.json')
    await home.run([
      ...CREATE,
      await file('first.csv', FILE),
      ...MAPS,
      '--fill',
      'currency=EUR',
      '--save-mapping',
      'b',
    ])
    expect(readFileSync(path, 'utf8')).toBe(content)
  }
})
