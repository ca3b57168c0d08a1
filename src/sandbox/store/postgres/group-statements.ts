import type {PoolClient} from 'pg'
import {ROLE, SCHEMA, TENANT_SETTING} from './schema.ts'

/** A process that stops in the middle of a transaction must not keep the lock of the others. */
const STALLED_MS = 60_000

const state = (lock: string) => `(integer, bigint) AS
SELECT version, CASE WHEN rows_version = version THEN rows END AS rows,
  CASE WHEN changes_version = version AND changes_since <= $2 THEN changes END AS changes,
  extract(epoch FROM clock_timestamp()) * 1000 AS now,
  (SELECT works_since FROM ${SCHEMA}.versions ORDER BY versions.version DESC LIMIT 1) AS works_since
FROM ${SCHEMA}.stores WHERE tenant = $1 ${lock}`

const ENTER = `PREPARE cardctl_enter (text, text, text) AS SELECT set_config('role', '${ROLE}', true),
  set_config('${TENANT_SETTING}', $1, true), set_config('statement_timeout', $2, true),
  set_config('lock_timeout', $3, true), set_config('idle_in_transaction_session_timeout', '${STALLED_MS}', true),
  set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true);`

/** `cardctl_mark` leaves what tells other processes of the commit, and this one if the answer is lost. */
const OTHERS = `PREPARE cardctl_read ${state('')};
PREPARE cardctl_write ${state('FOR UPDATE')};
PREPARE cardctl_mark (integer, uuid, bigint, bigint, jsonb) AS
WITH marked AS (
  INSERT INTO ${SCHEMA}.commits (tenant, process, number) VALUES ($1, $2, $3)
  ON CONFLICT (tenant, process) DO UPDATE SET number = excluded.number, at = now())
UPDATE ${SCHEMA}.stores SET version = version + 1, changes_version = version + 1,
  rows = coalesce($4, rows), rows_version = CASE WHEN $4 IS NULL THEN rows_version ELSE version + 1 END,
  changes = CASE WHEN changes_version = version THEN changes ELSE '{}' END || $5,
  changes_since = CASE WHEN changes_version = version THEN changes_since ELSE version END WHERE tenant = $1;`

/** Connections that know the statements. */
const prepared = new WeakSet<PoolClient>()

export interface Beginning {
  readonly tenant: number
  readonly statementMs: number
  readonly lockMs: number
  readonly writes: boolean
  /** Of the tenant, as far as this process knows. */
  readonly version: string | undefined
}

/**
 * One message: a transaction, the role and the tenant for row-level security, the lock, and the versions. Planning these
 * statements takes a third of the database's time for a small group, so each connection does it once.
 */
export function beginning(client: PoolClient, of: Beginning): string {
  const {tenant, statementMs, lockMs, writes, version = 'null'} = of
  const isNew = !prepared.has(client)
  prepared.add(client)
  return `BEGIN ISOLATION LEVEL ${writes ? 'READ COMMITTED' : 'REPEATABLE READ READ ONLY'};${isNew ? ENTER : ''}
EXECUTE cardctl_enter ('${tenant}', '${statementMs}', '${lockMs}');${isNew ? OTHERS : ''}
EXECUTE cardctl_${writes ? 'write' : 'read'} (${tenant}, ${version})`
}

export interface Ending {
  readonly tenant: number
  readonly process: string
  readonly number: number
  /** Number of rows, if there is a limit. */
  readonly rows: number | null
  /** For each table that has changed, the version of the change. */
  readonly changes: Readonly<Record<string, number>>
}

export const ending = ({tenant, process, number, rows, changes}: Ending): string =>
  `EXECUTE cardctl_mark (${tenant}, '${process}', ${number}, ${rows}, '${JSON.stringify(changes)}'); COMMIT`
