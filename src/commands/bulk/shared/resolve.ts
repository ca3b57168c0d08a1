import * as Flags from '@oclif/core/flags'
import {confirm} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {type FlagValues, integerFlag} from '../../../cli/flags.ts'
import {SEEN_BY_PROCESSES} from '../../../cli/refuse-secrets.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {maskText} from '../../../sensitive/mask-text.ts'
import {sharedFlag} from './flags.ts'
import {effectOfJob} from './operation.ts'
import {type BulkSummary, summaryOf} from './summary.ts'
import {isShared, jobIn, withSharedJobs} from './with-jobs.ts'

export const resolveFlags = {
  row: integerFlag({required: true, min: 1, summary: 'Number of the row.'}),
  found: Flags.option({
    options: ['effect', 'no-effect'] as const,
    required: true,
    summary: 'The effect that you found at the service.',
  })(),
  because: Flags.string({
    required: true,
    helpValue: 'TEXT',
    summary: 'What you checked. Kept as evidence, with the name of the audit user.',
  }),
  ...sharedFlag,
}

/**
 * Records a person's finding about a row, in the database and in the audit trail of this machine.
 *
 * @throws Failure USAGE, NOT_FOUND, CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED
 */
export async function resolveRow(
  context: Context,
  name: string,
  {row, found, because, shared}: FlagValues<typeof resolveFlags>,
): Promise<BulkSummary> {
  if (maskText(because) !== because) {
    throw new Failure('SENSITIVE_IN_ARGV', {
      message: `--because holds a card number or credentials, ${SEEN_BY_PROCESSES}`,
      hint: 'Name the card by its id.',
      effect: 'none',
    })
  }
  if (!isShared({job: name, shared})) {
    throw new Failure('USAGE', {
      message: `Bulk job ${name} is not shared.`,
      hint: advice`Each of its rows has a request: ${context.commandLine('bulk', 'results', {value: name}, '--state', 'unknown')}, then ${context.commandLine('requests', 'resolve', {value: 'ID'})}`,
    })
  }
  return withSharedJobs(context, async store => {
    const job = await jobIn(store, name)
    const {id, operation} = job
    const target = await context.service.target()
    await confirm(context, {
      place: target,
      action: `write down that row ${row} of bulk job ${id} had ${found === 'effect' ? 'its' : 'no'} effect`,
      consequence:
        found === 'effect'
          ? "It isn't sent again then."
          : 'It can be sent again then; if it did have its effect, it takes effect twice.',
    })
    using audit = await context.stores.audit()
    audit.ready()
    const {auditUser, responsible, name: profile} = target
    const outcome = found === 'effect' ? 'done' : 'none'
    const requests = await store.resolve(id, row, outcome, `${auditUser} says so: ${because}`)
    const {osUser} = context.surroundings
    const resources: readonly string[] = []
    const common = {kind: effectOfJob(job), osUser, auditUser, responsible, profile, operation}
    audit.append(requests.map(request => ({...common, resources, request, outcome})))
    return summaryOf(context, store, await store.get(id))
  })
}
