import process from 'node:process'
import type {Client} from '../../../cli/client/client.ts'
import type {Call, RequestOptions} from '../../../cli/client/options.ts'
import type {Context} from '../../../cli/context.ts'
import {isKeptId, isPartOf} from '../../../cli/proposal-content.ts'
import {
  type Decision,
  type FoundProposal,
  isOpenAt,
  type Proposal,
  Proposals,
  type Verdict,
} from '../../../cli/proposals.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject, parseObject} from '../../../errors/is-object.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {reasonOf} from '../../../errors/system-reason.ts'
import {readWhole} from '../../../input/read-input.ts'
import type {FoundPolicy} from '../../../policy/index.ts'
import type {Target} from '../../../profiles/target.ts'
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

/** Whether a decision has the signature of its user, where the policy wants one: always, if it came in a file. */
export function isSignedAsWanted(
  found: FoundPolicy | undefined,
  {proposal, decision, user}: {readonly proposal: string; readonly decision: Verdict; readonly user: string},
): boolean {
  const wanted = wantedKey(found, user)
  if (wanted === undefined) return decision.signedBy === undefined
  const {publicKey = '', signature = ''} = decision.signature ?? {}
  return (
    isSignedBy(publicKey, facts(proposal, decision, user), signature) && fingerprintOf(publicKey) === wanted
  )
}

/** An approval by somebody on another machine, as a file. */
interface SignedApproval extends Verdict {
  readonly format: typeof FORMAT
  readonly proposal: string
  readonly decision: 'approved'
  readonly signedBy: string
  readonly signature: NonNullable<Verdict['signature']>
}

const FORMAT = 'cardctl-approval/1'
const LARGEST = 64 * 1024

/** @param user the name that the policy has for the key of this machine. */
export function signApproval(context: Context, proposal: string, user: string): SignedApproval {
  const at = new Date(context.surroundings.now()).toISOString()
  const verdict = {decision: 'approved', at, auditUser: user} as const
  const signature = signFor(context.folders.data, facts(proposal, verdict, user))
  return {format: FORMAT, proposal, ...verdict, signedBy: user, signature}
}

/**
 * Reads an approval that was signed on another machine. The policy, which is of another user, says whose key counts.
 *
 * @throws Failure INPUT_INVALID, GATE_REFUSED
 */
export async function readApproval(
  context: Context,
  file: string,
  {id, by, content}: Proposal,
): Promise<SignedApproval> {
  const refuse = (code: 'INPUT_INVALID' | 'GATE_REFUSED', why: string): Failure =>
    new Failure(code, {
      message: `${file} cannot be used: ${why}. Nothing was sent.`,
      hint: advice`An approver makes it: ${cardctl('requests', 'sign', {value: `${id}.json`})}`,
      effect: 'none',
    })
  const bytes = await readWhole(file, context.surroundings.signal, LARGEST).catch((error: unknown) => {
    if (error instanceof Failure) throw error
    throw refuse('INPUT_INVALID', reasonOf(error))
  })
  const found = parseObject(bytes?.toString('utf8') ?? '')
  if (!isApproval(found)) throw refuse('INPUT_INVALID', 'it is no signed approval')
  if (found.proposal !== id) throw refuse('GATE_REFUSED', `it approves another proposal, ${found.proposal}`)
  const user = found.signedBy
  if (user === by.osUser || user.toLowerCase() === content.auditUser.trim().toLowerCase())
    throw refuse('GATE_REFUSED', `${user} made the proposal, and a second person must approve it`)
  const policy = await context.policy
  if (!isSignedAsWanted(policy, {proposal: id, decision: found, user}))
    throw refuse('GATE_REFUSED', whyNotSigned(found, user, wantedKey(policy, user)))
  return found
}

/** Which key has signed, and which one is wanted. */
function whyNotSigned(found: SignedApproval, user: string, wanted: string | undefined): string {
  if (wanted === undefined) return `the policy names no key for ${user}`
  const {publicKey, signature} = found.signature
  const isWhole = isSignedBy(publicKey, facts(found.proposal, found, user), signature)
  return isWhole
    ? `it is signed with the key ${fingerprintOf(publicKey)}, and the policy names ${wanted} for ${user}`
    : `it was changed after ${user} signed it`
}

/**
 * By whom a request was approved that is sent again: who signed it, or this user. The folder says so; records of this user
 * say nothing that a policy goes by.
 *
 * @returns undefined if it isn't in the folder as it was sent, or no longer counts
 */
export async function approvedIn(
  context: Context,
  {proposals: folder, ...target}: Target,
  id: string,
  asked: Parameters<typeof isPartOf>[1],
): Promise<true | {readonly by: string} | undefined> {
  if (folder === undefined) return undefined
  const found = foundIn(new Proposals({...target, proposals: folder}), id)
  const {proposal, decision} = found ?? {}
  if (proposal === undefined || decision?.decision !== 'approved') return undefined
  const isSame = isPartOf(proposal.content, asked) && isOpenAt(proposal.content, context.surroundings.now())
  const user = approverOf(decision)
  if (!isSame || !isSignedAsWanted(await context.policy, {proposal: id, decision, user})) return undefined
  if (decision.signedBy === undefined) return decision.by.uid === process.geteuid?.() ? true : undefined
  using journal = await context.stores.quietJournal()
  const isHere = proposal.content.sender === journal.senderName
  return isHere && user !== proposal.by.osUser ? {by: user} : undefined
}

function foundIn(proposals: Proposals, id: string): FoundProposal | undefined {
  try {
    return proposals.get(id)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/**
 * Who signed has agreed to what a person is asked, except for what the profile here keeps from everybody.
 *
 * @throws Failure GATE_REFUSED
 */
export async function refuseBarred(client: Client, call: Call, options: RequestOptions): Promise<void> {
  const {demands} = await client.prepare(call, options)
  const barred = demands.find(({refusal}) => refusal !== undefined)
  if (barred === undefined) return
  throw new Failure('GATE_REFUSED', {
    message: `${barred.warning ?? 'A person must agree to this here.'} Nothing was sent.`,
    hint: barred.refusal,
    effect: 'none',
  })
}

/** Who approved: who signed on another machine, or the owner of the file. */
export const approverOf = ({signedBy, by}: Decision): string => signedBy ?? by.osUser

const isApproval = (one: unknown): one is SignedApproval =>
  isObject(one) &&
  one.format === FORMAT &&
  typeof one.proposal === 'string' &&
  isKeptId(one.proposal) &&
  one.decision === 'approved' &&
  typeof one.at === 'string' &&
  typeof one.auditUser === 'string' &&
  typeof one.signedBy === 'string' &&
  /^[A-Za-z_][\w.-]{0,31}$/.test(one.signedBy) &&
  one.auditUser === one.signedBy &&
  isObject(one.signature) &&
  typeof one.signature.publicKey === 'string' &&
  typeof one.signature.signature === 'string'
