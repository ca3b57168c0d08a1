import {keyedJobId} from '../../../bulk/index.ts'
import type {Context} from '../../../cli/context.ts'
import type {ShownPlan} from '../../../cli/shown-plan.ts'
import {planKey} from '../../bulk/shared/planned-job.ts'

/** What the journal of this machine has of a plan: the requests of its job, or of its transfers. */
export async function appliedHere(
  context: Context,
  plan: string,
  service: string,
): Promise<ShownPlan['applied']> {
  if ((await context.service.identity()).identity !== service || !(await context.stores.hasJournal()))
    return undefined
  using journal = await context.stores.quietJournal()
  const requests = [{job: keyedJobId(planKey(plan))}, {proposal: plan}].flatMap(filter =>
    journal.requests.list(filter),
  )
  const first = requests.map(({begunAt}) => begunAt).sort((a, b) => a - b)[0]
  return first === undefined ? undefined : {at: new Date(first).toISOString(), requests: requests.length}
}
