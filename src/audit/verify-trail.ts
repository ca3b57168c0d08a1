import {isSigned} from './anchor.ts'
import {type ChainedLine, decodeLine, digest, ORIGIN} from './audit-line.ts'
import {fileLines} from './file-lines.ts'
import type {Head} from './trail-head.ts'
import type {Torn} from './trail-tail.ts'

export interface Verdict {
  readonly ok: boolean
  /** Lines of the file, fragments included. */
  readonly lines: number
  /** Fragments of killed processes, each closed off by a line that says so, or still the last of the file. */
  readonly fragments: number
  /** Lines that were pruned in the ordinary way before the first one. */
  readonly pruned: number
  readonly firstBroken?: {readonly line: number; readonly why: string}
}

interface Fragment extends Torn {
  readonly line: number
  readonly offset: number
  readonly ended: boolean
}

interface Progress {
  line: number
  prev: string
  headSeen: boolean
  pruned: number
  fragments: number
  waiting: Fragment[]
}

/** Follows the chain from the first line to the last and to the head, up to the first line that doesn't fit. */
export function verifyTrail(descriptor: number, size: number, head: Head | undefined, key: Buffer): Verdict {
  const progress: Progress = {
    line: 0,
    prev: ORIGIN,
    headSeen: head === undefined,
    pruned: 0,
    fragments: 0,
    waiting: [],
  }
  let firstBroken: Verdict['firstBroken']
  let lines = 0
  for (const {bytes, offset, ended} of fileLines(descriptor, 0, size)) {
    lines++
    if (firstBroken !== undefined) continue
    progress.line = lines
    const decoded = decodeLine(bytes)
    if (decoded.state === 'sound') firstBroken = follow(decoded.line, progress, key)
    else if (decoded.state === 'changed')
      firstBroken = {line: lines, why: 'It was changed after it was written.'}
    else progress.waiting.push({line: lines, offset, ended, bytes: bytes.length, sha256: digest(bytes)})
    progress.headSeen ||= progress.prev === head?.hash
  }
  firstBroken ??= atTheEnd(progress, head, lines)
  const {fragments, waiting, pruned} = progress
  const result = {lines, fragments: fragments + waiting.length, pruned}
  return firstBroken === undefined ? {ok: true, ...result} : {ok: false, ...result, firstBroken}
}

function follow(line: ChainedLine, progress: Progress, key: Buffer): Verdict['firstBroken'] {
  const broken = (why: string) => ({line: progress.line, why})
  if (line.kind === 'anchor') {
    if (progress.line !== 1) return broken('An anchor stands only at the beginning.')
    if (!isSigned(line, key))
      return broken('The lines before it were removed, and not by the tool: the signature is wrong.')
    progress.pruned = line.seq
    progress.prev = line.prev
    return undefined
  }
  const stray = progress.waiting[0]
  if (stray !== undefined) {
    if (line.kind !== 'repair' || !names(line.torn, progress.waiting)) {
      return {line: stray.line, why: 'It is no line of the trail, and no repair names it.'}
    }
    progress.fragments += progress.waiting.length
    progress.waiting = []
  } else if (line.kind === 'repair') {
    return broken('It names a fragment that is not there.')
  }
  if (line.prev !== progress.prev) {
    return broken(
      progress.line === 1
        ? 'Lines before it were removed.'
        : 'It does not follow the line before: lines were removed, added or moved.',
    )
  }
  progress.prev = line.hash
  return line.kind === 'gap'
    ? broken('Lines before it were removed or changed; the next append noticed.')
    : undefined
}

function names(torn: unknown, waiting: readonly Fragment[]): boolean {
  const expected = waiting.map(({bytes, sha256}) => ({bytes, sha256}))
  return JSON.stringify(torn) === JSON.stringify(expected)
}

/** A fragment may end the file if it came after the last finished append; the head must have been passed. */
function atTheEnd(progress: Progress, head: Head | undefined, lines: number): Verdict['firstBroken'] {
  const [stray] = progress.waiting
  if (stray !== undefined && (head === undefined ? stray.ended : stray.offset < head.size)) {
    return {line: stray.line, why: 'It is no line of the trail, and no repair names it.'}
  }
  return progress.headSeen ? undefined : {line: lines + 1, why: 'The last lines were removed.'}
}
