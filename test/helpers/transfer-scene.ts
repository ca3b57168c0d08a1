// Files of transfers, sent in several batches and broken off, until each is sent whole or stopped.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {killedIn} from './killer.ts'
import type {Booked, World} from './world.ts'

export interface TransferScene {
  /** Files are sent until so many processes were killed, and at least so many files. */
  readonly kills: number
  readonly files: number
  readonly random: () => number
}

interface Counts {
  files: number
  /** Files of which everything was sent. */
  whole: number
  /** Files that stopped with exit 10 at a batch of which nobody can tell. */
  stopped: number
  kills: number
  /** Kills that left a request of which nobody knew whether it had had its effect. */
  inFlight: number
  readonly verdicts: Record<string, number>
}

export type TransferReport = Readonly<Counts>

/** @throws Error when a transfer was sent twice or lost, a verdict is wrong, or the total over all accounts changed. */
export const transferScene = (world: World, scene: TransferScene): Promise<TransferReport> =>
  new Sending(world, scene).all()

interface Entry {
  readonly id: string
  readonly state: string
  readonly reference: string
}

type End = 'whole' | 'stopped'

const TRANSFERS = 12
const BATCH = 4

class Sending {
  readonly #world: World
  readonly #scene: TransferScene
  readonly #counts: Counts = {files: 0, whole: 0, stopped: 0, kills: 0, inFlight: 0, verdicts: {}}
  /** Requests that could not be told once: they stopped their file for good. */
  readonly #untold = new Set<string>()
  /** How long a file took that nobody broke off, ms. The first one is let pass, to know. */
  #wholeMs: number | undefined

  constructor(world: World, scene: TransferScene) {
    this.#world = world
    this.#scene = scene
  }

  async all(): Promise<TransferReport> {
    const {kills, files} = this.#scene
    const counts = this.#counts
    const before = await this.#world.totals()
    const ends: End[] = []
    while (counts.files < files || counts.kills < kills) {
      const end = await this.#send(counts.files++)
      counts[end]++
      ends.push(end)
    }
    const booked = await this.#world.transfers()
    for (const [file, end] of ends.entries()) mustBeOnce(file, end, booked)
    const after = await this.#world.totals()
    if (before.EUR !== after.EUR)
      throw new Error(`the total over all accounts went from ${before.EUR} to ${after.EUR}`)
    return counts
  }

  async #send(number: number): Promise<End> {
    const {desk, folder} = this.#world
    const file = join(folder, `transfers-${number}.csv`)
    await writeFile(file, rowsOf(number))
    const command = ['a2a', 'create', '--from', file, '--batch-size', String(BATCH), '--yes']
    for (let argv = command; ; ) {
      const began = performance.now()
      const {code, stderr} = await killedIn(desk, argv, this.#nextKill())
      if (code === 0) {
        this.#wholeMs = performance.now() - began
        return 'whole'
      }
      if (code === null) this.#counts.kills++
      else if (/sent already/.test(stderr)) return 'whole'
      // 10: nobody knows. Others had no effect, and can be sent again.
      else if (![6, 8, 9, 10].includes(code)) throw new Error(`a2a create ended ${code}: ${stderr}`)
      const {open, told} = await this.#resolve()
      if (code === null && open) this.#counts.inFlight++
      if (!told) {
        const {code: now} = await desk.run(command)
        if (now !== 10) throw new Error(`a batch that cannot be told was passed over: ${now}`)
        return 'stopped'
      }
      const mine = (await this.#world.transfers()).some(({text}) => text?.startsWith(`f${number}-`))
      argv = mine ? [...command, '--rest'] : command
    }
  }

  /** In the second half of a file's time: before, the program only starts. */
  #nextKill(): number | undefined {
    const isOver = this.#counts.kills >= this.#scene.kills
    return isOver || this.#wholeMs === undefined
      ? undefined
      : this.#wholeMs * (0.5 + this.#scene.random() / 2)
  }

  /** Resolves what is open: whether there was anything, and all of it could be told. A verdict must be true at the service. */
  async #resolve(): Promise<{readonly open: boolean; readonly told: boolean}> {
    const found = {open: false, told: true}
    for (const state of ['unknown', 'unfinished']) {
      const flags = ['--operation', 'a2a.create.v1', '--state', state, '--limit', '1000']
      for (const {id, reference} of await this.#world.desk.json<Entry[]>(['requests', 'list', ...flags])) {
        if (this.#untold.has(id)) continue
        found.open = true
        if ((await this.#verdict(id, reference)) !== 'cannot tell') continue
        this.#untold.add(id)
        found.told = false
      }
    }
    return found
  }

  async #verdict(id: string, reference: string): Promise<string> {
    const {code, stdout, stderr} = await this.#world.desk.run(['requests', 'resolve', id, '-o', 'json'])
    if (code !== 0 && code !== 10) throw new Error(`requests resolve ended ${code}: ${stderr}`)
    const {verdict} = JSON.parse(stdout) as {verdict: string}
    const {verdicts} = this.#counts
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
    const isThere = (await this.#world.transfers()).some(({description}) => description?.includes(reference))
    if (verdict !== 'cannot tell' && isThere !== (verdict === 'had effect')) {
      throw new Error(`resolve says ${verdict}, and the batch is ${isThere ? '' : 'not '}there`)
    }
    return verdict
  }
}

function mustBeOnce(file: number, end: End, booked: readonly Booked[]): void {
  for (let at = 0; at < TRANSFERS; at++) {
    const found = booked.filter(({text}) => text === `f${file}-${at}`)
    const [only] = found
    const isFine = found.length === 1 ? only?.status === 'COMPLETED' : found.length === 0 && end === 'stopped'
    if (!isFine) throw new Error(`transfer ${at} of file ${file} was booked ${found.length} times`)
  }
}

const rowsOf = (file: number): string =>
  `from,to,amount,currency,text\n${Array.from(
    {length: TRANSFERS},
    (_, at) => `${at % 2 === 0 ? '2006,2007' : '2007,2006'},1.${10 + (file % 90)},EUR,f${file}-${at}\n`,
  ).join('')}`
