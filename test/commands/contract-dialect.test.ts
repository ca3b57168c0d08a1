// What the contract commands say of dialects: show lists one.
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {operations} from '../../src/contract/operations.gen.ts'
import {type Home, openHome} from '../helpers/cli.ts'

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
