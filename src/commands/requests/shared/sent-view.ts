import type {Context} from '../../../cli/context.ts'
import {nameNext} from '../../../cli/next-step.ts'
import type {Operation} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {isPathId} from '../../../contract/resource.ts'
import {deleteView, updateView} from '../../../output/changes.ts'
import {textAt} from '../../../output/fields.ts'
import {genericView} from '../../../output/generic.ts'
import {replayedView} from '../../../output/requests.ts'
import type {View} from '../../../output/view.ts'
import {batchView} from '../../a2a/shared/batch-views.ts'
import {nameNextOfBatch} from '../../a2a/shared/next-step.ts'
import {traceStartedView} from '../../remotecheckout/shared/views.ts'

/** What the command of an operation shows of its response, for a request that another command sends. */
export function sentView({id, topic, effect}: Operation, replayed: unknown = false): View {
  if (replayed === true) return replayedView
  if (!(id in operations)) return genericView
  const confirmed = effect === 'destroy' ? deleteView : updateView
  switch (topic) {
    case 'accounts':
      return updateView('Account')
    case 'pricelists':
      return confirmed(/Period/.test(id) ? 'Price list period' : 'Price list')
    case 'remotecheckout':
      return traceStartedView
    case 'a2a':
      return batchView
    default:
      return genericView
  }
}

/** What that command names as the next one. */
export function nameNextOfSent(context: Context, {id, topic}: Operation, response: unknown): void {
  const trace = textAt(response, 'requestTraceId')
  if (id === 'a2a.create.v1') nameNextOfBatch(context, response)
  else if (topic === 'remotecheckout' && isPathId(trace))
    nameNext(context, 'shows its outcome', 'remotecheckout', 'status', {value: trace})
}
