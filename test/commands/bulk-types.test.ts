// A column that says of each account which type it has: a job has accounts of one type.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
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
  expect(words(stderr)).toMatch(/The column .* is not sent: it says debit, the type of this job\./)
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
  expect(words(stderr)).toContain(
    'Run this once with each of: --type credit --other-types skip; --type debit --other-types skip. credit in line 3; debit in lines 2, 4.',
  )
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

const fileOf = async (...lines: readonly string[]) => {
  const from = join(home.folder, 'rows.csv')
  await writeFile(from, `${lines.join('\n')}\n`)
  return from
}
const STATUS = ['-F', 'status=ACCOUNT_BLOCKED', '--yes']
const blockFrom = (from: string, ...more: readonly string[]) =>
  home.run(['bulk', 'run', 'accounts', 'patch', '--from', from, ...STATUS, ...more])
const operations = async () =>
  (await home.json<{operation: string}[]>(['requests', 'list'])).map(({operation}) => operation).sort()

it.each([
  'Kontoart',
  'Type',
  'Account type',
  'Type de compte',
  'Tilin tyyppi',
  'Tipo de cuenta',
  'Art des Kontos',
])('the type is what the column %s says of every row, and is not asked for', async title => {
  const {code, stderr} = await blockFrom(await fileOf(`Konto;${title}`, '2006;Debit', '2007;Debit'))
  expect([code, await operations()]).toEqual([0, ['accounts.patchDebit.v4', 'accounts.patchDebit.v4']])
  expect(words(stderr)).toContain('is not sent: it says debit, the type of this job.')
})

it.each([
  ['a card', 'Kartenart', '2006;Debit', '2007;Debit'],
  ['a payment', 'Zahlungsart', '2006;Debit', '2007;Debit'],
  ['some rows only', 'Kontoart', '2006;Debit', '2007;'],
])('the type of %s is not taken for that of the account', async (_, title, ...rows) => {
  const {code, stderr} = await blockFrom(await fileOf(`Konto;${title}`, ...rows))
  expect([code, await sent()]).toEqual([2, 0])
  expect(words(stderr)).toContain('--type')
})

it('rows of two types are sent in two runs, without a change of the file', async () => {
  const from = await fileOf('Konto;Kontoart', '2006;Debit', '2001;Kredit', '2007;Debit')
  const refused = await blockFrom(from)
  expect([refused.code, await sent()]).toEqual([2, 0])
  expect(words(refused.stderr)).toContain('credit in line 3; debit in lines 2, 4')
  expect(words(refused.stderr)).toContain('--type credit --other-types skip; --type debit --other-types skip')
  const first = await blockFrom(from, '--type', 'debit', '--other-types', 'skip')
  expect(words(first.stderr)).toContain('gives them another type: credit in line 3.')
  expect((await blockFrom(from, '--type', 'credit', '--other-types', 'skip')).code).toBe(0)
  expect(await operations()).toEqual([
    'accounts.patchCredit.v4',
    'accounts.patchDebit.v4',
    'accounts.patchDebit.v4',
  ])
})

it.each([
  ['a row has no type', ['Konto;Kontoart', '2006;Debit', '2001;Kredit', '2007;'], 'write the type of line 4'],
  ['no column has types', ['id', '2006'], '--other-types would leave out none'],
])('--other-types leaves out nothing where %s', async (_, rows, said) => {
  const {code, stderr} = await blockFrom(await fileOf(...rows), '--type', 'debit', '--other-types', 'skip')
  expect([code, await sent()]).toEqual([2, 0])
  expect(words(stderr)).toContain(said)
})

it('a person says which rows of two types are sent now', async () => {
  const from = await fileOf('Konto;Kontoart', '2006;Debit', '2001;Kredit')
  const {code, stderr} = await home.run(
    ['bulk', 'run', 'accounts', 'patch', '--from', from, '-F', 'status=ACCOUNT_BLOCKED', '-p', 'sandbox'],
    {
      columns: 200,
      questionsAt: {columns: 200, rows: 30},
      typed: [
        ['Which are sent now?', '\u001b[B\r'],
        ['Continue?', 'y'],
      ],
    },
  )
  expect([code, await operations()], stderr).toEqual([0, ['accounts.patchDebit.v4']])
  expect(words(stderr)).toContain('gives them another type: credit in line 3.')
})
