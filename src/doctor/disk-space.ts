import {statfs} from 'node:fs/promises'
import {broken, doubtful, type Finding, fine} from './finding.ts'
import {nearest} from './folders.ts'
import {bytes} from './runtime.ts'

const MEBIBYTE = 1024 * 1024
/** The journal of a large bulk run takes about this. */
const LITTLE = 500 * MEBIBYTE
/** A write that cannot be written down is not sent. */
const TOO_LITTLE = 10 * MEBIBYTE

/** The room where the journal and the audit trail are written. */
export async function diskSpace(folder: string, spaceOf = freeBytes): Promise<Finding> {
  const free = await spaceOf(await nearest(folder))
  const facts = {freeBytes: free}
  const words = `${bytes(free)} free for ${folder}`
  const advice = 'Make room, or choose another place with CARDCTL_DATA_DIR.'
  if (free < TOO_LITTLE) return broken('STORE_UNAVAILABLE', words, advice, {facts})
  return free < LITTLE ? doubtful(words, advice, {facts}) : fine(words, {facts})
}

async function freeBytes(folder: string): Promise<number> {
  const {bavail, bsize} = await statfs(folder)
  return bavail * bsize
}
