import {mkdirSync, readdirSync, statSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {type HeldFile, holdFile, isHeld, removeUnheld} from '../sqlite/index.ts'

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
