import {randomBytes} from 'node:crypto'
import {sortableIds} from '../clock/sortable-ids.ts'
import type {TimeJudgement, TimeSpan} from '../clock/trusted-clock.ts'
import type {Service} from '../profiles/service.ts'
import type {Secret} from '../sensitive/secret.ts'
import type {TellHeld} from '../sqlite/index.ts'
import {isProcessAlive, processMark} from './process-mark.ts'

export interface JournalSurroundings {
  /** ms since 1970. */
  now(): number
  /** A new request id, `r_…`. */
  newId(): string
  randomBytes(size: number): Uint8Array
  readonly pid: number
  /** Identifies this process, as opposed to a later one with the same pid. */
  readonly mark: string
  /** Whether the process that left a mark still runs; undefined if this machine can't know. */
  isAlive(pid: number, mark: string): boolean | undefined
}

export interface JournalOptions extends JournalSurroundings {
  /** One file per service, or `:memory:`. */
  readonly file: string
  readonly service: Service
  /** The profile by which the service is used. */
  readonly profile: string
  /** The local 32-byte key (`localKeyFile`). Read only when the journal is created and at the first entry. */
  key(): Secret<Buffer>
  /** Where the key is, for the message if it is a different one. */
  readonly keyFile?: string | undefined
  /** Whether its times can be believed; they are by default. */
  readonly clock?: JournalClock | undefined
  /** How long to wait for other processes, ms; 10,000 by default. */
  readonly busyTimeoutMs?: number | undefined
  /** Told in the middle of that time. */
  readonly held?: TellHeld | undefined
}

/** Whether the times of this machine can be believed. */
export interface JournalClock {
  /**
   * A sandbox needs no proof.
   *
   * @param newest when the newest entry was made, ms since 1970.
   */
  judge(newest: () => number | undefined): TimeJudgement
  /** The earliest time that it can be now, ms since 1970: what is removed is as old as it is by this time. */
  earliest(newest: () => number | undefined): number
  /** Between which times it is now for a service that forgets keys. */
  span(): TimeSpan
  /** A person says so. */
  readonly vouched: boolean
  /** Something depends on it. */
  needed(): void
}

/** The surroundings of the current process. */
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

/** Random bytes from a pool: asking the system for a few at a time costs more than encrypting with them. */
function pooledRandom(): (size: number) => Uint8Array {
  let stock = Buffer.alloc(0)
  return size => {
    if (stock.length < size) stock = randomBytes(Math.max(size, 4096))
    const taken = stock.subarray(0, size)
    stock = stock.subarray(size)
    return taken
  }
}
