// All that is wrong with a spreadsheet is said at one time, each with its lines and what to do about it.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

async function create(rows: readonly string[], ...flags: string[]) {
  const from = join(home.folder, 'rows.csv')
  await writeFile(from, [...rows, ''].join('\n'))
  return home.run(['a2a', 'create', '--from', from, '-y', ...flags])
}

const ROWS = [
  'Mottagarkonto;Datum;Belopp;Valuta;Text;Status',
  '2007;2030-01-01;100,00;SEK;A;ok',
  '2008;2030-01-02;-20,00;SEK;B;betald',
  ';;90,00;;;',
]

it('a field, a mark, a day, a sum and an amount', async () => {
  const {code, stderr} = await create(ROWS)
  expect(code).toBe(2)
  for (const said of [
    'for 5 reasons',
    'no column is known as from',
    '--fill from=ACCOUNT',
    'the column Status may say that rows are not to be sent: line 3',
    '--marked-rows skip',
    'the column Datum has days to come',
    '--map "Datum=none"',
    'it says 90.00, and the rows come to 80.00',
    'row 2 (line 3), amount: is negative',
  ])
    expect(stderr).toContain(said)
  expect(await home.json(['requests', 'list'])).toEqual([])
})

it('many bad rows are listed beside the others', async () => {
  const {stderr} = await create(
    [...ROWS.slice(0, 3), '2009;2030-01-02;-30,00;SEK;C;ok'],
    '--fill',
    'from=2005',
  )
  expect(stderr).toContain('2 rows (lines 3, 4), amount: is negative')
  expect(stderr).toContain('the column Datum has days to come')
})

it('the last of them is said as one alone is', async () => {
  const flags = ['--fill', 'from=2005', '--map', 'Datum=none', '--marked-rows', 'send']
  const {stderr} = await create(ROWS.slice(0, 3), ...flags)
  expect(stderr).toContain('rows.csv, row 2 (line 3), amount: is negative')
  expect(stderr).not.toContain('reasons')
})

it('programs read each of them', async () => {
  const {stderr} = await create(ROWS, '-o', 'json')
  const {faults} = JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error.data
  expect(faults).toHaveLength(5)
  expect(faults[0]).toMatchObject({message: expect.any(String), hint: expect.any(String)})
})

it('of a bulk job: columns, types, numbers, lengths and signs', async () => {
  const from = join(home.folder, 'limits.csv')
  const rows = [
    'Konto;Kontoart;creditLimit;Kunde;name',
    `2001;Kredit;5o00;A;${'a'.repeat(70)}`,
    '2003;Debit;-4000;B;x',
    '2002;Kredit;3.000;B;x',
    '2009;Kredit;-1;B;x',
  ]
  await writeFile(from, [...rows, ''].join('\n'))
  const run = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', from, '-y']
  const {code, stderr} = await home.run(run)
  expect(code).toBe(2)
  for (const said of [
    'for 3 reasons',
    'row 1 (line 2): name is longer than 64 characters',
    'row 1 (line 2): creditLimit must be a number',
    '2 rows (lines 3, 5): creditLimit must be 0 or more',
    "add --decimal comma; either is for all rows ('3.000')",
    'not all accounts are credit, as this job has them: debit in line 3',
    'a column is not known here: Kunde',
    '4 rows of',
  ])
    expect(stderr).toContain(said)
  expect(await home.json(['requests', 'list'])).toEqual([])
  expect(await home.json(['bulk', 'list'])).toEqual([])
})

it('of a bulk job whose column is not known, a row is not told that it lacks what is in it', async () => {
  const from = join(home.folder, 'limits.csv')
  await writeFile(from, 'Konto;Grenze\n2001;5000\nabc;7000\n')
  const {stderr} = await home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', from, '-y'])
  expect(stderr).toContain('a column is not known here: Grenze')
  expect(stderr).toContain('row 2 (line 3): id is not the id of an account')
  expect(stderr).not.toContain('line 2')
})
