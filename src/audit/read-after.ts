import type {BigIntStats} from 'node:fs'
import {readSync} from 'node:fs'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {type AuditRecord, decodeLine, entryFields, ORIGIN} from './audit-entry.ts'
import {toRecord} from './list-trail.ts'
import {fileLines} from './trail-file.ts'

/** The last entry that a reader has, so that the same trail can be told from another one. */
export interface TrailPosition {
  /** 0 before the first entry. */
  readonly seq: number
  /** Hash of that entry, if the reader knows it. */
  readonly hash?: string | undefined
}

/** A position, and where in the file it was, so that the next look begins there. */
export interface TrailPlace extends TrailPosition {
  readonly file?: {readonly ino: bigint; readonly size: bigint; readonly offset: number}
}

export interface NewEntries {
  readonly entries: readonly AuditRecord[]
  /** Behind the last of them. */
  readonly place: TrailPlace
  /** First and last number of entries that should come before them and aren't there. */
  readonly missing?: {readonly from: number; readonly to: number}
  /** Whether an entry doesn't follow the one before, so that the whole trail should be checked. */
  readonly isDoubtful: boolean
  /** Whether there are more. */
  readonly hasMore: boolean
}

/** The trail as it is now: an open file, of which this much was written by appends that have ended. */
interface OpenTrail {
  readonly descriptor: number
  readonly found: BigIntStats
}

/** What is known while the lines are read. */
interface Reading {
  place: {seq: number; hash: string | undefined}
  /** Whether the entry of the position was met, or stands for pruned ones. */
  isMet: boolean
  /** The hash that the next line follows. */
  prev: string | undefined
  isDoubtful: boolean
  missing: NewEntries['missing']
}

/**
 * The entries behind a place, oldest first, at most as many as asked for.
 *
 * @throws Failure INPUT_INVALID if this isn't the trail of the place.
 */
export function readAfter({descriptor, found}: OpenTrail, place: TrailPlace, most: number): NewEntries {
  const size = Number(found.size)
  const from = isUnchangedUpTo(descriptor, found, place) ? (place.file?.offset ?? 0) : 0
  const reading: Reading = {
    place: {seq: place.seq, hash: place.hash},
    isMet: from > 0 || place.seq === 0,
    prev: from > 0 ? place.hash : undefined,
    isDoubtful: false,
    missing: undefined,
  }
  const entries: AuditRecord[] = []
  let last = 0
  let offset = from
  let hasMore = false
  for (const line of fileLines(descriptor, from, size)) {
    // The rest of the file is what a killed process left; the next append ends it.
    if (!line.ended) break
    if (entries.length >= most) {
      hasMore = true
      break
    }
    offset = line.offset + line.bytes.length + 1
    const fields = entryFields(line.bytes)
    if (fields === undefined) continue
    last = typeof fields.seq === 'number' ? fields.seq : last
    const record = isAnchor(fields, reading) ? undefined : newRecord(line.bytes, fields, reading)
    if (record !== undefined) entries.push(record)
  }
  if (!reading.isMet) throw otherTrail(last, place.seq)
  return {
    entries,
    place: {...reading.place, file: {ino: found.ino, size: found.size, offset}},
    isDoubtful: reading.isDoubtful,
    hasMore,
    ...(reading.missing && {missing: reading.missing}),
  }
}

/** Whether the entry of the place still ends where it did: no prune, and no other file with that name. */
function isUnchangedUpTo(descriptor: number, found: BigIntStats, {file, hash}: TrailPlace): boolean {
  if (file === undefined || hash === undefined || file.ino !== found.ino) return false
  const expected = Buffer.from(`"hash":"${hash}"}\n`)
  const ending = Buffer.alloc(expected.length)
  const from = file.offset - expected.length
  return from >= 0 && readSync(descriptor, ending, 0, ending.length, from) === ending.length
    ? ending.equals(expected)
    : false
}

/** Sees what the mark of a prune says about the position. */
function isAnchor(fields: Readonly<Record<string, unknown>>, reading: Reading): boolean {
  const {kind, seq, prev} = fields
  if (kind !== 'anchor' || typeof seq !== 'number' || typeof prev !== 'string') return false
  const {place} = reading
  reading.prev = prev
  if (seq < place.seq) return true
  if (seq === place.seq && place.hash !== undefined && place.hash !== prev) throw rewritten(seq)
  if (seq > place.seq) reading.missing = {from: place.seq + 1, to: seq}
  reading.place = {seq, hash: prev}
  reading.isMet = true
  return true
}

function newRecord(
  bytes: Buffer,
  fields: Readonly<Record<string, unknown>>,
  reading: Reading,
): AuditRecord | undefined {
  const record = toRecord(fields)
  if (record === undefined) return undefined
  const {place} = reading
  const hash = typeof fields.hash === 'string' ? fields.hash : undefined
  const {prev} = reading
  reading.prev = hash
  if (record.seq < place.seq) return undefined
  if (record.seq === place.seq) {
    if (place.hash !== undefined && hash !== place.hash) throw rewritten(record.seq)
    reading.place = {seq: place.seq, hash}
    reading.isMet = true
    return undefined
  }
  if (record.seq > place.seq + 1) reading.missing ??= {from: place.seq + 1, to: record.seq - 1}
  reading.isMet = true
  reading.isDoubtful ||=
    record.kind === 'gap' || decodeLine(bytes).state !== 'sound' || fields.prev !== (prev ?? ORIGIN)
  reading.place = {seq: record.seq, hash}
  return record
}

const HINT = advice`Check the trail with ${cardctl('audit', 'verify', '--anchor', {value: 'VALUE'})}. If a new trail was begun on purpose, export what the old one still has, then begin again with --after 0 and another --position file.`

/** A trail that ends before the number is another one, and its entries would be left out unseen. */
function otherTrail(last: number, wanted: number): Failure {
  return new Failure('INPUT_INVALID', {
    message: `The audit trail ends at entry ${last}, before ${wanted}: it isn't the trail that you exported.`,
    hint: HINT,
    effect: 'none',
  })
}

function rewritten(seq: number): Failure {
  return new Failure('INPUT_INVALID', {
    message: `Entry ${seq} of the audit trail isn't the one that you exported: it is another trail, or it was rewritten.`,
    hint: HINT,
    effect: 'none',
  })
}

/** The trail of a place is no longer there. */
export function goneTrail(file: string): Failure {
  return new Failure('INPUT_INVALID', {
    message: `The audit trail ${file} is gone: it was moved or removed.`,
    hint: HINT,
    effect: 'none',
  })
}
