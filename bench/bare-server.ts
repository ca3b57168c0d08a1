// The floors of servers: a Fastify route that does only what is necessary. node bench/bare-server.ts PORT WHAT
import {readFileSync} from 'node:fs'
import process from 'node:process'
import {DatabaseSync} from 'node:sqlite'
import {fastify} from 'fastify'

const [port, what, file = ''] = process.argv.slice(2)
const app = fastify()

const routes: Readonly<Record<string, () => void>> = {
  /** Parses a call and approves it. */
  approve: () => app.post('/auth', () => ({transactionData: {authResponseCode: {code: '00'}}})),
  /** Sends the bytes of a file. */
  send: () => {
    const bytes = readFileSync(file)
    app.get('/v4/:id', (_, reply) => reply.header('content-type', 'application/json').send(bytes))
  },
  /** Writes each body and its key in a transaction, as durably as the sandbox: it survives a crash of the process. */
  insert: () => {
    const db = new DatabaseSync(file)
    db.exec('PRAGMA journal_mode = WAL')
    db.exec('PRAGMA synchronous = NORMAL')
    db.exec('CREATE TABLE written (key TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT')
    const insert = db.prepare('INSERT INTO written VALUES (?, ?)')
    app.patch('/v4/CREDIT/:id', request => {
      insert.run(String(request.headers['x-idempotency-key']), JSON.stringify(request.body))
      return {}
    })
  },
}

routes[what ?? '']?.()
await app.listen({host: '127.0.0.1', port: Number(port)})
