import process from 'node:process'
import type {AuditEntry} from '../audit/index.ts'
import type {Operation} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {touchedBy} from '../contract/resource.ts'
import type {OperationId} from '../contract/types.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {proposalView} from '../output/proposals.ts'
import type {Target} from '../profiles/target.ts'
import {holdsCardNumber} from '../sensitive/card-number.ts'
import {valuesAt} from '../sensitive/json-pointer.ts'
import type {Call} from './client/call.ts'
import type {Client} from './client/client.ts'
import {confirmRequest} from './confirm.ts'
import type {Context} from './context.ts'
import {osUser} from './os-user.ts'
import {KEPT_MS, type KeptRequest, type KeptTransfers} from './proposal-content.ts'
import type {Owner} from './proposal-folder.ts'
import {isTryOut} from './proposal-setup.ts'
import {tenantMark} from './proposal-tenant.ts'
import {type Proposal, Proposals, type Verdict} from './proposals.ts'
import {shownProposal} from './shown-proposal.ts'
import {namedByPath} from './wire-gate.ts'

interface ToPropose {
  readonly calls: readonly Call[]
  readonly transfers: KeptTransfers | undefined
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
  const proposals = openProposals(context, target)
  const requests: KeptRequest[] = []
  for (const [at, call] of asked.calls.entries()) {
    const idempotencyKey = asked.transfers?.batches[at]?.key ?? asked.idempotencyKey
    requests.push(await proposed(client, call, {...asked, idempotencyKey}))
  }
  const {note, ticket} = await context.purposes.given(target)
  const now = context.surroundings.now()
  const {identity, words} = await context.service.identity()
  const tenant = await tenantMark(target)
  const content = {
    at: new Date(now).toISOString(),
    expiresAt: new Date(now + KEPT_MS).toISOString(),
    auditUser: target.auditUser,
    service: identity,
    serviceWords: words,
    ...(target.dialect && {dialect: target.dialect.label}),
    ...(tenant && {tenant}),
    ...(note === undefined ? {} : {note}),
    ...(ticket === undefined ? {} : {ticket}),
    requests,
    ...(asked.transfers === undefined ? {} : {transfers: withBoth(asked.transfers)}),
  }
  using audit = await context.stores.audit()
  audit.ready()
  // As the approver will read it.
  const {proposal} = proposals.get(proposals.add(content))
  const known: KnownOperations = new Map(
    asked.calls.map(namedByPath).map(({operation}) => [operation.id, operation] as const),
  )
  audit.append(entriesOf(context, target, proposal, known, {kind: 'propose'}))
  await context.printer.data(
    await shownProposal(context, {proposal, decision: undefined}, known, {service: words, rows: true}),
    proposalView,
  )
  context.printer.note(
    `A colleague sends it with: ${context.commandLine('requests', 'approve', {value: proposal.id})}`,
  )
}

/** The folder of proposals. Says what it doesn't protect against if root doesn't keep it. */
export function openProposals({printer}: Context, target: Target): Proposals {
  const proposals = new Proposals(target)
  const {path, isRoots} = proposals.folder
  if (isTryOut(target))
    printer.note(
      'This sandbox is on this machine, so one person can be two here, with two profiles and two audit users.',
    )
  else if (!isRoots)
    printer.note(
      `${path} is not a folder of root with a list of members, so one person who has two users of this system can act as two. A live profile refuses it.`,
    )
  return proposals
}

/** A flag that wasn't given is missing. */
const withBoth = ({again, rest, batches}: KeptTransfers): KeptTransfers => ({
  again: Boolean(again),
  rest: Boolean(rest),
  batches,
})

async function proposed(
  client: Client,
  call: Call,
  {idempotencyKey, allowV2, isNoCardNumber}: ToPropose,
): Promise<KeptRequest> {
  const {operation, input} = namedByPath(call)
  const isBuiltIn = operation.id in operations
  if (!isBuiltIn && operation.form === undefined)
    throw unfit('Only requests that a contract describes can be proposed.')
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
  if (input.headers !== undefined) throw unfit('A proposal keeps no headers, so it takes no --header.')
  if (isBuiltIn) await client.gate(operation.id as OperationId, {allowV2})
  if (
    operation.form !== undefined &&
    input.body !== undefined &&
    !isObject(input.body) &&
    !Array.isArray(input.body)
  )
    throw unfit('A proposal keeps JSON, and the body of this request is none.')
  const {
    request: {key},
  } = await client.prepare(call, {idempotencyKey, allowV2, approved: true})
  return {
    operation: operation.id,
    ...(operation.form && {digest: operation.form.digest()}),
    input,
    ...(key === undefined ? {} : {key}),
  }
}

/**
 * Asks before a proposed request is sent, as if the approver had typed it; where nothing else is demanded, for a yes.
 *
 * @throws Failure CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED, GATE_REFUSED
 */
export async function confirmProposed(
  context: Context,
  client: Client,
  operation: Operation,
  {input, key}: KeptRequest,
  confirm: readonly string[],
): Promise<void> {
  const {request, demands} = await client.prepare({operation, input}, {idempotencyKey: key, approved: true})
  await confirmRequest(context, {
    target: client.target,
    request,
    demands: demands.length === 0 ? [{yes: true}] : demands,
    confirm,
  })
}

/** The operations that a proposal names, by their ids; an imported one is missing if its document isn't here. */
export type KnownOperations = ReadonlyMap<string, Operation>

const resourcesOf = (operation: Operation | undefined, input: KeptRequest['input']): readonly string[] =>
  operation === undefined ? [] : touchedBy(operation, input)

/** The person who runs this command, as the system and the service know them. */
export const personOf = ({auditUser}: Pick<Target, 'auditUser'>): Owner & {readonly auditUser: string} => ({
  osUser: osUser(),
  uid: process.geteuid?.() ?? -1,
  auditUser,
})

/** What the person who runs this command decides. */
export const verdictOf = (
  {surroundings}: Context,
  {auditUser}: Pick<Target, 'auditUser'>,
  decision: Verdict['decision'],
  reason?: string,
): Verdict => ({decision, at: new Date(surroundings.now()).toISOString(), auditUser, reason})

/** One entry for each request of the proposal. */
export function entriesOf(
  {surroundings}: Context,
  {name: profile, auditUser, responsible}: Target,
  {id: proposal, by, content: {requests, note, ticket}}: Proposal,
  known: KnownOperations,
  what: {readonly kind: 'propose' | 'approve' | 'reject'},
): readonly AuditEntry[] {
  return requests.map(({operation, input, key}) => ({
    ...what,
    osUser: surroundings.osUser,
    auditUser,
    responsible,
    profile,
    operation,
    resources: resourcesOf(known.get(operation), input),
    key,
    proposal,
    ...(what.kind === 'propose' ? {} : {proposedBy: `${by.osUser} (user id ${by.uid})`}),
    outcome: 'done',
    note,
    ticket,
  }))
}

const unfit = (message: string): Failure =>
  new Failure('USAGE', {message, hint: 'Nothing was kept or sent.', effect: 'none'})
