import {amountsIn, hazardsIn, irreversibleIn, liftsLimits, opensAccount} from '../contract/marked-values.ts'
import type {Operation} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {fieldSchemas, requestSchema} from '../contract/schema.ts'
import type {OperationId} from '../contract/types.ts'
import {Failure} from '../errors/failure.ts'
import type {BuiltRequest, Sender, SendOptions} from '../http/index.ts'
import {isLoopback, socketUrl} from '../network/check-url.ts'
import {
  type Asked,
  type Decision,
  decide,
  type FoundPolicy,
  isGatePort,
  type Policy,
  type PolicyEffect,
  policyPlace,
  type Sums,
  socketOf,
  sumsOf,
  UNSTATED,
} from '../policy/index.ts'
import type {Target} from '../profiles/target.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {secretOfAgent} from './agent-secrets.ts'
import {checkInput} from './check-input.ts'
import type {Call} from './client/options.ts'
import type {Context} from './context.ts'
import {recordRefusal} from './record-changes.ts'
import {policyProfileAt} from './service-host.ts'
import {type JudgedRequest, judgeRequest, namesOtherRequest} from './wire-gate.ts'

/** A sender that sends nothing that the policy of this machine refuses, whichever command builds the request. */
export interface PolicedSender extends Sender {
  /**
   * Judges a request before anything is asked about it.
   *
   * @param approvedBy who approved it, which another user proposed.
   * @throws Failure POLICY_REFUSED
   */
  pass(judged: JudgedRequest, approvedBy: string | undefined): Promise<void>
}

export function policedSender(context: Context, target: Target, sender: Sender): PolicedSender {
  const passed = new WeakMap<BuiltRequest, Passed | undefined>()
  const pass = async (judged: JudgedRequest, approvedBy: string | undefined): Promise<void> => {
    passed.set(judged.built, await passPolicy(context, target, judged, approvedBy))
  }
  return {
    ...sender,
    pass,
    send: async (built, options) => {
      // Whatever comes here without having passed is judged now.
      if (!passed.has(built)) await pass({...judgeRequest(built, target), built}, undefined)
      const send = () =>
        sender
          .send(built, {...options, admit: whileServed(context, target, built, options?.admit)})
          .catch(async (error: unknown) => {
            throw await asRefused(context, target, built, error)
          })
      const {daySums} = context.surroundings
      const found = passed.get(built)
      return daySums === undefined || found === undefined
        ? send()
        : counted(context, daySums, {...found, built}, send)
    },
  }
}

/**
 * Looks before each attempt whether the server of a policy still listens on its port: a question or a wait may have been
 * long enough for somebody else to take it.
 */
function whileServed(
  context: Context,
  target: Target,
  {host}: BuiltRequest,
  admit: SendOptions['admit'],
): SendOptions['admit'] {
  const {daySums} = context.surroundings
  if (daySums !== undefined || target.embedded || !isLoopback(new URL(`http://${host}`).hostname))
    return admit
  return async signal => {
    const admitted = await admit?.(signal)
    const found = await context.policy
    const policy = found !== undefined && 'policy' in found ? found.policy : undefined
    if (gatePort(context, policy, host) !== 'not served') return admitted
    throw new Failure('POLICY_REFUSED', {
      message: `Nothing was sent: ${host} is for gate serve, which does not listen there now.`,
      hint: 'Ask the owner of the server to start it again.',
      effect: 'none',
    })
  }
}

/** What `gate serve` refused is a refusal here. A service says such a code of itself, and isn't believed. */
async function asRefused(
  context: Context,
  {socket}: Target,
  {host}: BuiltRequest,
  error: unknown,
): Promise<unknown> {
  const {status, problem, ...details} = error instanceof Failure ? error.details : {}
  const code = problem?.code
  if (status !== 403 || (code !== 'POLICY_REFUSED' && code !== 'GATE_REFUSED')) return error
  const found = await context.policy
  const policy = found !== undefined && 'policy' in found ? found.policy : undefined
  if (socket === undefined && gatePort(context, policy, host) !== 'served') return error
  return new Failure(code, {
    ...{...details, status, problem},
    message: `${host} refuses this: ${maskText(String(problem?.detail ?? ''))}`,
    hint: 'The policy of the server decides what it sends.',
  })
}

const gatePort = ({surroundings}: Context, policy: Policy | undefined, host: string) =>
  isGatePort(policy?.gate, host, (surroundings.policyPlace ?? policyPlace()).uid)

/** A request that the policy allows. */
interface Passed {
  readonly policy: Policy
  readonly asked: Asked
}

/** What `DaySums` needs to know of a request. */
export interface CountedRequest extends Passed {
  readonly built: BuiltRequest
}

/** Adds up what is sent on a day, for a server that sends for others. */
export interface DaySums {
  /** Why a request is refused already, before anything else is done for it. Nothing is counted. */
  refusalOf(request: CountedRequest): Decision | undefined
  /**
   * Counts a request before it is sent.
   *
   * @returns why it is refused, or how to take the count back.
   * @throws Failure ALREADY_SENT
   */
  reserve(request: CountedRequest): {readonly refused: Decision} | {settle(hadNoEffect: boolean): void}
}

/** It counts unless it is certain that it had no effect. */
async function counted<Response>(
  context: Context,
  daySums: DaySums,
  request: CountedRequest,
  send: () => Promise<Response>,
): Promise<Response> {
  const reserved = daySums.reserve(request)
  if ('refused' in reserved) throw await refused(context, request.built, reserved.refused, request.policy)
  try {
    const response = await send()
    reserved.settle(false)
    return response
  } catch (error) {
    reserved.settle(error instanceof Failure && error.details.effect === 'none')
    throw error
  }
}

async function passPolicy(
  context: Context,
  target: Target,
  judged: JudgedRequest,
  approvedBy: string | undefined,
): Promise<Passed | undefined> {
  const found = await context.policy
  const {explainPolicy, daySums} = context.surroundings
  const policy = found !== undefined && 'policy' in found ? found.policy : undefined
  const {host} = judged.built
  const port = gatePort(context, policy, host)
  // Who sends for others sends nothing without a policy.
  if (daySums === undefined && (port === 'served' || isFree(target, judged.built, found))) {
    if (explainPolicy === undefined) return undefined
    const own = await askedOf(context, target, judged, approvedBy)
    const asked = policy && asServed(policy, own, target)
    const free = {allowed: true, why: 'no policy is asked about it', line: ''}
    explainPolicy(policy && asked ? decidedByServer(policy, asked, judged) : free, asked ?? own)
    throw new Failure('POLICY_REFUSED', {message: 'Nothing was sent.', effect: 'none'})
  }
  const asked = await askedOf(context, target, judged, approvedBy)
  const decided = policy === undefined ? unusable(found) : decide(policy, asked)
  const decision =
    port === 'not served' && !decided.allowed
      ? {...decided, why: `${host} is for gate serve, which does not listen there now`}
      : decided
  if (explainPolicy !== undefined) {
    explainPolicy(decision, asked)
    throw new Failure('POLICY_REFUSED', {message: 'Nothing was sent.', effect: 'none'})
  }
  if (decision.allowed && policy !== undefined) {
    const {built} = judged
    const over = daySums?.refusalOf({policy, asked, built})
    if (over !== undefined) throw await refused(context, built, over, policy)
    return {policy, asked}
  }
  throw await refused(context, judged.built, decision, policy)
}

async function refused(
  context: Context,
  {operation: {id}, method}: BuiltRequest,
  decision: Decision,
  policy: Policy | undefined,
): Promise<Failure> {
  const failure = refusal(decision, policy)
  await recordRefusal(context, id in operations ? id : method, failure)
  return failure
}

function unusable(found: FoundPolicy | undefined): Decision {
  const {path, problem} =
    found !== undefined && 'problem' in found ? found : {path: '/etc/cardctl', problem: 'there is none'}
  return {allowed: false, why: problem.replace(/\.$/, ''), line: path}
}

/** The sandboxes of this machine that no policy names need none. The server behind its own socket asks the policy itself. */
function isFree(
  {embedded, kind, hosts, socket}: Target,
  {host}: BuiltRequest,
  found: FoundPolicy | undefined,
): boolean {
  if (found === undefined || embedded) return true
  const gate = 'policy' in found ? found.policy.gate : undefined
  if (socket !== undefined && gate !== undefined && `http://${host}` === socketUrl(socket))
    return gate.callers.some(one => socketOf(gate.folder, one) === socket)
  const isRuled = (one: string) => 'policy' in found && policyProfileAt(found.policy, one) !== undefined
  return (
    kind === 'sandbox' &&
    hosts.every(one => isLoopback(new URL(`http://${one}`).hostname)) &&
    ![...hosts, host].some(isRuled)
  )
}

/** A request to `gate serve` as that judges it; undefined for any other. */
function asServed({gate, profiles}: Policy, asked: Asked, {socket}: Target): Asked | undefined {
  const caller = gate?.callers.find(one =>
    one.port === undefined ? socketOf(gate.folder, one) === socket : `127.0.0.1:${one.port}` === asked.host,
  )
  const entry = caller && profiles[caller.profile]
  if (caller === undefined || entry === undefined) return undefined
  const {
    hosts: [host = ''],
    kind = 'live',
  } = entry
  const {profile, kind: as, user} = caller
  return {...asked, profile, host, kind, caller: as, user, hasOwnNames: false}
}

/** It looks for secrets of an agent before it asks the policy. */
function decidedByServer(policy: Policy, asked: Asked, {calls}: JudgedRequest): Decision {
  const [why] = asked.caller === 'agent' ? calls.flatMap(({operation}) => secretOfAgent(operation) ?? []) : []
  return why === undefined ? decide(policy, asked) : {allowed: false, why, line: ''}
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
  approvedBy: string | undefined,
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
    approvedBy,
    effects: [
      ...new Set([
        ...(isKnown && isReadable ? [] : ['unknown' as const]),
        ...calls.map(effectOf),
        ...(built.irreversible || calls.some(({operation, input}) => opensAccount(operation, input))
          ? ['destroy' as const]
          : []),
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
    for (const {operation, input} of calls) {
      if (operation.effect === 'read') continue
      await checkInput(operation, input, dialect)
      if (input.body !== undefined && !(await describesBody(operation))) return false
    }
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** An operation may take any JSON: what such a body says, nobody here knows. */
async function describesBody({id}: Operation): Promise<boolean> {
  const schema = await requestSchema(id as OperationId)
  return schema !== undefined && Object.keys(fieldSchemas(schema)).length > 0
}

/** It is one of them: of each currency, the highest sum counts. */
function sumsOfAll(calls: readonly Call[]): Sums {
  const sums = new Map<string, bigint | undefined>()
  for (const {operation, input} of calls) {
    if (operation.effect === 'read') continue
    if (liftsLimits(operation, input) || hazardsIn(operation, input).length > 0) sums.set(UNSTATED, undefined)
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
