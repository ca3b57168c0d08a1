import type {Audit} from '../../../audit/index.ts'

/** Who proposed what was approved, and why. */
export interface Proposer {
  /** The audit user, or from another machine the user of its system. */
  readonly by: string | undefined
  readonly note: string | undefined
}

/** Reads from the audit trail who made proposals. */
export function proposers(audit: Audit): (proposal: string | undefined) => Proposer | undefined {
  const known = new Map<string, Proposer>()
  return proposal => {
    if (proposal === undefined) return undefined
    const found = known.get(proposal) ?? proposerOf(audit, proposal)
    known.set(proposal, found)
    return found
  }
}

function proposerOf(audit: Audit, proposal: string): Proposer {
  let found: Proposer = {by: undefined, note: undefined}
  for (const {kind, auditUser, proposedBy, note} of audit.newest({proposal})) {
    if (kind === 'approve') found = {by: found.by ?? proposedBy, note: found.note ?? note}
    if (kind === 'propose') return {by: auditUser ?? found.by, note: note ?? found.note}
  }
  return found
}
