import process from 'node:process'
import type {Transaction} from './store/store.ts'

/** node:crypto, loaded at first use: it takes 3 ms, and reading a card doesn't need it. */
export const nodeCrypto = () => process.getBuiltinModule('node:crypto')

/** The first id of each kind with numeric ids, away from those of the demo data. */
const firstIds = {
  batch: 88_001,
  authorisation: 1,
  clearing: 1,
  transaction: 1,
  fault: 1,
} as const

/** The next numeric id of a kind, unique in the store. */
export async function nextId(tx: Transaction, kind: keyof typeof firstIds): Promise<string> {
  const next = (await tx.sequences.get(kind))?.next ?? firstIds[kind]
  await tx.sequences.put({id: kind, next: next + 1})
  return String(next)
}

/** Random bytes; a parameter for tests. */
export type RandomBytes = (size: number) => Buffer

export const systemRandom: RandomBytes = size => nodeCrypto().randomBytes(size)

/** A UUID of version 4 (RFC 9562) from the given randomness. */
export function uuid(random: RandomBytes): string {
  const bytes = random(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
