// Sends files of transfers in several batches and kills the process, until each file is sent whole.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Booked, World} from '../sandbox/helpers/world.ts'
import {killAfter} from './kill-after.ts'

export interface TransferScene {
  /** Sends files until this many processes were killed, and at least this many files. */
  readonly kills: number
  readonly files: number
  readonly random: () => number
}

interface Counts {
  files: number
  kills: number
  /** Kills that left a request with an unknown effect. */
  inFlight: number
  /** What `requests resolve` found. If the effect stays unknown, a person looks at the service and records it. */
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

const TRANSFERS = 12
const BATCH = 4

class Sending {
  readonly #world: World
  readonly #scene: TransferScene
  readonly #counts: Counts = {files: 0, kills: 0, inFlight: 0, verdicts: {}}
  /** How long a file takes without a kill, ms; measured on the first one. */
  #wholeMs: number | undefined

  constructor(world: World, scene: TransferScene) {
    this.#world = world
    this.#scene = scene
  }

  async all(): Promise<TransferReport> {
    const {kills, files} = this.#scene
    const counts = this.#counts
    const before = await this.#world.totals()
    while (counts.files < files || counts.kills < kills) await this.#send(counts.files++)
    const booked = await this.#world.transfers()
    for (let file = 0; file < counts.files; file++) mustBeOnce(file, booked)
    const after = await this.#world.totals()
    if (before.EUR !== after.EUR)
      throw new Error(`the total over all accounts went from ${before.EUR} to ${after.EUR}`)
    return counts
  }

  async #send(number: number): Promise<void> {
    const {home, folder} = this.#world
    const file = join(folder, `transfers-${number}.csv`)
    await writeFile(file, rowsOf(number))
    const command = ['a2a', 'create', '--from', file, '--batch-size', String(BATCH), '--yes']
    for (let argv = command; ; ) {
      const began = performance.now()
      const {code, stderr} = await killAfter(home, argv, this.#nextKill())
      if (code === 0) {
        this.#wholeMs = performance.now() - began
        return
      }
      if (code === null) this.#counts.kills++
      else if (/sent already/.test(stderr)) return
      // 10: the effect is unknown. Other requests had no effect and can be sent again.
      else if (![6, 8, 9, 10].includes(code)) throw new Error(`a2a create ended ${code}: ${stderr}`)
      const {open, unknown} = await this.#resolve()
      if (code === null && open) this.#counts.inFlight++
      for (const entry of unknown) {
        const {code: now} = await home.run(command)
        if (now !== 10) throw new Error(`a batch that cannot be told was passed over: ${now}`)
        await this.#lookAndSay(entry)
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

  /** Resolves unfinished requests. Returns whether there were any, and which stay unknown. */
  async #resolve(): Promise<{readonly open: boolean; readonly unknown: readonly Entry[]}> {
    const unknown: Entry[] = []
    let open = false
    for (const state of ['unknown', 'unfinished']) {
      const flags = ['--operation', 'a2a.create.v1', '--state', state, '--limit', '1000']
      for (const entry of await this.#world.home.json<Entry[]>(['requests', 'list', ...flags])) {
        // The second list also has the requests that were unknown a moment ago.
        if (unknown.some(({id}) => id === entry.id)) continue
        open = true
        if ((await this.#verdict(entry)) === 'cannot tell') unknown.push(entry)
      }
    }
    return {open, unknown}
  }

  /** Does what a person would do: looks at the service and records what is there. */
  async #lookAndSay({id, reference}: Entry): Promise<void> {
    const found = (await this.#isThere(reference)) ? 'effect' : 'no-effect'
    const flags = ['--found', found, '--because', 'Seen at the service', '--yes']
    const {code, stderr} = await this.#world.home.run(['requests', 'resolve', id, ...flags])
    if (code !== 0) throw new Error(`requests resolve --found ended ${code}: ${stderr}`)
  }

  async #isThere(reference: string): Promise<boolean> {
    return (await this.#world.transfers()).some(({description}) => description?.includes(reference))
  }

  /** It must be true at the service. */
  async #verdict({id, reference}: Entry): Promise<string> {
    const {code, stdout, stderr} = await this.#world.home.run(['requests', 'resolve', id, '-o', 'json'])
    if (code !== 0 && code !== 10) throw new Error(`requests resolve ended ${code}: ${stderr}`)
    const {verdict} = JSON.parse(stdout) as {verdict: string}
    const {verdicts} = this.#counts
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
    const isThere = await this.#isThere(reference)
    if (verdict !== 'cannot tell' && isThere !== (verdict === 'had effect')) {
      throw new Error(`resolve says ${verdict}, and the batch is ${isThere ? '' : 'not '}there`)
    }
    return verdict
  }
}

function mustBeOnce(file: number, booked: readonly Booked[]): void {
  for (let at = 0; at < TRANSFERS; at++) {
    const found = booked.filter(({text}) => text === `f${file}-${at}`)
    if (found.length !== 1 || found[0]?.status !== 'COMPLETED') {
      throw new Error(`transfer ${at} of file ${file} was booked ${found.length} times`)
    }
  }
}

const rowsOf = (file: number): string =>
  `from,to,amount,currency,text\n${Array.from(
    {length: TRANSFERS},
    (_, at) => `${at % 2 === 0 ? '2006,2007' : '2007,2006'},1.${10 + (file % 90)},EUR,f${file}-${at}\n`,
  ).join('')}`
