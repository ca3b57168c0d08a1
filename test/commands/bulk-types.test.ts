// A column that says of each account which type it has: a job has accounts of one type.
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const block = (rows: string, ...more: readonly string[]) =>
  home.run(
    ['bulk', 'run', 'accounts', 'patch', '--from', '-', '-F', 'status=ACCOUNT_BLOCKED', '--yes', ...more],
    {stdin: rows},
  )
const words = (text: string) => text.replaceAll(/\s+/g, ' ')
const sent = async () => (await home.json<unknown[]>(['requests', 'list'])).length

it.each([
  ['English', 'Account ID,Type\n2006,debit\n2007,DEBIT\n'],
  ['German', 'Account ID;Kontotyp\n2006;Debitkonto\n2007;\n'],
  ['French', 'Account ID;Type de compte\n2006;débit\n2007;débit\n'],
])('a column that agrees with --type is left out, and that is said: %s', async (_, rows) => {
  const {code, stderr} = await block(rows, '--type', 'debit')
  expect([code, await sent()]).toEqual([0, 2])
  expect(words(stderr)).toMatch(/The column .* is not sent: it says debit, as --type does\./)
})

it('refuses rows of two types before anything is sent, with their lines', async () => {
  const {code, stderr} = await block(
    'Account ID;Kontotyp\n2006;Debit\n2001;Kredit\n2007;Debit\n',
    '--type',
    'debit',
  )
  expect([code, await sent()]).toEqual([2, 0])
  expect(words(stderr)).toContain(
    'by the column Kontotyp, not all accounts are debit, as this job has them: credit in line 3.',
  )
  expect(words(stderr)).toContain('run each with its --type. debit in lines 2, 4; credit in line 3.')
})

it('names the type that all rows have, if it is another one', async () => {
  const {code, stderr} = await block('Account ID,Type\n2001,credit\n', '--type', 'debit')
  expect([code, await sent()]).toEqual([2, 0])
  expect(words(stderr)).toContain('If all of them are credit, pass --type credit.')
})

it.each([
  ['other words', 'Account ID,Type\n2006,gold\n'],
  ['two types in one cell', 'Account ID,Type\n2006,debit/credit\n'],
])('does not know a column with %s', async (_, rows) => {
  const {code, stderr} = await block(rows, '--type', 'debit')
  expect([code, words(stderr)]).toEqual([2, expect.stringContaining('not known here: Type')])
})

it.each(['Konto', 'account', 'Account no', 'Kontonummer', 'Konto-Nr.', 'Compte', 'Tilinumero'])(
  'the id of an account may be called %s, as in sheets of transfers',
  async title => {
    const {code} = await block(`${title};Typ\n2006;debit\n2007;debit\n`, '--type', 'debit')
    expect([code, await sent()]).toEqual([0, 2])
  },
)

it.each(['Bankkonto', 'Bank account', 'No of accounts'])('%s is no id of an account', async title => {
  const {code} = await block(`${title};Typ\n2006;debit\n`, '--type', 'debit')
  expect([code, await sent()]).toEqual([2, 0])
})

it('two columns that may be the id are refused', async () => {
  const {code, stderr} = await block('Konto;Account ID\n2006;2007\n', '--type', 'debit')
  expect([code, await sent()]).toEqual([2, 0])
  expect(words(stderr)).toContain('may each be id')
})
