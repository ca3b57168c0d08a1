import {Failure} from '../../../errors/failure.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'

type Time = 'begunAt' | 'endedAt' | 'resolvedAt'

/** A request of the journal for printing; its times are ISO 8601 in UTC. */
type ShownRequest = Omit<RequestRecord, Time> & {
  readonly begunAt: string
  readonly endedAt: string | undefined
  readonly resolvedAt: string | undefined
  /** The fields that were sent, masked and shortened. */
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

/** @throws Failure NOT_FOUND, or OTHER_SERVICE if the request is one of another service. */
export function requestIn(journal: Journal, id: string): RequestRecord {
  const found = journal.get(id)
  if (found !== undefined) return found
  journal.refuseElsewhere({request: id})
  throw new Failure('NOT_FOUND', {
    message: `The journal of ${journal.service.words} has no request ${id}.`,
    hint: 'See requests list; each service has a journal of its own.',
  })
}
