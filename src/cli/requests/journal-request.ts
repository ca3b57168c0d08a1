import {Failure} from '../../errors/failure.ts'
import type {Journal, RequestRecord} from '../../journal/index.ts'

/** @throws Failure NOT_FOUND, or OTHER_SERVICE where it is one of another service. */
export function requestIn(journal: Journal, id: string): RequestRecord {
  const found = journal.get(id)
  if (found !== undefined) return found
  journal.refuseElsewhere({request: id})
  throw new Failure('NOT_FOUND', {
    message: `The journal of ${journal.service.words} has no request ${id}.`,
    hint: 'See requests list; each service has a journal of its own.',
  })
}
