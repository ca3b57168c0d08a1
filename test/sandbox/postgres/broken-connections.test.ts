// A connection to the database breaks at the worst moment: what was committed is reported as done, and nothing happens
// twice. A proxy between the sandbox and the database breaks it.
import {connect, createServer, type Server, type Socket} from 'node:net'
import {expect, inject, onTestFinished, test} from 'vitest'
import {createSandbox} from '../../../src/sandbox/index.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {storeOptions} from '../helpers/store.ts'

/** When the proxy breaks the connection that carries the next commit. */
type Moment = 'before' | 'after'

interface Proxy {
  readonly port: number
  /** Breaks the next commit of this kind. */
  cut(moment: Moment): void
  readonly cuts: number
}

async function startProxy(socketPath: string): Promise<Proxy> {
  let next: Moment | undefined
  let cuts = 0
  const open = new Set<Socket>()
  const server: Server = createServer(client => {
    const database = connect(socketPath)
    let isLost = false
    open.add(client).add(database)
    client.on('data', chunk => {
      if (next === undefined || !chunk.includes('; COMMIT')) return void database.write(chunk)
      cuts++
      const moment = next
      next = undefined
      if (moment === 'before') return void client.destroy()
      isLost = true
      database.write(chunk)
    })
    database.on('data', chunk => {
      // The database has answered, so it has committed. The answer is lost.
      if (isLost) client.destroy()
      else client.write(chunk)
    })
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as {port: number}).port,
    cut: moment => {
      next = moment
    },
    get cuts() {
      return cuts
    },
  }
}

async function sandboxBehindProxy() {
  const {postgres} = await storeOptions()
  const url = new URL(inject('postgres') ?? '')
  const proxy = await startProxy(`${url.searchParams.get('host')}/.s.PGSQL.5432`)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  const sandbox = await createSandbox({
    postgres: {...postgres, url: new Secret(url.href)},
  })
  onTestFinished(() => sandbox.close())
  const patch = async (name: string, key?: string) => {
    const reply = await sandbox.handle({
      method: 'PATCH',
      url: '/v4/DEBIT/2002?auditUser=test',
      headers: {'content-type': 'application/json', ...(key && {'x-idempotency-key': key})},
      body: JSON.stringify({name}),
    })
    return reply.status
  }
  const effects = async (): Promise<number> => {
    const reply = await sandbox.handle({method: 'GET', url: '/_sandbox/state/account/2002'})
    return (JSON.parse(Buffer.from(reply.body).toString()) as {effects: number}).effects
  }
  return {proxy, patch, effects}
}

test.each<Moment>(['before', 'after'])(
  'the connection breaks %s the database has the commit: each request has one effect',
  async moment => {
    const {proxy, patch, effects} = await sandboxBehindProxy()
    proxy.cut(moment)
    expect(await patch('alone')).toBe(moment === 'after' ? 200 : 503)
    proxy.cut(moment)
    // Without keys: a second effect would show.
    const together = await Promise.all(Array.from({length: 20}, (_, at) => patch(`n${at}`)))
    expect(new Set(together)).toEqual(new Set([200]))
    expect(proxy.cuts).toBe(2)
    expect(await effects()).toBe(moment === 'after' ? 21 : 20)
  },
)
