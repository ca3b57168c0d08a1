import {createHmac, timingSafeEqual} from 'node:crypto'
import {type ChainedLine, encodeLine} from './audit-entry.ts'

/** What was removed by a prune. */
interface PruneFacts {
  /** Number of the last line that was removed. */
  readonly seq: number
  /** Its time. */
  readonly until: string
  /** Its hash, which the first line that stays follows. */
  readonly prev: string
  readonly at: string
}

/**
 * The line that stands for pruned ones: the rest of the chain hangs on it. It is sealed, for anybody can cut a chain
 * and recompute what follows, but not seal that the tool did.
 */
export function pruneMark(facts: PruneFacts, key: Buffer): string {
  const {seq, at, until, prev} = facts
  const mac = sealOf('anchor', factsOf(facts), key)
  const note = 'Lines before this one were pruned.'
  return `${encodeLine({seq, at, kind: 'anchor', note, until, mac}, prev).text}\n`
}

export function isSealedMark({seq, at, prev, until, mac}: ChainedLine, key: Buffer): boolean {
  return typeof until === 'string' && isSealOf(mac, 'anchor', factsOf({seq, at, prev, until}), key)
}

const factsOf = ({seq, at, until, prev}: PruneFacts) => [seq, at, until, prev]

/** What a seal stands for: the end of a trail, or the mark of a cut. */
type Purpose = 'head' | 'anchor'

/** HMAC-SHA-256 under the key of the trail, in hex: nobody without the key can make one for other facts. */
export function sealOf(purpose: Purpose, facts: readonly (string | number)[], key: Buffer): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([purpose, ...facts]))
    .digest('hex')
}

/** Whether a seal is the one for these facts. */
export function isSealOf(
  seal: unknown,
  purpose: Purpose,
  facts: readonly (string | number)[],
  key: Buffer,
): boolean {
  if (typeof seal !== 'string') return false
  const expected = Buffer.from(sealOf(purpose, facts, key))
  const given = Buffer.from(seal)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
