import {amountsIn} from '../contract/amounts.ts'
import {irreversibleIn} from '../contract/marked-values.ts'
import type {Operation} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {Failure} from '../errors/failure.ts'
import type {BuiltRequest, Sender} from '../http/index.ts'
import {isLoopback} from '../network/loopback.ts'
import {
  type Asked,
  type Decision,
  decide,
  type FoundPolicy,
  type Policy,
  type PolicyEffect,
  type Sums,
  sumsOf,
} from '../policy/index.ts'
import type {Target} from '../profiles/target.ts'
import {checkInput} from './check-input.ts'
import type {Call} from './client/call.ts'
import type {Context} from './context.ts'
import {recordRefusal} from './record-changes.ts'
import {type JudgedRequest, judgeRequest, namesOtherRequest} from './wire-gate.ts'

/** A sender that sends nothing that the policy of this machine refuses, whichever command builds the request. */
export interface PolicedSender extends Sender {
  /**
   * Judges a request before anything is asked about it.
   *
   * @param isApproved another user proposed it, and this one approved it.
   * @throws Failure POLICY_REFUSED
   */
  pass(judged: JudgedRequest, isApproved: boolean): Promise<void>
}

export function policedSender(context: Context, target: Target, sender: Sender): PolicedSender {
  const passed = new WeakSet<BuiltRequest>()
  const pass = async (judged: JudgedRequest, isApproved: boolean): Promise<void> => {
    await passPolicy(context, target, judged, isApproved)
    passed.add(judged.built)
  }
  return {
    ...sender,
    pass,
    send: async (built, options) => {
      // Whatever comes here without having passed is judged now.
      if (!passed.has(built)) await pass({...judgeRequest(built, target), built}, false)
      return sender.send(built, options)
    },
  }
}

async function passPolicy(
  context: Context,
  target: Target,
  judged: JudgedRequest,
  isApproved: boolean,
): Promise<void> {
  const found = await context.policy
  const {explainPolicy} = context.surroundings
  if (isFree(target, found)) {
    if (explainPolicy === undefined) return
    const free = {allowed: true, why: 'no policy is asked about it', line: ''}
    explainPolicy(free, await askedOf(context, target, judged, isApproved))
    throw new Failure('POLICY_REFUSED', {message: 'Nothing was sent.', effect: 'none'})
  }
  if (found === undefined) return
  const asked = await askedOf(context, target, judged, isApproved)
  const decision = 'problem' in found ? unusable(found) : decide(found.policy, asked)
  if (explainPolicy !== undefined) {
    explainPolicy(decision, asked)
    throw new Failure('POLICY_REFUSED', {message: 'Nothing was sent.', effect: 'none'})
  }
  if (decision.allowed) return
  const failure = refusal(decision, 'policy' in found ? found.policy : undefined)
  const {id} = judged.built.operation
  await recordRefusal(context, id in operations ? id : judged.built.method, failure)
  throw failure
}

const unusable = ({path, problem}: {readonly path: string; readonly problem: string}): Decision => ({
  allowed: false,
  why: problem.replace(/\.$/, ''),
  line: path,
})

/** The sandboxes of this machine need no policy. */
function isFree({embedded, kind, hosts}: Target, found: FoundPolicy | undefined): boolean {
  if (found === undefined || embedded) return true
  return kind === 'sandbox' && hosts.every(host => isLoopback(new URL(`http://${host}`).hostname))
}

/** Who may allow it, and never how to get around it. */
function refusal({why, line, approvers}: Decision, policy: Policy | undefined): Failure {
  const names = approvers?.join(' or ')
  const who = policy?.contact ?? `The owner of the policy${policy === undefined ? '' : `, ${policy.owner},`}`
  return new Failure('POLICY_REFUSED', {
    message: `The policy refuses this: ${why} (${line}).`,
    hint: names === undefined ? `${who} decides what it allows.` : `${names} may approve it as a proposal.`,
    effect: 'none',
  })
}

async function askedOf(
  context: Context,
  target: Target,
  judged: JudgedRequest,
  isApproved: boolean,
): Promise<Asked> {
  const {built} = judged
  const calls = judged.calls.filter(({operation}) => operation.id in operations)
  const isKnown = built.operation.id in operations && !Object.keys(built.headers).some(namesOtherRequest)
  const isReadable = await matches(calls, target)
  return {
    profile: target.name,
    host: built.host.toLowerCase(),
    kind: target.kind,
    hasOwnNames: hasOwnNames(target),
    caller: context.caller.kind,
    user: context.surroundings.osUser,
    isApproved,
    effects: [
      ...new Set([
        ...(isKnown && isReadable ? [] : ['unknown' as const]),
        ...calls.map(effectOf),
        ...(built.irreversible ? ['destroy' as const] : []),
      ]),
    ],
    sums: sumsOfAll(calls),
  }
}

/** By the contract of cardctl alone: a profile, a flag or a document can't make less of it. */
const effectOf = ({operation, input}: Call): PolicyEffect => {
  const known = (operations as Readonly<Record<string, Operation>>)[operation.id] ?? operation
  return irreversibleIn(known, input).length > 0 ? 'destroy' : known.effect
}

/** What differs from the contract may have amounts elsewhere. */
async function matches(calls: readonly Call[], {dialect}: Target): Promise<boolean> {
  try {
    for (const {operation, input} of calls)
      if (operation.effect !== 'read') await checkInput(operation, input, dialect)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** It is one of them: of each currency, the highest sum counts. */
function sumsOfAll(calls: readonly Call[]): Sums {
  const sums = new Map<string, bigint | undefined>()
  for (const {operation, input} of calls) {
    if (operation.effect === 'read') continue
    for (const [currency, sum] of sumsOf(amountsIn(operation, input))) {
      const before = sums.has(currency) ? sums.get(currency) : 0n
      const isHigher = before !== undefined && (sum === undefined || sum > before)
      if (isHigher || !sums.has(currency)) sums.set(currency, sum)
    }
  }
  return sums
}

const hasOwnNames = ({dialect, words, groups}: Target): boolean =>
  dialect !== undefined ||
  Object.keys(words ?? {}).length > 0 ||
  Object.values(groups).some(group => (group?.prefix ?? '') !== '')
