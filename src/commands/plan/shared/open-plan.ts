import {existsSync} from 'node:fs'
import type {Context} from '../../../cli/context.ts'
import {refuseOtherDialect} from '../../../cli/other-dialect.ts'
import {isMadeHere, type PlanFile, readPlan} from '../../../cli/plan-file.ts'
import {refuseOtherTenantMark} from '../../../cli/proposal-tenant.ts'
import {isOpenAt} from '../../../cli/proposals.ts'
import type {KnownOperations} from '../../../cli/shown-proposal.ts'
import {advice, type Hint} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {digestOfFile} from '../../../input/file-digest.ts'
import type {Target} from '../../../profiles/target.ts'
import {knownOperations} from '../../requests/shared/known-operations.ts'

/** A plan that may be sent. */
export interface OpenPlan {
  readonly plan: PlanFile
  readonly known: KnownOperations
  /** Whether it was made with the journal of this machine. */
  readonly isOwn: boolean
  /** Whether this journal has requests of it. */
  readonly wasSent: boolean
}

/**
 * Reads a plan, and sees whether it is for this profile and still in time.
 *
 * @param named the id that a person gave.
 * @throws Failure INPUT_INVALID, OTHER_SERVICE, DESCRIPTION_CHANGED, PLAN_STALE
 */
export async function openPlan(
  context: Context,
  target: Target,
  file: string,
  named: string | undefined,
): Promise<OpenPlan> {
  const plan = await readPlan(file, context.surroundings.signal)
  const {id, content} = plan
  const refuse = (code: 'OTHER_SERVICE' | 'PLAN_STALE' | 'USAGE', message: string, hint?: Hint): never => {
    throw new Failure(code, {message: `${message} Nothing was sent.`, hint, effect: 'none'})
  }
  if (named !== undefined && named !== id) refuse('USAGE', `${file} is plan ${id}, not ${named}.`)
  const {identity, words} = await context.service.identity()
  if (content.service !== identity)
    refuse('OTHER_SERVICE', `The plan is for ${content.serviceWords}, and ${target.name} leads to ${words}.`)
  if (content.plan.profile !== target.name)
    refuse(
      'OTHER_SERVICE',
      `The plan was made with the profile ${content.plan.profile}, not ${target.name}.`,
      `Use the profile ${content.plan.profile}, or make the plan with ${target.name}.`,
    )
  await refuseOtherTenantMark(`Plan ${id}`, content.tenant, target)
  refuseOtherDialect(
    'Plan',
    {id, dialect: content.dialect, operation: content.requests[0]?.operation ?? ''},
    target,
  )
  if (!isOpenAt(content, context.surroundings.now()))
    refuse('PLAN_STALE', `The plan was made at ${content.at}, and expired at ${content.expiresAt}.`)
  await refuseOtherSource(plan)
  using journal = await context.stores.journal()
  const isOwn = isMadeHere(journal, plan)
  if (!isOwn && named === undefined)
    refuse(
      'USAGE',
      'The plan was not made with this data folder, so it may not be the one you looked at.',
      advice`Look at it: ${context.commandLine('plan', 'show', {value: file})}. Then run: ${context.commandLine('apply', {value: file}, '--id', {value: id})}`,
    )
  const wasSent = journal.requests.list({proposal: id, limit: 1}).length > 0
  return {plan, known: await knownOperations(context, content.requests), isOwn, wasSent}
}

/** A person who corrects the file expects the correction to be sent. */
async function refuseOtherSource({file, content: {plan}}: PlanFile): Promise<void> {
  const {source} = plan
  if (source === undefined || !existsSync(source.name)) return
  if ((await digestOfFile(source.name)) === source.digest) return
  throw new Failure('PLAN_STALE', {
    message: `${source.name} has changed since the plan ${file} was made. Nothing was sent.`,
    effect: 'none',
  })
}
