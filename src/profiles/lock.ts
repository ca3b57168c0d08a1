import {closeSync, openSync, statSync, unlinkSync, writeSync} from 'node:fs'
import {hostname} from 'node:os'
import {setTimeout as delay} from 'node:timers/promises'
import {isRunning} from '../children/running.ts'
import {Failure} from '../errors/failure.ts'
import {interrupted} from '../errors/interruption.ts'
import {errnoOf} from '../errors/system-reason.ts'
import {fileFailure} from '../files/file-failure.ts'
import {readOwnFile} from '../files/open-own-file.ts'

/** How long to wait for another process, in milliseconds. An edit holds the lock for a few milliseconds. */
const PATIENCE = 15_000
/**
 * Age at which a lock counts as stale although its process still runs: that process sleeps or hangs. It notices later
 * that it lost the lock.
 */
const OLDEST = 30_000
/** Age at which an empty lock file counts as stale: its writer died before it wrote the content. */
const OLDEST_EMPTY = 5_000

interface LockSurroundings {
  /** Milliseconds since 1970. */
  now(): number
  /** Ends waiting for another process. */
  readonly signal?: AbortSignal | undefined
}

export interface HeldLock {
  /** @throws Failure FILE_LOCKED if another process took over the lock. Then nothing may be written. */
  assertHeld(): void
}

/**
 * Runs `work` while this process holds `<file>.lock`, which is created with O_EXCL and holds pid, host and a token. A
 * lock whose process is gone is taken over. `work` should be short and call `assertHeld()` right before it writes.
 *
 * @throws Failure CONFIG_UNREADABLE if the lock can't be created, FILE_LOCKED if it stays taken for 15 s.
 */
export async function withLock<T>(
  file: string,
  {now, signal}: LockSurroundings,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  const path = `${file}.lock`
  const content = `${process.pid} ${hostname()} ${crypto.randomUUID()}\n`
  await acquire(path, content, now, signal)
  const isHeld = (): boolean => readLock(path)?.content === content
  try {
    return await work({
      assertHeld() {
        if (!isHeld()) throw busy(path, 'another process took the lock over while this one slept')
      },
    })
  } finally {
    if (isHeld()) unlinkIfThere(path)
  }
}

async function acquire(
  path: string,
  content: string,
  now: () => number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const end = performance.now() + PATIENCE
  for (;;) {
    if (create(path, content)) return
    const found = readLock(path)
    if (found !== undefined && isStale(found, now())) reclaim(path, now)
    else if (performance.now() > end)
      throw busy(
        path,
        found ? `process ${found.pid ?? 'unknown'} holds it` : 'it can be neither made nor read',
      )
    if (signal?.aborted) throw interrupted(signal.reason, {effect: 'none'})
    await delay(5 + Math.random() * 20)
  }
}

/** Whether this call created the file. */
function create(path: string, content: string): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o600)
    try {
      writeSync(descriptor, content)
    } finally {
      closeSync(descriptor)
    }
    return true
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'EEXIST') return false
    if (isBeingDeleted(error)) return false
    throw fileFailure(path, 'made', error)
  }
}

/** Windows reports EPERM for a file that another process is deleting, and for a folder that takes no files. */
const isBeingDeleted = (error: unknown): boolean =>
  process.platform === 'win32' && errnoOf(error instanceof Failure ? error.cause : error) === 'EPERM'

interface FoundLock {
  readonly content: string
  readonly pid: number | undefined
  readonly host: string | undefined
  readonly modified: number
}

function readLock(path: string): FoundLock | undefined {
  try {
    const content = readOwnFile(path)?.toString('utf8')
    if (content === undefined) return undefined
    const match = /^(\d+) (\S+) \S+\n$/.exec(content)
    return {
      content,
      pid: match ? Number(match[1]) : undefined,
      host: match?.[2],
      modified: statSync(path).mtimeMs,
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || isBeingDeleted(error)) return undefined
    throw fileFailure(path, 'read', error)
  }
}

function isStale({pid, host, modified}: FoundLock, now: number): boolean {
  const age = now - modified
  if (pid === undefined) return age > OLDEST_EMPTY
  // A process id is valid only on its own machine, and several machines may share a home folder.
  if (host === hostname() && !isRunning(pid)) return true
  return age > OLDEST
}

/**
 * Removes a stale lock. If two processes see the same stale lock, the second must not delete the new lock of the first.
 * Deleting therefore needs a lock of its own and a second check, all without waiting.
 */
function reclaim(path: string, now: () => number): void {
  const guard = `${path}.reclaim`
  if (!create(guard, '')) {
    const found = readLock(guard)
    if (found !== undefined && now() - found.modified > OLDEST_EMPTY) unlinkIfThere(guard)
    return
  }
  try {
    const found = readLock(path)
    if (found !== undefined && isStale(found, now())) unlinkIfThere(path)
  } finally {
    unlinkIfThere(guard)
  }
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw fileFailure(path, 'written', error)
  }
}

function busy(path: string, why: string): Failure {
  return new Failure('FILE_LOCKED', {message: `${path} is locked: ${why}.`, effect: 'none'})
}
