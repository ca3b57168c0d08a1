import {statSync} from 'node:fs'
import {Failure} from '../../errors/failure.ts'
import {openDatabase} from '../../sqlite/index.ts'
import type {Recorder} from '../earlier-decisions.ts'
import {KnownCalls} from './known-calls.ts'
import {keepPruned, newestCall} from './prune-exchanges.ts'
import {GroupRecorder, type RecordingTrouble} from './recorder.ts'
import {forgetServer, noteServer, type ServerNote} from './recording.ts'
import {recordingMigrations} from './schema.ts'

/**
 * When an answer is sent. `power`: when its record is on disk. `process`: when the system has it, so that only a crash
 * of the machine loses it. `relaxed`: at once; the record follows within 100 ms.
 */
export type Durability = 'power' | 'process' | 'relaxed'

export interface RecorderOptions {
  readonly file: string
  readonly durability: Durability
  /** How long to keep calls, in ms. */
  readonly keepMs: number
  /** Milliseconds since 1970. */
  now(): number
  /** The earliest time that it can be now: calls are as old as they are by it. @param newest when the last call came. */
  readonly earliest?: (newest: () => number | undefined) => number
  /** Called when writing begins to fail, and when it works again. */
  onTrouble(trouble: RecordingTrouble): void
}

/** The recorder of a server that other commands can find. */
export interface ServerRecorder extends Recorder {
  /** Registers where the server is, until it closes: `webhook replay` sends calls there. */
  serving(server: ServerNote): void
}

const RELAXED_MS = 100
/** Maximum number of calls to keep: about 700 MB. */
const NEWEST = 250_000
/** Minimum number of the newest calls whose answers are replayed. */
const KNOWN = 125_000
/** How long a commit waits for another process's lock, in ms. No call is answered meanwhile. */
const BUSY_MS = 100

/**
 * Opens the recording for writing. Several servers may write to one file. Also removes calls that are too old.
 *
 * @throws Failure STORE_DAMAGED (the file is kept as it is) or STORE_UNAVAILABLE.
 */
export function openRecorder(options: RecorderOptions): ServerRecorder {
  const {file, durability, keepMs, now, onTrouble} = options
  const db = openDatabase(file, {
    kind: 'recording',
    migrations: recordingMigrations,
    shrinks: true,
    synchronous: durability === 'power' ? 'FULL' : 'NORMAL',
  })
  const closing = new AbortController()
  let known: KnownCalls
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    known = new KnownCalls(db, KNOWN)
    const before = () => (options.earliest?.(() => newestCall(db)) ?? now()) - keepMs
    keepPruned(db, {before, now, newest: NEWEST}, closing.signal)
  } catch (error) {
    closing.abort()
    db.close()
    throw error
  }
  const recorder = new GroupRecorder(db, known, {
    lagMs: durability === 'relaxed' ? RELAXED_MS : undefined,
    onTrouble,
  })
  watchPlace(file, () => onTrouble({kind: 'removed', file}), closing.signal)
  return {
    record: exchange => recorder.record(exchange),
    earlier: (id, masked) => recorder.earlier(id, masked),
    serving: server => {
      unlessUnwritable(() => noteServer(db, server))
      closing.signal.addEventListener('abort', () => unlessUnwritable(() => forgetServer(db, server)))
    },
    close: () => {
      closing.abort()
      return recorder.close()
    },
  }
}

const LOOK_MS = 1000

/** SQLite continues to write to a removed file without an error. Reports once that the file has lost its name. */
function watchPlace(file: string, onRemoved: () => void, signal: AbortSignal): void {
  const {ino: node} = statSync(file)
  const nodeOf = () => {
    try {
      return statSync(file, {throwIfNoEntry: false})?.ino
    } catch {
      // An unreadable folder proves nothing.
      return node
    }
  }
  const timer = setInterval(() => {
    if (nodeOf() === node) return
    clearInterval(timer)
    onRemoved()
  }, LOOK_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer))
}

/** A failure here costs no call: users can pass the URL instead. */
function unlessUnwritable(write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}
