// Card numbers and other secrets on the command line are refused; what only looks like one, and may, is not.
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

const PATCH = 'accounts patch 2001 --type credit'.split(' ')
const AUTHORISE = 'sandbox authorize --card 3001 --amount 1 --currency EUR'.split(' ')

/** Published test numbers: 16, 15 and 13 digits. */
const PANS = ['4111111111111111', '378282246310005', '4222222222222', '4111 1111 1111 1111']
/** Passes Luhn, as references of payments do by construction. */
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

it('the way to look a card up by its number is named', async () => {
  expect((await home.run(['cards', 'get', '4111111111111111'])).stderr).toContain('cards get --pan-stdin')
})

it.each([
  ['one digit less than a card number has', ['cards', 'get', '411111111117']],
  ['one digit more', ['cards', 'get', '41111111111111111116']],
  ['a wrong check digit', ['cards', 'get', '4111111111111112']],
])('an id with %s is an id', async (_, argv) => {
  expect((await home.run(argv)).code).toBe(5)
})

it.each([
  [['cards', 'get', '--reference', REFERENCE]],
  [['api', 'GET', `/v4/reference/${REFERENCE}`]],
  [['api', 'GET', `/v9/payments?paymentReference=${REFERENCE}`]],
  [['api', 'POST', '/v9/payments', '-F', `paymentReference.number=${REFERENCE}`]],
  [[...PATCH, '-F', `paymentReference.reference=${REFERENCE}`, '--no-validate']],
  [[...PATCH, '-F', `paymentReference.reference=x ${REFERENCE}`, '--no-validate']],
  [[...AUTHORISE, '-F', `merchant.id=${REFERENCE}`]],
  [[...AUTHORISE, '-F', `transactionId=${REFERENCE}`]],
  [['a2a', 'create', '--transfer', `2006:2007:1:EUR:${REFERENCE}`]],
  [['a2a', 'create', '--transfer', '2006:2007:1:EUR', '--description', REFERENCE]],
])('a reference is none: %j', async argv => {
  const {code, stderr} = await home.run([...argv, '--dry-run'])
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
