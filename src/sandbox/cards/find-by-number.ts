import {decryptCardNumber, Failure, Secret} from '../../card-crypto/index.ts'
import type {OuterCall} from '../call.ts'
import {badRequest, notFound} from '../problems.ts'
import type {Card} from '../state/card.ts'
import {serviceKey} from './service-key.ts'

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
