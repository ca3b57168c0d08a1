import type {Operation} from '../contract/operation.ts'
import {touchedBy} from '../contract/resource.ts'
import {maskText} from '../sensitive/mask-text.ts'
import type {Context} from './context.ts'
import {proposedWords, sumsOf, transferSums} from './proposal-words.ts'
import {type Decision, type FoundProposal, isOpenAt} from './proposals.ts'
import {transfersIn} from './second-person.ts'
import {sentFields} from './sent-fields.ts'

/** The operations that a proposal names, by their ids; an imported one is missing if its document isn't here. */
export type KnownOperations = ReadonlyMap<string, Operation>

type ProposalState = 'open' | 'expired' | Decision['decision']

interface ShownOptions {
  /** The words of the profile for the service: those of the file are whatever its author wrote. */
  readonly service: string
  /** The audit user of the person who would send it. */
  readonly sentAs?: string
  /** Also each transfer, for a page of one proposal. */
  readonly rows?: boolean
}

/** A proposal for printing. */
export async function shownProposal(
  context: Context,
  {proposal, decision}: FoundProposal,
  known: KnownOperations,
  {service, sentAs, rows = false}: ShownOptions,
) {
  const {id, content, by} = proposal
  const {
    format: _,
    nonce: __,
    service: _identity,
    serviceWords: ___,
    tenant: ____,
    auditUser,
    requests,
    transfers,
    ...rest
  } = content
  const isExpired = !isOpenAt(content, context.surroundings.now())
  const state: ProposalState = decision?.decision ?? (isExpired ? 'expired' : 'open')
  const isSent = decision?.decision === 'approved'
  const words = await proposedWords(context, requests, known, {isSent})
  const shownRequests = requests.map(({operation: id, digest, input, key}, at) => {
    const operation = known.get(id)
    const {action = id, before} = words[at] ?? {}
    return {
      operation: id,
      ...(digest === undefined ? {} : {digest}),
      action,
      resources: operation === undefined ? [] : touchedBy(operation, input),
      sent: {...input.query, ...(operation === undefined ? {} : sentFields(operation, input))},
      ...(before === undefined ? {} : {before}),
      ...(key === undefined ? {} : {key}),
    }
  })
  const all = requests.flatMap(({input: {body}}) => transfersIn(body) ?? [])
  return {
    id,
    ...rest,
    /** All that it would do, in words. */
    action: all.length > 0 ? `send ${transferSums(requests)}` : words.map(({action}) => action).join('; '),
    by: {...by, auditUser},
    state,
    service,
    ...(sentAs === undefined ? {} : {sentAs}),
    requests: shownRequests,
    ...(transfers === undefined ? {} : {transfers: {...transfers, ...sumsOf(requests)}}),
    ...(rows && all.length > 0 ? {rows: all} : {}),
    ...(decision === undefined
      ? {}
      : {decision: {...shownDecision(decision), ...(await sentOf(context, id, isSent))}}),
  }
}

/** The requests by which an approved proposal was sent, as far as the journal of this machine has them. */
async function sentOf(
  {stores}: Context,
  proposal: string,
  isSent: boolean,
): Promise<{readonly requests?: readonly string[]}> {
  if (!isSent || !(await stores.hasJournal())) return {}
  using journal = await stores.journal()
  const sent = journal.requests.list({proposal}).map(({id}) => id)
  return sent.length === 0 ? {} : {requests: sent.reverse()}
}

const shownDecision = ({decision, at, by, auditUser, reason, signedBy}: Decision) => ({
  decision,
  at,
  by: {...by, auditUser},
  /** Who signed it on another machine; the policy says at the sending whether it counts. */
  ...(signedBy === undefined ? {} : {signedBy: maskText(signedBy)}),
  ...(reason === undefined ? {} : {reason}),
})
