import {count} from '../../../money/amount.ts'
import {textAt} from '../../../output/fields.ts'

/** Accounts that are named one by one. */
const MOST_ACCOUNTS = 3

/** `from 2006 to 2007`, of transfers that were kept; empty if they were not. */
export function routeWords(transfers: unknown): string {
  if (!Array.isArray(transfers) || transfers.length === 0) return ''
  const accounts = (name: string): string => {
    const ids = [...new Set(transfers.map(transfer => textAt(transfer, name)))]
    return ids.length > MOST_ACCOUNTS ? `${count(ids.length)} accounts` : ids.join(', ')
  }
  return `from ${accounts('fromAccountId')} to ${accounts('toAccountId')}`
}
