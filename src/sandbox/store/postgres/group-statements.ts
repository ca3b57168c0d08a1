import type {PoolClient} from 'pg'
import {statementName} from '../../../postgres/statement-name.ts'
import type {TableName} from '../tables.ts'
import {ROLE, SCHEMA, TENANT_SETTING} from './schema.ts'

/** A process that stops in the middle of a transaction must not keep the lock of the others. */
const STALLED_MS = 60_000

const state = (lock: string) => `(integer) AS
SELECT rows, marks::text AS marks, extract(epoch FROM clock_timestamp()) * 1000 AS now,
  (SELECT works_since FROM ${SCHEMA}.versions ORDER BY versions.version DESC LIMIT 1) AS works_since
FROM ${SCHEMA}.stores WHERE tenant = $1 ${lock}`

/** A statement that each connection prepares once. */
function statement(text: string): {readonly prepare: string; readonly execute: string} {
  const name = statementName(text)
  return {prepare: `PREPARE ${name} ${text};`, execute: `EXECUTE ${name}`}
}

const enter = statement(`(text, text, text) AS SELECT set_config('role', '${ROLE}', true),
  set_config('${TENANT_SETTING}', $1, true), set_config('statement_timeout', $2, true),
  set_config('lock_timeout', $3, true), set_config('idle_in_transaction_session_timeout', '${STALLED_MS}', true),
  set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`)
const read = statement(state(''))
const write = statement(state('FOR UPDATE'))
/** Leaves what tells other processes of the commit, and this one if the answer is lost. */
const mark = statement(`(integer, uuid, bigint, bigint, jsonb) AS
WITH marked AS (
  INSERT INTO ${SCHEMA}.commits (tenant, process, number) VALUES ($1, $2, $3)
  ON CONFLICT (tenant, process) DO UPDATE SET number = excluded.number, at = now())
UPDATE ${SCHEMA}.stores SET rows = $4, marks = marks || $5 WHERE tenant = $1`)
const afterEntering = [read, write, mark].map(({prepare}) => prepare).join('\n')

/** Connections that know the statements. */
const prepared = new WeakSet<PoolClient>()

export interface Beginning {
  readonly tenant: number
  readonly statementMs: number
  readonly lockMs: number
  readonly writes: boolean
}

/**
 * One message: a transaction, the role and the tenant for row-level security, the lock, and the marks. Planning these
 * statements takes a third of the database's time for a small group, so each connection does it once.
 */
export function beginning(client: PoolClient, of: Beginning): string {
  const {tenant, statementMs, lockMs, writes} = of
  const isNew = !prepared.has(client)
  prepared.add(client)
  return `BEGIN ISOLATION LEVEL ${writes ? 'READ COMMITTED' : 'REPEATABLE READ READ ONLY'};${isNew ? enter.prepare : ''}
${enter.execute} ('${tenant}', '${statementMs}', '${lockMs}');${isNew ? afterEntering : ''}
${(writes ? write : read).execute} (${tenant})`
}

export interface Ending {
  readonly tenant: number
  readonly process: string
  readonly number: number
  /** Number of rows, if there is a limit. */
  readonly rows: number | null
  /** Of this commit: letters, digits, - and _. */
  readonly mark: string
  /** The tables that have changed. */
  readonly changed: readonly TableName[]
}

/** How long the last commit of a process is kept. A process looks for its own within seconds. */
const KEPT = '1 day'

export function ending({tenant, process, number, rows, mark: own, changed}: Ending): string {
  const marks = JSON.stringify(Object.fromEntries(changed.map(name => [name, own])))
  // Each process leaves a row, so each removes those of processes that have ended: with its first commit.
  const tidy =
    number === 1
      ? `DELETE FROM ${SCHEMA}.commits WHERE tenant = ${tenant} AND at < now() - interval '${KEPT}';`
      : ''
  return `${tidy}${mark.execute} (${tenant}, '${process}', ${number}, ${rows}, '${marks}'); COMMIT`
}
