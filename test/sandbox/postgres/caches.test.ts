// What processes keep in memory of rows that they share. Each store here is one process.
import {expect, test} from 'vitest'
import type {Store} from '../../../src/sandbox/store/store.ts'
import {seeded} from '../../helpers/random.ts'
import {openStore} from '../helpers/store.ts'

const ids = ['a', 'b', 'c']

/** Adds one to a row. */
async function increment(
  store: Store,
  {id, lists, fails, isLikely}: {id: string; lists: boolean; fails: boolean; isLikely: boolean},
): Promise<void> {
  const work = store.transaction(
    async tx => {
      // Sends what earlier work of the group has written.
      if (lists) expect(await tx.sequences.count()).toBe(ids.length)
      const row = await tx.sequences.get(id)
      await tx.sequences.put({id, next: (row?.next ?? 0) + 1})
      if (lists) expect((await tx.sequences.get(id))?.next).toBe((row?.next ?? 0) + 1)
      if (fails) throw new Error('no')
      const setting = await tx.settings.get(id)
      await tx.settings.put({id, value: Number(setting?.value ?? 0) + 1})
    },
    isLikely ? () => [{table: 'sequences', id}] : undefined,
  )
  await (fails ? expect(work).rejects.toThrow('no') : work)
}

test('no process uses a row that another one has changed', async () => {
  const name = 'caches of three'
  const stores = [await openStore(name), await openStore(name), await openStore(name)]
  await stores[0]?.transaction(async tx => {
    await tx.settings.clear()
    await tx.sequences.clear()
    for (const id of ids) await tx.sequences.put({id, next: 0})
  })
  const random = seeded(11)
  const chance = (part: number) => random() < part
  const expected = {sequences: 0, settings: 0}
  for (let round = 0; round < 60; round++) {
    const works = Array.from({length: 1 + Math.floor(random() * 12)}, async () => {
      const id = ids[Math.floor(random() * ids.length)] ?? ''
      const [lists, fails, isLikely, isLate] = [chance(0.2), chance(0.1), chance(0.7), chance(0.5)]
      if (!fails) expected.sequences++
      if (!fails) expected.settings++
      const store = stores[Math.floor(random() * 3)] as Store
      // Arrives while others wait for the lock.
      if (isLate) await new Promise(resolve => setTimeout(resolve, random() * 4))
      return increment(store, {id, lists, fails, isLikely})
    })
    await Promise.all(works)
    const reader = stores[Math.floor(random() * 3)] as Store
    const found = await reader.read(async tx => {
      const sum = (rows: readonly {next?: number; value?: unknown}[]) =>
        rows.reduce((total, {next, value}) => total + Number(next ?? value ?? 0), 0)
      const gotten = await Promise.all(ids.map(id => tx.sequences.get(id)))
      const settings = sum(await tx.settings.list())
      return {sequences: sum(gotten.filter(row => row !== undefined)), settings}
    })
    expect(found).toEqual(expected)
  }
  await Promise.all(stores.map(store => store.close()))
})
