import type {RequestRecord} from '../../journal/index.ts'

type Time = 'begunAt' | 'endedAt' | 'resolvedAt'

/** A request of the journal as it is printed: its times are ISO 8601 in UTC. */
export type ShownRequest = Omit<RequestRecord, Time> & {
  readonly begunAt: string
  readonly endedAt: string | undefined
  readonly resolvedAt: string | undefined
  /** The members that were sent, masked and cut down. */
  readonly sent?: unknown
}

export const shownRequest = (record: RequestRecord, sent?: unknown): ShownRequest => ({
  ...record,
  begunAt: iso(record.begunAt),
  endedAt: record.endedAt === undefined ? undefined : iso(record.endedAt),
  resolvedAt: record.resolvedAt === undefined ? undefined : iso(record.resolvedAt),
  ...(sent === undefined ? {} : {sent}),
})

export function* shownRequests(records: Iterable<RequestRecord>): Generator<ShownRequest, void, undefined> {
  for (const record of records) yield shownRequest(record)
}

const iso = (ms: number): string => new Date(ms).toISOString()
