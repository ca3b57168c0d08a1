import * as Flags from '@oclif/core/flags'
import {idArg} from '../../cli/arguments.ts'
import type {Client} from '../../cli/client/client.ts'
import type {Call, Outcome, RequestOptions} from '../../cli/client/options.ts'
import {guardOf} from '../../cli/decided-here.ts'
import {CLOCK_HINT, confirmClock} from '../../cli/doubtful-clock.ts'
import {confirmFlags, type SomeFlagValues, serviceCheckFlag} from '../../cli/flags.ts'
import {operationCommand, type StepFlags} from '../../cli/operation-command.ts'
import {profileOf} from '../../cli/profile-of.ts'
import type {KeptRequest, KeptTransfers} from '../../cli/proposal-content.ts'
import {sumsOf} from '../../cli/proposal-words.ts'
import type {FoundProposal, Proposal} from '../../cli/proposals.ts'
import {confirmProposed, entriesOf, verdictOf} from '../../cli/propose.ts'
import {refuseOtherSender} from '../../cli/sent-from.ts'
import {type KnownOperations, shownProposal} from '../../cli/shown-proposal.ts'
import type {Operation} from '../../contract/operation.ts'
import {operations} from '../../contract/operations.gen.ts'
import {advice, type Hint} from '../../errors/advice.ts'
import {Failure} from '../../errors/failure.ts'
import type {Journal} from '../../journal/index.ts'
import {sumByCurrency} from '../../money/sum-by-currency.ts'
import {genericView} from '../../output/generic.ts'
import {proposalView} from '../../output/proposals.ts'
import {isAccessible} from '../../output/terminal.ts'
import {blocks, type ListView, type View} from '../../output/view.ts'
import {holdsCardNumber} from '../../sensitive/card-number.ts'
import {batchListView, batchView} from '../a2a/shared/batch-views.ts'
import {confirmKept} from '../a2a/shared/kept-transfers.ts'
import {nameNextOfBatch, nameNextOfBatches} from '../a2a/shared/next-step.ts'
import {repeatsIn, sameRows} from '../a2a/shared/same-rows.ts'
import {type ExpectedTotals, expectedTotalsFlags} from '../a2a/shared/transfer-flags.ts'
import {transfersIn} from '../a2a/shared/written-batch.ts'
import {enrolmentOf} from '../remotecheckout/shared/enrolment.ts'
import {enrolledCustomerView} from '../remotecheckout/shared/views.ts'
import {knownOperation, knownOperations} from './shared/known-operations.ts'
import {proposalMissing} from './shared/missing-id.ts'
import {openProposal} from './shared/open-proposal.ts'
import {nameNextOfSent, sentView} from './shared/sent-view.ts'
import {readApproval, refuseBarred, signedDecision} from './shared/signed-decision.ts'
import {proposalGuide} from './shared/waiting-proposals.ts'

/** It claims no operation: it sends those of the proposal. */
export default class RequestsApprove extends operationCommand() {
  static override summary = 'Approve what a colleague has proposed, and send it as yourself.'
  static override description =
    'Shows what will be sent, and asks. You must be another user of this system and another audit user than the person who proposed it. Each proposal is sent once. More: cardctl help four-eyes.'
  static override examples = [
    '<%= config.bin %> requests proposals -p prod',
    '<%= config.bin %> requests approve p_0123456789abcdef0123456789abcdef01234567 -p prod',
  ]
  static override args = {
    id: idArg('the proposal', {last: true, more: '; in a terminal also last, if only one waits'}),
  }
  static override flags = {
    ...confirmFlags,
    ...expectedTotalsFlags,
    ...serviceCheckFlag,
    signed: Flags.string({
      helpValue: 'FILE',
      summary: 'Send it with the approval of somebody on another machine: what requests sign wrote there.',
    }),
  }
  static override guide = proposalGuide

  protected override async usageHint(): Promise<Hint | undefined> {
    return proposalMissing(this.contextWith(profileOf(this.argv)), 'approve', this.argv)
  }

  async run() {
    const {args, flags} = await this.parse(RequestsApprove)
    const client = await this.client()
    const {target} = client
    const opened = await openProposal(this.context, target, args.id, {signed: flags.signed !== undefined})
    const {proposals, found, service} = opened
    const {proposal} = found
    const approval = flags.signed && (await readApproval(this.context, flags.signed, proposal))
    await refuseOtherSender(this.context, client, proposal, Boolean(approval))
    const approved = approval ? {by: approval.signedBy} : true
    const {requests, transfers} = proposal.content
    await this.refuseDoubtful(client, proposal)
    this.refuseCardNumbers(requests)
    const known = await knownOperations(this.context, requests)
    const calls = requests.map(request => ({operation: knownOperation(known, request), input: request.input}))
    if (await this.isPreviewOf(calls, flags, transfers)) return undefined
    await this.show(found, known, service)
    await this.showEnrolments(client, calls)
    const split = splitOf(proposal)
    const {steps, twice} =
      split === undefined
        ? await this.requestSteps(proposal, known, flags, approved)
        : await this.transferSteps(proposal, split, flags, approved)
    using audit = await this.context.stores.audit()
    audit.ready()
    const verdict = verdictOf(this.context, target, 'approved')
    proposals.decide(found, approval || (await signedDecision(this.context, proposal.id, verdict)))
    audit.append(entriesOf(this.context, target, proposal, known, {kind: 'approve'}))
    const bodies: unknown[] = []
    const own = new Set<string>()
    const guard = guardOf(this.context, proposal.id, own)
    const views: View[] = []
    for (const {operation, input, send} of steps) {
      const sent = await send(guard)
      if (sent.requestId !== undefined) own.add(sent.requestId)
      this.reportRequestOf(operation, sent)
      bodies.push(sent.response.body)
      const view = sentView(operation, sent.replayed)
      views.push(
        input === undefined || sent.replayed === true
          ? view
          : this.withSentFields({operation, input}, view, sent.before),
      )
    }
    const sentTwice = await twice()
    const [only] = bodies
    const [first] = steps
    // Of transfers a list, as a2a create prints them.
    if (transfers === undefined && bodies.length === 1 && first !== undefined) {
      await this.context.printer.data(only, views[0])
      if (sentTwice !== undefined) throw sentTwice
      nameNextOfSent(this.context, first.operation, only)
      return only
    }
    if (transfers === undefined) {
      const all: ListView = async (items, context) =>
        blocks(...(await Promise.all(items.map((item, at) => (views[at] ?? genericView)(item, context)))))
      await this.context.printer.list(bodies, all)
      if (sentTwice !== undefined) throw sentTwice
      return bodies
    }
    const view: ListView =
      bodies.length === 1 ? ([batch], context) => batchView(batch, context) : batchListView
    await this.context.printer.list(bodies, view)
    if (sentTwice !== undefined) throw sentTwice
    if (bodies.length === 1) nameNextOfBatch(this.context, only)
    else nameNextOfBatches(this.context, bodies)
    return bodies
  }

  /** Shows all that would be sent; a person pages the rows, and without a terminal few are printed. */
  private async show(found: FoundProposal, known: KnownOperations, service: string): Promise<void> {
    const {interactive, printer, surroundings, commandLine} = this.context
    const {transfers} = found.proposal.content
    const isShort = sumsOf(found.proposal.content.requests).count <= FEW
    const rows = (interactive || isShort) && !isAccessible(surroundings.env)
    const {auditUser: sentAs} = await this.target()
    const shown = await shownProposal(this.context, found, known, {service, sentAs, rows})
    await printer.noteView(shown, proposalView, {paged: true})
    if (!rows && transfers !== undefined)
      printer.note(`To read every transfer: ${commandLine('requests', 'show', {value: found.proposal.id})}`)
  }

  /** What a change of remote checkout is made to, as the card network has it now. Nothing else can be read. */
  private async showEnrolments(client: Client, calls: readonly Call[]): Promise<void> {
    for (const {operation, input} of calls) {
      if (operation.topic !== 'remotecheckout' || operation.form !== undefined) continue
      const enrolment = await enrolmentOf(client, input)
      if (enrolment?.enrolled === undefined) this.context.printer.note('Now: nobody is enrolled.')
      else await this.context.printer.noteView(enrolment.enrolled, enrolledCustomerView)
    }
  }

  /** A proposal is open for 24 hours, which a clock that can't be believed doesn't count. */
  private async refuseDoubtful(client: Client, {id}: Proposal): Promise<void> {
    if (await confirmClock(this.context, client)) return
    throw new Failure('USAGE', {
      message: `Proposal ${id} counts as expired, because the clock of this machine may be wrong. Nothing was sent.`,
      hint: CLOCK_HINT,
      effect: 'none',
    })
  }

  /** What was proposed is approved as it is, or not at all. */
  private refuseSent(error: unknown, proposal: string): never {
    if (error instanceof Failure && error.code === 'ALREADY_SENT')
      throw error.with({
        hint: advice`Reject it, and propose what is still to be sent: ${this.context.commandLine('requests', 'reject', {value: proposal})}`,
      })
    throw error
  }

  /** Nobody has checked by whom a proposal was written, or with what. */
  private refuseCardNumbers(requests: readonly KeptRequest[]): void {
    if (this.context.flags['not-a-card-number'] || !holdsCardNumber(JSON.stringify(requests))) return
    throw new Failure('USAGE', {
      message: 'The proposal holds what looks like a card number. Nothing was sent.',
      hint: 'Ask who proposed it. If it is none, add --not-a-card-number.',
      effect: 'none',
    })
  }

  /** Asks about each request, and returns how to send it. */
  private async requestSteps(
    {id: proposal, content: {requests, note, ticket}}: Proposal,
    known: KnownOperations,
    flags: ApproveFlags,
    approved: Approved,
  ): Promise<Steps> {
    const client = await this.client()
    const steps: Step[] = []
    for (const request of requests) {
      const {input, key: idempotencyKey} = request
      const operation = knownOperation(known, request)
      if (approved === true)
        await confirmProposed(this.context, client, operation, request, [flags.confirm ?? []].flat())
      else await refuseBarred(client, {operation, input}, {idempotencyKey, approved})
      steps.push({
        operation,
        input,
        send: guard =>
          this.requestOf({operation, input}, flags, {
            ...APPROVED,
            approved,
            idempotencyKey,
            trace: {note, ticket, proposal, guard},
          }),
      })
    }
    return {steps, twice: async () => undefined}
  }

  /** Asks about all transfers together; those that were sent since are refused, as by `a2a create`. */
  private async transferSteps(
    {id: proposal, content: {requests, note, ticket}}: Proposal,
    split: KeptTransfers,
    flags: ApproveFlags,
    approved: Approved,
  ): Promise<Steps> {
    const operation = 'a2a.create.v1'
    const answers = approved === true ? flags : {...flags, ...agreedTo(requests)}
    const client = await this.client()
    const {sends, twice} = await confirmKept(this.context, client, requests, split, answers, {
      approved,
      wayOn: () => 'Then propose what is left.',
    }).catch((error: unknown) => this.refuseSent(error, proposal))
    const steps = sends.map(
      (sendKept): Step => ({
        operation: operations[operation],
        send: guard =>
          sendKept((body, {trace, ...options}) =>
            this.request({operation, body}, flags, {
              ...options,
              ...APPROVED,
              approved,
              trace: {
                ...trace,
                note,
                ticket,
                proposal,
                guard: journal => {
                  guard(journal)
                  trace?.guard?.(journal)
                },
              },
            }),
          ),
      }),
    )
    return {steps, twice}
  }
}

/** How transfers are sent; undefined for other requests. Those proposed by `api` are one batch. */
function splitOf({content: {requests, transfers}}: Proposal): KeptTransfers | undefined {
  if (transfers !== undefined || requests.every(({operation}) => operation !== 'a2a.create.v1'))
    return transfers
  return {again: false, rest: false, batches: requests.map(({key = ''}) => ({key}))}
}

type ApproveFlags = StepFlags & ExpectedTotals & SomeFlagValues<typeof serviceCheckFlag>

type Approved = true | {readonly by: string}

/** Who signed has seen the count, the sums and the rows that are the same. */
function agreedTo(requests: readonly KeptRequest[]) {
  const transfers = requests.flatMap(({input: {body}}) => transfersIn(body).transfers)
  return {
    'confirm-count': transfers.length,
    'confirm-total': sumByCurrency(transfers).map(({currency, text}) => `${currency}:${text}`),
    'same-rows': repeatsIn(sameRows(transfers)),
    isSigned: true,
  }
}

/** Transfers that are printed each where nobody can page them. */
const FEW = 50

const APPROVED = {confirmed: true, approved: true, isNewKey: true} satisfies RequestOptions

/** One request of the proposal, after the questions. */
interface Steps {
  readonly steps: readonly Step[]
  /** Of transfers, whether they were sent from elsewhere at the same time. */
  twice(): Promise<Failure | undefined>
}

interface Step {
  readonly operation: Operation
  /** What is sent, for those of which the response says little. */
  readonly input?: Call['input']
  /** @param guard asks the journal at the last moment whether the proposal was sent. */
  send(guard: (journal: Journal) => void): Promise<Outcome>
}
