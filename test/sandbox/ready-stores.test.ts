// The stores of isolated sandboxes: copies of one state, some of them made before they are asked for.
import {setTimeout as pause} from 'node:timers/promises'
import {expect, onTestFinished, test} from 'vitest'
import {sandboxNow} from '../../src/sandbox/clock.ts'
import {createSandbox, openService} from '../../src/sandbox/create-sandbox.ts'
import type {SandboxOptions} from '../../src/sandbox/options.ts'
import {ReadyStores} from '../../src/sandbox/ready-stores.ts'
import {openSqliteStore} from '../../src/sandbox/store/sqlite-store.ts'

/** Once some are ready; how many depends on the machine. */
async function readyStores(options: SandboxOptions = {}): Promise<ReadyStores> {
  const stores = await ReadyStores.open(options)
  onTestFinished(() => stores.close())
  await pause(1_000)
  return stores
}

/** Of fifty at once, in ms of the processor. */
async function costOf(openOne: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await Promise.all(Array.from({length: 50}, openOne))
  const {user, system} = process.cpuUsage(before)
  return (user + system) / 1000
}

test('those that were ready, and those that had to be made, begin alike and share nothing', async () => {
  const stores = await readyStores()
  const all = await Promise.all(Array.from({length: 70}, async () => (await stores.take()).store))
  await Promise.all(
    all.map((store, at) =>
      store.transaction(async tx => {
        expect(await tx.cards.count()).toBe(45)
        expect((await tx.cards.get('3001'))?.status).toBe('CARD_OK')
        await tx.settings.put({id: 'mine', value: at})
        await tx.cards.delete('3001')
      }),
    ),
  )
  const seen = await Promise.all(all.map(store => store.read(tx => tx.settings.get('mine'))))
  expect(seen.map(setting => setting?.value)).toEqual(all.map((_, at) => at))
  const {store: later} = await stores.take()
  expect(await later.read(tx => tx.settings.get('mine'))).toBeUndefined()
  // Each is a database of its own, which takes more than its first size and rolls back what fails.
  const [one] = all
  const failed = one?.transaction(async tx => {
    for (let at = 0; at < 2_000; at++) await tx.settings.put({id: `row-${at}`, value: 'x'.repeat(500)})
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect(await one?.read(tx => tx.settings.count())).toBe(await all[1]?.read(tx => tx.settings.count()))
  for (const store of [...all, later]) await store.close()
})

test('the clock of each goes on from that of the snapshot, however late it is taken', async () => {
  let now = Date.UTC(2026, 0, 1)
  const sandbox = await createSandbox({now: () => now})
  await sandbox.handle({
    method: 'POST',
    url: '/_sandbox/clock',
    headers: {'content-type': 'application/json'},
    body: '{"advanceMs": 86400000}',
  })
  const from = await sandbox.snapshot()
  await sandbox.close()
  const stores = await readyStores({now: () => now, from})
  for (const hours of [0, 5]) {
    now += hours * 3_600_000
    const {store} = await stores.take()
    expect(await store.read(tx => sandboxNow({now: () => now}, tx))).toBe(Date.UTC(2026, 0, 2))
    await store.close()
  }
})

test('fifty at once cost less than a third of loading their state fifty times', async () => {
  const snapshot = await (await createSandbox()).snapshot()
  const loaded = await costOf(() => openService(openSqliteStore(undefined), {from: snapshot}))
  const stores = await readyStores()
  const taken = await costOf(async () => openService((await stores.take()).store, {}))
  expect(taken).toBeLessThan(loaded / 3)
})
