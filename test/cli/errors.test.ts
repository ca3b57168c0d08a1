import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {errorRegistry} from '../../src/errors/registry.ts'
import {type Home, openHome} from '../helpers/cli.ts'

// Neither looks like a card number, so that nothing but not being quoted keeps them out.
const SECRETS = ['hunter2-s3cr3t', '7391', 'eyJhbGciOiJub25lIn0.e30.']

const DOCUMENTED = [
  'code',
  'message',
  'hint',
  'status',
  'requestId',
  'effect',
  'repeatable',
  'commands',
  'idempotencyKey',
  'problem',
  'data',
]

/** Ways to put something in the wrong place. */
const misplaced = (secret: string): readonly (readonly string[])[] => [
  [secret],
  ['cards', secret],
  ['cards', 'get', '3001', secret],
  ['cards', 'get', `--pan=${secret}`],
  ['cards', 'get', '--pan', secret, '3001', '3002'],
  ['cards', 'get', '3001', '-o', secret],
  ['cards', 'get', '3001', `--output=${secret}`],
  ['cards', 'get', '3001', '--api-version', secret],
  ['cards', 'get', '--reference', secret, '--pan-stdin'],
  ['cards', 'list', '--customer', secret, '--account', secret],
  ['cards', 'list', '--customer', '1003', '--page-size', secret],
  ['cards', 'payment-info', '3001', '--show', secret],
  ['pin', 'set', '3001', '--pin', secret],
  ['pin', 'set', '3001', secret],
  ['pin', 'set', `--pin-block-stdin=${secret}`, '--control-id', 'env:HOME'],
  ['pin', 'view', '3001', '--control-id', secret],
  ['accounts', 'patch', '2001', '--type', secret],
  ['accounts', 'patch', '2001', '--type', 'credit', '-F', secret],
  ['accounts', 'patch', '2001', '--type', 'credit', '--data', secret],
  ['accounts', 'patch', '2001', '--type', 'credit', '--data', `{"name": ${secret}`],
  ['accounts', 'update-property', '2001', secret],
  ['a2a', 'create', '--transfer', secret],
  ['api', secret, '/v4/3001'],
  ['api', 'GET', secret],
  ['profiles', 'add', 'p', '--kind', secret],
  ['profiles', 'add', 'p', '--kind', 'test', '--auth', secret],
  [...'profiles add p --kind test --base-url https://h.example --auth bearer --secret'.split(' '), secret],
  [...'profiles add p --kind test --prefix'.split(' '), secret],
  ['wallets', 'provision', '3001', '--wallet', secret],
  ['wallets', 'provision', '3001', '--wallet', 'walleta', '--data', `{"nonceSignature": "${secret}"}`],
  ['api', 'POST', '/v3/set', '-F', `pinBlock=${secret}`],
  ['api', 'POST', '/v3/set', '-f', `pinBlock=${secret}`],
  ['api', 'POST', '/v3/set', '--data', `{"pinBlock": "${secret}"}`],
  ['api', 'POST', '/v4/card/cardnumber', '-f', `cardNumber=${secret}`],
  ['api', 'POST', '/v9/things', '-F', `pin=${secret}`],
  ['api', 'POST', '/v9/things', '-f', `card[0].access_token=${secret}`],
  ['api', 'POST', '/v9/things', '--data', `{"cards": [{"cvv": "${secret}"}]}`],
  ['api', 'GET', `/v9/things?password=${secret}`],
  ['accounts', 'patch', '2001', '--type', 'credit', '--no-check-input', '-F', `pin=${secret}`],
  ['remotecheckout', 'enroll', '--customer', secret],
]

/** Where digits would be a good value. */
const misplacedText = (secret: string): readonly (readonly string[])[] =>
  /^\d+$/.test(secret)
    ? []
    : [
        ['cards', 'get', '3001', '--timeout', secret],
        ['accounts', 'patch', '2001', '--type', 'credit', '-F', `creditLimit=${secret}`],
        ['a2a', 'create', '--transfer', `2006:2007:${secret}:EUR`],
      ]

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

describe.each(SECRETS)('%s in the wrong place', secret => {
  it.each(
    [...misplaced(secret), ...misplacedText(secret)].map(argv => ({
      line: argv.join(' ').replaceAll(secret, 'SECRET'),
      argv,
    })),
  )('$line', async ({argv}) => {
    for (const format of [[], ['--json'], ['--debug']]) {
      const {code, stdout, stderr} = await home.run([...argv, ...format])
      expect(code).toBe(2)
      expect(stdout).toBe('')
      expect(stderr).not.toContain(secret)
      expect(stderr.length).toBeLessThan(format[0] === '--debug' ? 20_000 : 2_000)
    }
  })
})

describe('an error as JSON', () => {
  it.each([
    ['an unknown command', ['bogus'], 'USAGE'],
    ['an unknown command of a topic', ['cards', 'bogus'], 'USAGE'],
    ['a missing argument', ['accounts', 'patch'], 'USAGE'],
    ['an unknown flag', ['cards', 'get', '--bogus'], 'USAGE'],
    ['input outside the contract', ['pricelists', 'patch', '5001', '-F', 'codes=1'], 'CONTRACT_VIOLATION'],
    ['a refusal of the service', ['pricelists', 'delete', '5001', '--yes'], 'REFUSED'],
    ['an unknown id', ['cards', 'get', '9999'], 'NOT_FOUND'],
    ['an unknown profile', ['cards', 'get', '3001', '-p', 'nowhere'], 'PROFILE_NOT_FOUND'],
  ] as const)('%s is one object with documented members', async (_, argv, expected) => {
    for (const format of [['-o', 'json'], ['--json'], ['--output=json'], ['-ojson'], ['-o', 'ndjson']]) {
      const {code, stdout, stderr} = await home.run([...argv, ...format])
      expect(stdout).toBe('')
      expect(stderr.endsWith('\n')).toBe(true)
      const {error, ...others} = JSON.parse(stderr) as {error: Record<string, unknown>}
      expect(others).toEqual({})
      expect(error.code).toBe(expected)
      expect(code).toBe(errorRegistry[expected].exit)
      expect(DOCUMENTED).toEqual(expect.arrayContaining(Object.keys(error)))
      expect(error.message).toBeTypeOf('string')
      expect(error.hint).toBeTypeOf('string')
    }
  })

  it('carries what the service said, unchanged', async () => {
    const {stderr} = await home.run(['pricelists', 'delete', '5001', '--yes', '--json'])
    const {error} = JSON.parse(stderr)
    expect(error).toMatchObject({
      status: 409,
      effect: 'none',
      requestId: expect.stringMatching(/^r_/),
      problem: {status: 409, detail: 'The price list has an active period.'},
    })
  })

  it('is a sentence and a hint without JSON output', async () => {
    const {stderr} = await home.run(['cards', 'get', '3001', '--bogus'])
    expect(stderr).toBe('Error USAGE: There is no flag --bogus.\n  See cardctl cards get --help\n')
  })

  it('does not read a format after --', async () => {
    const {stderr} = await home.run(['cards', 'get', '--', '9999', '--json'])
    expect(stderr).toMatch(/^Error USAGE/)
  })
})
