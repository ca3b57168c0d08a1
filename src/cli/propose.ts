import {randomBytes} from 'node:crypto'
import type {AuditEntry} from '../audit/index.ts'
import {operations} from '../contract/operations.gen.ts'
import {touchedBy} from '../contract/resource.ts'
import type {OperationId} from '../contract/types.ts'
import {Failure} from '../errors/failure.ts'
import {proposalView} from '../output/views/proposals.ts'
import type {Target} from '../profiles/target.ts'
import {holdsCardNumber} from '../sensitive/card-number.ts'
import {valuesAt} from '../sensitive/json-pointer.ts'
import {actionOf} from './action-words.ts'
import {confirmRequest} from './confirm.ts'
import type {Context} from './context.ts'
import {
  type Decision,
  type FoundProposal,
  isOpenAt,
  type Person,
  PROPOSAL_MS,
  type Proposal,
  Proposals,
  type ProposedRequest,
  type ProposedTransfers,
} from './proposals.ts'
import type {Call, Client} from './request.ts'
import {sentFields} from './sent-fields.ts'
import {namedByPath} from './wire-gate.ts'

interface ToPropose {
  readonly calls: readonly Call[]
  readonly transfers: ProposedTransfers | undefined
  readonly idempotencyKey: string | undefined
  readonly allowV2: boolean | undefined
  /** `--not-a-card-number`. */
  readonly isNoCardNumber: boolean | undefined
}

/**
 * Checks requests as if they were sent, and keeps them in the folder of proposals for a second person.
 *
 * @throws Failure whatever sending them would throw before a question; nothing was kept then.
 */
export async function propose(context: Context, client: Client, asked: ToPropose): Promise<void> {
  const {target} = client
  if (target.embedded) throw unfit('The embedded sandbox is yours alone; a second person cannot reach it.')
  const folder = new Proposals(target)
  const requests: ProposedRequest[] = []
  for (const [at, call] of asked.calls.entries()) {
    const idempotencyKey = asked.transfers?.batches[at]?.key ?? asked.idempotencyKey
    requests.push(await proposed(client, call, {...asked, idempotencyKey}))
  }
  const {note, ticket} = await context.purpose(target)
  const now = context.surroundings.now()
  const {identity, words} = await context.service()
  const proposal: Proposal = {
    version: 1,
    id: `p_${randomBytes(8).toString('hex')}`,
    at: new Date(now).toISOString(),
    expiresAt: new Date(now + PROPOSAL_MS).toISOString(),
    by: personOf(context, target),
    service: identity,
    serviceWords: words,
    ...(note === undefined ? {} : {note}),
    ...(ticket === undefined ? {} : {ticket}),
    requests,
    ...(asked.transfers === undefined ? {} : {transfers: asked.transfers}),
  }
  using audit = await context.audit()
  audit.ready()
  folder.add(proposal)
  for (const entry of entriesOf(context, target, proposal, {kind: 'propose'})) audit.append(entry)
  await context.printer.data(shownProposal({proposal, decision: undefined}, now), proposalView)
  context.printer.note(
    `A colleague sends it with: ${context.commandLine('requests', 'approve', proposal.id)}`,
  )
}

async function proposed(
  client: Client,
  call: Call,
  {idempotencyKey, allowV2, isNoCardNumber}: ToPropose,
): Promise<ProposedRequest> {
  const {operation, input} = namedByPath(call)
  if (!(operation.id in operations)) throw unfit('Only requests that the contract knows can be proposed.')
  if (operation.effect !== 'write' && operation.effect !== 'destroy')
    throw unfit(`"${operation.summary}" changes nothing, so there is nothing to approve.`)
  if (
    operation.sensitive.request.some(pointer =>
      valuesAt(input.body, pointer).some(value => value !== undefined),
    )
  )
    throw unfit('The request holds a secret, which a proposal would keep where colleagues read it.')
  if (!isNoCardNumber && holdsCardNumber(JSON.stringify(input)))
    throw unfit(
      'The request holds what looks like a card number, and colleagues read proposals. If it is none, add --not-a-card-number.',
    )
  await client.gate(operation.id as OperationId, {allowV2})
  const {
    request: {key},
  } = await client.prepare(call, {idempotencyKey, allowV2, approved: true})
  return {operation: operation.id as OperationId, input, key: key ?? randomBytes(16).toString('hex')}
}

/**
 * Asks before a proposed request is sent, as if the approver had typed it; where nothing else is demanded, for a yes.
 *
 * @throws Failure CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED, GATE_REFUSED
 */
export async function confirmProposed(
  context: Context,
  client: Client,
  {operation: id, input, key}: ProposedRequest,
  confirm: readonly string[],
): Promise<void> {
  const {request, demands} = await client.prepare(
    {operation: operations[id], input},
    {idempotencyKey: key, approved: true},
  )
  await confirmRequest(context, {
    target: client.target,
    request,
    demands: demands.length === 0 ? [{yes: true}] : demands,
    confirm,
  })
}

/** The person who runs this command, as the system and the service know them. */
export function personOf({surroundings}: Context, {auditUser}: Pick<Target, 'auditUser'>): Person {
  return {osUser: surroundings.osUser, uid: process.getuid?.() ?? -1, auditUser}
}

/** A decision of the person who runs this command. */
export const decisionOf = (
  context: Context,
  target: Pick<Target, 'auditUser'>,
  {digest}: FoundProposal,
  decision: Decision['decision'],
  reason?: string,
): Decision => ({
  decision,
  at: new Date(context.surroundings.now()).toISOString(),
  by: personOf(context, target),
  digest,
  reason,
})

/** One entry for each request of the proposal. */
export function entriesOf(
  {surroundings}: Context,
  {name: profile, auditUser, responsible}: Target,
  {id: proposal, by, requests, note, ticket}: Proposal,
  what: {readonly kind: 'propose' | 'approve' | 'reject'},
): readonly AuditEntry[] {
  return requests.map(({operation, input, key}) => ({
    ...what,
    osUser: surroundings.osUser,
    auditUser,
    responsible,
    profile,
    operation,
    resources: touchedBy(operations[operation], input),
    key,
    proposal,
    ...(what.kind === 'propose' ? {} : {proposedBy: `${by.osUser} (${by.auditUser})`}),
    outcome: 'done',
    note,
    ticket,
  }))
}

export type ProposalState = 'open' | 'expired' | Decision['decision']

/** A proposal for printing. */
export function shownProposal(
  {proposal, decision}: Pick<FoundProposal, 'proposal' | 'decision'>,
  now: number,
) {
  const {version: _, service: _identity, serviceWords, requests, ...rest} = proposal
  const isExpired = !isOpenAt(proposal, now)
  const state: ProposalState = decision?.decision ?? (isExpired ? 'expired' : 'open')
  return {
    ...rest,
    state,
    service: serviceWords,
    requests: requests.map(({operation, input, key}) => ({
      operation,
      action: actionOf(operations[operation], input),
      resources: touchedBy(operations[operation], input),
      sent: sentFields(operations[operation], input),
      key,
    })),
    ...(decision === undefined ? {} : {decision}),
  }
}

const unfit = (message: string): Failure =>
  new Failure('USAGE', {message, hint: 'Nothing was kept or sent.', effect: 'none'})
