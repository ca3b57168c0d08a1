import fc from 'fast-check'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {typedNumber} from '../../src/money/decimal-sign.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const account = (id: string) =>
  home.json<{status: string; creditLimit?: number; reason?: string}>([
    'sandbox',
    'state',
    'show',
    'account',
    id,
  ])
const run = (line: string) => home.run(line.split(' '))
const operations = async () =>
  (await home.json<{operation: string}[]>(['requests', 'list'])).map(({operation}) => operation)

describe('accounts block, unblock, limit and close', () => {
  test('change the status and the limit', async () => {
    expect((await run('accounts block 2001 --type credit --reason Lost')).stdout).toBe(
      'Account 2001 updated\n reason  Lost\n status  ACCOUNT_BLOCKED\n',
    )
    expect(await account('2001')).toMatchObject({status: 'ACCOUNT_BLOCKED', reason: 'Lost'})
    expect((await run('accounts unblock 2001 --type credit')).stdout).toContain(
      'status  ACCOUNT_OK (last sent from here: ACCOUNT_BLOCKED)',
    )
    expect(await account('2001')).toMatchObject({status: 'ACCOUNT_OK'})
    expect((await run('accounts limit 2001 7500.50 --type credit')).code).toBe(0)
    expect(await account('2001')).toMatchObject({creditLimit: 7500.5})
  })

  test('take the type of the account from an earlier change', async () => {
    await run('accounts block 2005 --type MULTICURR_EUR_FI')
    const {code, stderr} = await run('accounts unblock 2005')
    expect({code, stderr}).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/of type MULTICURR_EUR_FI, as in request r_/),
    })
    expect(await account('2005')).toMatchObject({status: 'ACCOUNT_OK'})
  })

  test('do not take it from a change that the service refused', async () => {
    await run('accounts block 2006 --type credit')
    const {code, stderr} = await run('accounts block 2006')
    expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('Add --type')})
    expect(await account('2006')).toMatchObject({status: 'ACCOUNT_OK'})
  })

  test('ask for the type on a terminal', async () => {
    const {code, stderr} = await home.run(['accounts', 'block', '2001'], {
      typed: [
        ['Type of account 2001', ''],
        ['Continue?', 'y'],
      ],
    })
    expect({code, stderr}).toMatchObject({code: 0})
    expect(await operations()).toEqual(['accounts.patchCredit.v4'])
  })

  test('closing needs the same confirmation as the field', async () => {
    const {code, stderr} = await run('accounts close 2001 --type credit --yes')
    expect({code, stderr}).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--confirm ACCOUNT_TO_CLOSE'),
    })
    expect((await run('accounts close 2001 --type credit --confirm ACCOUNT_TO_CLOSE')).code).toBe(0)
    expect(await account('2001')).toMatchObject({status: 'ACCOUNT_TO_CLOSE'})
  })

  test('show the request without sending it', async () => {
    const {stdout} = await run('accounts limit 2001 5000.00 --type credit --dry-run')
    expect(JSON.parse(stdout)).toMatchObject({method: 'PATCH', body: {creditLimit: 5000}})
    expect(await operations()).toEqual([])
  })

  test('refuse a credential in the reason, as accounts patch does', async () => {
    const secret = `Bearer ${'eyJhbGciOiJIUzI1NiJ9'}.${'eyJzdWIiOiIxMjM0In0'}.${'c2lnbmF0dXJlLW9mLWl0'}`
    const {code, stderr} = await home.run([
      'accounts',
      'block',
      '2001',
      '--type',
      'credit',
      '--reason',
      secret,
    ])
    expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('SENSITIVE_IN_ARGV')})
    expect(stderr).not.toContain('eyJzdWIi')
  })
})

describe('an amount', () => {
  test('is what it says', () => {
    fc.assert(
      fc.property(fc.nat(9_999_999), fc.option(fc.integer({min: 0, max: 99})), (whole, cents) => {
        const fraction = cents === null ? '' : `.${String(cents).padStart(2, '0')}`
        expect(typedNumber(`${whole}${fraction}`, 'AMOUNT', {})).toBe(`${whole}${fraction}`)
      }),
    )
  })

  test.each(['5,000', '5.000.00', '5 000', '6k', '', '1e5', '0x10', '5.', '1234567890123456'])(
    '%s is refused',
    text => {
      expect(() => typedNumber(text, 'AMOUNT', {})).toThrow(expect.objectContaining({code: 'USAGE'}))
    },
  )
})

describe('pin unblock', () => {
  const tries = async () =>
    (await home.json<{pinAttempts: {counter: number}}>(['cards', 'get', '3001'])).pinAttempts.counter

  test('sets a new PIN and shows what that did to the wrong tries', async () => {
    await home.run(['sandbox', 'state', 'set', 'card', '3001', '-F', 'pinAttempts.counter=3'])
    const {code, stdout, stderr} = await home.run(['pin', 'unblock', '3001'], {stdin: '8253\n'})
    expect({code, stderr}).toMatchObject({code: 0, stderr: expect.stringContaining('A new PIN does.')})
    expect(stdout).toMatch(/^PIN of card 3001 set, plastic \d+\n wrong tries {2}3 of 3 -> 0 of 3\n$/)
    expect(await tries()).toBe(0)
    expect(stdout + stderr).not.toContain('8253')
  })

  test('does nothing for a PIN that is not blocked', async () => {
    const {code, stderr} = await home.run(['pin', 'unblock', '3001'], {stdin: '8253\n'})
    expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('0 of 3 wrong tries')})
    expect(stderr).toContain('cardctl pin set 3001 -p sandbox')
    expect(await operations()).toEqual([])
  })
})
