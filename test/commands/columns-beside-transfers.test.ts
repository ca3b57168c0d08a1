// Columns that no field uses: those that may decide about rows are not passed over, and those that tell rows apart are.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const FIRST = '2006;2007;10.00;EUR;A'
const SECOND = '2006;2011;20.00;EUR;B'

async function sheet(heading: string, first: string, second: string): Promise<string> {
  const path = join(home.folder, 'beside.csv')
  const lines = [`From;To;Amount;Currency;Text;${heading}`, `${FIRST};${first}`, `${SECOND};${second}`, '']
  await writeFile(path, lines.join('\n'))
  return path
}

const run = (from: string, ...flags: string[]) =>
  home.run(['a2a', 'create', '--from', from, ...flags, '--dry-run'])

describe('a direction, whatever its heading', () => {
  it.each([
    ['+/-', '+', '-'],
    ['', '', '-'],
    ['Anything', '+', '－'],
    ['Umsatzart', 'S', 'H'],
    ['x', 'D', 'K'],
    ['Type', 'Debit', 'Credit'],
    ['Art', 'Eingang', 'Ausgang'],
    ['Suunta', 'ulos', 'sisään'],
    ['Tipo', 'Cargo', 'Abono'],
    ['Retning', 'ind', 'ud'],
    ['CdtDbtInd', 'DBIT', 'CRDT'],
    ['S/H-Kz', 'H', 'H'],
    ['Debit Credit Indicator', '40', '50'],
    ['±', '1', '1'],
  ])('%s with %s and %s', async (heading, first, second) => {
    const {code, stderr} = await run(await sheet(heading, first, second))
    expect(code).toBe(2)
    expect(stderr).toContain('may say in which direction money goes')
  })
})

describe('marks of some rows', () => {
  it.each([
    ['Bemerkung', '', 'entfällt', 'has remarks on rows, and is not used: line 3'],
    ['Notas', 'no pagar', 'no pagar', 'may say that rows are not to be sent: lines 2, 3'],
    ['Zahlungssperre', '', 'X', 'marks some rows and not others, and is not used: line 3'],
    ['Payment block', 'R', '', 'marks some rows and not others, and is not used: line 2'],
    ['Utbetald', '', 'ja', 'marks some rows and not others'],
    ['Ausgebucht', '', '03.05.2020', 'marks some rows and not others'],
    ['Wanted', 'yes', 'no', 'marks some rows and not others, and is not used: lines 2, 3'],
    ['Approved', 'yes', '', 'marks some rows and not others'],
    ['Account 2', '', '2012', 'marks some rows and not others'],
    ['State', 'draft', 'ok', 'has states that may say that rows are not to be sent: line 2'],
    ['Status', '2', '2', 'has states'],
    ['Selected', 'N', 'N', 'may say that rows are not to be sent'],
    ['Document type', 'Invoice', 'Credit note', 'may say that rows are no payments: line 3'],
  ])('%s with %s and %s', async (heading, first, second, why) => {
    const from = await sheet(heading, first, second)
    const {code, stderr} = await run(from)
    expect(code).toBe(2)
    expect(stderr).toContain(why)
    expect(stderr).toContain(`--map "${heading}=none"`)
    expect((await run(from, '--map', `${heading}=none`)).code).toBe(0)
  })

  it.each([
    ['Invoice', 'INV-77', ''],
    ['Beleg', '', '4711'],
    ['Customer', 'Ejvind', ''],
    ['Name', 'Stop & Shop', 'Paid Ltd'],
    ['Kostenstelle', '1000', '1000'],
    ['Anything', 'RE 2026-01', ''],
    ['Anything', 'some', 'words'],
    ['Urgent', 'no', 'no'],
    ['Status', 'open', 'approved'],
    ['Date', '2020-01-31', ''],
    ['Class', 'P', 'P'],
    ['Receipt', 'yes', 'no'],
    ['Eilig', 'nein', 'ja'],
    ['Payment method', 'Bank transfer', 'Transfer'],
  ])('%s with %s and %s is harmless', async (heading, first, second) => {
    expect(await run(await sheet(heading, first, second))).toMatchObject({code: 0})
  })
})

it.each([
  ['Betrag neu', '10.00', '18.00', 'may correct what other columns say'],
  ['Fee', '1.00', '-5.00', 'has negative numbers'],
  ['Payable', '10.00', '18.00', 'is the same as amount in some rows and another in others: line 3'],
  ['Empfänger 2', '2007', '2012', 'is the same as to in some rows and another in others: line 3'],
  ['Ledger', 'EUR', 'SEK', 'has another currency than the rows: line 3'],
  ['Amount unit', 'EUR', 'TEUR', 'may say that amounts are in another unit: line 3'],
  ['Währungseinheit', '1000', '1000', 'may say that amounts are in another unit'],
  ['Anything', 'thousands', 'thousands', 'may say that amounts are in another unit'],
  ['Total', '11.00', '21.00', 'may be the amount too, and is another one: lines 2, 3'],
  ['Brutto', '11.00', '20.00', 'may be the amount too, and is another one: line 2'],
  ['Open balance', '8.00', '20.00', 'may be the amount too, and is another one: line 2'],
  ['Skonto', '0.00', '2.00', 'may take something off the amounts: line 3'],
  ['Discount', '1', '', 'may take something off the amounts: line 2'],
  ['Zahlungsart', 'Überweisung', 'bar', 'may say that rows are paid in another way: line 3'],
  ['Mode de paiement', 'chèque', 'virement', 'may say that rows are paid in another way: line 2'],
])('%s with %s and %s may change a transfer', async (heading, first, second, why) => {
  const {code, stderr} = await run(await sheet(heading, first, second))
  expect(code).toBe(2)
  expect(stderr).toContain(why)
})

it.each([
  'From;To;Amount;Cents;Currency\n2006;2007;10;50;EUR\n',
  'From;To;Amount;;Currency\n2006;2007;10;05;EUR\n',
  'From;To;Amount;Currency;Rappen\n2006;2007;10;EUR;50\n',
])('cents in a column of their own are not lost: %s', async content => {
  const path = join(home.folder, 'cents.csv')
  await writeFile(path, content)
  expect((await run(path)).stderr).toContain('may have the decimals of the amounts: line 2')
})

it('a person is asked once, and sees the marked rows', async () => {
  const from = await sheet('Bemerkung', '', 'entfällt')
  const args = ['a2a', 'create', '--from', from, '-p', 'sandbox']
  const asked = {columns: 200, questionsAt: {columns: 200, rows: 30}}
  const stopped = await home.run(args, {...asked, typed: [['Line 3: entfällt', '']]})
  expect(stopped).toMatchObject({code: 2, stderr: expect.stringContaining('has remarks on rows')})
  const sent = await home.run(args, {
    ...asked,
    typed: [
      ['Line 3: entfällt', '\u001b[B'],
      ['Continue?', 'y'],
    ],
  })
  expect(sent.code).toBe(0)
})

it('of two amounts the user names one, or the heading says what is paid in the end', async () => {
  const path = join(home.folder, 'two.csv')
  const rows = '2006;2007;10.00;11.00;EUR\n2006;2011;20.00;21.00;EUR\n'
  await writeFile(path, `From;To;Amount;Total;Currency\n${rows}`)
  expect((await run(path)).stderr).toContain('add --map "Total=amount"')
  for (const [map, first] of [
    ['Total=amount', 11],
    ['Amount=amount', 10],
  ] as const) {
    const {stdout} = await run(path, '--map', map, '-o', 'json')
    expect(JSON.parse(stdout).body.transfers[0].amount).toBe(first)
  }
  await writeFile(path, `From;To;Amount to pay;Invoice amount;Currency\n${rows.replace('21.00', '20.00')}`)
  expect((await run(path)).code).toBe(0)
})

it('what multiplies to the amount says nothing else', async () => {
  const path = join(home.folder, 'hours.csv')
  const rows = (sum: string) => `From;To;Hours;Rate;Amount;Currency\n2006;2007;2;5.25;${sum};EUR\n`
  await writeFile(path, rows('10.50'))
  expect((await run(path)).code).toBe(0)
  await writeFile(path, rows('5.25'))
  expect((await run(path)).code).toBe(2)
})
