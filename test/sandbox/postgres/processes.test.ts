// Three processes on one database, while processes are killed and the database restarts. The cluster is this file's own.
import {expect, onTestFinished, test} from 'vitest'
import {isWhole} from '../../helpers/whole.ts'
import {migratedCluster} from '../helpers/migrated-postgres.ts'
import {serveDatabase, stateOf, transfersUnderTrouble} from '../helpers/shared-sandbox.ts'

const patch = (url: string, key: string, name: string) =>
  fetch(`${url}/v4/DEBIT/2002?auditUser=test`, {
    method: 'PATCH',
    headers: {'content-type': 'application/json', 'x-idempotency-key': key},
    body: JSON.stringify({name}),
  })

test('one key 200 times at once, over three processes, has one effect', async () => {
  const {url: database} = await migratedCluster()
  const processes = await Promise.all([1, 2, 3].map(() => serveDatabase(database)))
  onTestFinished(() => {
    for (const {child} of processes) child.kill('SIGKILL')
  })
  const statuses = await Promise.all(
    Array.from({length: 200}, async (_, at) => {
      const response = await patch(processes[at % 3]?.url ?? '', 'the-key', 'once')
      await response.text()
      return response.status
    }),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  const {read, close} = await stateOf(database)
  expect(await read('account', '2002')).toMatchObject({effects: 1, name: 'once'})
  await close()
})

test('what was answered stays, and nothing happens twice, while processes die and the database restarts', async () => {
  const running = await migratedCluster()
  const amount = isWhole ? 120 : 60
  const {repeats} = await transfersUnderTrouble(running, {
    transfers: amount,
    clients: 4,
    kills: isWhole ? 4 : 2,
    crashes: isWhole ? 2 : 1,
  })
  expect(repeats, 'transfers that a kill or crash met').toBeGreaterThan(0)
  const {read, close} = await stateOf(running.url)
  await expect
    .poll(() => read('account', '2007'))
    .toMatchObject({balances: [{currency: 'EUR', booked: 10_000 + amount}]})
  expect(await read('account', '2006')).toMatchObject({
    balances: [{currency: 'EUR', booked: 10_000 - amount}],
  })
  await close()
}, 120_000)
