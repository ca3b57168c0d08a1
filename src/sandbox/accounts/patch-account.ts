import type {Call} from '../call.ts'
import {conflict, notFound} from '../problems.ts'
import type {Account} from '../state/account.ts'
import type {UsageLimit} from '../state/card.ts'
import type {Transaction} from '../store/store.ts'
import type {AccountChanges} from './changes.ts'
import {checkChanges} from './rules.ts'

/** What an update answers. */
export interface Confirmation {
  readonly description: string
  readonly id: string
}

/** @throws Problem 404; 409 when the account is of another type than the path says. */
export async function accountOf(tx: Transaction, id: string, type?: string): Promise<Account> {
  const account = await tx.accounts.get(id)
  if (account === undefined) throw notFound('account')
  if (type !== undefined && account.type !== type) {
    throw conflict('account-type', `The account is not of type ${type}.`)
  }
  return account
}

/**
 * A partial update: a member that is absent stays, every member that is there is replaced whole, null clears.
 * @param type as in the path; undefined for the version that takes any account.
 */
export async function patchAccount(
  {tx, now}: Call,
  id: string,
  type: string | undefined,
  changes: AccountChanges,
): Promise<Confirmation> {
  const account = await accountOf(tx, id, type)
  await checkChanges(tx, account, changes)
  await tx.accounts.put(withChanges(account, changes, now))
  return {description: 'Account updated', id}
}

/** The account after the changes, their effect counted. */
export function withChanges(account: Account, changes: AccountChanges, now: number): Account {
  const {status, number, customerId, usageLimits, ...others} = changes
  const members = {...account.members, ...others}
  return {
    ...account,
    status: status ?? account.status,
    number: number ?? account.number,
    customerId: customerId ?? account.customerId,
    usageLimits: usageLimits === undefined ? account.usageLimits : usageLimits.map(withoutReset),
    limitResets: {...account.limitResets, ...resets(usageLimits ?? [], now)},
    members: Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)),
    effects: account.effects + 1,
  }
}

/** `reset` is something to do, not to keep. */
function withoutReset(limit: NonNullable<AccountChanges['usageLimits']>[number]): UsageLimit {
  return {...limit, values: limit.values.map(({reset: _, ...value}) => value)}
}

function resets(limits: NonNullable<AccountChanges['usageLimits']>, now: number): Record<string, number> {
  const reset = limits.flatMap(({code, values}) =>
    values.filter(value => value.reset === true).map(value => [`${code}/${value.code}`, now] as const),
  )
  return Object.fromEntries(reset)
}
