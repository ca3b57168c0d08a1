// What docs/output.md and docs/idempotency.md promise of files that a spreadsheet saved, and of transfers sent again.
import {readFile, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Home} from '../helpers/cli.ts'
import {reply} from '../helpers/service.ts'
import {addProfile, errorCode, newHome, newService, writesOf} from './scene.ts'

interface Transfer {
  readonly amount: number
  readonly text?: string
}

/** What `a2a create` would send. */
async function read(content: string | Buffer, ...more: string[]) {
  const home = await newHome()
  const file = join(home.folder, 'rows.csv')
  await writeFile(file, content)
  const seen = await home.run(['a2a', 'create', '--from', file, '--dry-run', '-o', 'json', ...more])
  const sent = seen.code === 0 ? (JSON.parse(seen.stdout).body.transfers as Transfer[]) : []
  return {...seen, amounts: sent.map(({amount}) => amount), texts: sent.map(({text}) => text)}
}

const HEAD = 'from;to;amount;currency;text\r\n'
const row = (amount: string, text = '') => `2006;2007;${amount};EUR;${text}\r\n`
const COMMA = ['--decimal', 'comma']

describe('a file of a spreadsheet', () => {
  test.each([
    ['semicolons, CRLF and a byte order mark', `\uFEFF${HEAD}${row('12,50')}`],
    ['sep=; before the header', `sep=;\r\n${HEAD}${row('12,50')}`],
    ['a byte order mark before sep=;', `\uFEFFsep=;\r\n${HEAD}${row('12,50')}`],
    ['empty rows at the end', `${HEAD}${row('12,50')};;;;\r\n;;;;\r\n`],
    ['empty columns at the end', `from;to;amount;currency;text;;\r\n2006;2007;12,50;EUR;;;\r\n`],
    ['tabs', `from\tto\tamount\tcurrency\n2006\t2007\t12,50\tEUR\n`],
    ['other capitals and spaces', `From;TO;A-mount;Currency\n2006;2007;12,50;EUR\n`],
    ['no line end at the end', `${HEAD}${row('12,50').trimEnd()}`],
    ['a quoted amount between commas', `from,to,amount,currency\n2006,2007,"12,50",EUR\n`],
  ])('with %s has the amount that was meant', async (_, content) => {
    const {code, amounts, stderr} = await read(content, ...COMMA)
    expect({code, amounts, stderr}).toMatchObject({code: 0, amounts: [12.5]})
  })

  test.each([
    ['12,5', 12.5],
    ['1,500.00', 1500],
    ['1.500,00', 1500],
    ['0,01', 0.01],
  ])('%s has one reading, and needs no flag', async (amount, meant) => {
    expect((await read(`${HEAD}${row(amount)}`)).amounts).toEqual([meant])
  })

  test.each([
    ['1,500', 'point'],
    ['1.500', 'comma'],
  ])('%s is an error that names the flag with which it is read', async (amount, decimal) => {
    const {code, stderr} = await read(`${HEAD}${row(amount)}`)
    expect(code).toBe(2)
    expect(stderr).toContain(`--decimal ${decimal}`)
    expect((await read(`${HEAD}${row(amount)}`, '--decimal', decimal)).amounts).toEqual([1500])
  })

  test.each(['1.500', '1.500,00', '1 500,00', "1'500,00"])(
    'with --decimal comma, %s has thousands',
    async amount => {
      expect((await read(`${HEAD}${row(amount)}`, ...COMMA)).amounts).toEqual([1500])
    },
  )

  test.each(['12.5', '12,', ',5', '1,2,3', '-5,00', '٣,٠٠', '1e2'])(
    'with --decimal comma, %s is an error',
    async amount => {
      expect((await read(`${HEAD}${row(amount)}`, ...COMMA)).code).toBe(2)
    },
  )

  test('with --decimal comma keeps commas in texts, and numbers without decimals', async () => {
    const {amounts, texts} = await read(`${HEAD}${row('1500', '"a;b 1,5"')}${row('0,30', 'x, y')}`, ...COMMA)
    expect([amounts, texts]).toEqual([
      [1500, 0.3],
      ['a;b 1,5', 'x, y'],
    ])
  })

  test('--decimal comma changes no number of NDJSON', async () => {
    const home = await newHome()
    const file = join(home.folder, 'rows.ndjson')
    await writeFile(file, '{"from":"2006","to":"2007","amount":12.5,"currency":"EUR"}\n')
    const {stdout} = await home.run(['a2a', 'create', '--from', file, '--dry-run', ...COMMA])
    expect(JSON.parse(stdout).body.transfers[0].amount).toBe(12.5)
  })

  test('a transfer on the command line is read by the same rule', async () => {
    const home = await newHome()
    const argv = ['a2a', 'create', '--transfer', '2006:2007:12,50:EUR', '--dry-run']
    expect(await home.run(argv)).toMatchObject({code: 2, stderr: expect.stringContaining('--decimal comma')})
    const {stdout} = await home.run([...argv, ...COMMA])
    expect(JSON.parse(stdout).body.transfers[0].amount).toBe(12.5)
  })

  test('in Windows-1252 is exact, named or not', async () => {
    const content = Buffer.concat([
      Buffer.from(`${HEAD}2006;2007;12,50;EUR;H`),
      Buffer.from([0xe4, 0x80, 0x0d, 0x0a]),
    ])
    for (const named of [[], ['--encoding', 'windows-1252']])
      expect((await read(content, ...named)).texts).toEqual(['Hä€'])
  })

  test('lists all bad rows at once, 50 with the reason, and never repeats what is in them', async () => {
    const bad = Array.from({length: 60}, () => row('VerySecret,1', '4111111111111111')).join('')
    const seen = await read(`${HEAD}${bad}`, ...COMMA)
    expect([seen.code, errorCode(seen)]).toEqual([2, 'INPUT_INVALID'])
    const {error} = JSON.parse(seen.stderr)
    expect(error.data).toMatchObject({rows: 60})
    expect(new Set(error.data.problems.map(({row: n}: {row: number}) => n)).size).toBe(50)
    expect(seen.stderr).not.toMatch(/VerySecret|4111111111111111/)
  })

  test('bulk run reads it in the same way, and two columns of one field are an error', async () => {
    const home = await newHome()
    const bulk = (stdin: string) =>
      home.run(
        [
          'bulk',
          'run',
          'accounts',
          'patch',
          '--type',
          'credit',
          '--from',
          '-',
          ...COMMA,
          '--rate',
          'off',
          '-o',
          'json',
        ],
        {stdin},
      )
    expect((await bulk('Id;Credit Limit;credit_limit\n2001;1,5;2,5\n')).code).toBe(2)
    expect((await bulk('Id;Credit Limit\r\n2001;6000,50\r\n;\r\n')).code).toBe(0)
    expect(await home.json(['sandbox', 'state', 'show', 'account', '2001'])).toMatchObject({
      creditLimit: 6000.5,
      effects: 1,
    })
  })
})

describe('a2a create --retry-failed', () => {
  const retry = (home: Home, ...more: string[]) =>
    home.run(['a2a', 'create', '--retry-failed', '88001', '-o', 'json', ...more])
  /** How many were sent from here: the demo data has one too. */
  const batches = async (home: Home) =>
    (await home.json<{id: string}[]>(['a2a', 'list'])).filter(({id}) => id > '88000').length

  async function failed(...more: string[]) {
    const home = await newHome()
    const transfers = ['--transfer', '2006:2008:5:EUR', '--transfer', '2006:2007:7.25:EUR', ...more]
    expect((await home.run(['a2a', 'create', ...transfers, '--wait', '--yes'])).code).toBe(11)
    await home.run(['sandbox', 'state', 'set', 'account', '2008', '-F', 'status=ACCOUNT_OK'])
    return home
  }

  test('sends what failed and nothing else, once', async () => {
    const home = await failed()
    const dry = JSON.parse((await retry(home, '--dry-run')).stdout)
    expect(dry.body.transfers).toMatchObject([{toAccountId: '2008', amount: 5}])
    expect(dry.body.description).toContain('retry:88001')
    expect((await retry(home, '--yes', '--wait')).code).toBe(0)
    for (const more of [[], ['--idempotency-key', 'another'], ['--note', 'again'], ['--no-reference']]) {
      expect((await retry(home, '--yes', ...more)).code).not.toBe(0)
    }
    expect(await batches(home)).toBe(2)
  })

  test.each([
    ['no --yes', []],
    ['a count that differs', ['--yes', '--confirm-count', '2']],
    ['a total that differs', ['--yes', '--confirm-total', 'EUR:12.25']],
    ['another currency', ['--yes', '--confirm-total', 'SEK:5']],
    ['more transfers', ['--yes', '--transfer', '2006:2007:1:EUR']],
    ['a file', ['--yes', '--from', '-']],
  ])('with %s sends nothing', async (_, more) => {
    const home = await failed()
    expect((await retry(home, ...more)).code).toBe(2)
    expect(await batches(home)).toBe(1)
  })

  test('on another machine is refused too, because the batch at the service names the retry', async () => {
    const [one, two, service] = [await newHome(), await newHome(), await newService()]
    for (const home of [one, two]) await addProfile(home, 'staging', 'test', service.url)
    const run = (home: Home, ...argv: string[]) =>
      home.run(['a2a', 'create', ...argv, '--yes', '--wait', '-p', 'staging'])
    await run(one, '--transfer', '2006:2008:5:EUR')
    expect((await run(one, '--retry-failed', '88001')).code).toBe(11)
    expect((await run(two, '--retry-failed', '88001')).code).toBe(2)
    expect(writesOf(service)).toHaveLength(2)
  })

  test('after a lost response is refused, as the first retry may have moved the money', async () => {
    const [home, service] = [
      await newHome(),
      await newService(undefined, (own, {method, body}) =>
        method === 'POST' && String(body).includes('retry:') ? {...own, drop: true} : own,
      ),
    ]
    await addProfile(home, 'staging', 'test', service.url, '--settle-delay', '0s')
    const run = (...argv: string[]) => home.run(['a2a', 'create', ...argv, '--yes', '-p', 'staging'])
    await run('--transfer', '2006:2008:5:EUR', '--wait')
    expect((await run('--retry-failed', '88001')).code).toBe(10)
    expect((await run('--retry-failed', '88001')).code).not.toBe(0)
    expect(writesOf(service)).toHaveLength(2)
  })

  test('sends nothing if the list of batches cannot be read', async () => {
    const home = await newHome()
    let down = false
    const service = await newService(({method, url}) =>
      down && method === 'GET' && /\/batches\?/.test(url) ? reply(403, {title: 'No'}) : undefined,
    )
    await addProfile(home, 'staging', 'test', service.url)
    const run = (...argv: string[]) => home.run(['a2a', 'create', ...argv, '--yes', '-p', 'staging'])
    await run('--transfer', '2006:2008:5:EUR', '--wait')
    down = true
    expect((await run('--retry-failed', '88001')).code).not.toBe(0)
    expect(writesOf(service)).toHaveLength(1)
  })

  test('--failed-to writes a file for you alone, which --from takes once, and not beside --retry-failed', async () => {
    const home = await failed()
    const file = join(home.folder, 'failed.csv')
    await writeFile(file, 'old', {mode: 0o644})
    expect((await home.run(['a2a', 'get', '88001', '--failed-to', file])).code).toBe(0)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(2)
    const again = ['a2a', 'create', '--from', file, '--yes', '--wait']
    expect((await home.run(again)).code).toBe(0)
    expect((await home.run(again)).code).toBe(14)
    expect((await retry(home, '--yes')).code).toBe(2)
    expect(await batches(home)).toBe(2)
  })
})
