import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {Store} from '../../src/sandbox/store/store.ts'
import {temporaryFile} from './helpers/sandbox.ts'
import {openStore} from './helpers/store.ts'

const list = (id: string, code = 'A') => ({id, code})

describe('a collection', () => {
  test('gives rows back in the order they were first written, whatever happened to them since', async () => {
    const store = await openStore()
    await store.transaction(async tx => {
      for (const id of ['9', '10', '1']) await tx.priceLists.put(list(id))
      await tx.priceLists.put(list('9', 'B'))
    })
    const read = (query: Parameters<typeof listIds>[1]) => listIds(store, query)
    expect(await read({})).toEqual(['9', '10', '1'])
    expect(await read({order: 'newest'})).toEqual(['1', '10', '9'])
    expect(await read({after: '9'})).toEqual(['10', '1'])
    expect(await read({after: '10', order: 'newest'})).toEqual(['9'])
    expect(await read({after: 'unknown'})).toEqual([])
    expect(await read({offset: 1, limit: 1})).toEqual(['10'])
    expect(await read({where: {code: 'A'}})).toEqual(['10', '1'])
    await store.close()
  })

  test('that is cleared is empty for other processes too, and as before if the work fails', async () => {
    const file = await temporaryFile()
    const [store, other] = [await openStore(file), await openStore(file)]
    await store.transaction(tx => tx.priceLists.put(list('1')))
    const count = () => other.read(async tx => (await tx.priceLists.list()).length)
    expect(await count()).toBe(1)
    const [, failed] = await Promise.allSettled([
      store.transaction(tx => tx.customers.get('nobody')),
      store.transaction(async tx => {
        await tx.priceLists.clear()
        throw new Error('no')
      }),
    ])
    expect(failed.status).toBe('rejected')
    expect(await count()).toBe(1)
    await store.transaction(tx => tx.priceLists.clear())
    expect(await count()).toBe(0)
    await Promise.all([store.close(), other.close()])
  })

  test('gives the same pages as a plain list, whatever is written in between', async () => {
    const id = fc.integer({min: 0, max: 9}).map(String)
    const place = fc.record({
      offset: fc.integer({min: 0, max: 8}),
      limit: fc.integer({min: 1, max: 3}),
      order: fc.constantFrom('oldest' as const, 'newest' as const),
      where: fc.constantFrom({}, {code: 'A'}, {code: 'B'}),
    })
    const step = fc.oneof(
      fc.record({put: id, code: fc.constantFrom('A', 'B'), fails: fc.boolean()}),
      fc.record({delete: id}),
      {weight: 3, arbitrary: fc.record({pages: place})},
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, {minLength: 10, maxLength: 40}), async steps => {
        const store = await openStore()
        let rows: {id: string; code: string}[] = []
        for (const one of steps) {
          if ('delete' in one) {
            await store.transaction(tx => tx.priceLists.delete(one.delete))
            rows = rows.filter(row => row.id !== one.delete)
          } else if ('put' in one) {
            const put = store.transaction(async tx => {
              await tx.priceLists.put(list(one.put, one.code))
              if (one.fails) throw new Error('no')
            })
            await put.catch(() => undefined)
            if (one.fails) continue
            if (!rows.some(row => row.id === one.put)) rows.push(list(one.put))
            rows = rows.map(row => (row.id === one.put ? list(one.put, one.code) : row))
          } else {
            const {offset, limit, order, where} = one.pages
            const ordered = order === 'newest' ? rows.toReversed() : rows
            const expected = ordered.filter(row => !('code' in where) || row.code === where.code)
            // Two pages in a row, as somebody reads them.
            for (const at of [offset, offset + limit]) {
              const found = await store.read(tx => tx.priceLists.list({offset: at, limit, order, where}))
              expect(found).toEqual(expected.slice(at, at + limit))
            }
          }
        }
        await store.close()
      }),
      {numRuns: 40},
    )
  })

  test('finds rows up to a number', async () => {
    const store = await openStore()
    const control = {plasticId: '1', cardId: '1', scope: 'SET_PIN', used: false, tzpk: null} as const
    const ids = await store.transaction(async tx => {
      for (const expiresAt of [1, 2, 3])
        await tx.pinControls.put({...control, id: `c${expiresAt}`, expiresAt})
      return (await tx.pinControls.list({upTo: {member: 'expiresAt', value: 2}})).map(row => row.id)
    })
    expect(ids).toEqual(['c1', 'c2'])
    await store.close()
  })
})

describe('a transaction', () => {
  test('leaves nothing when it fails', async () => {
    const store = await openStore()
    const failing = store.transaction(async tx => {
      await tx.priceLists.put(list('1'))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await store.read(tx => tx.priceLists.count())).toBe(0)
    await store.close()
  })

  test('is alone: what others read in between is never half done', async () => {
    const store = await openStore()
    await store.transaction(tx => tx.sequences.put({id: 'n', next: 0}))
    await Promise.all(
      Array.from({length: 50}, () =>
        store.transaction(async tx => {
          const before = (await tx.sequences.get('n'))?.next ?? 0
          await new Promise(resolve => setImmediate(resolve))
          await tx.sequences.put({id: 'n', next: before + 1})
        }),
      ),
    )
    expect((await store.read(tx => tx.sequences.get('n')))?.next).toBe(50)
    await store.close()
  })

  test('of another connection on the file waits its turn', async () => {
    const file = await temporaryFile()
    const stores = [await openStore(file), await openStore(file)]
    await stores[0]?.transaction(tx => tx.sequences.put({id: 'n', next: 0}))
    await Promise.all(
      stores.flatMap(store =>
        Array.from({length: 25}, () =>
          store.transaction(async tx => {
            const before = (await tx.sequences.get('n'))?.next ?? 0
            await tx.sequences.put({id: 'n', next: before + 1})
          }),
        ),
      ),
    )
    expect((await stores[1]?.read(tx => tx.sequences.get('n')))?.next).toBe(50)
    for (const store of stores) await store.close()
  })
})

function listIds(store: Store, query: object) {
  return store.read(async tx => (await tx.priceLists.list(query)).map(row => row.id))
}
