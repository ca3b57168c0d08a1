import {readSync} from 'node:fs'
import {decodeLine, digest, ORIGIN} from './audit-line.ts'
import {fileLines} from './file-lines.ts'
import type {Head} from './trail-head.ts'

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
  /** Whether lines are missing that the head remembers. */
  readonly gap: boolean
}

/** Whether the line that the head remembers still ends where it did. */
function endsAt(descriptor: number, head: Head): boolean {
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
export function findTail(descriptor: number, size: number, head: Head | undefined): Tail {
  const from = head !== undefined && endsAt(descriptor, head) ? head.size : 0
  let {seq, hash} = head !== undefined && from > 0 ? head : {seq: 0, hash: ORIGIN}
  let headSeen = head === undefined || from > 0
  let open = false
  let torn: Torn[] = []
  for (const {bytes, ended} of fileLines(descriptor, from, size)) {
    open = !ended
    const decoded = decodeLine(bytes)
    if (decoded.state === 'sound') {
      ;({seq, hash} = decoded.line)
      // An anchor stands for the lines before it, and the line after it follows those.
      if (decoded.line.kind === 'anchor') hash = decoded.line.prev
      headSeen ||= hash === head?.hash
      torn = []
    } else if (decoded.state === 'fragment') {
      torn.push({bytes: bytes.length, sha256: digest(bytes)})
    }
  }
  // What was lost can't be counted again: the numbers go on behind the last one ever given.
  return {seq: Math.max(seq, head?.seq ?? 0), hash, open, torn, gap: !headSeen}
}
