import type {PoolClient, QueryConfig, QueryResultRow} from 'pg'
import {Failure} from '../../../errors/failure.ts'
import type {Connections} from '../../../postgres/connect.ts'
import {ask} from '../../../postgres/query.ts'
import type {Secret} from '../../../sensitive/secret.ts'
import type {WebhookOptions} from '../../authorisations/endpoint-client.ts'
import {instant} from '../../clock.ts'
import type {Sealed} from '../../seal.ts'
import {storeUnavailable} from './connect.ts'
import {inTransaction} from './migrate.ts'
import {SCHEMA, TENANT_SETTING} from './schema.ts'
import {forgetTokens, insertToken, useToken, VALID_TOKENS} from './tokens.ts'

/** The tenant of a sandbox that has only one. */
export const DEFAULT_TENANT = 'default'

/** Between the name of a tenant and that of a run: `ci.build-123`. */
const RUN = '.'
/** Runs of a tenant that may exist at a time: each has limits of its own. */
const MOST_RUNS = 100
/** A tenant may have many rows to remove. */
const REMOVAL_MS = 600_000
const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/
const RUN_NAME = /^[a-z0-9][a-z0-9_-]{0,39}\.[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/

/** A team or a user with data of its own. */
export interface Tenant {
  readonly id: number
  readonly name: string
  /** Such as 50/s,3000/min. */
  readonly rate: string | null
  readonly maxRows: number | null
  /** How long a tenant lives that is made for one run, ms. */
  readonly runMs: number | null
  /** RFC 3339, as the other times. */
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  /** The endpoint for its authorisation calls; that of the parent for a run. */
  readonly webhook: TenantWebhook | null
}

/** An endpoint as it is stored. */
export interface TenantWebhook extends Pick<WebhookOptions, 'deadlineMs' | 'fallback' | 'idleMs' | 'ca'> {
  readonly url: string
  /** Encrypted with the key of the tenant with this id. */
  readonly sealed?: {readonly credentials: Sealed; readonly by: number}
}

export interface TenantLimits {
  readonly rate?: string | undefined
  readonly maxRows?: number | undefined
  readonly runMs?: number | undefined
}

const COLUMNS = `t.id, t.name, coalesce(t.rate, p.rate) AS rate, coalesce(t.max_rows, p.max_rows)::float8 AS "maxRows",
  t.run_ms::float8 AS "runMs", t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt",
  coalesce(t.webhook, p.webhook)::json AS webhook, coalesce(t.parent, t.id) AS owner`
const FROM = `FROM ${SCHEMA}.tenants t LEFT JOIN ${SCHEMA}.tenants p ON p.id = t.parent`
const ALIVE = '(t.expires_at IS NULL OR t.expires_at > now())'

interface Found extends Omit<Tenant, 'createdAt' | 'expiresAt' | 'lastUsedAt'> {
  /** The tenant whose tokens it has. */
  readonly owner: number
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
}

/**
 * Adds a tenant.
 * @returns its first token, which is stored as a digest alone.
 * @throws Failure INPUT_INVALID for a name that is taken or not valid; STORE_UNAVAILABLE
 */
export function addTenant(
  connections: Connections,
  name: string,
  limits: TenantLimits = {},
): Promise<Secret> {
  checkTenantName(name)
  return inTransaction(connections, async client => {
    const id = await insertTenant(client, {name, ...limits})
    if (id === undefined) throw taken(name)
    const {token} = await insertToken(client, id)
    return token
  })
}

/** @throws Failure INPUT_INVALID */
export function checkTenantName(name: string): void {
  if (NAME.test(name)) return
  throw new Failure('INPUT_INVALID', {
    message:
      'The name of a tenant has 1 to 40 characters: a to z, 0 to 9, _ and -, and begins with a letter or digit.',
  })
}

export const taken = (name: string): Failure =>
  new Failure('INPUT_INVALID', {
    message: `There is a tenant ${name} already.`,
    hint: 'Choose another name, or remove the tenant first.',
  })

/** What `changeTenant` changes; null removes a limit or the endpoint. */
export interface TenantChange {
  readonly rate?: string | null
  readonly maxRows?: number | null
  readonly webhook?: TenantWebhook | null
}

/** @returns whether there is such a tenant. @throws Failure STORE_UNAVAILABLE */
export function changeTenant(connections: Connections, name: string, change: TenantChange): Promise<boolean> {
  const values = {
    rate: change.rate,
    max_rows: change.maxRows,
    webhook: change.webhook && JSON.stringify(change.webhook),
  }
  const changed = Object.entries(values).filter(([, value]) => value !== undefined)
  const set = changed.map(([column], at) => `${column} = $${at + 2}`).join(', ')
  return inTransaction(connections, async client => {
    const sql = `UPDATE ${SCHEMA}.tenants t SET ${set} WHERE t.name = $1 AND ${ALIVE}`
    const {rowCount} = await client.query(sql, [name, ...changed.map(([, value]) => value)])
    return Number(rowCount) > 0
  })
}

/**
 * Tenants with an endpoint that were used in the last minutes: calls of a process that ended may wait for another one.
 * @throws Failure STORE_UNAVAILABLE
 */
export async function tenantsWithCalls(connections: Connections): Promise<readonly Tenant[]> {
  const rows = await find<Found>(connections, {
    text: `SELECT ${COLUMNS} ${FROM} WHERE coalesce(t.webhook, p.webhook) IS NOT NULL AND ${ALIVE}
      AND t.last_used_at > now() - interval '10 minutes' ORDER BY t.last_used_at DESC LIMIT 100`,
  })
  return rows.map(tenantOf)
}

/** @throws Failure STORE_UNAVAILABLE */
const find = <Row extends QueryResultRow>(connections: Connections, statement: QueryConfig) =>
  ask<Row>(connections, statement).catch((error: unknown) => {
    throw storeUnavailable(connections.shown, error)
  })

interface NewTenant extends TenantLimits {
  readonly name: string
  readonly parent?: number
  readonly livesMs?: number
}

/** @returns the id; undefined if the name is taken. */
export async function insertTenant(client: PoolClient, tenant: NewTenant): Promise<number | undefined> {
  const {name, parent, livesMs, rate, maxRows, runMs} = tenant
  const {rows} = await client.query<{id: number}>(
    `INSERT INTO ${SCHEMA}.tenants (name, parent, expires_at, rate, max_rows, run_ms)
     VALUES ($1, $2, now() + $3::float8 * interval '1 millisecond', $4, $5, $6)
     ON CONFLICT (name) DO NOTHING RETURNING id`,
    [name, parent ?? null, livesMs ?? null, rate ?? null, maxRows ?? null, runMs ?? null],
  )
  const id = rows[0]?.id
  if (id === undefined) return undefined
  await client.query(`SET LOCAL ${TENANT_SETTING} = ${id}`)
  await client.query(`INSERT INTO ${SCHEMA}.stores (tenant) VALUES ($1)`, [id])
  return id
}

/** All tenants by name. @throws Failure STORE_UNAVAILABLE */
export function listTenants(connections: Connections): Promise<readonly Tenant[]> {
  return inTransaction(connections, async client => {
    const {rows} = await client.query<Found>(`SELECT ${COLUMNS} ${FROM} ORDER BY t.name`)
    return rows.map(tenantOf)
  })
}

/** @returns undefined if there is no such tenant. @throws Failure STORE_UNAVAILABLE */
export function findTenant(connections: Connections, name: string): Promise<Tenant | undefined> {
  return inTransaction(connections, async client => {
    const {rows} = await client.query<Found>(`SELECT ${COLUMNS} ${FROM} WHERE t.name = $1 AND ${ALIVE}`, [
      name,
    ])
    return rows[0] && tenantOf(rows[0])
  })
}

/** The tenants of these names that exist. @throws Failure STORE_UNAVAILABLE */
export async function findTenants(
  connections: Connections,
  names: readonly string[],
): Promise<ReadonlyMap<string, Tenant>> {
  const text = `SELECT ${COLUMNS} ${FROM} WHERE t.name = ANY($1::text[]) AND ${ALIVE}`
  const rows = await find<Found>(connections, {text, values: [names]})
  return new Map(rows.map(row => [row.name, tenantOf(row)]))
}

/**
 * Those of these digests that are of a tenant's token, also of a tenant whose time is over.
 * @param digests of `tokenDigest`. @throws Failure STORE_UNAVAILABLE
 */
export async function findTokens(
  connections: Connections,
  digests: readonly string[],
): Promise<ReadonlyMap<string, true>> {
  const rows = await find<{digest: string}>(connections, {
    text: `SELECT encode(hash, 'hex') AS digest FROM ${VALID_TOKENS}
      WHERE hash IN (SELECT decode(hex, 'hex') FROM unnest($1::text[]) AS hex)`,
    values: [digests],
  })
  return new Map(rows.map(({digest}) => [digest, true]))
}

/** A tenant whom a token lets in. */
export interface Admitted {
  readonly tenant: Tenant
  /** The name of the token. */
  readonly token: string
}

/**
 * Finds the tenant of a token, and marks both as used. A name of a run, such as `ci.build-123`, makes its tenant with the
 * first call.
 *
 * @param name as in the path of the request; without it, the token decides.
 * @returns undefined for an unknown name or token, or one of another tenant.
 * @throws Failure STORE_UNAVAILABLE
 */
export function admitTenant(
  connections: Connections,
  name: string | undefined,
  token: string,
): Promise<Admitted | 'too many runs' | undefined> {
  return inTransaction(connections, async client => {
    const used = await useToken(client, token)
    if (used === undefined) return undefined
    const [sql, value] = name === undefined ? ['t.id = $1', used.tenant] : ['t.name = $1', name]
    const find = () => client.query<Found>(`SELECT ${COLUMNS} ${FROM} WHERE ${sql} AND ${ALIVE}`, [value])
    let {rows} = await find()
    if (rows.length === 0 && name !== undefined && RUN_NAME.test(name)) {
      if (await makeRun(client, name, used.tenant)) return 'too many runs'
      ;({rows} = await find())
    }
    const [found] = rows
    if (found?.owner !== used.tenant) return undefined
    await client.query(
      `UPDATE ${SCHEMA}.tenants SET last_used_at = now()
       WHERE id = $1 AND coalesce(last_used_at, '-infinity') < now() - interval '1 minute'`,
      [found.id],
    )
    return {tenant: tenantOf(found), token: used.name}
  })
}

/**
 * Makes the tenant of a run, if this is its parent, which allows runs.
 * @returns whether there are too many already.
 */
async function makeRun(client: PoolClient, name: string, owner: number): Promise<boolean> {
  const [parentName] = name.split(RUN)
  const {rows} = await client.query<{id: number; run_ms: string | null}>(
    `SELECT id, run_ms FROM ${SCHEMA}.tenants WHERE name = $1 AND id = $2`,
    [parentName, owner],
  )
  const [parent] = rows
  if (parent?.run_ms == null) return false
  const {rows: living} = await client.query<{runs: number}>(
    `SELECT count(*)::integer AS runs FROM ${SCHEMA}.tenants WHERE parent = $1 AND expires_at > now()`,
    [parent.id],
  )
  if ((living[0]?.runs ?? 0) >= MOST_RUNS) return true
  // One of this name may be there still, from an earlier run.
  await client.query(`DELETE FROM ${SCHEMA}.tenants WHERE name = $1 AND expires_at <= now()`, [name])
  await insertTenant(client, {name, parent: parent.id, livesMs: Number(parent.run_ms)})
  return false
}

/** Removes a tenant with its data and its runs. @returns whether there was one. @throws Failure STORE_UNAVAILABLE */
export function removeTenant(connections: Connections, name: string): Promise<boolean> {
  return inTransaction(connections, async client => {
    const {rowCount} = await client.query(`DELETE FROM ${SCHEMA}.tenants WHERE name = $1`, [name])
    return Number(rowCount) > 0
  })
}

/**
 * Removes tenants and tokens whose time is over. Any process may do it; those that another one removes now are skipped.
 * @throws Failure STORE_UNAVAILABLE
 */
export function removeExpired(connections: Connections): Promise<void> {
  return inTransaction(connections, async client => {
    const removal = {
      text: `DELETE FROM ${SCHEMA}.tenants WHERE id IN (
        SELECT id FROM ${SCHEMA}.tenants WHERE expires_at <= now() FOR UPDATE SKIP LOCKED LIMIT 100)`,
      query_timeout: REMOVAL_MS,
    }
    await client.query(removal)
    await forgetTokens(client)
  })
}

function tenantOf({owner: _, createdAt, expiresAt, lastUsedAt, ...tenant}: Found): Tenant {
  const text = (date: Date | null) => date && instant(date.getTime())
  return {
    ...tenant,
    createdAt: instant(createdAt.getTime()),
    expiresAt: text(expiresAt),
    lastUsedAt: text(lastUsedAt),
  }
}
