import {resource} from '../contract/resource.ts'
import {textAt} from '../output/fields.ts'
import type {Context} from './context.ts'
import {sentFieldsOf} from './former-values.ts'
import {recentlyUsed} from './guided/recently-used.ts'
import {nameNext, readsView} from './next-step.ts'

/** Earlier requests of the account that are looked through. */
const FARTHEST = 200

/**
 * Tells a person who sees a card on a terminal that its account was taken out of use from here: the card looks healthy
 * then, and no read of the service has the status of the account. It is one look into the journal, and no request.
 */
export async function tellBlockedAccount(context: Context, card: unknown): Promise<void> {
  const id = textAt(card, 'accountId')
  if (id === '' || !readsView(context)) return
  const account = resource('account', id)
  const {resources} = await recentlyUsed(context)
  // Opening the journal would create it.
  if (!resources.includes(account)) return
  using journal = await context.journal()
  for (const record of journal.iterate({resources: [account], limit: FARTHEST})) {
    const {status} = record.effect === 'none' ? {} : sentFieldsOf(journal, record)
    if (typeof status !== 'string') continue
    if (record.effect === 'done' && status !== 'ACCOUNT_OK') {
      context.printer.warn(
        `Account ${id} was set to ${status} from here, ${context.when(record.begunAt)}, so its cards are declined. Others may have changed it since.`,
      )
      nameNext(context, 'what was done to the account from here', 'history', 'account', id)
    }
    return
  }
}
