import type {JobSettings, JobState} from '../../bulk/job.ts'
import type {Identity, Protection} from './identity.ts'
import {JOBS_SCHEMA as S} from './schema.ts'

/** A shared job, as the database has it. */
export interface JobRecord {
  readonly number: number
  readonly id: string
  readonly service: string
  readonly operation: string
  readonly contract: string
  readonly protection: Protection
  readonly key_id: string
  readonly sealed: Buffer
  readonly lease_ms: number
  readonly state: string
  readonly created_at: Date
  readonly worked_at: Date
  readonly workers: number
  readonly is_left: boolean
}

/** What of a job is encrypted. */
export interface SealedHead {
  readonly source: string
  readonly settings: JobSettings
  /** The service, for people. */
  readonly service: string
  readonly profile: Identity['profile']
}

const OPEN = `('waiting', 'sent', 'again', 'held')`
/** To be followed by a condition on `j`. */
export const SELECT_JOBS = `
SELECT j.*, extract(epoch FROM j.lease)::float8 * 1000 AS lease_ms,
  (SELECT count(*)::integer FROM ${S}.workers w WHERE w.job = j.number AND w.alive_until >= clock_timestamp()) AS workers,
  EXISTS (SELECT FROM ${S}.rows r WHERE r.job = j.number AND r.state IN ${OPEN}) AS is_left
FROM ${S}.jobs j`

export function stateOf({state, workers, is_left: isLeft}: JobRecord): JobState {
  if (state === 'cancelled') return 'cancelled'
  if (workers > 0) return 'running'
  if (state === 'unread') return 'unread'
  return isLeft ? 'stopped' : 'done'
}

/** What its sealed head belongs to: it can't be moved to another job. */
export const headPlace = (
  job: Pick<JobRecord, 'id' | 'service' | 'operation' | 'contract' | 'protection'>,
): string => [job.id, job.service, job.operation, job.contract, job.protection].join('/')
