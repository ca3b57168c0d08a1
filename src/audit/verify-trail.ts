import {isSignedBy, publicKeyOf} from '../sensitive/ed25519.ts'
import type {Anchor} from './anchor.ts'
import {
  type ChainedLine,
  decodeLine,
  digest,
  type Explained,
  explainedBy,
  ORIGIN,
  succession,
} from './audit-entry.ts'
import {fileLines, type Torn} from './trail-file.ts'
import type {FoundHead} from './trail-head.ts'

export interface Verdict {
  readonly ok: boolean
  /** Lines of the file, fragments included. */
  readonly lines: number
  /** Fragments of killed processes, each closed off by a line that says so, or still the last of the file. */
  readonly fragments: number
  /** Lines that were pruned in the ordinary way before the first one. */
  readonly pruned: number
  /** Lines behind the sealed end: their process was killed before it sealed them, or somebody added them. */
  readonly unsealed: number
  /**
   * What became of the anchor that was asked for: its line is here, was pruned in the ordinary way, or is of the trail
   * before, which was intact and whose key signed this one.
   */
  readonly anchor?: 'found' | 'pruned' | 'before'
  /** The first entry that is older than the one before, and how many are: the clock was wrong. */
  readonly backwards?: {readonly seq: number; readonly at: string; readonly entries: number}
  /** When this trail was begun in the place of another, and whether that one was intact: then its key signed this one. */
  readonly begun?: {readonly at: string; readonly isSigned: boolean}
  /** When a trail was begun in the place of one that was not intact, this one or one before it. ISO 8601, UTC. */
  readonly brokenBefore?: string
  readonly firstBroken?: {readonly line: number; readonly why: string}
}

/** What the journals of this machine know. */
export interface Witness {
  /** Ids of requests that left an entry: the mark of a trail that excuses them, and in which journal. */
  readonly requests: Map<string, {readonly mark: string | null; readonly journal: string}>
  /** Public keys of the trails that they were recorded in. */
  readonly keys: ReadonlyMap<string, string>
}

/** What was found on the way, and the last line that is sound. */
export interface Walk {
  readonly verdict: Verdict
  readonly last?: Anchor
}

interface Fragment extends Torn {
  readonly line: number
  readonly offset: number
  readonly ended: boolean
}

interface Progress {
  line: number
  prev: string
  last: Anchor | undefined
  headSeen: boolean
  pruned: number
  fragments: number
  unsealed: number
  waiting: Fragment[]
  anchor: Verdict['anchor']
  /** ms since 1970. */
  at: number
  backwards: Verdict['backwards']
  begun: Verdict['begun']
  brokenBefore: Verdict['brokenBefore']
  readonly marks: Set<string>
  readonly formerKeys: Set<string>
}

interface Known {
  readonly head: FoundHead | undefined
  readonly key: Buffer
  /** A line that must be there, unless it was pruned. */
  readonly anchor?: Anchor | undefined
  readonly witness?: Witness | undefined
}

/** Processes take the time before they wait for each other. */
const BACKWARDS_MS = 60_000

/** Follows the chain from the first line to the last and to the head, up to the first line that doesn't fit. */
export function verifyTrail(descriptor: number, size: number, known: Known): Walk {
  const {head} = known
  const progress: Progress = {
    line: 0,
    prev: ORIGIN,
    last: undefined,
    headSeen: head?.seq === 0,
    pruned: 0,
    fragments: 0,
    unsealed: 0,
    waiting: [],
    anchor: undefined,
    at: Number.NEGATIVE_INFINITY,
    backwards: undefined,
    begun: undefined,
    brokenBefore: undefined,
    marks: new Set(),
    formerKeys: new Set(),
  }
  let firstBroken: Verdict['firstBroken']
  let lines = 0
  for (const {bytes, offset, ended} of fileLines(descriptor, 0, size)) {
    lines++
    if (firstBroken !== undefined) continue
    progress.line = lines
    const decoded = decodeLine(bytes)
    if (decoded.state === 'sound') firstBroken = follow(decoded.line, progress, known)
    else if (decoded.state === 'changed')
      firstBroken = {line: lines, why: 'It was changed after it was written.'}
    else progress.waiting.push({line: lines, offset, ended, bytes: bytes.length, sha256: digest(bytes)})
    progress.headSeen ||= progress.prev === head?.hash
  }
  firstBroken ??= atTheEnd(progress, known, lines)
  const {fragments, waiting, pruned, unsealed, anchor, last, backwards, begun, brokenBefore} = progress
  const verdict = {
    ok: firstBroken === undefined,
    lines,
    fragments: fragments + waiting.length,
    pruned,
    unsealed,
    ...(anchor && {anchor}),
    ...(backwards && {backwards}),
    ...(begun && {begun}),
    ...(brokenBefore && {brokenBefore}),
    ...(firstBroken && {firstBroken}),
  }
  return {verdict, ...(last && {last})}
}

function follow(
  line: ChainedLine,
  progress: Progress,
  {key, anchor, witness}: Known,
): Verdict['firstBroken'] {
  const broken = (why: string) => ({line: progress.line, why})
  if (line.kind === 'anchor') {
    if (progress.line !== 1) return broken('The entry of a prune may only be at the start.')
    if (!isNamed(line, key)) return broken(line.publicKey === undefined ? NO_KEY : OTHER_KEY)
    const explained = explainedBy(line, key)
    if (explained === undefined)
      return broken('The lines before it were removed, and not by cardctl: the seal is wrong.')
    explain(explained, progress)
    progress.pruned = line.seq
    progress.prev = line.prev
    if (anchor && anchor.seq === line.seq && anchor.hash !== line.prev) return broken(REWRITTEN)
    if (anchor && anchor.seq <= line.seq) progress.anchor = 'pruned'
    return undefined
  }
  const stray = progress.waiting[0]
  if (stray !== undefined) {
    if (line.kind !== 'repair' || !names(line.torn, progress.waiting)) {
      return {line: stray.line, why: 'It is not a line of the trail, and no repair entry names it.'}
    }
    progress.fragments += progress.waiting.length
    progress.waiting = []
  } else if (line.kind === 'repair') {
    return broken('It names a fragment that does not exist.')
  }
  if (line.prev !== progress.prev) {
    return broken(
      progress.line === 1
        ? 'Lines before it were removed.'
        : 'It does not follow the line before: lines were removed, added or moved.',
    )
  }
  if (line.prev === ORIGIN && !isNamed(line, key))
    return broken(line.publicKey === undefined ? NO_KEY : OTHER_KEY)
  const explained = explainedBy(line, key)
  if (explained !== undefined) explain(explained, progress)
  if (explained !== undefined && line.kind === 'begin') {
    const facts = succession(publicKeyOf(key))
    const isSigned = explained.formerKeys?.some(each => isSignedBy(each, facts, line.formerSeal)) ?? false
    progress.begun = {at: line.at, isSigned}
    if (isSigned && anchor && Date.parse(anchor.at) <= Date.parse(line.at) && anchor.hash !== line.hash)
      progress.anchor = 'before'
  }
  if (typeof line.request === 'string') witness?.requests.delete(line.request)
  noteTime(line, progress)
  if (progress.headSeen) progress.unsealed++
  progress.prev = line.hash
  progress.last = {seq: line.seq, at: line.at, hash: line.hash}
  if (anchor?.seq === line.seq && progress.anchor !== 'before') {
    if (anchor.hash !== line.hash) return broken(REWRITTEN)
    progress.anchor = 'found'
  }
  return line.kind === 'gap'
    ? broken('Lines before it were removed or changed, or not sealed; the next append noticed.')
    : undefined
}

const isNamed = ({publicKey}: ChainedLine, key: Buffer): boolean => publicKey === publicKeyOf(key)

const OTHER_KEY =
  'It names another key than the one here: the key of the trail was replaced, or the trail was.'
const NO_KEY = 'It does not name the key of the trail, so it was changed.'

function explain({marks, formerKeys = [], brokenBefore}: Explained, progress: Progress): void {
  progress.brokenBefore ??= brokenBefore
  for (const each of marks) progress.marks.add(each)
  for (const each of formerKeys) progress.formerKeys.add(each)
}

function noteTime({seq, at}: ChainedLine, progress: Progress): void {
  const time = Date.parse(at)
  if (time < progress.at - BACKWARDS_MS) {
    const {backwards = {seq, at, entries: 0}} = progress
    progress.backwards = {...backwards, entries: backwards.entries + 1}
  }
  progress.at = time
}

const REWRITTEN = 'It is not the line that the anchor was made from: the trail was rewritten.'

function names(torn: unknown, waiting: readonly Fragment[]): boolean {
  const expected = waiting.map(({bytes, sha256}) => ({bytes, sha256}))
  return JSON.stringify(torn) === JSON.stringify(expected)
}

/** A fragment may end the file if it came after the last finished append; the sealed head must have been passed. */
function atTheEnd(
  progress: Progress,
  {head, anchor, key, witness}: Known,
  lines: number,
): Verdict['firstBroken'] {
  const [stray] = progress.waiting
  if (stray !== undefined && (head === undefined ? stray.ended : stray.offset < head.size)) {
    return {line: stray.line, why: 'It is not a line of the trail, and no repair entry names it.'}
  }
  const atEnd = (why: string) => ({line: lines + 1, why})
  if (head === undefined) return atEnd("The head of the trail is missing, so this line can't be checked.")
  if (!head.sealed) return atEnd('The seal on the head is wrong: it was changed, or its key was replaced.')
  if (!progress.headSeen) return atEnd('The last lines were removed.')
  if (anchor && progress.anchor === undefined)
    return atEnd('The line that the anchor was made from is missing: the trail ends before it.')
  const why = witness && unexplained(witness, {...progress, key: publicKeyOf(key)})
  return why === undefined ? undefined : atEnd(why)
}

/** What the journals know and the trail doesn't, unless a sealed line says why. */
export function unexplained(
  {requests, keys}: Witness,
  {marks, formerKeys, key}: Pick<Progress, 'marks' | 'formerKeys'> & {readonly key: string | undefined},
): string | undefined {
  const missing = [...requests].filter(([, {mark}]) => mark === null || !marks.has(mark))
  const [first] = missing
  if (first !== undefined) {
    const [id, {journal}] = first
    const others = missing.length === 1 ? '' : `, nor for ${missing.length - 1} other requests`
    return `There is no entry for request ${id} of the journal ${journal}${others}.`
  }
  const other = [...keys].find(([each]) => each !== key && !formerKeys.has(each))
  return (
    other && `The journal ${other[1]} knows the trail by another key: the trail and its key were replaced.`
  )
}
