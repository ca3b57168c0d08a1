import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {exitOf} from '../../src/errors/registry.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Entry {
  readonly at: string
  readonly kind: string
  readonly did: string
  readonly operation: string
  readonly resources: readonly string[]
  readonly osUser?: string
  readonly profile: string
  readonly state: string
  readonly request?: string
  readonly sent?: object
  readonly before?: object
  readonly fields?: readonly string[]
}

const history = (...words: string[]) => home.json<Entry[]>(['history', ...words])
const operations = (entries: readonly Entry[]) => entries.map(({operation, kind}) => `${operation} ${kind}`)
const limit = (amount: string, ...more: string[]) =>
  home.run(['accounts', 'limit', '2001', amount, '--type', 'credit', ...more])

describe('the history of an account', () => {
  test('has what was sent, and what was sent before', async () => {
    await limit('5000')
    await limit('6000', '--ticket', 'T-1', '--note', 'Asked by phone', '--audit-user', 'aino')
    await home.run(['accounts', 'block', '2002', '--type', 'debit'])
    const [newer, older, ...rest] = await history('account', '2001')
    expect(newer).toMatchObject({
      did: 'change the limit of credit account 2001: 5\u202f000 → 6\u202f000',
      sent: {creditLimit: 6000},
      before: {creditLimit: 5000},
      auditUser: 'aino',
      osUser: 'tester',
      profile: 'sandbox',
      state: 'done',
      ticket: 'T-1',
      note: 'Asked by phone',
    })
    expect(older).not.toHaveProperty('before')
    expect(rest).toEqual([])
    expect(await history('account', '2002')).toMatchObject([{did: 'block debit account 2002'}])
    const {stdout} = await home.run(['history', 'account', '2001'])
    expect(stdout).toContain('creditLimit  6\u202f000 (last sent from here: 5\u202f000)')
    expect(stdout).toContain('aino (tester) on sandbox')
  })

  test('has refusals with their reason, which changed nothing', async () => {
    await limit('5000')
    await home.run(['accounts', 'limit', '2001', '7000', '--type', 'fleet'])
    const [refused] = await history('account', '2001')
    expect(refused).toMatchObject({state: 'refused', said: expect.stringContaining('not of type')})
    expect(refused).not.toHaveProperty('before')
  })

  test('has everything for a program, and the newest 30 entries on a terminal', async () => {
    for (let amount = 1; amount <= 32; amount++) await limit(String(amount))
    expect(await history('account', '2001')).toHaveLength(32)
    const {stdout, stderr} = await home.run(['history', 'account', '2001', '-o', 'json'], {columns: 80})
    expect(JSON.parse(stdout)).toHaveLength(30)
    expect(JSON.parse(stderr)).toMatchObject({note: {complete: false, reason: 'FIRST_PAGE'}})
  })

  test('ends at --limit, and says so', async () => {
    for (const amount of ['1', '2', '3']) await limit(amount)
    const {stdout, stderr} = await home.run(['history', 'account', '2001', '--limit', '2', '-o', 'ndjson'])
    expect(
      stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).sent),
    ).toEqual([{creditLimit: 3}, {creditLimit: 2}])
    expect(JSON.parse(stderr)).toMatchObject({note: {code: 'MORE_RESULTS', reason: 'LIMIT'}})
    expect((await home.run(['history', 'account', '2001', '--limit', '3'])).stderr).not.toContain('older')
  })

  test('goes back as far as --since', async () => {
    const now = Date.now()
    await home.run(['accounts', 'limit', '2001', '1', '--type', 'credit'], {now: () => now - 7_200_000})
    await limit('2')
    expect(await history('account', '2001', '--since', '1h')).toMatchObject([{sent: {creditLimit: 2}}])
    expect(await history('account', '2001', '--since', '3h')).toHaveLength(2)
  })

  test('is nothing for another id, and for the same id of another kind', async () => {
    await limit('1')
    expect(await history('account', '2')).toEqual([])
    expect(await history('card', '2001')).toEqual([])
    expect((await home.run(['history', 'card', '2001'])).stdout).toBe(
      'This machine has no record of a change or disclosure.\n',
    )
  })
})

describe('the history of a card', () => {
  test('has what was done to its PIN and plastics, and reveals', async () => {
    await home.run(['pin', 'set', '3004'], {stdin: '8253\n'})
    await home.run(['pin', 'view', '3004', '--reveal', '--yes'])
    await home.run(['pincontrol', 'create', '7004', '--scope', 'set'])
    await home.run(['pincontrol', 'create', '7005', '--scope', 'set'])
    expect(operations(await history('card', '3004'))).toEqual([
      'pincontrol.create.v2 disclose',
      'pin.view.v3 reveal',
      'pin.view.v3 disclose',
      'pincontrol.create.v2 disclose',
      'pin.set.v3 write',
      'pin.tzpk.v3 disclose',
      'pincontrol.create.v2 disclose',
    ])
    const {stdout} = await home.run(['history', 'card', '3004'])
    expect(stdout).toContain('show to a person: the PIN')
    expect(stdout).not.toContain('8253')
  })

  test('has a control id of its plastic, although the request did not name the card', async () => {
    await home.run(['pincontrol', 'create', '7004', '--scope', 'set'])
    expect(operations(await history('card', '3004'))).toEqual(['pincontrol.create.v2 disclose'])
    expect(await history('card', '3004', '--local')).toEqual([])
    expect(await history('card', '3005')).toEqual([])
  })
})

describe('the history of a customer', () => {
  test('has what was done to all its cards and accounts, their PINs and plastics, newest first', async () => {
    await limit('5000')
    await home.run(['pin', 'set', '3004'], {stdin: '8253\n'})
    await home.run(['pincontrol', 'create', '7002', '--scope', 'set'])
    await home.run(['remotecheckout', 'enroll', '--customer', '1001', '--card', '3001'])
    // Of customer 1002.
    await home.run(['cards', 'control-token', '3003'])
    await home.run(['pincontrol', 'create', '7003', '--scope', 'set'])
    await home.run(['accounts', 'block', '2003', '--type', 'debit'])
    const entries = await history('customer', '1001')
    expect(operations(entries)).toEqual([
      'remotecheckout.enrollCustomer.v1 write',
      'pincontrol.create.v2 disclose',
      'pin.set.v3 write',
      'pin.tzpk.v3 disclose',
      'pincontrol.create.v2 disclose',
      'accounts.patchCredit.v4 write',
    ])
    expect(operations(await history('customer', '1001', '--local'))).toEqual([
      'remotecheckout.enrollCustomer.v1 write',
    ])
    const {stdout} = await home.run(['history', 'customer', '1001'], {columns: 40})
    expect(stdout).toContain('creditLimit  5\u202f000')
    expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(40)
  })

  test('has cards of all pages', async () => {
    await home.run(['cards', 'control-token', '3135'])
    expect(operations(await history('customer', '1003'))).toEqual(['cards.controlToken.v4 disclose'])
  })

  test('has only what the journal knows if the service does not respond, and says so', async () => {
    await home.run(['remotecheckout', 'enroll', '--customer', '1001', '--card', '3001'])
    await limit('1')
    await home.run(['sandbox', 'faults', 'add', '--operation', 'cards.listByCustomer.v4', '--status', '500'])
    const {code, stdout, stderr} = await home.run(['history', 'customer', '1001', '-o', 'csv'])
    expect({code, rows: stdout.trim().split('\n').length}).toEqual({code: exitOf('LIST_INCOMPLETE'), rows: 2})
    expect(stderr).toMatch(/Could not read the cards of the customer: .*only what the journal knows/)
  })
})

test('the history of a batch is what made it, and not other transfers of its accounts', async () => {
  const send = (amount: string) => ['a2a', 'create', '--transfer', `2006:2007:${amount}:EUR`, '--yes']
  const [{id} = {id: ''}] = await home.json<{id: string}[]>(send('12.50'))
  await home.json(send('13'))
  expect(await history('batch', id)).toMatchObject([
    {operation: 'a2a.create.v1', did: 'send transfers from 2006 to 2007'},
  ])
})

describe('a service with several profiles', () => {
  const add = (name: string) =>
    home.run([
      'profiles',
      'add',
      name,
      '--kind',
      'sandbox',
      '--base-url',
      'http://127.0.0.1:9',
      '--auth',
      'none',
    ])

  test('has one history, which -p restricts, and other services have their own', async () => {
    for (const name of ['one', 'two']) expect((await add(name)).code).toBe(0)
    for (const name of ['one', 'two', 'sandbox']) await limit('1', '-p', name)
    const profiles = async (env: Record<string, string>, ...words: string[]) =>
      (await home.json<Entry[]>(['history', 'account', '2001', ...words], {env})).map(({profile}) => profile)
    expect(await profiles({CARDCTL_PROFILE: 'one'})).toEqual(['two', 'one'])
    expect(await profiles({CARDCTL_PROFILE: 'one'}, '-p', 'two')).toEqual(['two'])
    expect(await profiles({})).toEqual(['sandbox'])
  })

  test('says that other profiles changed it, and shows that on demand', async () => {
    for (const name of ['one', 'two']) await add(name)
    await limit('1', '-p', 'one')
    const {stdout, stderr} = await home.run(['history', 'account', '2001', '-p', 'two'])
    expect(stdout).toBe('Nothing was done to it with profile two.\n')
    expect(stderr).toContain('Other profiles of this service have 1 more.')
    expect(stderr).toContain('cardctl history account 2001 --all-profiles -p two')
    expect(await history('account', '2001', '-p', 'two', '--all-profiles')).toMatchObject([{profile: 'one'}])
  })
})

test('what the journal no longer has is told by the audit trail, once', async () => {
  await limit('1')
  await limit('2')
  const journal = join(home.folder, '.local/share/cardctl/journal')
  const before = await history('account', '2001')
  rmSync(journal, {recursive: true})
  await home.run(['accounts', 'limit', '2001', '3', '--type', 'credit'])
  const after = await history('account', '2001')
  expect(after.map(({request}) => request)).toEqual([
    after[0]?.request,
    ...before.map(({request}) => request),
  ])
  expect(after[1]).toMatchObject({fields: ['creditLimit'], did: 'change credit account 2001'})
})

test('a finding about an unknown effect does not make two entries of one request', async () => {
  await home.run(['sandbox', 'faults', 'add', '--operation', 'accounts.patchCredit.v4', '--drop', 'after'])
  await limit('1')
  await home.run(['sandbox', 'faults', 'clear', '--yes'])
  const [{request} = {request: ''}] = await history('account', '2001')
  const found = ['--found', 'effect', '--because', 'Asked them', '--yes']
  expect((await home.run(['requests', 'resolve', request ?? '', ...found])).code).toBe(0)
  expect(await history('account', '2001')).toMatchObject([{request, state: 'done'}])
})

describe('a PIN that is set', () => {
  test('is one entry for people, and each of its requests elsewhere and on demand', async () => {
    await home.run(['pin', 'set', '3004', '--yes'], {stdin: '8253\n'})
    await home.run(['pin', 'set', '3004', '--yes'], {stdin: '2846\n'})
    await home.run(['cards', 'control-token', '3004'])
    const heads = async (...flags: string[]) => {
      const {stdout} = await home.run(['history', 'card', '3004', ...flags])
      return stdout.split('\n').filter(line => /^\d{4}-\d\d-\d\d \d\d:\d\d /.test(line))
    }
    const short = await heads()
    expect(short).toHaveLength(3)
    expect(short[1]).toMatch(/set the PIN {2}done$/)
    expect(await heads('--limit', '2')).toEqual(short.slice(0, 2))
    expect(await heads('--steps')).toHaveLength(7)
    const all = await history('card', '3004')
    expect(all).toHaveLength(7)
    const exchanges = Map.groupBy(all, entry => (entry as {exchange?: string}).exchange)
    expect([...exchanges.values()].map(({length}) => length)).toEqual([1, 3, 3])
    const {stdout} = await home.run(['report', 'shift'], {columns: 120})
    expect(stdout.match(/set the PIN/g)).toHaveLength(2)
    expect(stdout).not.toContain('create a control id')
  })
})
