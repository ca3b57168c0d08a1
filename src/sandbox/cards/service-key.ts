import {createPrivateKey, createPublicKey, type KeyObject} from 'node:crypto'
import {
  decryptCardNumber,
  Failure,
  generateRsaPair,
  jwkThumbprint,
  publicJwk,
  Secret,
} from '../../card-crypto/index.ts'
import type {Input} from '../../contract/types.ts'
import type {OuterCall} from '../handlers.ts'
import {badRequest, existing} from '../problems.ts'
import {SERVICE_KEY, type Sealed, type Sealer} from '../seal.ts'
import type {Service} from '../service.ts'
import type {Transaction} from '../store/store.ts'
import type {Card} from './card.ts'

/** The sandbox's own RSA key. Clients encrypt card numbers with it. */
export interface ServiceKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Returns the key. It is generated at first use and stored encrypted, so a pinned thumbprint stays valid. */
export async function serviceKey({store, sealer}: Service): Promise<ServiceKey> {
  const kept = await store.read(async tx => keptKey(tx, await sealer(tx)))
  if (kept !== undefined) return kept
  // Outside the transaction, because it takes a moment. If several processes generate a key, the first is kept.
  const {privateKey} = await generateRsaPair('v3')
  const pem = privateKey.export({type: 'pkcs8', format: 'pem'}) as string
  return store.transaction(async tx => {
    const opener = await sealer(tx)
    const winner = await keptKey(tx, opener)
    if (winner !== undefined) return winner
    await tx.settings.put({id: SERVICE_KEY, value: opener.seal(new Secret(pem))})
    return keyFrom(pem)
  })
}

async function keptKey(tx: Transaction, sealer: Sealer): Promise<ServiceKey | undefined> {
  const sealed = (await tx.settings.get(SERVICE_KEY))?.value
  return typeof sealed === 'string' ? keyFrom(sealer.open(sealed as Sealed).open()) : undefined
}

/** The JWKS (RFC 7517) at `/.well-known/jwks.json`. */
export async function jwks(service: Service): Promise<{keys: unknown[]}> {
  const {publicKey} = await serviceKey(service)
  return {keys: [publicJwk(publicKey)]}
}

function keyFrom(pem: string): ServiceKey {
  const privateKey = createPrivateKey(pem)
  const publicKey = createPublicKey(privateKey)
  return {kid: jwkThumbprint(publicKey), privateKey, publicKey}
}

type NumberQuery = Input<'cards.getByNumber.v4'>['body']

/** Finds a card by its number, which is clear or encrypted with the sandbox's key (JWE). @throws Problem 400, 404 */
export async function findByNumber({service, store}: OuterCall, query: NumberQuery): Promise<Card> {
  const number = await numberIn(service, query)
  return store.read(async tx => {
    const sealer = await service.sealer(tx)
    const [card] = await tx.cards.list({where: {numberDigest: sealer.digest(number)}, limit: 1})
    return existing(card, 'card')
  })
}

async function numberIn(service: Service, query: NumberQuery): Promise<Secret> {
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
