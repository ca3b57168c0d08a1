import {readFileSync, readlinkSync} from 'node:fs'
import {basename} from 'node:path'
import {Writable} from 'node:stream'

const NULL_DEVICE = '/dev/null'
/** How far up: a program that runs scripts of packages starts another shell, which runs cardctl. */
const MOST_ANCESTORS = 8

/**
 * Programs that redirect to /dev/null for writing only, so a /dev/null that is open for reading too isn't theirs. Others,
 * such as Python's `DEVNULL`, open it like Node itself, and mean that nobody wants the output.
 */
const SHELLS = /^(?:ba|da|a|z|k|mk|pdk|ya|fi|tc|c)?sh(?:\d|\.|$|-)|^busybox/
const NODE = /^node/

/**
 * Whether stdout was closed when the process began (`>&-`), and not redirected to /dev/null. Node opens /dev/null in the
 * place of a closed stdout, so nothing that is opened later gets its number; but then what is written is lost without an
 * error.
 *
 * Only Linux tells: how /dev/null is open, and what the parent has as stdout. In doubt it is false.
 */
export function isStdoutClosed(): boolean {
  try {
    return wasClosed()
  } catch {
    return false
  }
}

function wasClosed(): boolean {
  if (!isOpenedByNode('self')) return false
  // A parent whose own stdout is of this kind may have passed it on, so the first one with another decides.
  let below = 'self'
  for (let up = 0; up < MOST_ANCESTORS; up++) {
    const parent = parentOf(below)
    if (parent === '0' || parent === '1') return false
    if (!isOpenedByNode(parent)) {
      const isFromShell = SHELLS.test(programOf(parent)) || stdoutOf(parent) === undefined
      return isFromShell && NODE.test(programOf(below))
    }
    below = parent
  }
  return false
}

/** Whether stdout is /dev/null, open for reading and writing. */
const isOpenedByNode = (pid: string): boolean =>
  stdoutOf(pid) === NULL_DEVICE && (flagsOf(pid) & 0b11) === 0b10

/** What stdout of a process is; undefined if it is closed. @throws Error if this user may not know. */
function stdoutOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/fd/1`)
  } catch (error) {
    // Only the folder of an accessible process can be without the entry.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      readlinkSync(`/proc/${pid}/exe`)
      return undefined
    }
    throw error
  }
}

const flagsOf = (pid: string): number =>
  Number.parseInt(/^flags:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/1`, 'utf8'))?.[1] ?? '', 8)

const parentOf = (pid: string): string =>
  /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'

const programOf = (pid: string): string => basename(readlinkSync(`/proc/${pid}/exe`))

/** A stdout on which every write fails, as the system would have it. */
export function closedStdout(): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('stdout is closed'), {code: 'EBADF'})),
  })
}
