import {mkdirSync, readdirSync, readlinkSync, statSync} from 'node:fs'
import {hostname, uptime} from 'node:os'
import {dirname, join} from 'node:path'
import {bootId, isRunning, startOf} from '../children/running.ts'
import {type HeldFile, holdFile, isHeld, removeUnheld} from '../sqlite/index.ts'
import {KEY_LIFE_MS} from './key-rules.ts'
import type {RequestRow} from './request-record.ts'

/** Clocks are set and drift: two calculated times of the same boot may differ by this much. */
const BOOT_TOLERANCE_MS = 600_000

/**
 * Identifies this process, as opposed to a later one with the same pid: host, boot, pid namespace (a container has pids
 * of its own) and start time if the system knows them, otherwise host and the calculated time of the boot.
 */
export function processMark(pid: number, now: number): string {
  const linux = linuxMark(pid)
  if (linux !== undefined) return linux
  return ['boot', hostname(), String(bootTime(now))].join('|')
}

/**
 * Whether the process that left the mark still runs; undefined if that can't be known here (another machine or
 * container wrote it).
 */
export function isProcessAlive(pid: number, mark: string, now: number): boolean | undefined {
  const [kind, host, boot, space] = mark.split('|')
  if (host !== hostname()) return undefined
  if (kind === 'linux') {
    const own = linuxMark(process.pid)?.split('|')
    if (own === undefined) return undefined
    if (own[2] !== boot) return false
    if (own[3] !== space) return undefined
    return linuxMark(pid) === mark
  }
  if (Math.abs(Number(boot) - bootTime(now)) > BOOT_TOLERANCE_MS) return false
  return isRunning(pid)
}

function linuxMark(pid: number): string | undefined {
  try {
    const space = readlinkSync('/proc/self/ns/pid')
    const [boot, start] = [bootId(), startOf(pid)]
    if (boot === null || start === null) return undefined
    return ['linux', hostname(), boot, space, start].join('|')
  } catch {
    return undefined
  }
}

function bootTime(now: number): number {
  return Math.round(now - uptime() * 1000)
}

type Owner = Pick<RequestRow, 'pid' | 'process_mark' | 'begun_at'>

/**
 * Decides whether the process behind an open request has ended. Asks the system once per process. A process of another
 * machine or container can't be seen from here: its request counts as running for a day.
 */
export function goneJudge(options: {
  isAlive(pid: number, mark: string): boolean | undefined
  /** ms since 1970; asked once, and only about a process that can't be seen from here. */
  now(): number
}): (row: Owner) => boolean {
  const known = new Map<string, boolean | undefined>()
  let time: number | undefined
  return row => {
    const name = `${row.pid}|${row.process_mark}`
    if (!known.has(name)) known.set(name, options.isAlive(row.pid, row.process_mark))
    const alive = known.get(name)
    if (alive !== undefined) return !alive
    time ??= options.now()
    return time - row.begun_at >= KEY_LIFE_MS
  }
}

/** Beside the journals: a file for each process that sends requests, which it keeps locked. */
const FOLDER = 'processes'

/**
 * A lock by which processes that can't see each other, because each container has pids of its own, know whether the
 * other still runs. What it adds to a mark names the file and the folder: in a copy of the folder, the locks say nothing
 * about the processes that use the original.
 */
export class ProcessLock implements Disposable {
  readonly #held: HeldFile | undefined
  /** To be added to the mark of the process; empty without a lock. */
  readonly suffix: string

  /** @param name one that no process had before. */
  constructor(journal: string, name: string) {
    if (journal === ':memory:') {
      this.suffix = ''
      return
    }
    const folder = join(dirname(journal), FOLDER)
    removeAbandoned(folder)
    this.#held = holdFile(join(folder, name))
    this.suffix = this.#held === undefined ? '' : ` ${name}@${identityOf(folder)}`
  }

  [Symbol.dispose](): void {
    this.#held?.[Symbol.dispose]()
  }
}

/** The mark as the process itself knows it, and what the lock adds. */
export function splitMark(mark: string): readonly [mark: string, lock: string | undefined] {
  const [own = mark, lock] = mark.split(' ')
  return [own, lock]
}

/**
 * Whether the process still holds its lock; undefined if that can't be known here.
 *
 * @param journals the folder of the journals.
 */
export function isLockHeld(journals: string, lock: string | undefined): boolean | undefined {
  const [name, identity] = lock?.split('@') ?? []
  if (name === undefined || !/^\w+$/.test(name)) return undefined
  const folder = join(journals, FOLDER)
  return identityOf(folder) === identity ? isHeld(join(folder, name)) : undefined
}

/** A copy of the folder has another one. The number of its device isn't the same in all containers. */
const identityOf = (folder: string): string =>
  String(statSync(folder, {throwIfNoEntry: false, bigint: true})?.ino ?? '')

/** Files of processes that were killed. */
function removeAbandoned(folder: string): void {
  try {
    mkdirSync(folder, {recursive: true, mode: 0o700})
    for (const name of readdirSync(folder)) removeUnheld(join(folder, name))
  } catch {
    // Then `holdFile` finds no place either.
  }
}
