// What the contract commands say of dialects: show lists one, check proves it.
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {ServiceCheck} from '../../src/commands/contract/shared/check-service.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {openHarbour} from '../dialect/harbour.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {reply} from '../helpers/service.ts'

const HARBOUR = fileURLToPath(new URL('../../examples/dialects/harbour.yaml', import.meta.url))

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

interface Shown {
  dialect: string
  operations: {
    id: string
    state: string
    cannot: string | null
    requests: {request: string; input: {ours: string; theirs: string}[]; output: {ours: string}[]}[]
    unplaced: {request: string[]; result: string[]}
  }[]
}

describe('contract show --dialect', () => {
  const show = (...words: string[]) => home.json<Shown>(['contract', 'show', '--dialect', HARBOUR, ...words])

  test('has every operation of the contract, once', async () => {
    const shown = await show()
    const all = Object.values(operations).filter(({group}) => group !== 'sandbox')
    expect(shown.operations.map(({id}) => id)).toEqual(all.map(({id}) => id))
    const of = (wanted: string) => shown.operations.find(({id}) => id === wanted)
    expect(of('cards.get.v3')).toMatchObject({state: 'unsaid', requests: []})
    expect(of('pricelists.delete.v1')).toMatchObject({state: 'cannot', cannot: 'it has no price lists'})
  })

  test('says where members are, deep in lists, and which have no place', async () => {
    const [only, ...others] = (await show('accounts.patchCredit.v4')).operations
    expect(others).toEqual([])
    expect(only?.requests.map(({request}) => request)).toEqual([
      'POST /accounts/{account_id}/state',
      'PUT /accounts/{account_id}/limits',
      'PATCH /accounts/{account_id}',
    ])
    expect(only?.requests[1]?.input).toContainEqual({
      ours: '/usageLimits/*/values/*/sumAmount',
      theirs: '/limits/*/by_channel/*/total_minor',
      as: 'minor',
    })
    expect(only?.unplaced.request).toContain('/customerId')
    expect(only?.unplaced.request).not.toContain('/status')
    expect(only?.unplaced.request).not.toContain('/usageLimits/*/code')
  })

  test('takes a command as well, and the dialect of the profile', async () => {
    const at = ['--base-url', 'http://127.0.0.1:9', '--auth', 'none', '--audit-user', 'tester']
    await home.run(['profiles', 'add', 'harbour', '--kind', 'test', ...at, '--dialect', HARBOUR])
    const shown = await home.json<Shown>(['contract', 'show', '--dialect', 'cards', 'get', '-p', 'harbour'])
    expect(shown.operations.map(({id}) => id)).toContain('cards.get.v4')
    expect(shown.operations.map(({id}) => id)).not.toContain('cards.listByAccount.v4')
  })

  test('refuses a profile without a dialect, and an operation that there is not', async () => {
    const none = await home.run(['contract', 'show', '--dialect'])
    expect(none).toMatchObject({code: 2, stderr: expect.stringContaining('has no dialect')})
    const near = await home.run(['contract', 'show', '--dialect', HARBOUR, 'cards.get.v5'])
    expect(near).toMatchObject({code: 5, stderr: expect.stringContaining('Did you mean cards.get')})
  })
})

describe('contract check of a dialect', () => {
  let harbour: Awaited<ReturnType<typeof openHarbour>>
  beforeAll(async () => {
    harbour = await openHarbour()
    const at = ['--base-url', harbour.url, '--auth', 'none', '--audit-user', 'tester', '--dialect', HARBOUR]
    await home.run(['profiles', 'add', 'there', '--kind', 'test', ...at])
    await home.run(['profiles', 'add', 'none', '--kind', 'test', ...at.slice(0, -2)])
  })
  afterAll(() => harbour.close())

  const check = async (...argv: string[]): Promise<ServiceCheck> =>
    JSON.parse((await home.run(['contract', 'check', '-p', 'there', '-o', 'json', ...argv])).stdout)
  const of = ({operations: all}: ServiceCheck, wanted: string) => all.find(({id}) => id === wanted)
  const written = async (name: string, text: string): Promise<string> => {
    const file = join(home.folder, name)
    await writeFile(file, text, {mode: 0o600})
    return file
  }
  /** A dialect that says something else in one place. */
  const bent = async (from: string, to: string): Promise<string> => {
    const text = await readFile(HARBOUR, 'utf8')
    expect(text).toContain(from)
    return written('bent.yaml', text.replaceAll(from, to))
  }

  test('reads with the ids it finds, and says why the rest is not checked', async () => {
    const report = await check('--card', 'crd_3001')
    expect(report).toMatchObject({failed: 0})
    for (const id of ['cards.get.v4', 'cards.getByReference.v4', 'cards.listByCustomer.v4'])
      expect(of(report, id)).toMatchObject({state: 'fits'})
    // The mock has no addresses and limits, so nothing is proved of them.
    const {differences = []} = of(report, 'cards.get.v4') ?? {}
    expect(new Set(differences.map(({kind}) => kind))).toEqual(new Set(['unseen']))
    expect(differences.map(({pointer}) => pointer)).toContain('/limits')
    expect(differences.map(({pointer}) => pointer)).not.toContain('/state')
    expect(of(report, 'accounts.patchCredit.v4')).toMatchObject({
      state: 'unchecked',
      note: 'not checked: it changes something',
    })
    expect(of(report, 'remotecheckout.status.v1')?.note).toContain('it takes no part in remote checkout')
    expect(of(report, 'cards.get.v3')?.note).toBe('not checked: the dialect does not name it')
    expect(harbour.writes()).toEqual([])
  })

  test.for([
    ['a place that is wrong', 'fits', '/expires,', '/valid_until,', '/valid_until', 'not read: expires'],
    ['a value without a map', 'differs', 'CARD_OK: active', 'CARD_OK: working', '/state', 'does not know'],
    [
      'a form that is wrong',
      'differs',
      'as: YYYY-MM}\n    /embossing: {at: /embossing, shape',
      'as: MMYY}\n    /embossing: {at: /embossing, shape',
      '/expires',
      'is no year and month',
    ],
  ])('names %s', async ([, expected, from = '', to = '', pointer, why]) => {
    const file = await bent(from, to)
    const report = await home.json<ServiceCheck>([
      'contract',
      'check',
      '--card',
      'crd_3001',
      '-p',
      'none',
      '--dialect',
      file,
    ])
    const {state, differences = []} = of(report, 'cards.get.v4') ?? {}
    expect(state).toBe(expected)
    expect(differences).toContainEqual(
      expect.objectContaining({pointer, expected: expect.stringContaining(why ?? '')}),
    )
  })

  test('is not green where nothing was checked', async () => {
    const file = await bent('  a2a.list.v1:', '  pin.view.v2: {cannot: it has not}\n  a2a.list.v1:')
    const only = (await readFile(file, 'utf8')).replace(
      /^operations:[\s\S]*?(?=^ {2}pricelists)/m,
      'operations:\n',
    )
    const none = await written(
      'none.yaml',
      only.replace(/^shapes:[\s\S]*?(?=^operations)/m, '').replace(/^webhook:[\s\S]*/m, ''),
    )
    const {code, stderr} = await home.run(['contract', 'check', '-p', 'none', '--dialect', none])
    expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('Nothing was checked')})
  })

  test('an empty list proves nothing, and items with other members differ', async () => {
    const answered = async (list: readonly unknown[]) => {
      harbour.bent.answer = (_method, path) => (path === '/cards' ? reply(200, {data: list}) : undefined)
      const report = await check('--card', 'crd_3001', '--customer', 'cus_1')
      harbour.bent.answer = undefined
      return of(report, 'cards.listByCustomer.v4')
    }
    expect(await answered([])).toMatchObject({state: 'unchecked', note: 'not checked: the list is empty'})
    expect(await answered([{number: 1}])).toMatchObject({state: 'differs'})
  })

  test('says why a response is not usable, without what it holds', async () => {
    harbour.bent.answer = (_method, path) =>
      path === '/cards/crd_3001' ? reply(200, {data: {card_id: 'crd_3777'}}) : undefined
    const report = await check('--card', 'crd_3001')
    harbour.bent.answer = (_method, path) =>
      path === '/cards/crd_3001' ? reply(200, {cards: []}) : undefined
    const without = await check('--card', 'crd_3001')
    harbour.bent.answer = undefined
    expect(of(report, 'cards.get.v4')).toMatchObject({state: 'failed'})
    expect(JSON.stringify(report)).not.toContain('crd_3777')
    expect(of(without, 'cards.get.v4')?.note).toBe(
      'the response (200) is not described by the dialect: it has no data',
    )
  })

  test('blocks an account and unblocks it', async () => {
    const page = join(home.folder, 'page.html')
    const report = await check('--with-write', 'acc_2001', '--card', 'crd_3001', '--html', page)
    expect(report.write).toBe('accounts.patchCredit.v4')
    expect(await readFile(page, 'utf8')).toContain(
      'A block and an unblock of an account were sent (accounts.patchCredit.v4)',
    )
    expect(of(report, 'accounts.patchCredit.v4')).toMatchObject({
      status: 200,
      note: 'the service said that an account was blocked, and then unblocked; no read shows it',
    })
    expect(harbour.writes()).toEqual(Array(2).fill('POST /accounts/acc_2001/state'))
    expect(await harbour.state('account', '2001')).toMatchObject({status: 'ACCOUNT_OK'})
  })

  const stateOf = async () => (await harbour.state('account', '2001')).status
  const written2001 = ['contract', 'check', '-p', 'there', '--with-write', 'acc_2001']
  const unblock = ['accounts', 'unblock', 'acc_2001', '--type', 'credit', '-p', 'there', '--yes']

  test.for([
    ['is blocked now', () => reply(403, {error: {code: 'no', message: 'Not you.'}})],
    ['may still be blocked', () => reply(200, {data: {other: 1}})],
  ] as const)('says that the account %s if it could not be unblocked', async ([now, answer]) => {
    let times = 0
    harbour.bent.answer = (method, path) =>
      method === 'POST' && path.endsWith('/state') && times++ > 0 ? answer() : undefined
    const {code, stdout, stderr} = await home.run([...written2001, '-o', 'json'])
    harbour.bent.answer = undefined
    expect(code).not.toBe(0)
    expect(stderr).toContain(`Account acc_2001 ${now}`)
    expect(stderr).toContain('accounts unblock acc_2001 --type credit -p there')
    // The report is there nevertheless.
    const report: ServiceCheck = JSON.parse(stdout)
    expect(report).toMatchObject({profile: 'there', write: 'accounts.patchCredit.v4', failed: 1})
    expect(of(report, 'accounts.patchCredit.v4')).toMatchObject({
      state: 'failed',
      note: expect.stringContaining('it may still be blocked'),
    })
    expect(await stateOf()).toBe('ACCOUNT_BLOCKED')
    expect((await home.run(unblock)).code).toBe(0)
  })

  test('does not undo what may still take effect', async () => {
    harbour.bent.answer = (method, path) =>
      method === 'POST' && path.endsWith('/state') ? reply(504, 'late') : undefined
    const before = harbour.writes().length
    const {code, stderr} = await home.run([...written2001, '--retries', '0'])
    harbour.bent.answer = undefined
    expect(code).not.toBe(0)
    expect(stderr).toContain('may be blocked, and was not unblocked')
    expect(harbour.writes().length).toBe(before + 1)
    expect((await home.run(unblock)).code).toBe(0)
  })

  test('a read that the dialect sends as a POST is not sent on a live profile', async () => {
    const text = await readFile(HARBOUR, 'utf8')
    const file = await written(
      'posting.yaml',
      text.replaceAll(/request: GET (\/(?:cards|transfer_batches))/g, 'request: POST $1'),
    )
    const at = ['--base-url', 'https://issuer.invalid', '--auth', 'none', '--audit-user', 'jane.doe']
    await home.run(['profiles', 'add', 'posting', '--kind', 'live', ...at, '--dialect', file])
    const {code, stdout} = await home.run([
      'contract',
      'check',
      '-p',
      'posting',
      '--card',
      'crd_3001',
      '-o',
      'json',
    ])
    expect(code).toBe(2)
    expect(of(JSON.parse(stdout), 'cards.get.v4')).toMatchObject({
      note: 'not checked: the dialect sends it as a POST, and the profile is live',
    })
  })

  test('never writes on a live profile, and never without the dialect in the profile', async () => {
    const at = ['--base-url', 'https://issuer.example', '--auth', 'none', '--audit-user', 'jane.doe']
    const real = await home.run(['profiles', 'add', 'real', '--kind', 'live', ...at, '--dialect', HARBOUR])
    expect(real).toMatchObject({code: 0})
    const before = harbour.requests.length
    const live = await home.run(['contract', 'check', '-p', 'real', '--with-write', 'acc_2001', '--yes'])
    expect(live).toMatchObject({code: 3, stderr: expect.stringContaining('is live')})
    const none = await home.run(['contract', 'check', '-p', 'none', '--with-write', 'acc_2001'])
    expect(none).toMatchObject({code: 2, stderr: expect.stringContaining('has no dialect')})
    const file = await home.run([
      'contract',
      'check',
      '-p',
      'none',
      '--with-write',
      'acc_2001',
      '--dialect',
      HARBOUR,
    ])
    expect(file.code).toBe(2)
    expect(harbour.requests.length).toBe(before)
  })
})
