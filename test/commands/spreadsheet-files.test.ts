// Files of transfers and of bulk rows as a spreadsheet saves them.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {withoutDemo} from '../sandbox/helpers/without-demo.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Sent {
  readonly body: {readonly transfers: readonly Record<string, unknown>[]}
}

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(home.folder, name)
  await writeFile(path, content)
  return path
}

const sheet =
  '\ufeffFROM;To Account;AMOUNT;Currency;Description;\r\n 2006 ;2007;1500,50;EUR;Miete März;\r\n;;;;;\r\n'
const TRANSFER = {
  fromAccountId: '2006',
  toAccountId: '2007',
  amount: 1500.5,
  currency: 'EUR',
  text: 'Miete März',
}

it('transfers are read from semicolons, capitals, a decimal comma and a byte order mark', async () => {
  const from = await file('sheet.csv', sheet)
  const {body} = await home.json<Sent>(['a2a', 'create', '--from', from, '--decimal', 'comma', '--dry-run'])
  expect(body.transfers).toEqual([TRANSFER])
})

it('from tabs and windows-1252, named or not', async () => {
  const text = sheet.slice(1).replaceAll(';', '\t')
  const from = await file('sheet.tsv', Buffer.from(text, 'latin1'))
  for (const named of [[], ['--encoding', 'windows-1252']]) {
    const {body} = await home.json<Sent>(['a2a', 'create', '--from', from, ...named, '--dry-run'])
    expect(body.transfers).toEqual([TRANSFER])
  }
})

it('an amount with thousands or decimals is refused, with the flag of the reading that its currency has', async () => {
  const from = await file('other.csv', 'from,to,amount,currency\n2006,2007,6.000,EUR\n')
  expect(await home.run(['a2a', 'create', '--from', from, '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/row 1 .*amount: .*If it is 6\u202f000, add --decimal comma/),
  })
  expect(withoutDemo(await home.json<{id: string}[]>(['a2a', 'list']))).toEqual([])
  const create = ['a2a', 'create', '--from', from, '--dry-run', '--decimal', 'comma']
  expect((await home.json<Sent>(create)).body.transfers).toMatchObject([{amount: 6000}])
})

/** A person on a wide terminal who is asked how decimals are written. */
const asked = (from: string, typed: NonNullable<RunOptions['typed']>) =>
  home.run(['a2a', 'create', '--from', from, '-p', 'sandbox'], {
    columns: 200,
    questionsAt: {columns: 200, rows: 30},
    typed,
  })

it.each([
  ['1,500', 'KWD', '1,500 is KWD 1.500', '1,500 is KWD 1\u202f500.000'],
  ['1.500', 'KWD', '1.500 is KWD 1\u202f500.000', '1.500 is KWD 1.500'],
])('%s %s is never guessed: each answer says what it is', async (amount, currency, comma, point) => {
  const from = await file('one.csv', `from;to;amount;currency\n2006;2007;${amount};${currency}\n`)
  const {stderr} = await asked(from, [['How are decimals written in', '\u0004']])
  expect(stderr).toContain(`With a comma: ${comma}`)
  expect(stderr).toContain(`With a point: ${point}`)
})

it('nobody is asked about amounts whose column shows how they are written', async () => {
  const rows = ['2006;2007;1500,50;EUR', '2006;2007;20,00;EUR', '2006;2007;3;EUR']
  const from = await file('sheet.csv', `from;to;amount;currency\n${rows.join('\n')}\n`)
  const {code, stderr} = await asked(from, [['Continue?', 'y']])
  expect(stderr).toContain('send 3 transfers: EUR 1\u202f523.50')
  expect(code).toBe(0)
  // A number that is grouped otherwise than the rest keeps both readings.
  const mixed = await file('mixed.csv', `from;to;amount;currency\n${rows.join('\n')}\n2006;2007;1.500;EUR\n`)
  const create = ['a2a', 'create', '--from', mixed, '--yes']
  expect(await home.run(create)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/row 4 .*in thousands/),
  })
})

it('bulk rows find their fields, and a comma that has one reading needs no flag', async () => {
  const from = await file('limits.csv', 'ID;Credit Limit;\n2001;6000,50;\n;;\n')
  const run = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', from]
  expect(await home.run([...run, '--decimal', 'point'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/creditLimit: The number has a comma/),
  })
  expect(await home.run(run)).toMatchObject({code: 0})
  const [{id} = {id: ''}] = await home.json<{id: string}[]>(['requests', 'list'])
  expect(await home.json(['requests', 'show', id])).toMatchObject({sent: {creditLimit: 6000.5}})
})

it('on a terminal, a person says how the numbers of bulk rows are written, and confirms them', async () => {
  const from = await file('limits.csv', 'ID;Credit Limit\n2001;6.000\n2002;7\n')
  const run = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', from, '-p', 'sandbox']
  const options = {columns: 200, questionsAt: {columns: 200, rows: 30}}
  const {stderr} = await home.run(run, {
    ...options,
    typed: [
      ['How are decimals written in', ''],
      ['Continue?', 'y'],
    ],
  })
  expect(stderr).toContain('With a comma: 6.000 is 6000')
  expect(stderr).toContain('With a point: 6.000 is 6')
  const sent = await home.json<{id: string}[]>(['requests', 'list', '--resource', 'account:2001'])
  expect(await home.json(['requests', 'show', sent[0]?.id ?? ''])).toMatchObject({
    sent: {creditLimit: 6000},
  })
  // Nobody is asked about numbers that need no answer.
  const plain = await file('plain.csv', 'ID;Credit Limit\n2001;6000.50\n')
  expect(await home.run(run.with(4, plain), {...options, typed: []})).toMatchObject({code: 0})
})

it('a column that --map names keeps its name', async () => {
  const from = await file('limits.csv', 'Account ID;credit limit\n2001;6000\n')
  const run = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', from, '--map', 'Account ID=path:id']
  expect(await home.run(run)).toMatchObject({code: 0})
})

it.each([',', ';'])(
  '1.500 KWD is refused until the flag says what it means, with %s between values',
  async sign => {
    const rows = 'from,to,amount,currency\n2006,2007,1.500,KWD\n2006,2007,12.125,KWD\n'.replaceAll(',', sign)
    const from = await file('dinar.csv', rows)
    const create = ['a2a', 'create', '--from', from, '--dry-run']
    expect(await home.run(create)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/2 rows .*amount: .*in thousands\. .*add --decimal point/),
    })
    const {body} = await home.json<Sent>([...create, '--decimal', 'point'])
    expect(body.transfers.map(({amount}) => amount)).toEqual([1.5, 12.125])
  },
)

it('a program that writes NDJSON means a point', async () => {
  const from = await file('dinar.ndjson', '{"from":"2006","to":"2007","amount":"1.500","currency":"KWD"}\n')
  const {body} = await home.json<Sent>(['a2a', 'create', '--from', from, '--dry-run'])
  expect(body.transfers).toMatchObject([{amount: 1.5}])
})

it('a field under two names is refused, whichever comes first', async () => {
  const fields = ['"from":"2006"', '"fromAccountId":"2008"', '"to":"2007"', '"amount":1', '"currency":"EUR"']
  const from = await file('twice.ndjson', `{${fields.join(',')}}\n`)
  expect(await home.run(['a2a', 'create', '--from', from, '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('row 1 (line 1), fromAccountId: is given twice, under two names'),
  })
})

it('a text in the NDJSON of bulk rows may be meant in thousands, and a number is not', async () => {
  const run = ['bulk', 'run', 'accounts.patchCredit.v4', '--yes', '--from']
  const text = await file('text.ndjson', '{"id":"2001","creditLimit":"7.000"}\n')
  expect(await home.run([...run, text])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/creditLimit: .*in thousands.*add --decimal point/),
  })
  expect(await home.run([...run, text, '--decimal', 'comma'])).toMatchObject({code: 2})
  expect(await home.run([...run, text, '--decimal', 'point'])).toMatchObject({code: 0})
  const number = await file(
    'number.ndjson',
    '{"id":"2001","creditLimit":7.000}\n{"id":"2001","creditLimit":"7.50"}\n',
  )
  expect(await home.run([...run, number])).toMatchObject({code: 0})
})

it('bulk numbers in thousands need the flag too', async () => {
  const from = await file('limits.csv', 'id,creditLimit\n2001,1.500\n')
  const run = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', from, '--yes']
  expect(await home.run(run)).toMatchObject({code: 2, stderr: expect.stringContaining('add --decimal point')})
  expect(await home.run([...run, '--decimal', 'point'])).toMatchObject({code: 0})
})
