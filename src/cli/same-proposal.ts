import {marksIn} from '../output/batch-marks.ts'
import type {KeptRequests} from './proposal-content.ts'
import {isOpenAt, type Proposals} from './proposals.ts'

/** The proposals that wait already and ask for the same, newest first. */
export function sameProposals(
  proposals: Proposals,
  asked: Pick<KeptRequests, 'requests' | 'service'>,
  now: number,
): readonly string[] {
  const wanted = contentOf(asked)
  return proposals
    .all()
    .found.filter(({proposal: {content}, decision}) => decision === undefined && isOpenAt(content, now))
    .filter(({proposal}) => contentOf(proposal.content) === wanted)
    .map(({proposal}) => proposal.id)
}

/** What it does, without what differs each time: the reference in the description of a batch comes from a new key. */
const contentOf = ({requests, service}: Pick<KeptRequests, 'requests' | 'service'>): string =>
  JSON.stringify([service, requests.map(({operation, input}) => [operation, input])], (name, value) =>
    name === 'description' && typeof value === 'string' ? marksIn(value).plain : value,
  )
