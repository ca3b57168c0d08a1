import type {PoolClient} from 'pg'

/** Modes that a write of a table waits for; or any, of who needs a table for itself. */
type Against = 'writes' | 'all'

/** A row that work locks before its tables. */
export interface LockedRow {
  /** Its table and condition, such as `stores WHERE tenant = 1`. */
  readonly from: string
  /** The setting by which its role sees it, such as `cardctl.tenant = 1`. */
  readonly seenBy: string
}

/** How long to look for a row behind the lock of a table. */
const LOOK_MS = 200

/** A transaction of a process of ours is idle for less between two statements. */
const IDLE_MS = 200

const WHO = `format('process %s (%s)', pid, concat_ws(', ', coalesce(nullif(application_name, ''), usename::text, 'unknown'),
  state, 'for ' || round(extract(epoch FROM clock_timestamp() - xact_start)) || ' s'))`

/**
 * Who holds what others wait for in a schema: `process 4711 (psql, idle in transaction, for 12 s) holds the table
 * cards`. The role may see the program and times only of its own sessions, unless it has pg_read_all_stats.
 *
 * @returns undefined if nobody does any more.
 * @throws the driver's error
 */
export async function lockHolders(
  client: PoolClient,
  schema: string,
  {against, row}: {readonly against: Against; readonly row?: LockedRow},
): Promise<string | undefined> {
  const {rows: tables} = await client.query<Held>(
    `SELECT ${WHO} AS who, string_agg(DISTINCT relname, ', ' ORDER BY relname) AS what
     FROM pg_locks JOIN pg_stat_activity USING (pid) JOIN pg_class c ON c.oid = relation
     WHERE granted AND c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND pid <> pg_backend_pid()
       AND ($2 OR mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'))
     GROUP BY pid, application_name, usename, state, xact_start ORDER BY xact_start LIMIT 5`,
    [schema, against === 'all'],
  )
  if (tables.length > 0) return tables.map(({who, what}) => `${who} holds ${tablesOf(what)}`).join('; ')
  if (row === undefined) return undefined
  await client.query(`BEGIN READ ONLY; SET LOCAL lock_timeout = ${LOOK_MS}; SET LOCAL ${row.seenBy}`)
  // The holder of a row is the transaction that the row names.
  const {rows} = await client.query<Held>(
    `SELECT ${WHO} AS who, '' AS what FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE granted AND locktype = 'transactionid' AND pid <> pg_backend_pid()
       AND transactionid::text IN (SELECT xmax::text FROM ${schema}.${row.from})`,
  )
  await client.query('COMMIT')
  const [table = ''] = row.from.split(' ')
  if (rows[0] !== undefined) return `${rows[0].who} holds a row of the table ${table}`
  return rowHolders(client, schema)
}

/** Rows have no entry in pg_locks: who has been at a table for so long that others gave up has locked some of them. */
async function rowHolders(client: PoolClient, schema: string): Promise<string | undefined> {
  const {rows} = await client.query<Held>(
    `SELECT ${WHO} AS who, string_agg(DISTINCT relname, ', ' ORDER BY relname) AS what
     FROM pg_locks JOIN pg_stat_activity USING (pid) JOIN pg_class c ON c.oid = relation
     WHERE granted AND c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND pid <> pg_backend_pid()
       AND mode IN ('RowShareLock', 'RowExclusiveLock') AND state LIKE 'idle in transaction%'
       AND clock_timestamp() - state_change > interval '${IDLE_MS} ms'
     GROUP BY pid, application_name, usename, state, xact_start ORDER BY xact_start LIMIT 5`,
    [schema],
  )
  if (rows.length === 0) return undefined
  return rows.map(({who, what}) => `${who} holds rows of ${tablesOf(what)}`).join('; ')
}

interface Held {
  readonly who: string
  readonly what: string
}

export const tablesOf = (names: string): string => `the table${names.includes(', ') ? 's' : ''} ${names}`
