import type {Context} from '../../../cli/context.ts'
import type {Verdict} from '../../../cli/proposals.ts'
import type {FoundPolicy} from '../../../policy/index.ts'
import {isSignedBy} from '../../../sensitive/ed25519.ts'
import {fingerprintOf, signFor} from '../../data/shared/machine-key.ts'

/** What is signed: the id is the digest of the proposal's content. */
const facts = (proposal: string, {decision, at, auditUser}: Verdict, user: string): readonly string[] => [
  ...['approval', proposal, decision, at, auditUser, user],
]

/** A decision with the signature of who decides, if the policy of this machine wants one. */
export async function signedDecision(context: Context, proposal: string, verdict: Verdict): Promise<Verdict> {
  const {osUser} = context.surroundings
  if (wantedKey(await context.policy, osUser) === undefined) return verdict
  return {...verdict, signature: signFor(context.folders.data, facts(proposal, verdict, osUser))}
}

/** The fingerprint of the key that a user has to sign with; undefined if the policy names none. */
function wantedKey(found: FoundPolicy | undefined, user: string): string | undefined {
  const {keys = {}} = found !== undefined && 'policy' in found ? found.policy : {}
  return Object.hasOwn(keys, user) ? keys[user] : undefined
}

/** Whether a decision has the signature of its user, where the policy wants one. */
export function isSignedAsWanted(
  found: FoundPolicy | undefined,
  {proposal, decision, user}: {readonly proposal: string; readonly decision: Verdict; readonly user: string},
): boolean {
  const wanted = wantedKey(found, user)
  if (wanted === undefined) return true
  const {publicKey = '', signature = ''} = decision.signature ?? {}
  return (
    isSignedBy(publicKey, facts(proposal, decision, user), signature) && fingerprintOf(publicKey) === wanted
  )
}
