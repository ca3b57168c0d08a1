import {requiredArg} from '../../cli/arguments.ts'
import {CLOCK_HINT, confirmClock} from '../../cli/doubtful-clock.ts'
import {confirmFlags, type SomeFlagValues, serviceCheckFlag} from '../../cli/flags.ts'
import {operationCommand, type StepFlags} from '../../cli/operation-command.ts'
import type {Proposal, ProposedTransfers} from '../../cli/proposals.ts'
import {confirmProposed, decisionOf, entriesOf, shownProposal} from '../../cli/propose.ts'
import type {Client, Outcome, RequestOptions} from '../../cli/request.ts'
import {operations} from '../../contract/operations.gen.ts'
import type {OperationId} from '../../contract/types.ts'
import {Failure} from '../../errors/failure.ts'
import {genericListView, genericView} from '../../output/views/generic.ts'
import {proposalView} from '../../output/views/proposals.ts'
import {confirmTransfers, type ExpectedTotals, expectedTotalsFlags} from '../a2a/shared/confirm.ts'
import type {Transfer} from '../a2a/shared/read-transfers.ts'
import {sameRows} from '../a2a/shared/same-rows.ts'
import {askOf, partsLeft, sendPart} from '../a2a/shared/send-transfers.ts'
import {openProposal} from './shared/open-proposal.ts'

/** It claims no operation: it sends those of the proposal. */
export default class RequestsApprove extends operationCommand() {
  static override summary = 'Approve what a colleague has proposed, and send it as yourself.'
  static override description =
    'Shows what will be sent, and asks. You must be another user of this system and another audit user than the person who proposed it. Each proposal is sent once. See docs/four-eyes.md.'
  static override examples = [
    '<%= config.bin %> requests proposals -p prod',
    '<%= config.bin %> requests approve p_0123456789abcdef -p prod',
  ]
  static override args = {id: requiredArg('Id of the proposal')}
  static override flags = {...confirmFlags, ...expectedTotalsFlags, ...serviceCheckFlag}

  async run() {
    const {args, flags} = await this.parse(RequestsApprove)
    const client = await this.client()
    const {target} = client
    const {folder, found} = await openProposal(this.context, target, args.id)
    const {proposal} = found
    await this.refuseDoubtful(client, proposal)
    const {now} = this.context.surroundings
    const calls = proposal.requests.map(({operation, input}) => ({operation: operations[operation], input}))
    if (await this.isPreviewOf(calls, flags, proposal.transfers)) return undefined
    await this.context.printer.noteView(shownProposal(found, now()), proposalView)
    const steps = proposal.transfers
      ? await this.transferSteps(proposal, proposal.transfers, flags)
      : await this.requestSteps(proposal, flags)
    using audit = await this.context.audit()
    audit.ready()
    folder.decide(found, decisionOf(this.context, target, found, 'approved'))
    for (const entry of entriesOf(this.context, target, proposal, {kind: 'approve'})) audit.append(entry)
    const bodies: unknown[] = []
    for (const {operation, send} of steps) {
      const sent = await send()
      this.reportRequest({operation}, sent)
      bodies.push(sent.response.body)
    }
    const [only] = bodies
    // Of transfers a list, as a2a create prints them.
    if (proposal.transfers === undefined && bodies.length === 1) {
      await this.context.printer.data(only, genericView)
      return only
    }
    await this.context.printer.list(bodies, genericListView)
    return bodies
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

  /** Asks about each request, and returns how to send it. */
  private async requestSteps(
    {requests, note, ticket}: Proposal,
    flags: ApproveFlags,
  ): Promise<readonly Step[]> {
    const client = await this.client()
    const steps: Step[] = []
    for (const request of requests) {
      const {operation: id, input, key} = request
      const operation = operations[id]
      await confirmProposed(this.context, client, request, [flags.confirm ?? []].flat())
      const options = {
        ...APPROVED,
        trace: {note, ticket},
        ...(operation.idempotent ? {idempotencyKey: key} : {}),
      }
      steps.push({operation: id, send: () => this.requestOf({operation, input}, flags, options)})
    }
    return steps
  }

  /** Asks about all transfers together; those that were sent since are refused, as by `a2a create`. */
  private async transferSteps(
    {requests, note, ticket}: Proposal,
    {again, rest, batches}: ProposedTransfers,
    flags: ApproveFlags,
  ): Promise<readonly Step[]> {
    const parts = requests.map(({input: {body}, key}, at) => ({
      number: at + 1,
      of: requests.length,
      transfers: (body as {transfers: readonly Transfer[]}).transfers,
      key,
      reference: batches[at]?.reference,
      body,
    }))
    const all = parts.flatMap(({transfers}) => transfers)
    const client = await this.client()
    const {left, earlier, ...sent} = await partsLeft(this.context, client, all, parts, {again, rest})
    const transfers = left.flatMap(part => part.transfers)
    const same = sameRows(all)
    const asked = {serviceCheck: flags['service-check'], anyway: '--no-service-check'} as const
    const ask = again ? undefined : askOf(this.context, client, left, asked)
    await confirmTransfers(this.context, client.target, {transfers, parts: left, same, earlier, ask}, flags)
    const operation = 'a2a.create.v1'
    return left.map(part => ({
      operation,
      send: () =>
        sendPart(this.context, part, sent, (body, {trace, ...options}) =>
          this.request({operation, body}, flags, {...options, ...APPROVED, trace: {...trace, note, ticket}}),
        ),
    }))
  }
}

type ApproveFlags = StepFlags & ExpectedTotals & SomeFlagValues<typeof serviceCheckFlag>

const APPROVED = {confirmed: true, approved: true, isNewKey: true} satisfies RequestOptions

/** One request of the proposal, after the questions. */
interface Step {
  readonly operation: OperationId
  send(): Promise<Outcome>
}
