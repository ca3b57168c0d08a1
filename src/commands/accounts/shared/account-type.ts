import * as Flags from '@oclif/core/flags'
import type {Context} from '../../../cli/context.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {resource} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import type {Journal} from '../../../journal/index.ts'
import {touchedAccounts} from './touched-accounts.ts'

export const BY_TYPE = {
  credit: 'accounts.patchCredit.v4',
  debit: 'accounts.patchDebit.v4',
  prepaid: 'accounts.patchPrepaid.v4',
  fleet: 'accounts.patchFleet.v4',
} as const

/** The operations that change fields of an account. */
export const PATCHES = [
  'accounts.patchCredit.v4',
  'accounts.patchDebit.v4',
  'accounts.patchPrepaid.v4',
  'accounts.patchFleet.v4',
  'accounts.patchMulticurrency.v4',
  'accounts.patch.v3',
] as const

export const typeFlags = {
  type: Flags.string({
    summary: 'Type: credit, debit, prepaid, fleet, or a multicurrency segment, for example MULTICURR_EUR_FI.',
    exclusive: ['segment'],
  }),
  segment: Flags.string({
    summary: 'Multicurrency segment that cardctl does not know yet.',
  }),
}

/** `--type` and `--segment`. */
export interface AccountType {
  readonly type?: string | undefined
  readonly segment?: string | undefined
}

/** The hint where the type is missing or unknown. */
export const ADD_TYPE = 'Add --type credit, debit, prepaid, fleet or MULTICURR_<currency>_<country>.'

const isSingleCurrency = (type: string): type is keyof typeof BY_TYPE => type in BY_TYPE

/** The segments of multicurrency accounts that the contract knows. */
export const multicurrencySegments = () => operations['accounts.patchMulticurrency.v4'].known.multiCurr

/** The types that a user can choose. */
export const accountTypes = (): string[] => [...Object.keys(BY_TYPE), ...multicurrencySegments()]

/** The operation and path that change an account. @throws Failure USAGE without a type, or for an unknown one */
export function choosePatch(id: string, {type: given, segment}: AccountType) {
  const type = segment ?? given
  if (type === undefined) {
    throw new Failure('USAGE', {
      message: 'The type of the account is missing.',
      hint: ADD_TYPE,
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
  const segment = multicurrencySegments().find(name => name === type.toUpperCase())
  if (segment !== undefined) return segment
  const meant = nearestName(type, accountTypes())
  throw new Failure('USAGE', {
    message: `Unknown type of account.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: `${ADD_TYPE} For any other, pass --segment.`,
  })
}

/** Number of earlier requests that are looked through. */
const FARTHEST = 200

export interface KnownType {
  readonly type: string
  readonly segment?: string
  /** The request that was sent under it. */
  readonly from: string
}

/** "Account 2001 is of type credit, as in request r_01JD8…." */
export const typeWords = (id: string, {type, from}: KnownType): string =>
  `Account ${id} is of type ${type}, as in request ${from}.`

/** `typeOf` without creating a journal where there is none. */
export const knownType = async (context: Context, id: string): Promise<KnownType | undefined> =>
  (await touchedAccounts(context, [id], typeOf)).get(id)

/** The type of an account by an earlier change of it that the service accepted. No read of the service has it. */
export function typeOf(journal: Journal, id: string): KnownType | undefined {
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
