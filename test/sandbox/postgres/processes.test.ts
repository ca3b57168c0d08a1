// Three processes on one database, while processes are killed and the database restarts. The cluster is this file's own.
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {setTimeout as pause} from 'node:timers/promises'
import {expect, onTestFinished, test} from 'vitest'
import {createSandbox} from '../../../src/sandbox/index.ts'
import {migrateStore} from '../../../src/sandbox/store/postgres/admin.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {type Cluster, startCluster} from '../../helpers/postgres.ts'

const entry = new URL('../../../src/sandbox/index.ts', import.meta.url).href

/** Serves the sandbox on a free port and prints its URL. */
const server = `
const {createSandbox, Secret} = await import(process.argv[1])
const sandbox = await createSandbox({postgres: {url: new Secret(process.argv[2])}, idempotency: 'all'})
console.log((await sandbox.serve()).url)
`

async function cluster(): Promise<Cluster> {
  const started = startCluster()
  if (started === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => started.remove())
  await migrateStore({url: new Secret(started.url)})
  return started
}

interface Process {
  readonly child: ChildProcess
  readonly url: string
}

async function serve(database: string): Promise<Process> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', server, entry, database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (child.stdout === null) throw new Error('no output')
  const [url] = (await once(createInterface({input: child.stdout}), 'line')) as [string]
  return {child, url}
}

const patch = (url: string, key: string, name: string) =>
  fetch(`${url}/v4/DEBIT/2002?auditUser=test`, {
    method: 'PATCH',
    headers: {'content-type': 'application/json', 'x-idempotency-key': key},
    body: JSON.stringify({name}),
  })

async function stateOf(database: string) {
  const sandbox = await createSandbox({postgres: {url: new Secret(database)}})
  const read = async (kind: string, id: string) => {
    const reply = await sandbox.handle({method: 'GET', url: `/_sandbox/state/${kind}/${id}`})
    return JSON.parse(Buffer.from(reply.body).toString())
  }
  return {read, close: () => sandbox.close()}
}

test('one key 200 times at once, over three processes, has one effect', async () => {
  const {url: database} = await cluster()
  const processes = await Promise.all([1, 2, 3].map(() => serve(database)))
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
  const running = await cluster()
  const {url: database} = running
  const processes = await Promise.all([1, 2, 3].map(() => serve(database)))
  const amount = 120
  let next = 0
  let rounds = 0
  /** Sends each transfer until it is answered, with the same key, to whichever process is there. */
  const work = async (): Promise<void> => {
    for (let at = next++; at < amount; at = next++) {
      const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount: 1, currency: 'EUR'}]
      for (let tries = 0; ; tries++) {
        const {url} = processes[(at + tries) % processes.length] as Process
        const response = await fetch(`${url}/v1/a2a/batches?auditUser=test`, {
          method: 'POST',
          headers: {'content-type': 'application/json', 'x-idempotency-key': `transfer-${at}`},
          body: JSON.stringify({transfers}),
        }).catch(() => undefined)
        await response?.text().catch(() => undefined)
        if (response?.status === 200) break
        await pause(20)
      }
    }
  }
  const trouble = async (): Promise<void> => {
    for (let round = 0; next < amount; round++) {
      rounds++
      await pause(100)
      if (round % 3 === 2) {
        running.stop('immediate')
        running.start()
      } else {
        const at = round % processes.length
        const child = processes[at]?.child
        const gone = child && once(child, 'exit')
        child?.kill('SIGKILL')
        await gone
        processes[at] = await serve(database)
      }
    }
  }
  await Promise.all([...Array.from({length: 4}, work), trouble()])
  expect(rounds, 'kills and restarts').toBeGreaterThan(3)
  const {read, close} = await stateOf(database)
  await expect
    .poll(() => read('account', '2007'), {timeout: 20_000})
    .toMatchObject({balances: [{currency: 'EUR', booked: 10_000 + amount}]})
  expect(await read('account', '2006')).toMatchObject({
    balances: [{currency: 'EUR', booked: 10_000 - amount}],
  })
  await close()
}, 120_000)
