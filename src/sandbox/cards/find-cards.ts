import type {Call} from '../handlers.ts'
import {existing} from '../problems.ts'
import type {Transaction} from '../store/store.ts'
import type {Card} from './card.ts'

/** Default page size. */
const DEFAULT_SIZE = 30

interface Page {
  readonly page?: number
  readonly size?: number
}

/** @throws Problem 404 */
export async function cardOf(tx: Transaction, id: string): Promise<Card> {
  return existing(await tx.cards.get(id), 'card')
}

/** @throws Problem 404 */
export async function cardByReference(tx: Transaction, referenceNumber: string): Promise<Card> {
  const [card] = await tx.cards.list({where: {referenceNumber}, limit: 1})
  return existing(card, 'card')
}

/** One page of the cards of a customer. @throws Problem 404 */
export async function cardsOfCustomer({tx}: Call, customerId: string, page: Page): Promise<readonly Card[]> {
  existing(await tx.customers.get(customerId), 'customer')
  return tx.cards.list({where: {customerId}, ...window(page)})
}

/** One page of the cards of an account. @throws Problem 404 */
export async function cardsOfAccount({tx}: Call, accountId: string, page: Page): Promise<readonly Card[]> {
  existing(await tx.accounts.get(accountId), 'account')
  return tx.cards.list({where: {accountId}, ...window(page)})
}

function window({page = 0, size = DEFAULT_SIZE}: Page) {
  return {limit: size, offset: page * size}
}
