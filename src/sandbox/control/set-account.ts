import {fieldSchemas, requestSchema} from '../../contract/schema.ts'
import type {OperationId} from '../../contract/types.ts'
import {checkInput, type Violation} from '../../contract/validate.ts'
import type {Account, AccountStatus} from '../accounts/account.ts'
import {withChanges} from '../accounts/patch-account.ts'
import {minorOf} from '../amounts.ts'
import {move, standing, systemAccounts} from '../ledger.ts'
import {badRequest} from '../problems.ts'
import type {Transaction} from '../store/store.ts'
import type {Setter} from './set-state.ts'
import type {StateView} from './state-kinds.ts'

const statuses: readonly AccountStatus[] = [
  'ACCOUNT_OK',
  'ACCOUNT_BLOCKED',
  'ACCOUNT_TO_CLOSE',
  'ACCOUNT_COLLECTION',
  'ACCOUNT_CLOSED',
]

/** The operation whose body has the fields of this type of account. */
function patchOf({type}: StateView): OperationId {
  switch (type) {
    case 'CREDIT':
      return 'accounts.patchCredit.v4'
    case 'DEBIT':
      return 'accounts.patchDebit.v4'
    case 'PREPAID':
      return 'accounts.patchPrepaid.v4'
    case 'FLEET':
      return 'accounts.patchFleet.v4'
    default:
      return 'accounts.patchMulticurrency.v4'
  }
}

/**
 * Changes the fields that an update accepts, the status (to any value), and `balances: {EUR: 100.00}`, which books the
 * difference.
 */
export const setAccount: Setter = {
  members: async before => {
    const schema = await requestSchema(patchOf(before))
    return [...Object.keys(schema ? fieldSchemas(schema) : {}), 'balances']
  },

  check: async (before, {balances, status, ...members}): Promise<readonly Violation[]> => {
    if (status !== undefined && !statuses.some(known => known === status)) {
      return [{pointer: '/status', message: `status must be one of ${statuses.join(', ')}`}]
    }
    if (balances !== undefined && !isBalances(balances)) {
      return [{pointer: '/balances', message: 'balances must be an object of amounts by currency'}]
    }
    if (Object.keys(members).length === 0) return []
    const patch = patchOf(before)
    const segment = patch === 'accounts.patchMulticurrency.v4' ? {multiCurr: String(before.type)} : {}
    return checkInput(patch, {path: {id: before.id, ...segment}, query: {auditUser: 'state'}, body: members})
  },

  apply: async (tx, id, {balances, ...members}, now) => {
    const account = await tx.accounts.get(id)
    if (account === undefined) return
    const changed = {...withChanges(account, members, now), effects: account.effects}
    await tx.accounts.put(changed)
    for (const [currency, amount] of Object.entries((balances ?? {}) as Record<string, number>)) {
      await bookDifference(tx, changed, currency, {amount, where: `/balances/${currency}`, now})
    }
  },
}

/** Sets the balance of an account in one currency, by booking the difference. */
export const setBalance: Setter = {
  members: ['booked'],
  check: async (_, {booked}) =>
    typeof booked === 'number' ? [] : [{pointer: '/booked', message: 'booked must be a number'}],
  apply: async (tx, id, {booked}, now) => {
    const [accountId = '', currency = ''] = id.split('-')
    const account = await tx.accounts.get(accountId)
    if (account) await bookDifference(tx, account, currency, {amount: Number(booked), where: '/booked', now})
  },
}

function isBalances(value: unknown): value is Record<string, number> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every(amount => typeof amount === 'number')
}

/** Books the difference to the new balance, so that the ledger still adds up. */
async function bookDifference(
  tx: Transaction,
  account: Account,
  currency: string,
  {amount, where, now}: {amount: number; where: string; now: number},
): Promise<void> {
  if (!account.currencies.includes(currency)) {
    throw badRequest('currency-not-of-account', `${where}: the account does not have this currency.`)
  }
  const {booked} = await standing(tx, account.id, currency)
  const minor = minorOf(amount, currency, where) - booked
  const id = `adjustment/${account.id}/${currency}/${await tx.postings.count({accountId: account.id})}`
  if (minor === 0n) return
  const entry = {id, kind: 'adjustment', at: now}
  await move(tx, {...entry, from: systemAccounts.adjustment, to: account.id, currency, minor})
}
