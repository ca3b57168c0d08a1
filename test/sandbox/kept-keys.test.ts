// Idempotency keys leave the store as fast as they come, also when nobody writes any more.
import {expect, test} from 'vitest'
import {systemProcesses} from '../../src/sandbox/process-mark.ts'
import {tidyStore} from '../../src/sandbox/tidy.ts'
import {keyedDays} from './helpers/keyed-days.ts'
import {START, temporaryFile, testSandbox} from './helpers/sandbox.ts'
import {openStore, storeOptions} from './helpers/store.ts'

const HOUR = 60 * 60 * 1000

test('under 24 simulated hours of keyed writes, the store stays as large as it was', async () => {
  const file = await temporaryFile()
  const options = await storeOptions(file)
  const sizes = await keyedDays({options, store: await openStore(file), eachHour: 8, hours: 49})
  const full = 24 * 8
  // After the first day, the oldest key leaves for each one that comes.
  expect(Math.max(...sizes.slice(25))).toBeLessThanOrEqual(full + 2 * 64)
  expect(sizes.at(-1)).toBeGreaterThanOrEqual(full)
})

test('what has expired is removed from a store that nobody writes to, but not what runs', async () => {
  const file = await temporaryFile()
  const sandbox = await testSandbox({file})
  for (let at = 0; at < 12; at++) {
    await sandbox.op('accounts.patchDebit.v4', {path: {id: '2002'}, body: {name: 'x'}}, {key: `k${at}`})
  }
  const store = await openStore(file)
  const processes = systemProcesses()
  const mark = (id: string, pid: number) =>
    store.transaction(tx =>
      tx.keptReplies.put({
        id,
        running: {...processes.own, pid, ...(pid === processes.own.pid ? {} : {boot: 'another'})},
        bodyDigest: '',
        status: 0,
        headers: {},
        body: '',
        expiresAt: START,
      }),
    )
  await mark('running', processes.own.pid)
  await mark('abandoned', processes.own.pid + 1)
  const tidy = (ms: number) => tidyStore(store, {now: () => START + ms, processes})
  expect(await tidy(HOUR)).toBe(1)
  expect(await tidy(24 * HOUR)).toBe(12)
  expect(await tidy(24 * HOUR)).toBe(0)
  const left = await store.read(tx => tx.keptReplies.list())
  expect(left.map(({id}) => id)).toEqual(['running'])
  await store.close()
})
