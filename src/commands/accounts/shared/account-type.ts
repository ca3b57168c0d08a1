import {operations} from '../../../contract/operations.gen.ts'
import {resource} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import type {Journal} from '../../../journal/index.ts'

const BY_TYPE = {
  credit: 'accounts.patchCredit.v4',
  debit: 'accounts.patchDebit.v4',
  prepaid: 'accounts.patchPrepaid.v4',
  fleet: 'accounts.patchFleet.v4',
} as const

/** `--type` and `--segment`. */
export interface AccountType {
  readonly type?: string | undefined
  readonly segment?: string | undefined
}

const isSingleCurrency = (type: string): type is keyof typeof BY_TYPE => type in BY_TYPE

const segments = () => operations['accounts.patchMulticurrency.v4'].known.multiCurr

/** The types that a user can choose. */
export const accountTypes = (): string[] => [...Object.keys(BY_TYPE), ...segments()]

/** The operation and path that change an account. @throws Failure USAGE without a type, or for an unknown one */
export function choosePatch(id: string, {type: given, segment}: AccountType) {
  const type = segment ?? given
  if (type === undefined) {
    throw new Failure('USAGE', {
      message: 'The type of the account is missing.',
      hint: 'Add --type credit, debit, prepaid, fleet or MULTICURR_<currency>_<country>.',
    })
  }
  if (segment === undefined && isSingleCurrency(type.toLowerCase())) {
    return {operation: BY_TYPE[type.toLowerCase() as keyof typeof BY_TYPE], path: {id}} as const
  }
  const path = {id, multiCurr: segment ?? knownSegment(type)}
  return {operation: 'accounts.patchMulticurrency.v4', path} as const
}

/**
 * The service may have segments that the contract doesn't list, but a mistyped name is more likely. `--segment` names
 * the first one.
 */
function knownSegment(type: string): string {
  const segment = segments().find(name => name === type.toUpperCase())
  if (segment !== undefined) return segment
  const meant = nearestName(type, accountTypes())
  throw new Failure('USAGE', {
    message: `Unknown type of account.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Pass --type credit, debit, prepaid, fleet or MULTICURR_<currency>_<country>. For any other, pass --segment.',
  })
}

/** Number of earlier requests that are looked through. */
const FARTHEST = 200

/** The type of an account by an earlier change of it that the service accepted. No read of the service has it. */
export function typeOf(
  journal: Journal,
  id: string,
): {readonly type: string; readonly segment?: string; readonly from: string} | undefined {
  for (const record of journal.iterate({resources: [resource('account', id)], limit: FARTHEST})) {
    if (record.effect !== 'done') continue
    const {operation, id: from} = record
    const found = Object.entries(BY_TYPE).find(([, patch]) => patch === operation)
    if (found !== undefined) return {type: found[0], from}
    if (operation === 'accounts.patchCreditReminder.v4') return {type: 'credit', from}
    if (operation !== 'accounts.patchMulticurrency.v4') continue
    const sent = journal.sent(record.id)
    if (isObject(sent) && typeof sent.multiCurr === 'string')
      return {type: sent.multiCurr, segment: sent.multiCurr, from}
  }
  return undefined
}
