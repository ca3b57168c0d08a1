import {readSync} from 'node:fs'
import {decodeLine, digest, ORIGIN} from './audit-line.ts'
import {fileLines} from './trail-file.ts'
import type {FoundHead} from './trail-head.ts'

/** A fragment that a killed process left: how long it is and its SHA-256. */
export interface Torn {
  readonly bytes: number
  readonly sha256: string
}

/** Where the next line goes. */
export interface Tail {
  readonly seq: number
  readonly hash: string
  /** Whether the file ends within a line, so that a line feed must come first. */
  readonly open: boolean
  readonly torn: readonly Torn[]
  /** Lines behind the sealed end: of a process that was killed before it sealed them, or of a stranger. */
  readonly unsealed: number
  /** Whether lines are missing that the head remembers, or the head itself is missing or not sealed. */
  readonly gap: boolean
}

/** Whether the line that the head remembers still ends where it did. */
function endsAt(descriptor: number, head: FoundHead): boolean {
  if (head.seq === 0) return true
  const expected = Buffer.from(`"hash":"${head.hash}"}\n`)
  const found = Buffer.alloc(expected.length)
  const from = head.size - expected.length
  return (
    from >= 0 && readSync(descriptor, found, 0, found.length, from) === found.length && found.equals(expected)
  )
}

/**
 * Finds the end of the chain. Mostly that is the head. Behind it stands what a process wrote that died before it
 * noted its head; and if the head's line is not in its place, the file was pruned by one that died, or changed by
 * somebody, and the lines themselves tell.
 */
export function findTail(descriptor: number, size: number, head: FoundHead | undefined): Tail {
  const atHead = head !== undefined && endsAt(descriptor, head)
  const from = atHead ? head.size : 0
  let {seq, hash} = atHead ? head : {seq: 0, hash: ORIGIN}
  let headSeen = atHead
  let open = false
  let torn: Torn[] = []
  let unsealed = 0
  for (const {bytes, ended} of fileLines(descriptor, from, size)) {
    open = !ended
    const decoded = decodeLine(bytes)
    if (decoded.state === 'sound') {
      if (headSeen) unsealed++
      ;({seq, hash} = decoded.line)
      // A prune's mark stands for the lines before it, and the line after it follows those.
      if (decoded.line.kind === 'anchor') hash = decoded.line.prev
      headSeen ||= hash === head?.hash
      torn = []
    } else if (decoded.state === 'fragment') {
      torn.push({bytes: bytes.length, sha256: digest(bytes)})
    }
  }
  // What was lost can't be counted again: the numbers go on behind the last one ever given.
  const gap = !headSeen || !head?.sealed
  return {seq: Math.max(seq, head?.seq ?? 0), hash, open, torn, unsealed: gap ? 0 : unsealed, gap}
}
