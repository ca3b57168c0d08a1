import {accountOf, patchAccount} from '../accounts/patch-account.ts'
import {updateProperty} from '../accounts/update-property.ts'
import {conflict} from '../problems.ts'
import type {Handlers} from './handler.ts'

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
