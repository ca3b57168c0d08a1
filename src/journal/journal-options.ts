import {randomBytes} from 'node:crypto'
import type {Service} from '../profiles/service.ts'
import type {Secret} from '../sensitive/secret.ts'
import {isProcessAlive, processMark} from './process-mark.ts'
import {sortableIds} from './sortable-id.ts'

export interface JournalSurroundings {
  /** ms since 1970. */
  now(): number
  /** A new request id, `r_…`. */
  newId(): string
  randomBytes(size: number): Uint8Array
  readonly pid: number
  /** What tells this process from a later one with the same pid. */
  readonly mark: string
  /** Whether the process that left a mark still runs; undefined when it can't be told from here. */
  isAlive(pid: number, mark: string): boolean | undefined
}

export interface JournalOptions extends JournalSurroundings {
  /** One file per service, or `:memory:`. */
  readonly file: string
  readonly service: Service
  /** Through which profile the service is used. */
  readonly profile: string
  /** The local 32-byte key (`localKeyFile`); asked for when the journal is made and at the first entry only. */
  key(): Secret<Buffer>
  /** Where it lies, for the message when it is another one. */
  readonly keyFile?: string | undefined
  /** How long to wait for other processes, ms; 10,000 by default. */
  readonly busyTimeoutMs?: number | undefined
}

/** The surroundings of this very process. */
export function processSurroundings(now: () => number): JournalSurroundings {
  const random = pooledRandom()
  const newId = sortableIds({now, randomBytes: random})
  return {
    now,
    newId: () => newId('r_'),
    randomBytes: random,
    pid: process.pid,
    mark: processMark(process.pid, now()),
    isAlive: (pid, mark) => isProcessAlive(pid, mark, now()),
  }
}

/** Random bytes out of a stock: asking the system for a few at a time costs more than enciphering with them. */
function pooledRandom(): (size: number) => Uint8Array {
  let stock = Buffer.alloc(0)
  return size => {
    if (stock.length < size) stock = randomBytes(Math.max(size, 4096))
    const taken = stock.subarray(0, size)
    stock = stock.subarray(size)
    return taken
  }
}
