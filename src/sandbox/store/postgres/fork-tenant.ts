import {randomBytes} from 'node:crypto'
import {Failure} from '../../../errors/failure.ts'
import type {Secret} from '../../../sensitive/secret.ts'
import type {Snapshot} from '../../snapshot/snapshot.ts'
import {loadSnapshot} from '../../snapshot/state.ts'
import {withStore} from './admin.ts'
import type {PostgresOptions} from './connect.ts'
import {inTransaction} from './migrate.ts'
import {openPostgresTenant} from './open-postgres-store.ts'
import {SCHEMA} from './schema.ts'
import {checkTenantName, findTenant, insertTenant, removeTenant, taken} from './tenants.ts'
import {insertToken} from './tokens.ts'

/** How long a tenant lives that is not finished: a process that was killed leaves it, and the servers remove it. */
const UNFINISHED_MS = 600_000

/** A tenant that was made from a snapshot. */
export interface ForkedTenant {
  readonly tenant: string
  /** Printed once; its digest is stored. */
  readonly token: Secret
}

/**
 * Adds a tenant with the state of a snapshot. It gets its name and its token last, so it is there as a whole or not at
 * all.
 *
 * @throws Failure INPUT_INVALID for a name that is taken or not valid, or a snapshot that can't be read; STORE_UNAVAILABLE
 */
export async function forkTenant(
  options: PostgresOptions,
  name: string,
  snapshot: Snapshot,
  now: () => number,
): Promise<ForkedTenant> {
  checkTenantName(name)
  return withStore(options, async opened => {
    if ((await findTenant(opened, name)) !== undefined) throw taken(name)
    const unfinished = `${name}.fork-${randomBytes(6).toString('hex')}`
    const id = await inTransaction(opened, client =>
      insertTenant(client, {name: unfinished, livesMs: UNFINISHED_MS}),
    )
    if (id === undefined) throw taken(unfinished)
    try {
      const store = openPostgresTenant(opened, {id, maxRows: null}, options)
      try {
        await store.transaction(tx => loadSnapshot({now}, tx, snapshot))
      } finally {
        await store.close()
      }
      const token = await inTransaction(opened, async client => {
        const {rowCount} = await client.query(
          `UPDATE ${SCHEMA}.tenants SET name = $2, expires_at = NULL
           WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM ${SCHEMA}.tenants WHERE name = $2)`,
          [id, name],
        )
        return Number(rowCount) > 0 ? (await insertToken(client, id)).token : undefined
      })
      if (token) return {tenant: name, token}
      throw (await findTenant(opened, name)) === undefined ? expired(name) : taken(name)
    } catch (error) {
      await removeTenant(opened, unfinished).catch(() => undefined)
      throw error
    }
  })
}

const expired = (name: string): Failure =>
  new Failure('STORE_UNAVAILABLE', {
    message: `The tenant ${name} was removed before it was finished: the database took too long.`,
    hint: 'Run the command again.',
    effect: 'none',
  })
