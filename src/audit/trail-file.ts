import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import {dirname} from 'node:path'
import {Failure} from '../errors/failure.ts'
import {openOwnFile} from '../files/open-own-file.ts'
import {systemReason} from '../sqlite/index.ts'

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

/** The lines from one place in an open file up to another, without holding more than one line in memory. */
export function* fileLines(
  descriptor: number,
  from: number,
  to: number,
): Generator<FileLine, void, undefined> {
  let rest: Buffer[] = []
  let offset = from
  const chunk = Buffer.alloc(CHUNK)
  for (let place = from; place < to; ) {
    const length = readSync(descriptor, chunk, 0, Math.min(CHUNK, to - place), place)
    if (length === 0) break
    place += length
    let begin = 0
    for (
      let end = chunk.indexOf(LINE_FEED);
      end !== -1 && end < length;
      end = chunk.indexOf(LINE_FEED, begin)
    ) {
      const bytes = Buffer.concat([...rest, chunk.subarray(begin, end)])
      yield {bytes, offset, ended: true}
      offset += bytes.length + 1
      rest = []
      begin = end + 1
    }
    if (begin < length) rest.push(Buffer.from(chunk.subarray(begin, length)))
  }
  if (rest.length > 0) yield {bytes: Buffer.concat(rest), offset, ended: false}
}

/** What the trail's file is asked for, with the system's refusals as CONFIG_UNREADABLE that names it. */
export function withTrail<T>(
  file: string,
  mode: 'append' | 'read',
  work: (descriptor: number, size: number) => T,
): T {
  return naming(file, () => {
    if (mode === 'append') mkdirSync(dirname(file), {recursive: true, mode: 0o700})
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
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
    fsyncSync(descriptor)
  } catch (error) {
    ftruncateSync(descriptor, size)
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
    throw new Failure('CONFIG_UNREADABLE', {
      message: `The audit trail ${file} cannot be read or written: ${reason}.`,
      cause: error,
    })
  }
}
