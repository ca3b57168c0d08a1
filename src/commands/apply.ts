import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../cli/arguments.ts'
import {serviceCheckFlag} from '../cli/flags.ts'
import {sameLine} from '../cli/guided/say-again.ts'
import {operationCommand} from '../cli/operation-command.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {exitOf} from '../errors/registry.ts'
import {cardctl, type SuggestedCommand} from '../errors/suggested-command.ts'
import {agreedLine} from './a2a/shared/agreed-line.ts'
import {batchListView} from './a2a/shared/batch-views.ts'
import {confirmKept} from './a2a/shared/kept-transfers.ts'
import type {Transfer} from './a2a/shared/read-transfers.ts'
import {expectedTotalsFlags} from './a2a/shared/transfer-flags.ts'
import {transfersIn} from './a2a/shared/written-batch.ts'
import {bulkFlags} from './bulk/shared/flags.ts'
import {bulkOperation} from './bulk/shared/operation.ts'
import {bulkJobView} from './bulk/shared/views.ts'
import {applyRows} from './plan/shared/apply-rows.ts'
import {openPlan} from './plan/shared/open-plan.ts'
import {knownOperation} from './requests/shared/known-operations.ts'

const {unordered: _, 'audit-user': __, strict: ___, ...rowFlags} = bulkFlags

/** It claims no operation: it sends those of the plan. */
export default class Apply extends operationCommand() {
  static override tellsIfUnsent = 'writes' as const
  static override summary =
    `Send a plan: exactly what it has, each row once; exit ${exitOf('PARTLY_DONE')} if rows were refused.`
  static override description =
    'Looks again at what each row changes, just before the row is sent, and refuses a row of which that is no longer as the plan saw it. The others go. The same command continues a plan that was interrupted. More: cardctl help docs/bulk.md.'
  static override examples = [
    '<%= config.bin %> bulk plan accounts patch --type credit --from limits.csv --out limits.plan',
    '<%= config.bin %> apply limits.plan',
    '<%= config.bin %> a2a plan --from transfers.csv --out transfers.plan',
    '<%= config.bin %> apply transfers.plan --yes --confirm-count 3',
  ]
  static override args = {plan: requiredArg('File of the plan')}
  static override flags = {
    id: Flags.string({
      helpValue: 'p_…',
      summary: 'Id of the plan that you looked at. Needed for a plan that was made elsewhere.',
    }),
    'first-run': Flags.boolean({
      summary: 'Confirm that no other machine has applied the plan, if only this data folder protects it.',
    }),
    ...rowFlags,
    ...expectedTotalsFlags,
    ...serviceCheckFlag,
  }

  async run() {
    return await this.apply().catch(inPlans)
  }

  private async apply() {
    const {args, flags} = await this.parse(Apply)
    const client = await this.client()
    const opened = await openPlan(this.context, client.target, args.plan, flags.id)
    const {plan, known, isOwn, wasSent} = opened
    const {requests, transfers} = plan.content
    const calls = requests.map(request => ({
      operation: knownOperation(known, request),
      input: request.input,
    }))
    if (await this.isPreviewOf(calls, flags, transfers)) return undefined
    if (transfers === undefined) {
      const [first] = requests
      if (first === undefined) throw new Error('a plan has requests')
      // Of an imported operation a job needs to know how rows fill it.
      const operation = await bulkOperation(this.context, first.operation)
      const summary = await applyRows(this.context, {plan, operation, isOwn}, flags)
      if (flags.results !== '-') await this.context.printer.data(summary, bulkJobView)
      return summary
    }
    const operation = 'a2a.create.v1'
    await client.gate(operation)
    // The limit of a second person counts all batches together.
    const all = requests.flatMap(({input: {body}}) => transfersIn(body).transfers)
    await client.refuseAlone({operation, body: {transfers: [...all]}})
    const split = {...transfers, rest: transfers.rest || wasSent}
    const {sends, twice} = await confirmKept(this.context, client, requests, split, flags, {
      lineAgain: String(this.lineAgain()),
      wayOn: ({failure, isUnsent, isRefused, left: rest}) => {
        if (isUnsent && this.saysNext(failure)) return ''
        const line = this.lineFor(rest ?? all)
        return isRefused
          ? advice`If the service takes the rows as they are, apply the plan again, which sends what is left: ${line}. If not, correct them in the file, and send that in place of the plan: ${cardctl('a2a', 'create', '--from', {value: 'FILE'}, '--only-new')}`
          : advice`Then apply the plan again, which sends what is left: ${line}`
      },
    })
    const {note, ticket} = plan.content
    const bodies: unknown[] = []
    for (const sendKept of sends) {
      const outcome = await sendKept((body, {trace, ...options}) =>
        this.request({operation, body}, flags, {
          ...options,
          confirmed: true,
          isNewKey: true,
          trace: {...trace, note, ticket, proposal: plan.id},
        }),
      )
      this.reportRequest({operation, body: undefined}, outcome)
      bodies.push(outcome.response.body)
    }
    if (bodies.length === 0) throw new Failure('USAGE', {message: 'Nothing of the plan is left to send.'})
    const sentTwice = await twice()
    await this.context.printer.list(bodies, batchListView)
    if (sentTwice !== undefined) throw sentTwice
    return bodies
  }

  /** The line of this command that agrees to these transfers. */
  private lineFor(agreed: readonly Transfer[]): SuggestedCommand {
    return sameLine(this.context, agreedLine(this.context, this.lineAgain().argv, agreed))
  }
}

/** A plan says itself whether transfers go a second time, and is sent by one person. */
function inPlans(error: unknown): never {
  if (error instanceof Failure && error.code === 'ALREADY_SENT') {
    const others =
      error.details.data?.left === 0
        ? advice``
        : advice`To send only the others, send the file itself: ${cardctl('a2a', 'create', '--only-new', '--from', {value: 'FILE'})}. `
    throw error.with({
      hint: advice`See what was sent: ${cardctl('a2a', 'list')}. ${others}To send all a second time, make another plan: ${cardctl('a2a', 'plan', '--again', '--from', {value: 'FILE'}, '--out', {value: 'PLAN'})}`,
    })
  }
  if (error instanceof Failure && error.code === 'GATE_REFUSED' && error.message.includes('second person'))
    throw error.with({
      hint: advice`A plan can't be proposed. Propose the rows themselves, with --propose in place of a plan: ${cardctl('help', 'four-eyes')}`,
    })
  throw error
}
