import {resource} from '../../../contract/resource.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {Journal} from '../../../journal/index.ts'
import {BY_TYPE} from './account-type.ts'

/** Number of earlier requests that are looked through. */
const FARTHEST = 200

/** The type of an account by an earlier change of it that the service accepted. No read of the service has it. */
export function typeOf(
  journal: Journal,
  id: string,
): {readonly type: string; readonly segment?: string; readonly from: string} | undefined {
  for (const record of journal.requests.iterate({resources: [resource('account', id)], limit: FARTHEST})) {
    if (record.effect !== 'done') continue
    const {operation, id: from} = record
    const found = Object.entries(BY_TYPE).find(([, patch]) => patch === operation)
    if (found !== undefined) return {type: found[0], from}
    if (operation === 'accounts.patchCreditReminder.v4') return {type: 'credit', from}
    if (operation !== 'accounts.patchMulticurrency.v4') continue
    const sent = journal.requests.sent(record.id)
    if (isObject(sent) && typeof sent.multiCurr === 'string')
      return {type: sent.multiCurr, segment: sent.multiCurr, from}
  }
  return undefined
}
