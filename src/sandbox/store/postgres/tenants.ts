import type {Connections} from './connect.ts'
import {inTransaction} from './migrate.ts'
import {SCHEMA} from './schema.ts'

/** The tenant of a sandbox that has only one. */
export const DEFAULT_TENANT = 'default'

/** Adds a tenant without rows, or finds the one of this name. @returns its id. @throws Failure STORE_UNAVAILABLE */
export function addTenant(connections: Connections, name: string): Promise<number> {
  return inTransaction(connections, async client => {
    const {rows} = await client.query<{id: number}>(
      `INSERT INTO ${SCHEMA}.tenants (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id`,
      [name],
    )
    const id = rows[0]?.id
    if (id === undefined) throw new Error(`the tenant ${name} was not added`)
    await client.query(`SET LOCAL cardctl.tenant = ${id}`)
    await client.query(`INSERT INTO ${SCHEMA}.stores (tenant) VALUES ($1) ON CONFLICT DO NOTHING`, [id])
    return id
  })
}

/** @returns the id; undefined if there is no such tenant. @throws Failure STORE_UNAVAILABLE */
export function findTenant(connections: Connections, name: string): Promise<number | undefined> {
  return inTransaction(connections, async client => {
    const {rows} = await client.query<{id: number}>(`SELECT id FROM ${SCHEMA}.tenants WHERE name = $1`, [
      name,
    ])
    return rows[0]?.id
  })
}
