import type {Account, AccountStatus} from '../accounts/account.ts'
import type {Card, CardStatus} from '../cards/card.ts'

/** A decline by the issuer itself, without asking the endpoint. */
export interface Decline {
  readonly code: string
  readonly reason: string
}

/** Response codes by the status of the card; other statuses don't decline. */
const byCard: Partial<Record<CardStatus, string>> = {
  CARD_BLOCKED: '62',
  SUSPECTED_FRAUD: '59',
  CARD_LOST: '41',
  CARD_STOLEN: '43',
  CARD_CLOSED: '14',
  CARD_CLOSED_DUE_TO_FRAUD: '59',
  CARD_EXPIRED: '54',
}

const byAccount: Partial<Record<AccountStatus, string>> = {
  ACCOUNT_BLOCKED: '62',
  ACCOUNT_COLLECTION: '62',
  ACCOUNT_TO_CLOSE: '46',
  ACCOUNT_CLOSED: '46',
}

/** The decline that the state of card or account requires, if any. */
export function declinedByState(card: Card, account: Account, now: number): Decline | undefined {
  const cardCode = byCard[card.status]
  if (cardCode !== undefined) return {code: cardCode, reason: `the card is ${card.status}`}
  if (isPastExpiry(card, now)) return {code: '54', reason: 'the card has expired'}
  const accountCode = byAccount[account.status]
  if (accountCode !== undefined) return {code: accountCode, reason: `the account is ${account.status}`}
  return hasFleetBlock(account) ? {code: '62', reason: 'the cards of the account are blocked'} : undefined
}

/** A clearing is posted whatever the status, unless the card has expired. */
export function refusesClearing(card: Card, now: number): boolean {
  return card.status === 'CARD_EXPIRED' || isPastExpiry(card, now)
}

/** A card is valid until the end of its month. */
function isPastExpiry({expiration: {year, month}}: Card, now: number): boolean {
  return now >= Date.UTC(year, month, 1)
}

function hasFleetBlock({members}: Account): boolean {
  const blocks = members.accountCardBlocks as {softblock?: boolean; hardblock?: boolean} | undefined
  const older = members.accountsCardStatuses
  if (blocks !== undefined) return blocks.softblock === true || blocks.hardblock === true
  return older === 'SOFT_BLOCK' || older === 'HARD_BLOCK'
}
