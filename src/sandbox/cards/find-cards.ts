import {decryptCardNumber, Failure, Secret} from '../../card-crypto/index.ts'
import type {Call, OuterCall} from '../handlers.ts'
import {badRequest, notFound} from '../problems.ts'
import type {Transaction} from '../store/store.ts'
import type {Card} from './card.ts'
import {serviceKey} from './service-key.ts'

/** Cards per page when the request doesn't say. */
const DEFAULT_SIZE = 30

interface Page {
  readonly page?: number
  readonly size?: number
}

/** @throws Problem 404 */
export async function cardOf(tx: Transaction, id: string): Promise<Card> {
  const card = await tx.cards.get(id)
  if (card === undefined) throw notFound('card')
  return card
}

/** @throws Problem 404 */
export async function cardByReference(tx: Transaction, referenceNumber: string): Promise<Card> {
  const [card] = await tx.cards.list({where: {referenceNumber}, limit: 1})
  if (card === undefined) throw notFound('card')
  return card
}

/** One page of a customer's cards. @throws Problem 404 when there is no such customer. */
export async function cardsOfCustomer({tx}: Call, customerId: string, page: Page): Promise<Card[]> {
  if ((await tx.customers.get(customerId)) === undefined) throw notFound('customer')
  return tx.cards.list({where: {customerId}, ...window(page)})
}

/** One page of an account's cards. @throws Problem 404 when there is no such account. */
export async function cardsOfAccount({tx}: Call, accountId: string, page: Page): Promise<Card[]> {
  if ((await tx.accounts.get(accountId)) === undefined) throw notFound('account')
  return tx.cards.list({where: {accountId}, ...window(page)})
}

function window({page = 0, size = DEFAULT_SIZE}: Page) {
  return {limit: size, offset: page * size}
}

interface NumberQuery {
  readonly encryptedData?: string
  readonly cardNumber?: string
}

/** The card with a number, which came as a JWE under the service's key or clear. @throws Problem 400, 404 */
export async function findByNumber({service, store}: OuterCall, query: NumberQuery): Promise<Card> {
  const number = await numberIn(service, query)
  return store.read(async tx => {
    const sealer = await service.sealer(tx)
    const [card] = await tx.cards.list({where: {numberDigest: sealer.digest(number)}, limit: 1})
    if (card === undefined) throw notFound('card')
    return card
  })
}

async function numberIn(service: OuterCall['service'], query: NumberQuery): Promise<Secret> {
  if (query.cardNumber !== undefined) return new Secret(query.cardNumber)
  const {kid, privateKey} = await serviceKey(service)
  try {
    return await decryptCardNumber(query.encryptedData ?? '', given =>
      given === kid ? privateKey : undefined,
    )
  } catch (error) {
    throw error instanceof Failure ? badRequest('invalid-jwe', `/encryptedData: ${error.message}`) : error
  }
}
