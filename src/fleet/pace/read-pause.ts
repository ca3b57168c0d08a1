import type {QueryResultRow} from 'pg'
import type {Pause} from '../../journal/pace.ts'
import {PACE_SCHEMA} from './schema.ts'

/** In ms since 1970 by the clock of the database. */
interface PauseRecord extends QueryResultRow {
  readonly since: number
  readonly left_ms: number
}

const READ = `
SELECT (extract(epoch FROM braked_at) * 1000)::float8 AS since,
       (extract(epoch FROM blocked_until - clock_timestamp()) * 1000)::float8 AS left_ms
FROM ${PACE_SCHEMA}.services WHERE name = $1 AND blocked_until > clock_timestamp()`

export type AskPause = (text: string, values: readonly unknown[]) => Promise<readonly PauseRecord[]>

/** The pause that all machines keep now. @param now ms since 1970 */
export async function readPause(
  ask: AskPause,
  service: string,
  now: () => number,
): Promise<Pause | undefined> {
  const [found] = await ask(READ, [service])
  if (found === undefined) return undefined
  return {
    since: found.since,
    until: Math.round(now() + found.left_ms),
    of: 'a machine that shares the rate',
  }
}
