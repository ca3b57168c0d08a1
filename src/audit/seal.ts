import {isSignedBy, publicKeyOf, signFacts} from '../sensitive/ed25519.ts'
import {type ChainedLine, type Explained, encodeLine} from './audit-entry.ts'

/** What was removed by a prune. */
interface PruneFacts extends Explained {
  /** Number of the last line that was removed. */
  readonly seq: number
  /** Its hash, which the first line that stays follows. */
  readonly prev: string
  readonly at: string
}

/**
 * The line that stands for pruned ones: the rest of the chain hangs on it. It is sealed, for anybody can cut a chain
 * and recompute what follows, but not seal that the tool did.
 */
export function pruneMark({prev, ...facts}: PruneFacts, key: Buffer): string {
  const line = {
    ...facts,
    kind: 'anchor',
    note: 'Lines before this one were pruned.',
    publicKey: publicKeyOf(key),
  }
  return `${encodeLine(withSeal(line, prev, key), prev).text}\n`
}

/** A line that explains something has a seal of its own: anybody can add a line at the end of the file. */
export const withSeal = (
  line: Readonly<Record<string, unknown>>,
  prev: string,
  key: Buffer,
): Readonly<Record<string, unknown>> =>
  line.marks === undefined ? line : {...line, seal: signFacts(markFacts({...line, prev}), key)}

/** What a line explains, if the trail's own key sealed it. */
export function explainedBy(line: ChainedLine, key: Buffer): Explained | undefined {
  const {marks, formerKeys, brokenBefore} = line
  if (!Array.isArray(marks) || !isSealedMark(line, key)) return undefined
  return {
    marks: marks.map(String),
    formerKeys: Array.isArray(formerKeys) ? formerKeys.map(String) : [],
    brokenBefore: typeof brokenBefore === 'string' ? brokenBefore : undefined,
  }
}

export const isSealedMark = (line: ChainedLine, key: Buffer): boolean =>
  isSignedBy(publicKeyOf(key), markFacts(line), line.seal)

const markFacts = ({
  seq,
  at,
  kind,
  prev,
  marks,
  formerKeys = [],
  brokenBefore,
}: Readonly<Record<string, unknown>>) => ['mark', seq, at, kind, prev, marks, formerKeys, brokenBefore]

/** What the key of an earlier trail signs: that another one follows. */
export const succession = (publicKey: unknown): readonly unknown[] => ['succession', publicKey]
