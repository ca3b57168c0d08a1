import {closeSync, openSync, readSync, renameSync, rmSync, writeSync} from 'node:fs'
import {Failure} from '../errors/failure.ts'
import type {Database} from '../sqlite/index.ts'
import {anchorLine} from './anchor.ts'
import {chain} from './append-lines.ts'
import {type ChainedLine, decodeLine} from './audit-line.ts'
import {fileLines} from './file-lines.ts'
import {appendDurably, syncFolder, withTrail} from './trail-file.ts'
import {type Head, readHead, writeHead} from './trail-head.ts'
import {verifyTrail} from './verify-trail.ts'

export interface PruneTrailOptions {
  /** Lines older than this go, ms since 1970. */
  readonly before: number
  readonly osUser: string
  readonly auditUser: string
}

export interface PrunedTrail {
  readonly removed: number
}

/** Where the part that stays begins, and the last line of the part that goes. */
interface Cut {
  readonly offset: number
  readonly last: ChainedLine
  readonly removed: number
}

const CHUNK = 65_536

/**
 * Rewrites the file: a signed anchor, the lines that stay, and a line that says who pruned. Until the new file takes the
 * old one's name nothing has changed, so a kill costs nothing. The caller holds the lock.
 *
 * @throws Failure CONFIG_DAMAGED when the chain is broken: what may be evidence is not removed.
 */
export function pruneTrail(
  db: Database,
  file: string,
  options: PruneTrailOptions,
  {at, key}: {readonly at: string; readonly key: Buffer},
): PrunedTrail {
  const head = readHead(db)
  if (head === undefined) return {removed: 0}
  const fresh = `${file}.new`
  const made = withTrail(file, 'read', (descriptor, size) => {
    refuseBroken(file, descriptor, size, head, key)
    const cut = findCut(descriptor, size, options.before)
    if (cut === undefined) return undefined
    const anchor = anchorLine({seq: cut.last.seq, until: cut.last.at, prev: cut.last.hash, at}, key)
    const said = chain([saidBy(options, at, cut)], head)
    rmSync(fresh, {force: true})
    writeFresh(fresh, anchor, descriptor, {from: cut.offset, to: size}, said.text)
    const newSize = anchor.length + (size - cut.offset) + said.text.length
    return {removed: cut.removed, head: {seq: said.seq, hash: said.hash, size: newSize}}
  })
  if (made === undefined) return {removed: 0}
  renameSync(fresh, file)
  syncFolder(file)
  writeHead(db, made.head)
  return {removed: made.removed}
}

function refuseBroken(file: string, descriptor: number, size: number, head: Head, key: Buffer): void {
  const verdict = verifyTrail(descriptor, size, head, key)
  if (verdict.firstBroken === undefined) return
  throw new Failure('CONFIG_DAMAGED', {
    message: `The audit trail ${file} is broken at line ${verdict.firstBroken.line}; nothing was removed.`,
    hint: `Keep it as evidence: move it and ${file}.head away together, and a new trail begins.`,
  })
}

/** Lines go from the front only, up to the first that is young enough; an old anchor and fragments go along. */
function findCut(descriptor: number, size: number, before: number): Cut | undefined {
  let cut: Cut | undefined
  let removed = 0
  for (const {bytes, offset} of fileLines(descriptor, 0, size)) {
    const decoded = decodeLine(bytes)
    if (decoded.state !== 'sound') continue
    if (decoded.line.kind === 'anchor') continue
    if (Date.parse(decoded.line.at) >= before) break
    removed++
    cut = {offset: offset + bytes.length + 1, last: decoded.line, removed}
  }
  return cut
}

function saidBy(
  {osUser, auditUser, before}: PruneTrailOptions,
  at: string,
  cut: Cut,
): Record<string, unknown> {
  const note = `${cut.removed} lines up to number ${cut.last.seq} were removed: those before ${new Date(before).toISOString()}.`
  return {at, kind: 'prune', osUser, auditUser, note}
}

function writeFresh(
  fresh: string,
  anchor: string,
  source: number,
  {from, to}: {from: number; to: number},
  said: string,
): void {
  const target = openSync(fresh, 'wx', 0o600)
  try {
    writeSync(target, anchor)
    const chunk = Buffer.alloc(CHUNK)
    for (let place = from; place < to; ) {
      const length = readSync(source, chunk, 0, Math.min(CHUNK, to - place), place)
      for (let done = 0; done < length; ) done += writeSync(target, chunk, done, length - done)
      place += length
    }
    appendDurably(target, anchor.length + (to - from), said)
  } finally {
    closeSync(target)
  }
}
