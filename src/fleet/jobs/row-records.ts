import type {JobRow, RowResult, RowState} from '../../bulk/job.ts'
import {isBlame} from '../../errors/blame.ts'
import type {RowEndRecord} from './shared-rows.ts'
import type {TeamKey} from './team-key.ts'

/** A row of the table `rows`. */
export interface RowRecord {
  readonly row: number
  readonly line: number
  readonly key: string
  readonly sealed: Buffer
  readonly state: string
  readonly begun_at: Date | null
  readonly request: string | null
  readonly status: number | null
  readonly code: string | null
  readonly blocker: number | null
  readonly outcome: Buffer | null
  /** The last request of the row that holds it. */
  readonly blocker_request?: string | null
}

/** Bound to the key: it can't be exchanged without notice. */
export const valuesPlace = (job: string, {row, key}: Pick<RowRecord, 'row' | 'key'>): string =>
  `${job}/${row}/${key}`
const outcomePlace = (job: string, row: number): string => `${job}/${row}/outcome`

export function toRow(team: TeamKey, job: string, record: RowRecord): JobRow {
  const {row, line, key, state, begun_at: begunAt, request} = record
  return {
    row,
    line,
    key,
    values: team.unseal(valuesPlace(job, record), record.sealed) as Record<string, unknown>,
    state: state as RowState,
    follows: undefined,
    begunAt: begunAt?.getTime(),
    request: request ?? undefined,
  }
}

export function toEnd(team: TeamKey, job: string, record: RowRecord) {
  const {row, state, status, code, blocker, blocker_request: request, outcome} = record
  const {message, blame, reply} =
    outcome === null
      ? {}
      : (team.unseal(outcomePlace(job, row), outcome) as {message?: string; blame?: string; reply?: unknown})
  const held =
    state !== 'held' || blocker === null
      ? undefined
      : `Not sent: row ${blocker} of the same resource ${code === 'EARLIER_ROW_FAILED' ? 'failed' : `has an unknown effect${request ? ` (request ${request})` : ''}`}.`
  return {
    status: status ?? undefined,
    code: code ?? undefined,
    message: held ?? message,
    blame: blame !== undefined && isBlame(blame) ? blame : undefined,
    reply,
  }
}

export const toResult = (team: TeamKey, job: string, record: RowRecord): RowResult => ({
  ...toRow(team, job, record),
  ...toEnd(team, job, record),
})

/** How a row ended, as `end_rows` takes it. */
export function endParameter(team: TeamKey, job: string, end: RowEndRecord) {
  const {row, request, outcome, ready, keeps} = end
  const {state, status, code, message, blame, reply} = outcome.row
  const isEmpty = message === undefined && blame === undefined && reply === undefined
  return {
    row: row.row,
    request: request ?? null,
    last: request ?? row.request ?? null,
    effect: request === undefined ? null : (outcome.request.effect ?? null),
    conclusive: request !== undefined && outcome.conclusive,
    state,
    status: status ?? null,
    code: code ?? null,
    outcome: isEmpty
      ? null
      : team.seal(outcomePlace(job, row.row), {message, blame, reply}).toString('base64'),
    ready,
    keeps,
  }
}
