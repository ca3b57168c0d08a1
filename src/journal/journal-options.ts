import {randomBytes} from 'node:crypto'
import type {Service} from '../profiles/service.ts'
import type {Secret} from '../sensitive/secret.ts'
import type {JournalClock} from './doubtful-times.ts'
import {isProcessAlive, processMark} from './process-mark.ts'

/** Crockford's base 32, as ULIDs use it (https://github.com/ulid/spec): no I, L, O, U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/**
 * Random bits are fetched for this many ids at once: a call for each id would cost more than everything else about it.
 */
const POOL = 128
const RANDOM_BYTES = 10
/** The random bits are two halves, which are whole numbers of a double. */
const HALF_BITS = 40
const HALF = 2 ** HALF_BITS

/**
 * Makes ids that sort by time: a prefix, 48 bits of ms since 1970 and 80 random bits. Within one millisecond, or when
 * the clock is set back, the next id is the last one plus one, so the ids of a process always rise.
 */
export function sortableIds(options: {
  now(): number
  randomBytes(size: number): Uint8Array
}): (prefix: string) => string {
  let lastTime = -1
  let high = 0
  let low = 0
  // All but the last digits, which stay the same for most ids.
  let beginning = ''
  let pool: Uint8Array = new Uint8Array(0)
  const draw = () => {
    if (pool.length === 0) pool = options.randomBytes(POOL * RANDOM_BYTES)
    const bytes = pool.subarray(0, RANDOM_BYTES)
    pool = pool.subarray(RANDOM_BYTES)
    high = toNumber(bytes.subarray(0, 5))
    low = toNumber(bytes.subarray(5))
    beginning = encode(lastTime, 10) + encode(high, 8)
  }
  return prefix => {
    const time = Math.floor(options.now())
    if (time > lastTime) {
      lastTime = time
      draw()
    } else if (++low === HALF) {
      low = 0
      if (++high === HALF) {
        lastTime++
        draw()
      } else beginning = encode(lastTime, 10) + encode(high, 8)
    }
    // As one flat string: JSON.stringify takes twice as long for a concatenated one.
    return [prefix, beginning, encode(low, 8)].join('')
  }
}

const toNumber = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

function encode(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32))
    text = ALPHABET.charAt(rest % 32) + text
  return text
}

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
