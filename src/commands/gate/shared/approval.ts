import type {Context} from '../../../cli/context.ts'
import {isPartOf} from '../../../cli/proposal-content.ts'
import {type Decision, isOpenAt, Proposals} from '../../../cli/proposals.ts'
import {servedProfile} from '../../../cli/same-service.ts'
import {otherSender} from '../../../cli/sent-from.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Journal} from '../../../journal/index.ts'
import type {GateCaller} from '../../../policy/index.ts'
import type {Target} from '../../../profiles/target.ts'
import {approverOf, isSignedAsWanted} from '../../requests/shared/signed-decision.ts'
import type {AskedCall} from './strict-request.ts'

/** That another user proposed a request, and its caller approved it, or brings a signature of who did. */
export interface Approval {
  /** Of the proposal. */
  readonly id: string
  readonly approved: true | {readonly by: string}
  /** A person has seen that it may be sent already, and wants it sent. */
  readonly again: boolean
  /** Asks the journal at the last moment whether it was sent. */
  readonly guard: (journal: Journal) => void
}

/** Who names a proposal makes the server read it, and others wait. */
const LARGEST = 4 * 1024 * 1024

/**
 * Looks for itself whether a caller has approved what it sends. The system says who owns the proposal and the decision; the
 * request must be one of the proposal, unchanged and in time.
 *
 * @throws Failure GATE_REFUSED, and what `Proposals` throws
 */
export async function approvalOf(
  context: Context,
  target: Target,
  {user, kind, profile}: GateCaller,
  {operation, input, key, proposal: id}: AskedCall,
): Promise<Approval | undefined> {
  if (id === undefined) return undefined
  const proposals = new Proposals(target, LARGEST)
  const policy = await context.policy
  const notSigned = (of: Decision) =>
    isSignedAsWanted(policy, {proposal: id, decision: of, user: approverOf(of)})
      ? undefined
      : `is not signed with the key that the policy names for ${approverOf(of)}`
  // The id is enough to judge the decision, and the proposal may be large.
  const verdict = proposals.verdict(id)
  refuseFor(id, whyNotBy(user, verdict) ?? (verdict && notSigned(verdict)))
  const {proposal, decision} = proposals.get(id)
  const {content} = proposal
  const now = context.surroundings.now()
  const why =
    whyNotBy(user, decision) ??
    (decision === undefined
      ? undefined
      : (decision.signedBy === undefined && decision.by.uid === proposal.by.uid) ||
          decision.signedBy === proposal.by.osUser
        ? 'was approved by who made it'
        : (notSigned(decision) ??
          (!isOpenAt(content, now)
            ? 'has expired'
            : servedProfile(policy, content.service) !== profile
              ? 'is for another service'
              : isPartOf(content, {operation: operation.id, input, key})
                ? undefined
                : 'has other requests')))
  refuseFor(id, why)
  using journal = await context.stores.quietJournal()
  // Another server, or this one before its records were gone, may have sent it.
  if (content.sender !== journal.senderName) throw otherSender(id, content.sender, journal.senderName)
  return {
    id,
    approved: decision?.signedBy === undefined ? true : {by: decision.signedBy},
    again: content.transfers?.again === true && (kind === 'person' || decision?.signedBy !== undefined),
    guard: journal => {
      // Repeats with a key are judged by it.
      if (key !== undefined) return
      const sent = journal.requests
        .list({proposal: id})
        .find(one => one.operation === operation.id && one.effect !== 'none' && hasPath(one.path, input.path))
      if (sent === undefined) return
      throw new Failure('ALREADY_SENT', {
        message: `This request of proposal ${id} was sent before.`,
        effect: 'none',
      })
    },
  }
}

function whyNotBy(user: string, decision: Decision | undefined): string | undefined {
  if (decision?.decision !== 'approved') return 'is not approved'
  const {osUser} = decision.by
  return osUser === user ? undefined : `was approved by ${osUser}, and not by ${user}`
}

/** @throws Failure GATE_REFUSED */
function refuseFor(id: string, why: string | undefined): void {
  if (why === undefined) return
  throw new Failure('GATE_REFUSED', {
    message: `Proposal ${id} ${why}.`,
    hint: 'Propose it again.',
    effect: 'none',
  })
}

/** Whether a path has the values of parameters, each as a segment. */
const hasPath = (path: string, params: Readonly<Record<string, string>>): boolean => {
  const segments = new Set(path.split('/'))
  return Object.values(params).every(value => segments.has(encodeURIComponent(value)))
}
