import {Failure} from '../../errors/failure.ts'
import type {Journal, RequestRecord} from '../../journal/index.ts'

/** @throws Failure NOT_FOUND */
export function requestIn(journal: Journal, profile: string, id: string): RequestRecord {
  const found = journal.get(id)
  if (found !== undefined) return found
  throw new Failure('NOT_FOUND', {
    message: `The journal of profile ${profile} has no request ${id}.`,
    hint: 'See requests list; each profile has a journal of its own.',
  })
}
