import {SEAL_KEY} from './kept-settings.ts'
import {nodeCrypto} from './node-crypto.ts'
import {Sealer} from './seal.ts'
import type {Transaction} from './store/store.ts'

/** The store's sealer; its key is made with the store and outlives a reset. */
export async function sealerOf(tx: Transaction): Promise<Sealer> {
  const stored = (await tx.settings.get(SEAL_KEY))?.value
  if (typeof stored === 'string') return new Sealer(Buffer.from(stored, 'base64'))
  const key = nodeCrypto().randomBytes(32)
  await tx.settings.put({id: SEAL_KEY, value: key.toString('base64')})
  return new Sealer(key)
}
