import {copyFileSync, existsSync, readSync, renameSync} from 'node:fs'
import {Failure} from '../errors/failure.ts'
import type {FormerFiles} from '../files/former-files.ts'
import type {Secret} from '../sensitive/secret.ts'
import type {Database} from '../sqlite/index.ts'
import {refuseBroken} from './prune-trail.ts'
import {appendLines, naming, syncFolder, withTrail} from './trail-file.ts'
import {EMPTY, type Head, readHead, writeHead} from './trail-head.ts'
import {type Verdict, verifyTrail} from './verify-trail.ts'

/** A trail that was exported. */
export interface TrailCopy {
  readonly file: string
  /** Its sealed end when it was exported. */
  readonly head: Head
  readonly key: Secret<Buffer>
}

/** `new`: there is no trail here. `continue`: the copy has all entries of the trail here. `known`: the other way round. */
export type TrailPlan = 'new' | 'continue' | 'known'

/** The caller holds the lock. @throws Failure CONFIG_DAMAGED when the trail is broken */
export function copyTrail(
  db: Database,
  file: string,
  to: string,
  {at, key}: {readonly at: string; readonly key: Buffer},
): Head {
  withTrail(file, 'read', (descriptor, size) =>
    refuseBroken(file, descriptor, size, {head: readHead(db, key), key}),
  )
  // What a killed process left is closed off, so that the copy ends at its head.
  appendLines(db, file, [], {at, key})
  naming(to, () => copyFileSync(file, to))
  const {seq, hash, size} = readHead(db, key) ?? EMPTY
  return {seq, hash, size}
}

/** @throws Failure INPUT_INVALID if the copy is broken, USAGE if neither continues the other. */
export function planTrail(db: Database, file: string, {file: copy, head, key}: TrailCopy): TrailPlan {
  withTrail(copy, 'read', (descriptor, size) =>
    refuseBrokenCopy(verifyTrail(descriptor, size, {head: {...head, sealed: true}, key: key.open()}).verdict),
  )
  const known = readHead(db, undefined)
  const wasRemoved = known !== undefined && known.seq > 0 && known.hash !== head.hash
  const isEmpty = !existsSync(file) || withTrail(file, 'read', (_, size) => size === 0)
  if (isEmpty && wasRemoved) throw otherTrail(file)
  if (isEmpty) return 'new'
  return withTrail(file, 'read', (here, sizeHere) =>
    withTrail(copy, 'read', (there, sizeThere) => {
      if (!startEqually(here, there, Math.min(sizeHere, sizeThere))) throw otherTrail(file)
      return sizeHere < sizeThere ? 'continue' : 'known'
    }),
  )
}

function refuseBrokenCopy({firstBroken}: Verdict): void {
  if (firstBroken === undefined) return
  throw new Failure('INPUT_INVALID', {
    message: `The audit trail in the file is broken at line ${firstBroken.line}: ${firstBroken.why} Nothing was imported.`,
    hint: 'Pass --without-audit to import the journals alone.',
    effect: 'none',
  })
}

/**
 * The caller holds the lock. The key is in its place.
 *
 * @param former gets the trail here, and puts everything back while the lock is held if something fails.
 * @param last what is done before the trail counts.
 */
export function arriveTrail(
  db: Database,
  file: string,
  copy: TrailCopy,
  former: FormerFiles,
  last: () => void,
): void {
  const {head, key} = copy
  if (planTrail(db, file, copy) === 'known') {
    // A killed import may have moved the file and not sealed its end.
    const known = readHead(db, key.open())
    const size = withTrail(file, 'read', (_, bytes) => bytes)
    if (size === head.size && (!known?.sealed || known.hash !== head.hash)) writeHead(db, head, key.open())
    last()
    return
  }
  try {
    naming(file, () => {
      former.keep(file)
      renameSync(copy.file, file)
    })
    syncFolder(file)
    writeHead(db, head, key.open())
    last()
  } catch (error) {
    former.putBack()
    throw error
  }
}

const CHUNK = 65_536

function startEqually(one: number, other: number, length: number): boolean {
  const [a, b] = [Buffer.alloc(CHUNK), Buffer.alloc(CHUNK)]
  for (let at = 0; at < length; at += CHUNK) {
    const most = Math.min(CHUNK, length - at)
    if (readSync(one, a, 0, most, at) !== most || readSync(other, b, 0, most, at) !== most) return false
    if (!a.subarray(0, most).equals(b.subarray(0, most))) return false
  }
  return true
}

const otherTrail = (file: string): Failure =>
  new Failure('USAGE', {
    message: `This machine has an audit trail of its own, ${file}, and two trails can't be merged.`,
    hint: 'Pass --without-audit to import the journals alone.',
    effect: 'none',
  })
