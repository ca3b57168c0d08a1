import {createHash, randomBytes} from 'node:crypto'
import type {PoolClient} from 'pg'
import {Failure} from '../../../errors/failure.ts'
import type {Connections} from '../../../postgres/connect.ts'
import {Secret} from '../../../sensitive/secret.ts'
import {instant} from '../../clock.ts'
import {inTransaction} from './migrate.ts'
import {SCHEMA} from './schema.ts'

/** The name of the token that a tenant is added with. */
export const FIRST_TOKEN = 'default'

const NAME = /^[a-z0-9][a-z0-9_.@-]{0,63}$/

/** A token of a tenant, without itself: only its digest is stored. */
export interface TenantToken {
  readonly name: string
  /** RFC 3339, as the other times. */
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

/** A new token, to be printed once. */
export interface NewToken {
  readonly token: Secret
  readonly expiresAt: string | null
}

/** What is stored of a token. It has 256 random bits, so a plain digest is enough. */
const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

const TOKEN = /^cardctl_sandbox_[A-Za-z0-9_-]{43}$/

/** What `findTokens` takes; undefined for a text that can't be a token. */
export const tokenDigest = (text: string): string | undefined =>
  TOKEN.test(text) ? tokenHash(text).toString('hex') : undefined

/** A prefix lets scanners find a token that was published by mistake. */
const newToken = (): Secret => new Secret(`cardctl_sandbox_${randomBytes(32).toString('base64url')}`)

/**
 * The tokens that are valid, as `tokens`. A cardctl of the first version of the schema knows one for each tenant, in
 * `tenants`, and may have added it since.
 */
export const VALID_TOKENS = `(
  SELECT tenant, name, hash FROM ${SCHEMA}.tokens WHERE expires_at IS NULL OR expires_at > now()
  UNION ALL SELECT id, '${FIRST_TOKEN}', token_hash FROM ${SCHEMA}.tenants t
    WHERE NOT EXISTS (SELECT FROM ${SCHEMA}.tokens k WHERE k.hash = t.token_hash)
) AS tokens`

interface TokenRow {
  readonly name: string
  readonly created: Date
  readonly expires: Date | null
  readonly used: Date | null
}

/** Makes a token for a tenant, within a transaction. */
export async function insertToken(
  client: PoolClient,
  tenant: number,
  {name = FIRST_TOKEN, livesMs}: {name?: string; livesMs?: number | undefined} = {},
): Promise<NewToken> {
  const token = newToken()
  const hash = tokenHash(token.open())
  const {rows} = await client.query<{expires: Date | null}>(
    `INSERT INTO ${SCHEMA}.tokens (tenant, name, hash, expires_at)
     VALUES ($1, $2, $3, now() + $4::float8 * interval '1 millisecond') RETURNING expires_at AS expires`,
    [tenant, name, hash, livesMs ?? null],
  )
  if (name === FIRST_TOKEN) {
    await client.query(`UPDATE ${SCHEMA}.tenants t SET token_hash = $2 WHERE t.id = $1`, [tenant, hash])
  }
  return {token, expiresAt: timeOf(rows[0]?.expires ?? null)}
}

const timeOf = (date: Date | null) => date && instant(date.getTime())

/**
 * Adds a token to a tenant.
 * @throws Failure INPUT_INVALID for a name that is not valid, or that a valid token has; STORE_UNAVAILABLE
 */
export async function addToken(
  connections: Connections,
  tenant: number,
  name: string,
  livesMs?: number,
): Promise<NewToken> {
  if (!NAME.test(name)) {
    throw new Failure('INPUT_INVALID', {
      message:
        'The name of a token has 1 to 64 characters: a to z, 0 to 9, _, -, . and @, and begins with a letter or digit.',
    })
  }
  return inTransaction(connections, async client => {
    await lockTenant(client, tenant)
    if ((await tokensIn(client, tenant, name)).length > 0) {
      throw new Failure('INPUT_INVALID', {
        message: `The tenant has a token ${name} already.`,
        hint: 'Choose another name, or rotate the token.',
      })
    }
    return insertToken(client, tenant, {name, livesMs})
  })
}

/**
 * Makes a new token of the same name. The earlier ones are valid for the overlap, at most.
 *
 * @param livesMs of the new one; as long as the last one by default.
 * @returns undefined if the tenant has no token of this name. @throws Failure STORE_UNAVAILABLE
 */
export function rotateToken(
  connections: Connections,
  tenant: number,
  name: string,
  {overlapMs, livesMs}: {readonly overlapMs: number; readonly livesMs?: number | undefined},
): Promise<NewToken | undefined> {
  return inTransaction(connections, async client => {
    await lockTenant(client, tenant)
    const last = (await tokensIn(client, tenant, name)).at(-1)
    if (last === undefined) return undefined
    const livedMs = last.expires === null ? undefined : last.expires.getTime() - last.created.getTime()
    await client.query(
      `UPDATE ${SCHEMA}.tokens k SET expires_at = least(k.expires_at, now() + $3::float8 * interval '1 millisecond')
       WHERE k.tenant = $1 AND k.name = $2`,
      [tenant, name, overlapMs],
    )
    return insertToken(client, tenant, {name, livesMs: livesMs ?? livedMs})
  })
}

/** Removes the tokens of this name. @returns whether there was one. @throws Failure STORE_UNAVAILABLE */
export function removeToken(connections: Connections, tenant: number, name: string): Promise<boolean> {
  return inTransaction(connections, async client => {
    await lockTenant(client, tenant)
    const {rows} = await client.query<{hash: Buffer}>(
      `DELETE FROM ${SCHEMA}.tokens k WHERE k.tenant = $1 AND k.name = $2 RETURNING hash`,
      [tenant, name],
    )
    await forgetHashes(
      client,
      rows.map(({hash}) => hash),
    )
    return rows.length > 0
  })
}

/** The valid tokens of a tenant by name, those of the same name by age. @throws Failure STORE_UNAVAILABLE */
export function listTokens(connections: Connections, tenant: number): Promise<readonly TenantToken[]> {
  return inTransaction(connections, async client => {
    await lockTenant(client, tenant)
    const rows = await tokensIn(client, tenant)
    return rows.map(({name, created, expires, used}) => ({
      name,
      createdAt: instant(created.getTime()),
      expiresAt: timeOf(expires),
      lastUsedAt: timeOf(used),
    }))
  })
}

/** Takes turns, and brings the token that an older cardctl has added to the others. */
async function lockTenant(client: PoolClient, tenant: number): Promise<void> {
  await client.query(`SELECT FROM ${SCHEMA}.tenants t WHERE t.id = $1 FOR UPDATE`, [tenant])
  await client.query(
    `INSERT INTO ${SCHEMA}.tokens (tenant, name, hash, created_at)
     SELECT id, '${FIRST_TOKEN}', token_hash, created_at FROM ${SCHEMA}.tenants t
     WHERE t.id = $1 AND token_hash IS NOT NULL ON CONFLICT DO NOTHING`,
    [tenant],
  )
}

async function tokensIn(client: PoolClient, tenant: number, name?: string): Promise<readonly TokenRow[]> {
  const {rows} = await client.query<TokenRow>(
    `SELECT name, created_at AS created, expires_at AS expires, last_used_at AS used FROM ${SCHEMA}.tokens k
     WHERE k.tenant = $1 AND ($2::text IS NULL OR k.name = $2) AND (expires_at IS NULL OR expires_at > now())
     ORDER BY name, created_at`,
    [tenant, name ?? null],
  )
  return rows
}

/** An older cardctl would accept it still. */
const forgetHashes = (client: PoolClient, hashes: readonly Buffer[]) =>
  client.query(`UPDATE ${SCHEMA}.tenants SET token_hash = NULL WHERE token_hash = ANY($1::bytea[])`, [hashes])

/** Removes tokens whose time has been over for a while, within a transaction. */
export async function forgetTokens(client: PoolClient): Promise<void> {
  const {rows} = await client.query<{hash: Buffer}>(
    `DELETE FROM ${SCHEMA}.tokens WHERE expires_at < now() - interval '1 day' RETURNING hash`,
  )
  if (rows.length === 0) return
  await forgetHashes(
    client,
    rows.map(({hash}) => hash),
  )
}

/** Whose token it is, and its name; marks it as used. Within a transaction. */
export async function useToken(
  client: PoolClient,
  token: string,
): Promise<{readonly tenant: number; readonly name: string} | undefined> {
  const hash = tokenHash(token)
  const {rows} = await client.query<{tenant: number; name: string}>(
    `SELECT tenant, name FROM ${VALID_TOKENS} WHERE hash = $1`,
    [hash],
  )
  const [found] = rows
  if (found === undefined) return undefined
  await client.query(
    `UPDATE ${SCHEMA}.tokens SET last_used_at = now()
     WHERE hash = $1 AND coalesce(last_used_at, '-infinity') < now() - interval '1 minute'`,
    [hash],
  )
  return found
}
