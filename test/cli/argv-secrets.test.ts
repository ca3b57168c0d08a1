// Card numbers and other secrets on the command line are refused; what only looks like one, and may, is not.
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {Program} from '../../src/cli/program.ts'
import {type Home, openHome} from '../helpers/cli.ts'

const PATCH = 'accounts patch 2001 --type credit'.split(' ')
const AUTHORISE = 'sandbox authorize --card 3001 --amount 1 --currency EUR'.split(' ')

/** Published test numbers: 16, 15 and 13 digits. */
const PANS = [
  '4111111111111111',
  '378282246310005',
  '4222222222222',
  '4111 1111 1111 1111',
  '4111/1111/1111/1111',
]
/** A reference may pass Luhn by construction and begin as a card number does. */
const REFERENCE = '5555555555554444'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

async function expectRefused(argv: readonly string[], secret: string): Promise<void> {
  const {code, stdout, stderr} = await home.run(argv)
  expect({code, stdout}).toEqual({code: 2, stdout: ''})
  expect(stderr).toContain('Error SENSITIVE_IN_ARGV: ')
  expect(stderr).not.toContain(secret)
}

describe.each(PANS)('%s', pan => {
  it.each([
    [['cards', 'get', pan]],
    [['cards', 'list', '--customer', pan]],
    [['accounts', 'patch', pan, '--type', 'credit', '-F', 'creditLimit=1']],
    [[...PATCH, '-F', 'creditLimit=1', '--note', `see ${pan}`]],
    [['api', 'GET', `/v4/${encodeURIComponent(pan)}`]],
    [['api', 'GET', `/v9/things/${encodeURIComponent(pan)}`]],
    [['api', 'GET', `/v9/things?number=${encodeURIComponent(pan)}`]],
    [['api', 'POST', '/v9/things', '-F', `number=${pan}`]],
    [['api', 'POST', '/v9/things', '-f', `numbers[0]=${pan}`]],
    [['api', 'POST', '/v9/things', '--data', `{"numbers": ["${pan}"]}`]],
  ])('is refused in %j', argv => expectRefused(argv, pan))
})

describe.each(PANS)('%s among words', pan => {
  it.each([
    [[...AUTHORISE, '-F', `merchant.name=Kiosk ${pan}`]],
    [[...AUTHORISE, '-f', `merchant.city=${pan}`]],
    [
      [
        'sandbox',
        'authorizations',
        'clear',
        '--card',
        '3001',
        '--amount',
        '1',
        '--currency',
        'EUR',
        '-F',
        `merchant.name=x ${pan}`,
      ],
    ],
    [[...PATCH, '-F', `address.address1=c/o ${pan}`]],
    [[...PATCH, '--data', `{"address": {"city": "x ${pan}"}}`]],
  ])('is refused in %j', argv => expectRefused([...argv, '--dry-run'], pan))
})

it.each(['password', 'access_token', 'PIN'])('%s in a query is refused, whatever its value', async name => {
  await expectRefused(['api', 'GET', `/v9/things?size=1&${name}=hunter-two`], 'hunter-two')
})

it('the hint says where the value is now, how to look up cards and how to pass a reference', async () => {
  const {stderr} = await home.run(['cards', 'get', '4111111111111111'])
  expect(stderr).toContain("in your shell's history")
  expect(stderr).toContain('cards get --pan-stdin')
  expect(stderr).toContain('--not-a-card-number')
})

it('is refused in every argument and flag of every command, before the command is loaded', async () => {
  const {commands} = new Program({root: '', argv: [], surroundings: {} as never}, {})
  const lines = commands.flatMap(({id, args, flags}) => {
    const words = id.split(':')
    const valued = Object.values(flags).filter(({type}) => type === 'option')
    return [
      ...Object.keys(args).map((_, at) => [...words, ...Array(at).fill('1'), 'card 4111 1111 1111 1111']),
      ...valued.flatMap(({name, char}) => [
        [...words, `--${name}`, 'x4111111111111111'],
        [...words, `--${name}=4111-1111-1111-1111`],
        ...(char === undefined ? [] : [[...words, `-${char}4111111111111111`]]),
      ]),
      [...words, '--', '4111111111111111'],
    ]
  })
  expect(lines.length).toBeGreaterThan(1500)
  for (const argv of lines) {
    const {code, stdout, stderr} = await home.run(argv)
    expect({argv, code, stdout}).toEqual({argv, code: 2, stdout: ''})
    expect(stderr).toContain('Error SENSITIVE_IN_ARGV: ')
    expect(stderr.replaceAll(/\D/g, '')).not.toContain('4111')
  }
})

it.each([
  [['cards', 'get', '4111', '1111', '1111', '1111']],
  [['cards', 'get', '4111.1111.1111.1111']],
  [['cards', 'get', '４１１１１１１１１１１１１１１１']],
  [['cards', 'get', '4111\u200b1111\u200b1111\u200b1111']],
  [['cards', 'get', '4111\u20091111\u20091111\u20091111']],
  [['cards', 'get', '4111\u22121111\u22121111\u22121111']],
  [['cards', 'get', '411111111111111112291']],
  [['cards', 'get', '00004111111111111111']],
  [['api', 'GET', '/v9/%34%31%31%31%31%31%31%31%31%31%31%31%31%31%31%31']],
  [['api', 'GET', '/v9?q=4111+1111+1111+1111']],
  [['api', 'POST', '/v9', '--data', '{"x": "\\u0034111111111111111"}']],
  [['no', 'such', 'command', '4111111111111111']],
  [['4111111111111111']],
  [['cards', 'get', '3001', '--no-such-flag=4111111111111111']],
])('is refused however it is written: %j', argv => expectRefused(argv, '1111'))

it.each([
  [
    'a reference outside of the ranges of card networks',
    ['cards', 'get', '--reference', '900000000003001'],
    0,
  ],
  ['a UUID', ['cards', 'get', '41111111-1111-1111-a111-111111111111'], 5],
  ['milliseconds since 1970', ['cards', 'get', '1732240107126'], 5],
  ['nanoseconds since 1970', ['cards', 'get', '1732240107123456787'], 5],
  ['a date and a time', ['cards', 'get', '20241122-014827-1234567'], 5],
  [
    'a long amount',
    ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=1234567890.15', '--dry-run'],
    0,
  ],
])('%s is let through', async (_, argv, wanted) => {
  const {code, stderr} = await home.run(argv)
  expect(stderr).not.toContain('SENSITIVE_IN_ARGV')
  expect(code).toBe(wanted)
})

it('--not-a-card-number counts as a flag only', async () => {
  await expectRefused(['cards', 'get', '4111111111111111', '--', '--not-a-card-number'], '4111')
  expect((await home.run(['cards', 'get', '4111111111111111', '--not-a-card-number'])).code).toBe(5)
})

it.each([
  ['one digit less than a card number has', ['cards', 'get', '411111111117']],
  ['more digits, in which no number stands at either end', ['cards', 'get', '99941111111111111111999']],
  ['a wrong check digit', ['cards', 'get', '4111111111111112']],
])('an id with %s is an id', async (_, argv) => {
  expect((await home.run(argv)).code).toBe(5)
})

it.each([
  [['cards', 'get', '--reference', REFERENCE]],
  [['api', 'GET', `/v4/reference/${REFERENCE}`]],
  [['api', 'GET', `/v9/payments?paymentReference=${REFERENCE}`]],
  [['api', 'POST', '/v9/payments', '-F', `paymentReference.number=${REFERENCE}`]],
  [[...PATCH, '-F', `paymentReference.reference=${REFERENCE}`, '--no-check-input']],
  [[...PATCH, '-F', `paymentReference.reference=x ${REFERENCE}`, '--no-check-input']],
  [[...AUTHORISE, '-F', `merchant.id=${REFERENCE}`]],
  [[...AUTHORISE, '-F', `transactionId=${REFERENCE}`]],
  [['a2a', 'create', '--transfer', `2006:2007:1:EUR:${REFERENCE}`]],
  [['a2a', 'create', '--transfer', '2006:2007:1:EUR', '--description', REFERENCE]],
])('a reference is let through by --not-a-card-number: %j', async argv => {
  await expectRefused([...argv, '--dry-run'], REFERENCE)
  const {code, stderr} = await home.run([...argv, '--dry-run', '--not-a-card-number'])
  expect({code, stderr}).toMatchObject({code: 0, stderr: expect.not.stringContaining('Error')})
})

it.each(['-', '@'])('a body from --data %s may hold what a command line may not', async from => {
  const body = '{"pin": "7391", "cards": ["4111111111111111"]}'
  const file = `${home.folder}/body.json`
  await (await import('node:fs/promises')).writeFile(file, body)
  const data = from === '@' ? `@${file}` : '-'
  const {code, stdout} = await home.run(['api', 'POST', '/v9/things', '--data', data, '--dry-run'], {
    stdin: body,
  })
  expect(code).toBe(0)
  expect(JSON.parse(stdout).body).toEqual({pin: '[masked]', cards: ['[masked]']})
})
