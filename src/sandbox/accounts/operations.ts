import type {Call, Handlers} from '../handlers.ts'
import {move, standing, systemAccounts} from '../ledger.ts'
import {conflict} from '../problems.ts'
import type {Account} from './account.ts'
import {accountOf, type Confirmation, patchAccount} from './patch-account.ts'

export type PropertyToUpdate = keyof typeof updates

/** The older form of an update: the action is in the path, and the body is ignored. */
export async function updateProperty(
  call: Call,
  id: string,
  property: PropertyToUpdate,
): Promise<Confirmation> {
  const account = await accountOf(call.tx, id)
  if (account.status === 'ACCOUNT_CLOSED') throw conflict('account-closed', 'The account is closed.')
  const {description, change} = updates[property]
  const changed = await change(call, account)
  await call.tx.accounts.put({...changed, effects: account.effects + 1})
  return {description, id}
}

interface Update {
  readonly description: string
  readonly change: (call: Call, account: Account) => Promise<Account>
}

const updates = {
  DELETE_ADDRESS: {
    description: 'Address deleted',
    change: async (_, account) => {
      const {address: _address, ...members} = account.members
      return {...account, members}
    },
  },
  DELETE_EINVOICE_ADDRESS_AND_OPERATOR: {
    description: 'E-invoice address and operator deleted',
    change: async (_, account) => {
      const {
        address: _address,
        operator: _operator,
        ...rest
      } = (account.members.eInvoice ?? {}) as Record<string, unknown>
      const {eInvoice: _eInvoice, ...members} = account.members
      return {
        ...account,
        members: Object.keys(rest).length === 0 ? members : {...members, eInvoice: rest},
      }
    },
  },
  WRITE_OFF: {description: 'Debt written off', change: writeOff},
  IMMEDIATE_ACCOUNT_CLOSE: {description: 'Account closed', change: close},
} satisfies Record<string, Update>

/** Books the debt as a loss, which sets the balance to zero. */
async function writeOff({tx, now}: Call, account: Account): Promise<Account> {
  if (account.type !== 'CREDIT') throw conflict('account-type', 'Only a credit account can be written off.')
  for (const currency of account.currencies) {
    const {booked} = await standing(tx, account.id, currency)
    if (booked >= 0n) continue
    const id = `write-off/${account.id}/${account.effects + 1}/${currency}`
    const entry = {id, kind: 'write-off', at: now}
    await move(tx, {...entry, from: systemAccounts.writeOff, to: account.id, currency, minor: -booked})
  }
  return account
}

async function close({tx}: Call, account: Account): Promise<Account> {
  for (const currency of account.currencies) {
    const {booked, held} = await standing(tx, account.id, currency)
    if (booked !== 0n)
      throw conflict('balance-not-zero', 'The balance must be zero before the account is closed.')
    if (held !== 0n) throw conflict('holds-open', 'The account has open holds.')
  }
  return {...account, status: 'ACCOUNT_CLOSED'}
}

export const accounts: Handlers<'accounts'> = {
  'accounts.patchCredit.v4': (call, {path, body}) => patchAccount(call, path.id, 'CREDIT', body),
  'accounts.patchDebit.v4': (call, {path, body}) => patchAccount(call, path.id, 'DEBIT', body),
  'accounts.patchPrepaid.v4': (call, {path, body}) => patchAccount(call, path.id, 'PREPAID', body),
  'accounts.patchFleet.v4': (call, {path, body}) => patchAccount(call, path.id, 'FLEET', body),
  'accounts.patchMulticurrency.v4': (call, {path, body}) => patchAccount(call, path.id, path.multiCurr, body),
  'accounts.patch.v3': (call, {path, body}) => patchAccount(call, path.id, undefined, body),

  'accounts.patchCreditReminder.v4': async ({tx}, {path: {id}, body}) => {
    const account = await accountOf(tx, id, 'CREDIT')
    if (account.status === 'ACCOUNT_CLOSED') throw conflict('account-closed', 'The account is closed.')
    const reminder = Object.entries({...account.reminder, ...body}).filter(([, value]) => value !== null)
    await tx.accounts.put({
      ...account,
      reminder: Object.fromEntries(reminder),
      effects: account.effects + 1,
    })
    return {description: 'Reminder data updated', id}
  },

  'accounts.updateProperty.v3': (call, {path}) => updateProperty(call, path.id, path.propertyToUpdate),
}
