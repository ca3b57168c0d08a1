import {spawn} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {sortableIds} from '../../src/clock/sortable-ids.ts'
import {Failure} from '../../src/errors/failure.ts'
import {type Journal, type JournalOptions, openJournal, type RequestStart} from '../../src/journal/index.ts'
import {Secret} from '../../src/sensitive/secret.ts'

export const HOUR = 3_600_000

/** A folder that goes away with the test's `using`. */
export function temporaryFolder(): {path: string} & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'cardctl-journal-'))
  return {path, [Symbol.dispose]: () => rmSync(path, {recursive: true, force: true})}
}

/** The service that the tests' journals belong to. */
export const service = {id: 'api.example-1', identity: 'api.example', words: 'https://api.example'}

/** A clock that stands until it is moved. */
export interface Clock {
  at: number
}

export interface TestJournal extends Disposable {
  readonly journal: Journal
  readonly clock: Clock
  /** Processes, by mark, that count as gone. */
  readonly gone: Set<string>
  /** Another process on the same file. */
  other(mark: string, more?: Partial<JournalOptions>): Journal
}

/** A journal with everything around it in the test's hands. */
export function testJournal(file = ':memory:'): TestJournal {
  const clock: Clock = {at: Date.UTC(2027, 0, 4, 12)}
  const gone = new Set<string>()
  const opened: Journal[] = []
  let count = 0
  const randomBytes = (size: number): Uint8Array => new Uint8Array(size).fill(++count % 256)
  const now = (): number => clock.at
  const open = (mark: string, more: Partial<JournalOptions> = {}): Journal => {
    const newId = sortableIds({now, randomBytes})
    const journal = openJournal({
      file,
      profile: 'prod',
      service,
      key: () => new Secret(Buffer.alloc(32, 7)),
      now,
      newId: () => newId('r_'),
      randomBytes,
      pid: 4711,
      mark,
      isAlive: (_, which) => !gone.has(which),
      ...more,
    })
    opened.push(journal)
    return journal
  }
  return {
    journal: open('first'),
    clock,
    gone,
    other: open,
    [Symbol.dispose]: () => {
      for (const journal of opened) journal.close()
    },
  }
}

/** A patch of an account, changed where a test needs it. */
export function patchOf(account: string, more: Partial<RequestStart> = {}): RequestStart {
  return {
    operation: 'accounts.patchCredit.v4',
    effect: 'write',
    method: 'PATCH',
    path: `/v4/CREDIT/${account}`,
    target: 'https://api.example',
    resources: [account],
    input: {path: {id: account}, query: {}, body: {creditLimit: 5000}},
    sensitive: [],
    auditUser: 'aino',
    ...more,
  }
}

export function failureOf(work: () => unknown): Failure {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** Starts a fixture of this folder as a process of its own. */
export function start(fixture: string, ...args: string[]) {
  return spawn(process.execPath, [fileURLToPath(new URL(fixture, import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
