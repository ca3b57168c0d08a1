import {closeSync, constants, fdatasyncSync, fstatSync, readSync, writeSync} from 'node:fs'
import {openOwnFile} from '../../../files/open-own-file.ts'

/** Always as long, so that a full disk has room for it. */
const BYTES = 16 * 1024

/** Refusals that are in no entry of the audit trail yet. */
export interface Unrecorded {
  readonly count: number
  readonly users: readonly string[]
}

const NONE: Unrecorded = {count: 0, users: []}

/**
 * Keeps how many refusals wait for an entry, in a file that has its full size from the start: it is written over in place,
 * so it outlives a kill also where the disk takes nothing more.
 */
export class KeptRefusals implements Disposable {
  readonly #file: number
  /** Of a server that ended before it could record them. */
  readonly left: Unrecorded

  /** @throws the system's error, or Failure CONFIG_UNREADABLE */
  constructor(path: string) {
    this.#file = openOwnFile(path, constants.O_RDWR | constants.O_CREAT)
    this.left = fstatSync(this.#file).size === 0 ? NONE : this.#read()
    this.keep(this.left)
  }

  keep({count, users}: Unrecorded): void {
    const bytes = Buffer.alloc(BYTES, ' ')
    // Names of users of a system have 32 characters at most.
    const shown = users.slice(0, BYTES / 128).map(user => user.slice(0, 64))
    if (count > 0) bytes.write(JSON.stringify({count, users: shown}))
    writeSync(this.#file, bytes, 0, BYTES, 0)
    fdatasyncSync(this.#file)
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }

  #read(): Unrecorded {
    const bytes = Buffer.alloc(BYTES)
    const text = bytes.toString('utf8', 0, readSync(this.#file, bytes, 0, BYTES, 0)).trim()
    if (text === '') return NONE
    try {
      return JSON.parse(text) as Unrecorded
    } catch {
      return {count: 1, users: ['somebody: the file that counted them is damaged']}
    }
  }
}
