// A dump of a running sandbox restores whole, into a database that never had one.
import {writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {createSandbox, Secret} from '../../../src/sandbox/index.ts'
import {migrateStore} from '../../../src/sandbox/store/postgres/admin.ts'
import {startCluster} from '../../helpers/postgres.ts'

test('a dump that is taken while transfers run restores to books that balance', async () => {
  const cluster = startCluster()
  if (cluster === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => cluster.remove())
  const url = new Secret(cluster.url)
  await migrateStore({url})
  const sandbox = await createSandbox({postgres: {url}})
  let dump = ''
  const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount: 1, currency: 'EUR'}]
  const send = async () => {
    while (dump === '') {
      await sandbox.handle({
        method: 'POST',
        url: '/v1/a2a/batches?auditUser=test',
        headers: {'content-type': 'application/json'},
        body: JSON.stringify({transfers}),
      })
    }
  }
  const sending = [send(), send()]
  await new Promise(resolve => setTimeout(resolve, 200))
  dump = cluster.run('pg_dump', 'app')
  await Promise.all(sending)
  await sandbox.close()
  cluster.run('createdb', '-O', 'app', 'restored')
  const file = join(tmpdir().startsWith('/dev/shm') ? '/dev/shm' : '/tmp', `cardctl-dump-${process.pid}.sql`)
  writeFileSync(file, dump, {mode: 0o644})
  cluster.run('psql', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file, 'restored')
  const restored = await createSandbox({
    postgres: {url: new Secret(cluster.url.replace('/app?', '/restored?'))},
  })
  onTestFinished(() => restored.close())
  const booked = async (id: string): Promise<number> => {
    const reply = await restored.handle({method: 'GET', url: `/_sandbox/state/account/${id}`})
    const {balances} = JSON.parse(Buffer.from(reply.body).toString()) as {balances: {booked: number}[]}
    return balances[0]?.booked ?? 0
  }
  const [from, to] = [await booked('2006'), await booked('2007')]
  expect(from + to).toBe(20_000)
  expect(to).toBeGreaterThan(10_000)
  const card = await restored.handle({method: 'GET', url: '/v4/3001?auditUser=test'})
  expect(card.status).toBe(200)
})
