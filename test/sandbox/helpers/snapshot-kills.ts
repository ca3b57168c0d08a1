// Processes that save, load and fork snapshots, killed at random times. Afterwards there is the old state or the new one.
import {hash} from 'node:crypto'
import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {createSandbox, type SandboxOptions, type Snapshot} from '../../../src/sandbox/index.ts'
import {checkSnapshot, rowsOf} from '../../../src/sandbox/snapshot/snapshot.ts'
import type {ProcessHome} from '../../helpers/process-home.ts'

export interface KillReport {
  readonly runs: number
  /** Runs that were killed before they had ended. */
  readonly killed: number
  readonly old: number
  readonly new: number
  /** Anything else; there must be none. */
  readonly neither: readonly string[]
}

export interface KillOptions {
  readonly home: ProcessHome
  readonly kills: number
  readonly random: () => number
}

/** What a snapshot is of, whenever it was made. */
export const contentOf = async (snapshot: Snapshot): Promise<string> =>
  hash('sha256', JSON.stringify(await rowsOf(snapshot)))

/** A state with many rows, so that a kill strikes in the middle. */
export async function largeState(authorisations: number, amount: number): Promise<Snapshot> {
  const sandbox = await createSandbox()
  const send = (method: string, url: string, body: object) =>
    sandbox.handle({
      method,
      url,
      headers: {'content-type': 'application/json'},
      body: JSON.stringify(body),
    })
  await send('PATCH', '/_sandbox/state/balance/2002-EUR', {booked: 1_000_000})
  await send('PATCH', '/_sandbox/state/account/2002', {name: `amounts of ${amount}`})
  for (let at = 0; at < authorisations; at++)
    await send('POST', '/_sandbox/authorisations', {cardId: '3003', amount, currency: 'EUR'})
  const snapshot = await sandbox.snapshot()
  await sandbox.close()
  return snapshot
}

/** The content of a state that no process has open. */
export async function stateAt(options: Pick<SandboxOptions, 'file' | 'postgres'>): Promise<string> {
  const sandbox = await createSandbox(options)
  try {
    return contentOf(await sandbox.snapshot())
  } finally {
    await sandbox.close()
  }
}

/** Runs the tool and kills it at a random time of as much as it usually takes. */
class Killer {
  readonly #options: KillOptions
  readonly #usualMs: number
  runs = 0
  killed = 0
  old = 0
  new = 0
  readonly neither: string[] = []

  private constructor(options: KillOptions, usualMs: number) {
    this.#options = options
    this.#usualMs = usualMs
  }

  static async of(options: KillOptions, argv: readonly string[], after: () => void = () => undefined) {
    const times: number[] = []
    // The first one compiles.
    for (let at = 0; at < 4; at++) {
      const began = performance.now()
      const {code, stderr} = await options.home.run(argv)
      if (code !== 0) throw new Error(`${argv.join(' ')} ended ${code}: ${stderr}`)
      times.push(performance.now() - began)
      after()
    }
    return new Killer(options, Math.min(...times))
  }

  async run(argv: readonly string[]): Promise<void> {
    const {home, random} = this.#options
    // Most of the time is the start; what matters is at the end.
    const afterMs = this.#usualMs * (0.4 + 0.65 * random())
    this.runs++
    const {code} = await home.run(argv, child => {
      const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
      child.on('exit', () => clearTimeout(timer))
    })
    if (code === null) this.killed++
  }

  judge(found: string | undefined, before: string | undefined, wanted: string): void {
    if (found === wanted) this.new++
    else if (found === before) this.old++
    else this.neither.push(String(found))
  }

  get report(): KillReport {
    const {runs, killed, old, neither} = this
    return {runs, killed, old, new: this.new, neither}
  }
}

interface States {
  readonly one: Snapshot
  readonly two: Snapshot
}

/** `save --replace` while the state changes between the two. */
export async function killedSaves(options: KillOptions, {one, two}: States): Promise<KillReport> {
  const {home, kills} = options
  const data = join(home.home, '.local/share/cardctl/sandbox')
  const saved = join(data, 'snapshots/saved.json')
  const set = async (state: Snapshot) => {
    const sandbox = await createSandbox({file: join(data, 'sandbox.db')})
    await sandbox.load(state)
    await sandbox.close()
  }
  await set(one)
  const argv = ['sandbox', 'snapshot', 'save', 'saved', '--replace']
  const killer = await Killer.of(options, argv)
  const content = () => contentOf(checkSnapshot(JSON.parse(readFileSync(saved, 'utf8'))))
  for (let at = 0; at < kills; at++) {
    const state = at % 2 === 0 ? two : one
    await set(state)
    const before = await content()
    await killer.run(argv)
    killer.judge(await content(), before, await contentOf(state))
  }
  return killer.report
}

/** `load` of one and the other, by turns, into the embedded sandbox. */
export async function killedLoads(options: KillOptions, {one, two}: States): Promise<KillReport> {
  const {home, kills} = options
  const file = join(home.home, '.local/share/cardctl/sandbox/sandbox.db')
  const fixtures = [one, two].map((state, at) => {
    const fixture = join(home.home, `fixture-${at}.json`)
    writeFileSync(fixture, JSON.stringify(state))
    return fixture
  })
  const argv = (at: number) => [
    'sandbox',
    'snapshot',
    'load',
    fixtures[at % 2] ?? '',
    '--yes',
    '-p',
    'sandbox',
  ]
  const killer = await Killer.of(options, argv(0))
  for (let at = 1; at <= kills; at++) {
    const before = await stateAt({file})
    await killer.run(argv(at))
    killer.judge(await stateAt({file}), before, await contentOf(at % 2 === 0 ? one : two))
  }
  return killer.report
}

/** `fork --data` into a new folder each time: there is the whole sandbox, or none. */
export async function killedForks(
  options: KillOptions,
  {one}: States,
): Promise<KillReport & {unfinished: number}> {
  const {home, kills} = options
  const fixture = join(home.home, 'fork.json')
  writeFileSync(fixture, JSON.stringify(one))
  const folder = join(home.home, 'forked')
  const argv = ['sandbox', 'snapshot', 'fork', fixture, '--data', folder]
  const clear = () => rmSync(folder, {recursive: true, force: true})
  const killer = await Killer.of(options, argv, clear)
  let unfinished = 0
  for (let at = 0; at < kills; at++) {
    await killer.run(argv)
    const file = join(folder, 'sandbox.db')
    killer.judge(existsSync(file) ? await stateAt({file}) : undefined, undefined, await contentOf(one))
    if (existsSync(folder) && readdirSync(folder).some(name => name.endsWith('.tmp'))) unfinished++
    clear()
  }
  return {...killer.report, unfinished}
}
