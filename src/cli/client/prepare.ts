import {membersNamed} from '../../contract/marked-values.ts'
import {type AnyInput, leavesRecord, type Operation, withAuditUser} from '../../contract/operation.ts'
import {operations} from '../../contract/operations.gen.ts'
import {advice} from '../../errors/advice.ts'
import {Failure} from '../../errors/failure.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import type {BuiltRequest} from '../../http/index.ts'
import {type Demand, gate} from '../../profiles/index.ts'
import type {Target} from '../../profiles/target.ts'
import {isHeldBack} from '../caller.ts'
import {ceilingDemands} from '../ceiling.ts'
import {checkDeviceKeys, checkInput, refuseUnsafeBatch} from '../check-input.ts'
import {confirm} from '../confirm.ts'
import type {Context} from '../context.ts'
import type {PolicedSender} from '../pass-policy.ts'
import {refuseAlone} from '../second-person.ts'
import {
  isTransferBatch,
  type JudgedRequest,
  judgeRequest,
  namedByPath,
  refuseOwnNames,
  wireDemands,
} from '../wire-gate.ts'
import type {Call, RequestOptions} from './options.ts'

/** The service of a profile, and what sends to it. */
export interface Destination {
  readonly target: Target
  readonly sender: PolicedSender
}

/** check → build, for everything that is shown, proposed or sent. */
export async function build(
  {target, sender}: Destination,
  call: Call,
  {idempotencyKey, uncheckedInput, recorded}: RequestOptions,
): Promise<JudgedRequest> {
  if (!recorded) refuseOwnNames(call, target)
  const {operation: named, input: given, described} = namedByPath(call)
  const operation = asDocumented(asSaid(named, target), target)
  const input = withAuditUser(operation, given, target.auditUser)
  if (!uncheckedInput) await checkInput(operation, input, target.dialect)
  const judged = judgeRequest(sender.build({operation, input, idempotencyKey}), target, described)
  for (const each of judged.calls) {
    // What a document describes differently is the same on the wire.
    if (!recorded && each.operation !== call.operation && each.operation.id in operations)
      refuseOwnNames({operation: each.operation, input: given}, target)
    await refuseUnsafeBatch(each)
  }
  return judged
}

/** A request that may be sent once its demands are met. */
export interface PreparedRequest {
  readonly request: BuiltRequest
  readonly demands: readonly Demand[]
  /** The service may take it for a batch of transfers. */
  readonly isTransfers: boolean
}

/**
 * check → build → gate. The gate judges the request that goes over the wire, as every operation that the service may take
 * it for: see wire-gate.ts.
 */
export async function prepare(
  context: Context,
  service: Destination,
  call: Call,
  options: RequestOptions,
): Promise<PreparedRequest> {
  const {target} = service
  const {uncheckedInput = false} = options
  const judged = await build(service, call, options)
  // What is kept is judged when it is sent, unless only the judgement is asked for.
  if (!options.kept || context.surroundings.explainPolicy !== undefined)
    await service.sender.pass(judged, options.kept ? undefined : approverOf(context, options))
  const demands: Demand[] = []
  for (const {operation: found, input} of judged.calls) {
    const operation = await gated(context, target, judged, found)
    const asked = await passGate(context, target, operation, options, input)
    if (!options.confirmed || !isTransferBatch(operation)) demands.push(...asked)
    if (!options.approved) await passSecondPerson(target, operation, input)
    await checkDeviceKeys(target, operation, input, uncheckedInput)
    refuseClearNumber(target, operation, input)
  }
  return {
    request: judged.built,
    demands: await wireDemands(target, judged, demands),
    isTransfers: judged.calls.some(each => isTransferBatch(each.operation)),
  }
}

function approverOf({surroundings}: Context, {approved}: RequestOptions): string | undefined {
  return typeof approved === 'object' ? approved.by : approved ? surroundings.osUser : undefined
}

/** The operation with the effect that its questions go by. */
async function gated(
  context: Context,
  target: Target,
  {built, calls}: JudgedRequest,
  operation: Operation,
): Promise<Operation> {
  // What may be an operation of the built-in contract has the effect that it has there.
  return calls.length > 1 || operation !== built.operation ? operation : asAsked(context, target, operation)
}

/** The effect that a person has agreed to, on a live profile. */
export async function asAsked(context: Context, target: Target, operation: Operation): Promise<Operation> {
  const {loosened} = operation
  if (loosened === undefined || target.kind !== 'live') return operation
  return (await labelCounts(context, target, operation, loosened))
    ? {...operation, effect: loosened.to}
    : operation
}

/** @throws Failure GATE_REFUSED if the profile wants a second person for the request. */
export async function passSecondPerson(
  target: Target,
  operation: Operation,
  input?: AnyInput,
): Promise<void> {
  if (target.secondPersonFor.length === 0 || operation.effect === 'read') return
  refuseAlone(target, operation, input)
}

/**
 * No command sends a card number to a live service that only TLS encrypts.
 *
 * @throws Failure GATE_REFUSED
 */
function refuseClearNumber({kind, name}: Target, {id, summary}: Operation, {body}: AnyInput): void {
  const isSearch = id === operations['cards.getByNumber.v4'].id
  if (kind !== 'live' || !isSearch || membersNamed(body, 'cardNumber').length === 0) return
  throw new Failure('GATE_REFUSED', {
    message: `"${summary}" on the live profile ${name} takes the card number encrypted only.`,
    hint: advice`To have it encrypted: ${cardctl('cards', 'get', '--pan-stdin')}`,
    effect: 'none',
  })
}

/** @throws Failure NOT_OFFERED for what the dialect of the profile has not. */
function refuseNotOffered({dialect}: Target, operation: Operation): void {
  const why =
    operation.form === undefined && operation.id in operations ? dialect?.refusal(operation) : undefined
  if (why !== undefined) throw new Failure('NOT_OFFERED', {message: why, effect: 'none'})
}

/**
 * An agent sends nothing to a live service that only a person may agree to, whatever its flags, and tries no card
 * numbers: it would find the few digits that are hidden. In a terminal, a person is asked.
 *
 * @throws Failure GATE_REFUSED
 */
function refuseAgent(
  {caller, interactive}: Context,
  target: Target,
  {effect, summary, sensitive}: Operation,
): void {
  const isPlainRead = effect === 'read' && sensitive.request.length === 0
  if (interactive || isPlainRead || !isHeldBack(caller, target)) return
  throw new Failure('GATE_REFUSED', {
    message: `"${summary}" on the live profile ${target.name} is not for an agent.`,
    hint:
      effect === 'disclose' || effect === 'read'
        ? `The person who looks after the profile ${target.name} can do this in a terminal.`
        : 'Keep it with --propose, where the command has it. A person decides about the proposal.',
    effect: 'none',
  })
}

export async function passGate(
  context: Context,
  target: Target,
  operation: Operation,
  {allowV2 = false, kept = false, approved, trace}: RequestOptions = {},
  input?: AnyInput,
): Promise<readonly Demand[]> {
  refuseNotOffered(target, operation)
  const {interactive} = context
  const {explicit} = await context.service.chosen()
  // A write that a person has signed, an agent may send.
  const isSigned = typeof approved === 'object' && ['write', 'destroy'].includes(operation.effect)
  if (!kept && !isSigned) refuseAgent(context, target, operation)
  const demands = gate(target, operation, {allowV2, interactive, explicit}, input)
  const above = input && target.ceiling.length > 0 ? ceilingDemands(target, operation, input) : []
  // Before anything else is asked.
  if (leavesRecord(operation)) await context.purposes.given(target, trace)
  return [...above, ...demands]
}

/** A POST that only the dialect says is a read: on a live profile a person agrees to that first. */
export function asSaid<Given extends Operation>(operation: Given, {dialect}: Pick<Target, 'dialect'>): Given {
  return operation.form === undefined && dialect?.isOnlySaidToRead(operation)
    ? {...operation, loosened: {from: 'write', to: 'read', document: dialect.digest}}
    : operation
}

/** On a live profile the user's choice is no mark: journal, retries and masks go by the document. */
export function asDocumented<Given extends Operation>(operation: Given, {kind}: Pick<Target, 'kind'>): Given {
  return operation.loosened === undefined || kind !== 'live'
    ? operation
    : {...operation, effect: operation.loosened.from}
}

/**
 * Whether a person has agreed that the operation counts as the chosen effect on this live profile. In a terminal asks for
 * the profile's name, once for each import of the document; the audit trail remembers it.
 *
 * @throws Failure CONFIRMATION_DECLINED
 */
async function labelCounts(
  context: Context,
  target: Target,
  {id: operation, summary}: Operation,
  {from, to, document}: NonNullable<Operation['loosened']>,
): Promise<boolean> {
  const note = `counts as ${to}, document ${document}`
  using audit = await context.stores.audit()
  for (const entry of audit.newest({kind: 'label', operations: [operation], profile: target.name}))
    if (entry.note === note) return true
  if (!context.interactive) return false
  audit.ready()
  await confirm(context, {
    place: target,
    action: `let "${summary}" count as ${to}`,
    consequence: `Its document says ${from}, and your file of effects says ${to}. From now on it is sent without the questions of ${from}.`,
    demands: [{name: target.name, yes: false}],
  })
  audit.append({
    kind: 'label',
    osUser: context.surroundings.osUser,
    auditUser: target.auditUser,
    responsible: target.responsible,
    profile: target.name,
    operation,
    note,
    outcome: 'done',
  })
  return true
}
