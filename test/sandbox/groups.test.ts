import {describe, expect, test} from 'vitest'
import {temporaryFile, testSandbox} from './helpers/sandbox.ts'
import {openStore} from './helpers/store.ts'

const list = (id: string, code = 'A') => ({id, code})

describe('requests that come together', () => {
  test('one that is refused has no effect, and costs the others nothing', async () => {
    const sandbox = await testSandbox()
    const patch = (key: string, body: object) =>
      sandbox.op('accounts.patchDebit.v4', {path: {id: '2002'}, body}, {key})
    const bodies = Array.from({length: 30}, (_, at) => (at % 3 === 1 ? {customerId: '9'} : {name: `n${at}`}))
    const send = () => Promise.all(bodies.map((body, at) => patch(`k${at}`, body)))
    const statuses = (await send()).map(({status}) => status)
    expect(statuses).toEqual(bodies.map(body => ('name' in body ? 200 : 409)))
    const account = await sandbox.op('sandbox.state.get', {path: {kind: 'account', id: '2002'}})
    expect(account.body).toMatchObject({effects: 20, name: 'n29'})
    const again = await send()
    expect(again.map(({headers}) => headers['x-idempotent-replayed'])).toEqual(
      bodies.map(body => ('name' in body ? 'true' : undefined)),
    )
  })
})

describe('a group of the store', () => {
  test('shows a read the writes before it, and not those behind it', async () => {
    const store = await openStore()
    const count = () => store.read(tx => tx.priceLists.count())
    const put = (id: string) => store.transaction(tx => tx.priceLists.put(list(id)))
    const [none, , one, , two] = await Promise.all([count(), put('1'), count(), put('2'), count()])
    expect([none, one, two]).toEqual([0, 1, 2])
    await store.close()
  })

  test('shows what another connection has written, and forgets what was taken back', async () => {
    const file = await temporaryFile()
    const stores = [await openStore(file), await openStore(file)] as const
    const code = (at: 0 | 1) => stores[at].read(async tx => (await tx.priceLists.get('1'))?.code)
    const codes = (at: 0 | 1) =>
      stores[at].read(async tx => (await tx.priceLists.list()).map(row => row.code))
    expect([await code(0), await codes(0)]).toEqual([undefined, []])
    await stores[1].transaction(tx => tx.priceLists.put(list('1', 'A')))
    expect([await code(0), await codes(0)]).toEqual(['A', ['A']])
    const takenBack = stores[0].transaction(async tx => {
      await tx.priceLists.put(list('1', 'B'))
      expect((await tx.priceLists.get('1'))?.code).toBe('B')
      throw new Error('no')
    })
    await expect(Promise.all([takenBack, code(0)])).rejects.toThrow('no')
    expect([await code(0), await codes(0)]).toEqual(['A', ['A']])
    for (const store of stores) await store.close()
  })

  test('a row that was read cannot be changed by accident', async () => {
    const store = await openStore()
    await store.transaction(tx => tx.priceLists.put(list('1')))
    await store.read(async tx => {
      const row = (await tx.priceLists.get('1')) as {code: string}
      expect(() => {
        row.code = 'B'
      }).toThrow(TypeError)
    })
    await store.close()
  })
})
