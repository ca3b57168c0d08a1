import type {ClientBase} from 'pg'
import type {Connections} from './connect.ts'
import {codeOf} from './reasons.ts'

/** A pooler may by chance give a busy connection the same session again. */
const TRIES = 5

/** What PgBouncer answers to BEGIN when it pools statements. */
const NO_TRANSACTIONS = '08P01'

/** A pooler that pools sessions and has no free one lets the second connection wait. */
const BEGIN = {text: 'BEGIN', query_timeout: 10_000}

/**
 * Whether a pooler in between gives each transaction another session of the server. Prepared statements don't work then.
 * While a second connection holds a transaction, the first one must keep its session, and the second one must have
 * another.
 *
 * @throws the driver's error
 */
export async function sharesSessions({pool, connect}: Connections): Promise<boolean> {
  const {Client} = (await import('pg')).default
  const first = await connect()
  // Beside the pool, which may have one connection.
  const second = new Client(pool.options)
  second.on('error', () => undefined)
  let isUsable = false
  try {
    await second.connect()
    const own = await sessionOf(first)
    for (let tries = 0; tries < TRIES; tries++) {
      if (!(await begins(second))) return true
      // With a single session, the first connection would now wait for the end of this transaction.
      const shared = (await sessionOf(second)) === own || (await sessionOf(first)) !== own
      await second.query('COMMIT')
      if (shared) return true
    }
    isUsable = true
    return false
  } finally {
    first.release(!isUsable)
    await second.end()
  }
}

async function sessionOf(client: ClientBase): Promise<number> {
  const {rows} = await client.query<{pid: number}>('SELECT pg_backend_pid() AS pid')
  const [session] = rows
  if (session === undefined) throw new Error('the database gave no row')
  return session.pid
}

async function begins(client: ClientBase): Promise<boolean> {
  try {
    await client.query(BEGIN)
    return true
  } catch (error) {
    if (codeOf(error) === NO_TRANSACTIONS) return false
    throw error
  }
}
