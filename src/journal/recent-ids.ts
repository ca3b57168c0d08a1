import {peek} from '../sqlite/peek.ts'
import {joinResources, splitResources} from './request-record.ts'

interface RecentRequest {
  readonly id: string
  readonly operation: string
  /** ms since 1970. */
  readonly begunAt: number
  /** As `card:3004`; none of a write that was refused. */
  readonly resources: readonly string[]
}

/** What was used lately, the newest first. */
export interface RecentIds {
  readonly requests: readonly RecentRequest[]
  readonly jobs: readonly string[]
  /** As `card:3004`. */
  readonly resources: readonly string[]
}

const MOST_REQUESTS = 200
const MOST_JOBS = 50

/** Ids to offer to a person. Reads the file as it is and creates nothing. @throws what node:sqlite throws */
export function recentIds(file: string): RecentIds {
  const rows = peek<
    Omit<RecentRequest, 'resources'> & {readonly resources: string; readonly isRefused: number}
  >(
    file,
    `SELECT id, operation, begun_at AS begunAt, resources,
       effect IS 'none' AND effect_mark IN ('write', 'destroy') AS isRefused FROM request ORDER BY begun_at DESC, id DESC LIMIT ${MOST_REQUESTS}`,
  )
  const jobs = peek<{id: string}>(file, `SELECT id FROM bulk_job ORDER BY created_at DESC LIMIT ${MOST_JOBS}`)
  const requests = rows.map(({resources: joined, isRefused, ...request}) => ({
    ...request,
    // It may name what isn't there, or what was mistyped.
    resources: isRefused === 1 ? [] : splitResources(joined),
  }))
  const resources = requests.flatMap(one => one.resources)
  return {
    requests,
    jobs: jobs.map(({id}) => id),
    resources: [...new Set(resources)].filter(one => !one.startsWith('control:')),
  }
}

/**
 * Those of these resources that any request touched. Reads the file as it is, without its log, and creates nothing.
 *
 * @throws what node:sqlite throws
 */
export function touchedOf(file: string, resources: readonly string[]): ReadonlySet<string> {
  const stored = new Map(resources.map(one => [joinResources([one]).slice(1, -1), one]))
  const rows = peek<{resource: string}>(
    file,
    'SELECT DISTINCT resource FROM touched WHERE resource IN (SELECT value FROM json_each(?))',
    [JSON.stringify([...stored.keys()])],
  )
  return new Set(rows.map(({resource}) => stored.get(resource) ?? resource))
}
