// What docs/support.md promises of accounts block, unblock, limit, close, and of pin unblock.
import {describe, expect, test} from 'vitest'
import type {Home} from '../helpers/cli.ts'
import {reply} from '../helpers/service.ts'
import {addProfile, errorCode, newHome, newService, writesOf} from './scene.ts'

interface Account {
  readonly status: string
  readonly creditLimit: number
  readonly effects: number
}

const account = (home: Home, id = '2001') => home.json<Account>(['sandbox', 'state', 'show', 'account', id])
const run = (home: Home, line: string, options = {}) => home.run([...line.split(' '), '-o', 'json'], options)

describe('accounts block, unblock, limit and close', () => {
  test.each([
    ['accounts block 2001', {status: 'ACCOUNT_BLOCKED'}],
    ['accounts unblock 2001', {status: 'ACCOUNT_OK'}],
    ['accounts limit 2001 0.30', {creditLimit: 0.3}],
    ['accounts limit 2001 999999999999999', {creditLimit: 999999999999999}],
    ['accounts limit 2001 0', {creditLimit: 0}],
    ['accounts close 2001', {status: 'ACCOUNT_TO_CLOSE'}],
  ])('%s sends one field and nothing else', async (line, body) => {
    const home = await newHome()
    const seen = await run(home, `${line} --type credit --dry-run`)
    expect(JSON.parse(seen.stdout)).toMatchObject({method: 'PATCH', body})
    expect(Object.keys(JSON.parse(seen.stdout).body)).toEqual(Object.keys(body))
  })

  test.each([
    '5,000',
    '5000,50',
    '5k',
    '1e3',
    '0x10',
    '5.',
    '.5',
    '٥٠٠٠',
    '1234567890123456',
    'NaN',
    'null',
    '-1',
  ])('a limit of %s is refused, and nothing is sent', async amount => {
    const home = await newHome()
    const seen = await home.run(['accounts', 'limit', '2001', '--type', 'credit', '--', amount])
    expect(seen.code).toBe(2)
    expect(await account(home)).toMatchObject({creditLimit: 5000, effects: 0})
  })

  test('closing is never covered by --yes, and each other confirmation closes nothing', async () => {
    const home = await newHome()
    for (const more of [
      '',
      '--yes',
      '--confirm 2001',
      '--confirm ACCOUNT_CLOSED',
      '--confirm account_to_close --yes',
    ]) {
      const seen = await run(home, `accounts close 2001 --type credit ${more}`.trim())
      expect(seen.code).toBe(2)
    }
    expect(await account(home)).toMatchObject({status: 'ACCOUNT_OK', effects: 0})
  })

  test('take the type from no change that was refused, from none of another account, and from none of another service', async () => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    await run(home, 'accounts block 2002 --type credit')
    await run(home, 'accounts block 2001 --type credit -p staging')
    await run(home, 'accounts block 2003 --type prepaid --dry-run')
    for (const id of ['2001', '2002', '2003']) {
      const seen = await run(home, `accounts unblock ${id}`)
      expect([id, seen.code, errorCode(seen)]).toEqual([id, 2, 'USAGE'])
    }
  })

  test('a type on the line wins over the one of an earlier change', async () => {
    const home = await newHome()
    await run(home, 'accounts block 2001 --type credit')
    const seen = await run(home, 'accounts unblock 2001 --type debit --dry-run')
    expect(JSON.parse(seen.stdout).url).toContain('/v4/DEBIT/2001')
  })

  test('are undone by requests undo, but not the closing', async () => {
    const home = await newHome()
    await run(home, 'accounts limit 2001 6000 --type credit')
    await run(home, 'accounts limit 2001 7000')
    await run(home, 'requests undo --yes')
    expect(await account(home)).toMatchObject({creditLimit: 6000})
    await run(home, 'accounts block 2001')
    await run(home, 'accounts close 2001 --confirm ACCOUNT_TO_CLOSE')
    const refused = await run(home, 'requests undo --yes')
    expect([refused.code, errorCode(refused)]).toEqual([2, 'CANNOT_UNDO'])
  })
})

describe('pin unblock', () => {
  const wrongPin = 'sandbox authorize --card 3001 --amount 5 --currency EUR -F wrongPin=true'
  const tries = async (home: Home) =>
    (await home.json<{pinAttempts: {counter: number}}>(['cards', 'get', '3001'])).pinAttempts.counter

  test('does nothing if the PIN is not blocked, also after two wrong tries', async () => {
    const home = await newHome()
    await run(home, wrongPin)
    await run(home, wrongPin)
    const seen = await run(home, 'pin unblock 3001 --yes', {stdin: '8253\n'})
    expect(seen.code).toBe(2)
    expect(await tries(home)).toBe(2)
    expect(await home.json(['requests', 'list', '--operation', 'pin'])).toEqual([])
    expect((await home.run(['pin', 'view', '3001', '--reveal', '--yes'])).stdout).toContain('1234')
  })

  test('resets the tries with a new PIN, which is in no output and not in the journal', async () => {
    const home = await newHome()
    for (let n = 0; n < 3; n++) await run(home, wrongPin)
    const seen = await run(home, 'pin unblock 3001 --yes --debug', {stdin: '8253\n'})
    expect(seen.code).toBe(0)
    expect(seen.stdout + seen.stderr).not.toContain('8253')
    expect(await tries(home)).toBe(0)
    expect((await home.run(['requests', 'show', 'last', '-o', 'json'])).stdout).not.toContain('8253')
    expect((await home.run(['pin', 'view', '3001', '--reveal', '--yes'])).stdout).toContain('8253')
  })

  test('reads no PIN on a live profile', async () => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'prod', 'live', service.url)
    const seen = await run(home, 'pin unblock 3001 --yes -p prod', {stdin: '8253\n'})
    expect(seen.code).not.toBe(0)
    expect(writesOf(service)).toEqual([])
  })

  test('a card that cannot be read gets no new PIN', async () => {
    const home = await newHome()
    const service = await newService(({method}) => (method === 'GET' ? reply(500, {}) : undefined))
    await addProfile(home, 'staging', 'test', service.url)
    const seen = await run(home, 'pin unblock 3001 --yes -p staging', {stdin: '8253\n'})
    expect(seen.code).not.toBe(0)
    expect(writesOf(service)).toEqual([])
  })
})
