import type {QueryResultRow} from 'pg'
import type {Connections} from './connect.ts'
import {tablesOf} from './lock-holders.ts'
import {HeldError} from './reasons.ts'

/** A statement of ours takes milliseconds, ms. */
const LOOK_MS = 1_500
/** Others may begin to hold it later. */
const LOOK_AGAIN_MS = 3_000

/** Locks that no statement of ours takes: they keep the others from a whole table. */
const OF_TABLES = `mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`

/** Who is in the way of statements on a schema, and waits for nobody itself; what it has locked of the schema. */
const HOLDERS = `
WITH of_schema AS (
  SELECT l.pid, l.granted, l.mode, c.relname FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
    WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p')
), blocking AS (
  SELECT DISTINCT unnest(pg_blocking_pids(w.pid)) AS pid FROM pg_locks w
    WHERE NOT w.granted AND w.pid <> pg_backend_pid()
      AND (w.locktype = 'advisory' OR w.pid IN (SELECT pid FROM of_schema))
)
SELECT format('process %s (%s)', a.pid, concat_ws(', ', coalesce(nullif(a.application_name, ''), a.usename::text, 'unknown'), a.state)) AS who,
    string_agg(DISTINCT h.relname, ', ' ORDER BY h.relname) FILTER (WHERE ${OF_TABLES}) AS tables,
    string_agg(DISTINCT h.relname, ', ' ORDER BY h.relname) AS rows
  FROM blocking JOIN pg_stat_activity a USING (pid) JOIN of_schema h ON h.pid = a.pid AND h.granted
  WHERE NOT EXISTS (SELECT FROM pg_locks w WHERE w.pid = a.pid AND NOT w.granted)
  GROUP BY a.pid, a.application_name, a.usename, a.state, a.xact_start ORDER BY a.xact_start LIMIT 3`

interface Holder {
  readonly who: string
  readonly tables: string | null
  readonly rows: string
}

/**
 * Tells who holds what a statement waits for, if it takes long.
 *
 * @param work is told whether that is known now.
 * @throws HeldError in place of an error without a code, which says that there was no response; what `work` throws.
 */
export async function tellingHeld<Result>(
  connections: Connections,
  schema: string,
  work: (isHeld: () => boolean) => Promise<Result>,
): Promise<Result> {
  let isOver = false
  let isTold = false
  let held: string | undefined
  let end: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    const found = await holdersNow(connections, schema).catch(() => undefined)
    if (isOver) return
    if (found !== held || !isTold) {
      end?.()
      end = connections.tellHeld?.(found ?? `the database ${connections.shown} has not responded yet`)
      held = found
      isTold = true
    }
    timer = setTimeout(() => void look(), LOOK_AGAIN_MS)
  }
  timer = setTimeout(() => void look(), LOOK_MS)
  try {
    return await work(() => held !== undefined)
  } catch (error) {
    const isSilence = error instanceof Error && !('code' in error)
    throw held !== undefined && isSilence ? new HeldError(held, error) : error
  } finally {
    isOver = true
    clearTimeout(timer)
    end?.()
  }
}

/** On a connection of its own: those of the pool may all be held. */
async function holdersNow({aside}: Connections, schema: string): Promise<string | undefined> {
  const holders = await aside<Holder & QueryResultRow>(HOLDERS, [schema])
  if (holders.length === 0) return undefined
  return holders
    .map(({who, tables, rows}) =>
      tables === null ? `${who} holds rows of ${tablesOf(rows)}` : `${who} holds ${tablesOf(tables)}`,
    )
    .join('; ')
}
