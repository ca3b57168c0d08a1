// Every way in which a person types a number: one that may be meant in thousands is never taken silently.
import {writeFile} from 'node:fs/promises'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {json, useShop} from './imported-shop.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const LIMIT = ['accounts', 'limit', '2001']
const PATCH = ['accounts', 'patch', '2001', '--type', 'credit']
const INVOICE = ['api', 'POST', '/v9/invoices', '--group', 'accounts']
const RULE = {pricelist: ['pricelists', 'period', 'patch', '6003']}

/** Each with the number in place of N. */
const WAYS: readonly (readonly [name: string, argv: readonly string[]])[] = [
  ['an argument', [...LIMIT, 'N', '--type', 'credit']],
  ['a named flag', [...PATCH, '--credit-limit', 'N']],
  ['a price', [...RULE.pricelist, '--value', 'N']],
  ['-F', [...PATCH, '-F', 'creditLimit=N']],
  ['-F in a list', [...PATCH, '-F', 'usageLimits[0].values[0].sumAmount=N']],
  ['-F of a percentage', [...PATCH, '-F', 'minimumToPay.percentage=N']],
  ['-F of a whole number', [...PATCH, '-F', 'usageLimits[0].values[0].count=N']],
  ['-F of a path without a command', [...INVOICE, '-F', 'amount=N']],
  ['-F of api', ['api', 'PATCH', '/v4/CREDIT/2001', '-F', 'creditLimit=N']],
  ['--transfer', ['a2a', 'create', '--transfer', '2006:2007:N:KWD:Rent: May']],
  ['--transfer of three decimals', ['a2a', 'create', '--transfer', '2006:2007:N:KWD']],
  ['-F of transfers', ['a2a', 'create', '-F', 'transfers[0].amount=N']],
  [
    '--confirm-total',
    ['a2a', 'create', '--transfer', '2006:2007:1:EUR', '--confirm-count', '1', '--confirm-total', 'EUR:N'],
  ],
  ['an authorisation', ['sandbox', 'authorize', '--card', '3001', '--currency', 'KWD', '--amount', 'N']],
  ['a clearing', ['sandbox', 'authorizations', 'clear', 'a_0', '--amount', 'N']],
  ['a reversal', ['sandbox', 'authorizations', 'reverse', 'a_0', '--down-to', 'N']],
  ['a state of the sandbox', ['sandbox', 'state', 'set', 'account', '2001', '-F', 'creditLimit=N']],
  [
    'a call',
    ['webhook', 'trigger', 'auth', '--to', 'http://127.0.0.1:9', '--currency', 'KWD', '--amount', 'N'],
  ],
  [
    'a field of a call',
    [
      'webhook',
      'trigger',
      'auth',
      '--to',
      'http://127.0.0.1:9',
      '--set',
      'transactionData.transactionAmount.amount=N',
    ],
  ],
  ['-F of bulk rows', ['bulk', 'run', 'accounts.patchCredit.v4', '--from', 'ROWS', '-F', 'creditLimit=N']],
]

const withNumber = (argv: readonly string[], number: string): string[] =>
  argv.map(word => word.replace(/\bN$|N(?=:)|(?<==)N/, number).replace('ROWS', `${home.folder}/ids.ndjson`))

beforeEach(() => writeFile(`${home.folder}/ids.ndjson`, '{"id":"2001"}\n'))

const sent = async (): Promise<number> => (await home.json<unknown[]>(['requests', 'list'])).length

describe.each(WAYS)('%s', (_, argv) => {
  it.each([
    ['6.000', '6', '6 000', 'point'],
    ['6,000', '6', '6 000', 'comma'],
    ['1.125', '1.125', '1 125', 'point'],
  ])('%s is refused with both readings and the flag that settles it', async (typed, least, most, sign) => {
    const {code, stderr} = await home.run([...withNumber(argv, typed), '--yes'])
    const text = stderr.replaceAll(/\s+/g, ' ')
    expect(code, stderr).toBe(2)
    expect(text).toContain(`may mean ${least} or ${most}`)
    expect(text).toContain(
      `For ${most}, write ${most.replace(' ', '')}. For ${least}, ${/\.\d{3}$/.test(least) ? '' : `write ${least} or `}add --decimal ${sign}.`,
    )
    expect(await sent()).toBe(0)
  })

  it('is not asked about where nobody can be', async () => {
    const {code} = await home.run([...withNumber(argv, '6.000'), '--yes', '--no-input'])
    expect(code).toBe(2)
  })
})

describe('a number that --decimal or the profile settles', () => {
  const limitOf = async (argv: readonly string[], env: Record<string, string> = {}) => {
    const {code, stdout} = await home.run([...argv, '--dry-run', '-o', 'json'], {env})
    return code === 0 ? JSON.parse(stdout).body.creditLimit : code
  }
  const limit = (number: string, ...more: string[]) => [...LIMIT, number, '--type', 'credit', ...more]

  it.each([
    [limit('6.000', '--decimal', 'point'), {}, 6],
    [limit('6,000', '--decimal', 'comma'), {}, 6],
    [limit('6.000', '--decimal', 'comma'), {}, 6000],
    [limit('6,000', '--decimal', 'point'), {}, 6000],
    [limit('6.000'), {CARDCTL_DECIMAL: 'point'}, 6],
    [limit('6,000'), {CARDCTL_DECIMAL: 'comma'}, 6],
    [limit('6.000'), {CARDCTL_DECIMAL: 'comma'}, 2],
    [limit('12,50'), {CARDCTL_DECIMAL: 'comma'}, 12.5],
    [limit('12.50'), {CARDCTL_DECIMAL: 'comma'}, 12.5],
    [limit('6.000', '--decimal', 'point'), {CARDCTL_DECIMAL: 'comma'}, 6],
    [[...PATCH, '-F', 'creditLimit=6.000', '--decimal', 'point'], {}, 6],
    [[...PATCH, '--credit-limit', '6,5', '--decimal', 'comma'], {}, 6.5],
    // The locale settles nothing.
    [limit('6.000'), {LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8', LC_NUMERIC: 'en_US.UTF-8'}, 2],
    [limit('6,000'), {LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8', LC_NUMERIC: 'de_DE.UTF-8'}, 2],
  ])('%j with %j', async (argv, env, result) => {
    expect(await limitOf(argv, env)).toBe(result)
  })

  it.each([
    ['0.125', 0.125],
    ['1234.567', 1234.567],
    ['6000', 6000],
    ['6000.50', 6000.5],
  ])('%s needs neither', async (typed, number) => {
    expect(await limitOf(limit(typed))).toBe(number)
  })

  it('is read as a stored profile says, also from a CSV file', async () => {
    await home.json([
      'profiles',
      'add',
      'fi',
      '--kind',
      'test',
      '--base-url',
      'http://127.0.0.1:9',
      '--decimal',
      'comma',
    ])
    expect(await home.json(['profiles', 'show', 'fi'])).toMatchObject({decimal: 'comma'})
    expect(await limitOf([...limit('6,5'), '-p', 'fi'])).toBe(6.5)
    await writeFile(
      `${home.folder}/a.csv`,
      'from;to;amount;currency\n2006;2007;6,500;KWD\n2006;2007;12,50;EUR\n',
    )
    const create = ['a2a', 'create', '--from', `${home.folder}/a.csv`, '-p', 'fi', '--dry-run']
    expect(await home.json(create)).toMatchObject({body: {transfers: [{amount: 6.5}, {amount: 12.5}]}})
    await writeFile(`${home.folder}/b.csv`, 'from;to;amount;currency\n2006;2007;6.500;KWD\n')
    expect((await home.run(create.with(3, `${home.folder}/b.csv`))).code).toBe(2)
  })

  it('still has no more decimals than its currency', async () => {
    const {code, stderr} = await home.run([
      'a2a',
      'create',
      '--transfer',
      '2006:2007:6.000:EUR',
      '--decimal',
      'point',
    ])
    expect({code, stderr}).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has 3 decimals, EUR has 2'),
    })
  })
})

describe('what is no typed number stays as it is', () => {
  it.each([
    ['a number in JSON', ['--data', '{"creditLimit": 6.000}'], {creditLimit: 6}],
    ['text with -f', ['-f', 'name=6.000', '-F', 'creditLimit=1'], {name: '6.000', creditLimit: 1}],
    ['a field that is text', ['-F', 'name=6.000'], {name: '6.000'}],
    ['an exponent', ['-F', 'creditLimit=6e3'], {creditLimit: 6000}],
    ['a day', ['-F', 'invoiceDayOfMonth=5'], {invoiceDayOfMonth: 5}],
  ])('%s', async (_, flags, body) => {
    expect(await home.json([...PATCH, ...flags, '--dry-run'])).toMatchObject({body})
  })

  it('text of an unknown field, with -f', async () => {
    const argv = [...INVOICE, '-f', 'version=1.234', '--dry-run']
    expect(await home.json(argv)).toMatchObject({body: {version: '1.234'}})
    const {stderr} = await home.run([...INVOICE, '-F', 'version=1.234'])
    expect(stderr).toContain('pass it with -f')
  })
})

/** A person on a wide terminal. */
const asked = (argv: readonly string[], typed: NonNullable<RunOptions['typed']>) =>
  home.run(argv, {columns: 200, questionsAt: {columns: 200, rows: 40}, typed})

const DOWN = '\u001b[B'

describe('on a terminal', () => {
  const limitNow = async () =>
    (await home.json<{creditLimit: number}>(['sandbox', 'state', 'show', 'account', '2001'])).creditLimit

  it.each([
    [[...LIMIT, '6.000', '--type', 'credit'], DOWN, 6],
    [[...LIMIT, '6.000', '--type', 'credit'], `${DOWN}${DOWN}`, 6000],
    [[...LIMIT, '6,500', '--type', 'credit'], DOWN, 6.5],
    [[...PATCH, '--credit-limit', '6,000'], '6000', 6000],
    [[...PATCH, '-F', 'creditLimit=6.000'], `${DOWN}${DOWN}`, 6000],
  ])('%j is asked about', async (argv, keys, limit) => {
    const {code, stderr} = await asked(argv, [
      ['which number is it?', keys],
      ['Continue?', 'y'],
    ])
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/6[.,][05]00: which number is it\?/)
    expect(await limitNow()).toBe(limit)
  })

  it.each([
    ['Enter alone', '', '9\u202f000 (9000)', `${DOWN}${DOWN}`],
    ['another number', '90000', 'No results', '\u00159000'],
  ])('%s takes neither', async (_, first, shown, second) => {
    const {code, stderr} = await asked(
      [...LIMIT, '9.000', '--type', 'credit'],
      [
        ['which number is it?', first],
        [shown, second],
        ['Continue?', 'y'],
      ],
    )
    expect(code, stderr).toBe(0)
    expect(await limitNow()).toBe(9000)
  })

  it('both readings are shown so that no habit confuses them', async () => {
    const {stderr} = await asked(
      [...LIMIT, '6.125', '--type', 'credit'],
      [
        ['which number is it?', DOWN],
        ['Continue?', 'n'],
      ],
    )
    expect(stderr).toContain('6.125 (between 6 and 7)')
    expect(stderr).toContain('6\u202f125 (6125)')
  })

  it('a decimal comma is said as it was written, with all decimals', async () => {
    const {stderr} = await asked([...LIMIT, '12,50', '--type', 'credit'], [['Continue?', 'n']])
    expect(stderr).toContain('12,50 is 12.50.')
  })

  it('an answer to a question is asked about, and the line to learn needs no question', async () => {
    const {code, stderr} = await asked(
      ['accounts', 'limit', '-i'],
      [
        ['Id of the account', '2001'],
        ['New credit limit', '6.000'],
        ['which number is it?', `${DOWN}${DOWN}`],
        ['? Type', 'credit'],
        ['What else?', ''],
        ['Continue?', 'y'],
      ],
    )
    expect(code, stderr).toBe(0)
    expect(await limitNow()).toBe(6000)
    expect(stderr).toContain('To run this again: cardctl accounts limit 2001 6000 --type credit')
  })

  it('an answer that sets a field is asked about too', async () => {
    const {code, stderr} = await asked(
      [...PATCH, '--dry-run'],
      [
        ['What do you want to change?', `${DOWN} `],
        ['? New credit limit', '6.125'],
        ['which number is it?', DOWN],
      ],
    )
    expect(code, stderr).toBe(0)
    const [, line = ''] = /To run this again: cardctl (.*)/.exec(stderr) ?? []
    expect(await home.json(line.split(' '))).toMatchObject({body: {creditLimit: 6.125}})
  })

  it('an answer with separators is taken for the one number that it means', async () => {
    const {stderr} = await asked(
      ['accounts', 'limit', '-i'],
      [
        ['Id of the account', '2001'],
        ['New credit limit', '1.234,56'],
        ['? Type', 'credit'],
        ['What else?', ''],
        ['Continue?', 'y'],
      ],
    )
    expect(stderr).toContain('To run this again: cardctl accounts limit 2001 1234.56 --type credit')
  })

  it('an argument with separators too, which is said', async () => {
    const {code, stderr} = await asked(
      ['accounts', 'limit', '2001', '1.234,56', '--type', 'credit'],
      [['Continue?', 'y']],
    )
    expect(code).toBe(0)
    expect(stderr).toContain('1.234,56 is 1\u202f234.56.')
    expect(await limitNow()).toBe(1234.56)
  })

  it.each([
    [[...LIMIT, "4'000,5", '--type', 'credit'], "4'000,5 is 4\u202f000.50."],
    [[...LIMIT, '4 000', '--type', 'credit'], '4 000 is 4\u202f000.'],
    [['a2a', 'create', '--transfer', '2006:2007:4 000.5:EUR'], '4 000.5 is EUR 4\u202f000.50.'],
    [['a2a', 'create', '--transfer', "2006:2007:4'000:eur:Rent"], "4'000 is EUR 4\u202f000.00."],
    [['a2a', 'create', '--transfer', '2006:2007:4 000,5:KWD'], '4 000,5 is KWD 4\u202f000.500.'],
  ])('%j is said with all decimals before it is sent', async (argv, words) => {
    const {stderr} = await asked(argv, [['Continue?', 'n']])
    expect(stderr).toContain(words)
  })

  it('so is the answer of a question, also where nothing is confirmed', async () => {
    const {stderr} = await asked(
      ['accounts', 'limit', '-i', '--type', 'credit', '--yes'],
      [
        ['Id of the account', '2001'],
        ['New credit limit', "4'000,5"],
        ['What else?', ''],
      ],
    )
    expect(stderr).toContain("4'000,5 is 4\u202f000.50.")
    expect(await limitNow()).toBe(4000.5)
    const parts = await asked(
      ['a2a', 'create'],
      [
        ['Which of these do you have?', ''],
        ['? From', '2006'],
        ['? To', '2007'],
        ['? Currency', 'EUR'],
        ['? Amount', '4 000.5'],
        ['? Text', ''],
        ['Another one?', 'n'],
        ['Continue?', 'n'],
      ],
    )
    expect(parts.stderr).toContain('4 000.5 is EUR 4\u202f000.50.')
  })

  it('the amount of a transfer is asked about, as a flag and as an answer', async () => {
    const flag = await asked(
      ['a2a', 'create', '--transfer', '2006:2007:6.000:EUR'],
      [
        ['which number is it?', DOWN],
        ['Continue?', 'n'],
      ],
    )
    expect(flag.stderr).toContain('send 1 transfer: EUR 6.00')
    const {stderr} = await asked(
      ['a2a', 'create'],
      [
        ['Which of these do you have?', ''],
        ['From', '2006'],
        ['To', '2007'],
        ['Currency', 'EUR'],
        ['Amount', '6.000'],
        ['which number is it?', `${DOWN}${DOWN}`],
        ['Text', ''],
        ['Another one?', 'n'],
        ['Continue?', 'y'],
      ],
    )
    expect(stderr).toContain('send 1 transfer: EUR 6\u202f000.00')
    // The same line would send the money again.
    expect(stderr).not.toContain('a2a create --transfer')
  })

  it('--yes does not choose a reading', async () => {
    const {code} = await asked(
      [...LIMIT, '6.000', '--type', 'credit', '--yes'],
      [['which number is it?', `${DOWN}${DOWN}`]],
    )
    expect(code).toBe(0)
    expect(await limitNow()).toBe(6000)
  })
})

describe('an imported contract', () => {
  const shop = useShop()
  const paths = {
    '/invoices': {
      post: {
        operationId: 'make',
        parameters: [{name: 'most', in: 'query', schema: {type: 'number'}}],
        requestBody: json({type: 'object', properties: {amount: {type: 'number'}, name: {type: 'string'}}}),
      },
    },
  }

  it.each([
    ['a field', ['-F', 'amount=6.000'], 'The value of amount may mean 6 or 6 000'],
    ['a flag', ['--most', '6.000'], '--most may mean 6 or 6 000'],
  ])('%s may be meant in thousands', async (_, flags, said) => {
    await shop().importPaths(paths)
    const {code, stderr} = await shop().run(['x', 'invoices', 'make', ...flags])
    expect({code, requested: shop().requested()}).toEqual({code: 2, requested: []})
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(said)
  })

  it('takes it with --decimal', async () => {
    await shop().importPaths(paths)
    const flags = ['--most', '6,5', '-F', 'amount=6,000', '-F', 'name=6.000', '--decimal', 'comma']
    const {stdout} = await shop().run(['x', 'invoices', 'make', ...flags, '--dry-run'])
    expect(JSON.parse(stdout)).toMatchObject({
      url: expect.stringContaining('most=6.5'),
      body: {amount: 6, name: '6.000'},
    })
  })
})
