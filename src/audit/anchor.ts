import {createHmac, timingSafeEqual} from 'node:crypto'
import {type ChainedLine, encodeLine} from './audit-line.ts'

/** What was removed by a prune. */
export interface AnchorFacts {
  /** Number of the last line that was removed. */
  readonly seq: number
  /** Its time. */
  readonly until: string
  /** Its hash, which the first line that stays follows. */
  readonly prev: string
  readonly at: string
}

/**
 * The line that stands for pruned ones: the rest of the chain hangs on it. It is signed (HMAC-SHA-256 under the local
 * key), for anybody can cut a chain and recompute what follows, but not sign that the tool did.
 */
export function anchorLine(facts: AnchorFacts, key: Buffer): string {
  const {prev, ...members} = signed(facts, key)
  return `${encodeLine(members, prev).text}\n`
}

export function isSigned(line: ChainedLine, key: Buffer): boolean {
  const {seq, at, prev} = line
  const until = line.until
  const mac = line.mac
  if (typeof until !== 'string' || typeof mac !== 'string') return false
  const expected = Buffer.from(signed({seq, at, prev, until}, key).mac)
  const given = Buffer.from(mac)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signed({seq, at, until, prev}: AnchorFacts, key: Buffer) {
  const mac = createHmac('sha256', key)
    .update(JSON.stringify(['anchor', seq, at, until, prev]))
    .digest('hex')
  return {seq, at, kind: 'anchor', note: 'Lines before this one were pruned.', until, mac, prev}
}
