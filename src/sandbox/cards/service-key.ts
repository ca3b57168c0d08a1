import {createPrivateKey, createPublicKey, type KeyObject} from 'node:crypto'
import {generateRsaPair, jwkThumbprint, publicJwk, Secret} from '../../card-crypto/index.ts'
import type {Sealed, Sealer} from '../seal.ts'
import {SERVICE_KEY} from '../seal.ts'
import type {Service} from '../service.ts'
import type {Transaction} from '../store/store.ts'

/** The sandbox's own RSA key, which card numbers are enciphered under on their way in. */
export interface ServiceKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** The key, made at the first wish and kept in the store, sealed, so that a pinned thumbprint stays right. */
export async function serviceKey({store, sealer}: Service): Promise<ServiceKey> {
  const kept = await store.read(async tx => keptKey(tx, await sealer(tx)))
  if (kept !== undefined) return kept
  // Outside of the transaction: it takes a moment. Of several processes that make one at once, the first is kept.
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
