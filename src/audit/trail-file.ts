import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import {dirname} from 'node:path'
import {diskFull, isDiskFull} from '../errors/disk-full.ts'
import {Failure} from '../errors/failure.ts'
import {movedFolder} from '../files/moved-folder.ts'
import {openOwnFile} from '../files/open-own-file.ts'
import {publicKeyOf} from '../sensitive/ed25519.ts'
import {type Database, systemReason} from '../sqlite/index.ts'
import {decodeLine, digest, encodeLine, ORIGIN, withSeal} from './audit-entry.ts'
import {type FoundHead, readHead, writeHead} from './trail-head.ts'

/** A piece of the file between line feeds. */
interface FileLine {
  readonly bytes: Buffer
  /** Where it begins in the file. */
  readonly offset: number
  /** False for what follows the last line feed. */
  readonly ended: boolean
}

const CHUNK = 65_536
const LINE_FEED = 0x0a

/** The lines from one place in an open file up to another. Holds one chunk of the file and one line in memory. */
export function* fileLines(
  descriptor: number,
  from: number,
  to: number,
): Generator<FileLine, void, undefined> {
  let rest: Buffer[] = []
  let offset = from
  for (let place = from; place < to; ) {
    // Lines are views of their chunk, so each chunk has a memory of its own.
    const chunk = Buffer.allocUnsafe(CHUNK)
    const length = readSync(descriptor, chunk, 0, Math.min(CHUNK, to - place), place)
    if (length === 0) break
    place += length
    let begin = 0
    for (
      let end = chunk.indexOf(LINE_FEED);
      end !== -1 && end < length;
      end = chunk.indexOf(LINE_FEED, begin)
    ) {
      const last = chunk.subarray(begin, end)
      const bytes = rest.length === 0 ? last : Buffer.concat([...rest, last])
      yield {bytes, offset, ended: true}
      offset += bytes.length + 1
      rest = []
      begin = end + 1
    }
    if (begin < length) rest.push(chunk.subarray(begin, length))
  }
  if (rest.length > 0) yield {bytes: Buffer.concat(rest), offset, ended: false}
}

/** The lines of an open file of this size, the last one first. What comes before the lines that are taken isn't read. */
export function* linesFromEnd(descriptor: number, size: number): Generator<Buffer, void, undefined> {
  let rest: Buffer[] = []
  for (let to = size; to > 0; ) {
    const from = Math.max(0, to - CHUNK)
    const chunk = Buffer.allocUnsafe(to - from)
    if (readSync(descriptor, chunk, 0, chunk.length, from) < chunk.length) {
      // An append that failed was taken back meanwhile: the file ends here.
      to = fstatSync(descriptor).size
      rest = []
      continue
    }
    let end = chunk.length
    for (
      let at = chunk.lastIndexOf(LINE_FEED);
      at !== -1;
      at = end === 0 ? -1 : chunk.lastIndexOf(LINE_FEED, end - 1)
    ) {
      const first = chunk.subarray(at + 1, end)
      yield rest.length === 0 ? first : Buffer.concat([first, ...rest])
      rest = []
      end = at
    }
    rest.unshift(chunk.subarray(0, end))
    to = from
  }
  yield Buffer.concat(rest)
}

/** What the trail's file is asked for, with the system's refusals as CONFIG_UNREADABLE or DISK_FULL that names it. */
export function withTrail<T>(
  file: string,
  mode: 'append' | 'read',
  work: (descriptor: number, size: number) => T,
): T {
  return naming(file, () => {
    // Its head is open there, so it was there.
    if (mode === 'append' && !existsSync(dirname(file)))
      throw movedFolder(`The folder of the audit trail ${file}`)
    const flags =
      mode === 'append' ? constants.O_RDWR | constants.O_APPEND | constants.O_CREAT : constants.O_RDONLY
    const descriptor = openOwnFile(file, flags)
    try {
      const {size, mode: rights} = fstatSync(descriptor)
      if (mode === 'append' && (rights & 0o077) !== 0) chmodSync(file, 0o600)
      return work(descriptor, size)
    } finally {
      closeSync(descriptor)
    }
  })
}

/** Appends and forces to the disk; what could not be written whole is taken back. */
export function appendDurably(descriptor: number, size: number, text: string): void {
  const bytes = Buffer.from(text)
  takingBack(
    () => {
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
      fsyncSync(descriptor)
    },
    () => ftruncateSync(descriptor, size),
  )
}

/** Does work, and `undo` if it fails. */
export function takingBack<T>(work: () => T, undo: () => void): T {
  try {
    return work()
  } catch (error) {
    undo()
    throw error
  }
}

/** Makes a new or renamed file's name itself safe. Not every system lets a folder be synced. */
export function syncFolder(file: string): void {
  try {
    const folder = openSync(dirname(file), 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {
    // The content is safe; only the name may come back late after a power loss.
  }
}

export function naming<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const reason = systemReason(error)
    if (reason === undefined) throw error
    if (isDiskFull(error)) throw diskFull(file, {cause: error})
    throw new Failure('CONFIG_UNREADABLE', {
      message: `The audit trail ${file} cannot be read or written: ${reason}.`,
      cause: error,
    })
  }
}

/** A fragment that a killed process left: how long it is and its SHA-256. */
export interface Torn {
  readonly bytes: number
  readonly sha256: string
}

/** Where the next line goes. */
interface Tail {
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
function findTail(descriptor: number, size: number, head: FoundHead | undefined): Tail {
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

type Members = Readonly<Record<string, unknown>>

/** Lines as text that continues the chain, and where it then ends. The first line of a trail names its key. */
export function chain(
  lines: readonly Members[],
  from: {seq: number; hash: string},
  key: Buffer,
): {text: string; seq: number; hash: string} {
  let {seq, hash} = from
  let text = ''
  for (const members of lines) {
    seq++
    const named = seq === 1 ? {...members, publicKey: publicKeyOf(key)} : members
    const line = encodeLine(withSeal({seq, ...named}, hash, key), hash)
    text += `${line.text}\n`
    hash = line.hash
  }
  return {text, seq, hash}
}

/**
 * Appends lines; the caller holds the lock. What a killed process or a stranger left is closed off and said first.
 *
 * @returns takes the lines back, if the head could not be committed.
 */
export function appendLines(
  db: Database,
  file: string,
  lines: readonly Members[],
  {at, key}: {readonly at: string; readonly key: Buffer},
): () => void {
  let end = {from: 0, to: 0}
  withTrail(file, 'append', (descriptor, size) => {
    const tail = findTail(descriptor, size, readHead(db, key))
    const next = chain([...aboutTail(tail, at), ...lines], tail, key)
    const text = (tail.open ? '\n' : '') + next.text
    if (text === '') return
    appendDurably(descriptor, size, text)
    end = {from: size, to: size + text.length}
    if (size === 0) syncFolder(file)
    const head = {seq: next.seq, hash: next.hash, size: end.to}
    takingBack(
      () => writeHead(db, head, key),
      () => ftruncateSync(descriptor, size),
    )
  })
  return () => {
    if (end.to === 0) return
    withTrail(file, 'append', (descriptor, size) => {
      // Behind what another process has appended by now, its own next line says that these have no seal.
      if (size === end.to) ftruncateSync(descriptor, end.from)
    })
  }
}

function aboutTail({torn, unsealed, gap}: Tail, at: string): Members[] {
  const lines: Members[] = []
  if (torn.length > 0) {
    lines.push({
      at,
      kind: 'repair',
      note: 'A process was killed while it appended; the fragment before this line is all that it wrote.',
      torn,
    })
  }
  if (unsealed > 0) {
    lines.push({
      at,
      kind: 'unsealed',
      note: `Number of lines before this one that were not sealed: ${unsealed}. Their process was killed, or somebody added them.`,
    })
  }
  if (gap) {
    lines.push({
      at,
      kind: 'gap',
      note: 'Lines before this one were removed or changed from outside, or the seal on them is missing.',
    })
  }
  return lines
}
