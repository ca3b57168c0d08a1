import process from 'node:process'
import type {AuditEntry} from '../audit/index.ts'
import {clearedIn, hazardsIn, irreversibleIn} from '../contract/marked-values.ts'
import type {Operation} from '../contract/operation.ts'
import {touchedBy} from '../contract/resource.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {proposalView} from '../output/proposals.ts'
import {insteadOf} from '../profiles/index.ts'
import type {Target} from '../profiles/target.ts'
import type {Client} from './client/client.ts'
import {confirmRequest} from './confirm.ts'
import type {Context} from './context.ts'
import {keptContent, type ToKeep} from './keep-requests.ts'
import {osUser} from './os-user.ts'
import type {KeptRequest} from './proposal-content.ts'
import type {Owner} from './proposal-folder.ts'
import {isTryOut} from './proposal-setup.ts'
import {type Proposal, Proposals, type Verdict} from './proposals.ts'
import {sameProposals} from './same-proposal.ts'
import {senderOf} from './sent-from.ts'
import type {KnownOperations} from './shown-proposal.ts'
import {shownProposal} from './shown-proposal.ts'
import {namedByPath} from './wire-gate.ts'

/**
 * Checks requests as if they were sent, and keeps them in the folder of proposals for a second person.
 *
 * @throws Failure whatever sending them would throw before a question; nothing was kept then.
 */
export async function propose(context: Context, client: Client, asked: Omit<ToKeep, 'in'>): Promise<void> {
  const {target} = client
  refuseParts(asked)
  // A policy decides whether or not there is a folder.
  if (context.surroundings.explainPolicy !== undefined)
    await keptContent(context, client, {...asked, in: 'proposal'}).catch((error: unknown) => {
      openProposals(context, target)
      throw error
    })
  const proposals = openProposals(context, target)
  const kept = await keptContent(context, client, {...asked, in: 'proposal'})
  const content = {...kept, sender: await senderOf(context, client)}
  const {words} = await context.service.identity()
  using audit = await context.stores.audit()
  audit.ready()
  const same = sameProposals(proposals, content, context.surroundings.now())
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
  for (const warning of warningsOf(asked)) context.printer.warn(warning, {code: 'HAZARD'})
  if (same.length > 0)
    context.printer.warn(`The same was proposed already and waits: ${same.join(', ')}.`, {
      code: 'PROPOSED_ALREADY',
    })
  // The profile of who proposed it has the wrong audit user, and one person has no other of this name.
  const approve = isTryOut(target)
    ? cardctl('requests', 'approve', {value: proposal.id}, '-p', {value: 'PROFILE'})
    : context.commandLine('requests', 'approve', {value: proposal.id})
  context.printer.note(
    `${isTryOut(target) ? 'With your other profile, send it' : 'A colleague sends it'} with: ${approve}`,
  )
}

/** What a person would read before sending it: who proposes it can still find out what has to be seen to first. */
const warningsOf = ({calls}: Pick<ToKeep, 'calls'>): ReadonlySet<string> =>
  new Set(
    calls
      .map(namedByPath)
      .flatMap(({operation, input}) => [
        ...irreversibleIn(operation, input).flatMap(({warning}) => warning ?? []),
        ...hazardsIn(operation, input),
      ]),
  )

/** Who approves it can't see what the rest was. @throws Failure INPUT_INVALID for a part that would clear the rest */
function refuseParts({calls}: Pick<ToKeep, 'calls'>): void {
  const [first] = calls.map(namedByPath).flatMap(({operation, input}) => clearedIn(operation, input))
  if (first === undefined) return
  throw new Failure('INPUT_INVALID', {message: first.warning, hint: insteadOf(first), effect: 'none'})
}

/** @throws Failure USAGE */
export function refuseEmbedded({embedded}: Target): void {
  if (embedded)
    throw new Failure('USAGE', {
      message: 'The embedded sandbox is yours alone: it has no proposals, as no second person can reach it.',
      hint: advice`Nothing was kept or sent. To try proposals out, see the section "Try it out alone" of: ${cardctl('help', 'four-eyes')}`,
      effect: 'none',
    })
}

/** The folder of proposals. @throws Failure USAGE for the embedded sandbox. Says what it doesn't protect against if root doesn't keep it. */
export function openProposals({printer}: Context, target: Target): Proposals {
  refuseEmbedded(target)
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
  {name: profile, auditUser, responsible}: Pick<Target, 'name' | 'auditUser' | 'responsible'>,
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
