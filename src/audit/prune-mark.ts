import {type ChainedLine, encodeLine} from './audit-line.ts'
import {isSealOf, sealOf} from './seal.ts'

/** What was removed by a prune. */
export interface PruneFacts {
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
