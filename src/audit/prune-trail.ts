import {closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync} from 'node:fs'
import {type Advice, advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {errnoOf, reasonOf} from '../errors/system-reason.ts'
import type {Database} from '../sqlite/index.ts'
import {type ChainedLine, decodeLine, type Explained, explainedBy, pruneMark} from './audit-entry.ts'
import {appendDurably, appendLines, chain, fileLines, syncFolder, withTrail} from './trail-file.ts'
import {EMPTY, type FoundHead, readHead, writeHead} from './trail-head.ts'
import {verifyTrail} from './verify-trail.ts'

export interface PruneTrailOptions {
  /** Lines older than this go, ms since 1970. */
  readonly before: number
  /** A new file for them, 0600: what goes is written there first. */
  readonly exportTo: string
  readonly osUser: string
  readonly auditUser: string
  readonly caller?: string | undefined
  /** What requests have in the journals that need no entry from now on. */
  readonly marks?: readonly string[]
}

export interface PrunedTrail {
  readonly removed: number
  /** Lines that stay; the mark of the cut and the line that says who pruned are not among them. */
  readonly kept: number
  /** Time of the last line that was removed. */
  readonly removedUntil?: string
  /** Time of the first line that stays. */
  readonly keptSince?: string
  /** The file with what was removed. */
  readonly exported?: string
}

/** What to do with a trail that somebody changed. */
export const keepAsEvidence = (file: string): Advice =>
  advice`Keep ${file} and ${file}.head as evidence, and find out who changed it. Then begin a new trail: ${cardctl('audit', 'begin', '--export', {value: 'FILE'})}`

/** Where the part that stays begins, and the last line of the part that goes. */
interface Cut {
  readonly offset: number
  readonly last: ChainedLine | undefined
  /** What earlier marks in what goes explain. */
  readonly explained: Omit<Explained, 'marks'>
  readonly removed: number
  readonly kept: number
  readonly keptSince?: string
}

const CHUNK = 65_536

/**
 * Copies what goes into a file of its own, then rewrites the trail: a sealed mark, the lines that stay, and a line that
 * says who pruned. Until the new file takes the old one's name nothing has changed, so a kill costs nothing. The caller
 * holds the lock.
 *
 * @throws Failure CONFIG_DAMAGED when the chain is broken: what may be evidence is not removed. INPUT_INVALID when the
 * file for what goes is there already or can't be written.
 */
export function pruneTrail(
  db: Database,
  file: string,
  options: PruneTrailOptions,
  {at, key}: {readonly at: string; readonly key: Buffer},
): PrunedTrail {
  withTrail(file, 'read', (descriptor, size) =>
    refuseBroken(file, descriptor, size, {head: readHead(db, key), key}),
  )
  // What a killed process left is closed off, so that the chain ends at its head.
  appendLines(db, file, [], {at, key})
  const head = readHead(db, key) ?? EMPTY
  const fresh = `${file}.new`
  const {cut, newHead} = withTrail(file, 'read', (descriptor, size) => {
    const cut = findCut(descriptor, size, {before: options.before, key})
    if (cut.last === undefined) return {cut}
    exportLines(options.exportTo, descriptor, cut.offset)
    const mark = pruneMark(
      {seq: cut.last.seq, at, ...cut.explained, marks: options.marks ?? [], prev: cut.last.hash},
      key,
    )
    const said = chain([prunedBy(options, at, cut)], head, key)
    rmSync(fresh, {force: true})
    writeFresh(fresh, mark, descriptor, {from: cut.offset, to: size}, said.text)
    const newSize = mark.length + (size - cut.offset) + said.text.length
    return {cut, newHead: {seq: said.seq, hash: said.hash, size: newSize}}
  })
  const {removed, kept, keptSince, last} = cut
  const stays = {kept, ...(keptSince === undefined ? {} : {keptSince})}
  if (newHead === undefined || last === undefined) return {removed: 0, ...stays}
  renameSync(fresh, file)
  syncFolder(file)
  writeHead(db, newHead, key)
  return {removed, removedUntil: last.at, ...stays, exported: options.exportTo}
}

export function refuseBroken(
  file: string,
  descriptor: number,
  size: number,
  known: {readonly head: FoundHead | undefined; readonly key: Buffer},
): void {
  const {firstBroken} = verifyTrail(descriptor, size, known).verdict
  if (firstBroken === undefined) return
  throw new Failure('CONFIG_DAMAGED', {
    message: `The audit trail ${file} is broken at line ${firstBroken.line}; nothing was changed.`,
    hint: keepAsEvidence(file),
    effect: 'none',
  })
}

/** Lines go from the front only, up to the first that is young enough; an old mark and fragments go along. */
function findCut(
  descriptor: number,
  size: number,
  {before, key}: {readonly before: number; readonly key: Buffer},
): Cut {
  let cut: Omit<Cut, 'kept'> = {offset: 0, last: undefined, explained: {}, removed: 0}
  let explained: Cut['explained'] = {}
  let kept = 0
  let keptSince: string | undefined
  for (const {bytes, offset} of fileLines(descriptor, 0, size)) {
    const decoded = decodeLine(bytes)
    if (decoded.state !== 'sound') continue
    if (keptSince === undefined) explained = withLine(explained, decoded.line, key)
    if (decoded.line.kind === 'anchor') continue
    keptSince ??= Date.parse(decoded.line.at) < before ? undefined : decoded.line.at
    if (keptSince === undefined)
      cut = {offset: offset + bytes.length + 1, last: decoded.line, explained, removed: cut.removed + 1}
    else kept++
  }
  return {...cut, kept, ...(keptSince === undefined ? {} : {keptSince})}
}

function withLine(before: Cut['explained'], line: ChainedLine, key: Buffer): Cut['explained'] {
  const found = explainedBy(line, key)
  return {
    formerKeys: [...new Set([...(before.formerKeys ?? []), ...(found?.formerKeys ?? [])])],
    brokenBefore: before.brokenBefore ?? found?.brokenBefore,
  }
}

/** The bytes up to a place in a new file, forced to the disk. */
export function exportLines(path: string, source: number, to: number): void {
  try {
    const target = openSync(path, 'wx', 0o600)
    try {
      copy(source, target, {from: 0, to})
      fsyncSync(target)
    } finally {
      closeSync(target)
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    const isThere = errnoOf(error) === 'EEXIST'
    if (!isThere) rmSync(path, {force: true})
    throw new Failure('INPUT_INVALID', {
      message: isThere
        ? `The file ${path} for the removed lines already exists; nothing was removed.`
        : `The removed lines can't be written to ${path}: ${reasonOf(error)}. Nothing was removed.`,
      hint: 'Name a new file with --export.',
      effect: 'none',
      cause: error,
    })
  }
}

function copy(source: number, target: number, {from, to}: {from: number; to: number}): void {
  const chunk = Buffer.alloc(CHUNK)
  for (let place = from; place < to; ) {
    const length = readSync(source, chunk, 0, Math.min(CHUNK, to - place), place)
    if (length === 0) throw new Error('the trail became shorter while it was read')
    for (let done = 0; done < length; ) done += writeSync(target, chunk, done, length - done)
    place += length
  }
}

function prunedBy(
  {osUser, auditUser, caller, before}: PruneTrailOptions,
  at: string,
  cut: Cut,
): Record<string, unknown> {
  const note = `${cut.removed} lines up to number ${cut.last?.seq} were removed: those before ${new Date(before).toISOString()}.`
  return {at, kind: 'prune', osUser, auditUser, note, caller}
}

function writeFresh(
  fresh: string,
  mark: string,
  source: number,
  {from, to}: {from: number; to: number},
  said: string,
): void {
  const target = openSync(fresh, 'wx', 0o600)
  try {
    writeSync(target, mark)
    copy(source, target, {from, to})
    appendDurably(target, mark.length + (to - from), said)
  } finally {
    closeSync(target)
  }
}
