// Files of transfers, sent in several batches and broken off, until each is sent whole or stopped.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type KillTimes, killedIn} from './killer.ts'
import type {Booked, World} from './world.ts'

export interface TransferScene {
  /** Files are sent until so many processes were killed, and at least so many files. */
  readonly kills: number
  readonly files: number
  readonly times: KillTimes
}

export interface TransferReport {
  readonly files: number
  /** Files of which everything was sent. */
  readonly whole: number
  /** Files that stopped with exit 10 at a batch of which nobody can tell. */
  readonly stopped: number
  readonly kills: number
  readonly verdicts: Readonly<Record<string, number>>
}

interface Entry {
  readonly id: string
  readonly state: string
  readonly reference: string
}

const TRANSFERS = 12
const BATCH = 4

/** @throws Error when a transfer was sent twice or lost, a verdict is wrong, or the total over all accounts changed. */
export async function transferScene(world: World, scene: TransferScene): Promise<TransferReport> {
  const report = {files: 0, whole: 0, stopped: 0, kills: 0, verdicts: {} as Record<string, number>}
  const before = await world.totals()
  const ends = new Map<number, 'whole' | 'stopped'>()
  while (report.files < scene.files || report.kills < scene.kills) {
    const number = report.files++
    const end = await sendFile(world, number, scene, report)
    ends.set(number, end)
    report[end]++
  }
  const booked = await world.transfers()
  for (const [file, end] of ends) mustBeOnce(file, end, booked)
  const after = await world.totals()
  if (before.EUR !== after.EUR)
    throw new Error(`the total over all accounts went from ${before.EUR} to ${after.EUR}`)
  return report
}

async function sendFile(
  world: World,
  number: number,
  scene: TransferScene,
  report: {kills: number; verdicts: Record<string, number>},
): Promise<'whole' | 'stopped'> {
  const {desk} = world
  const file = join(world.folder, `transfers-${number}.csv`)
  await writeFile(file, rowsOf(number))
  const command = ['a2a', 'create', '--from', file, '--batch-size', String(BATCH), '--yes']
  for (let argv = command; ; ) {
    const kill = report.kills < scene.kills ? scene.times() : undefined
    const {code, stderr} = await killedIn(desk, argv, kill)
    if (code === 0) return 'whole'
    if (code === null) report.kills++
    else if (/sent already/.test(stderr)) return 'whole'
    // 10: nobody knows. Others had no effect, and can be sent again.
    else if (![6, 8, 9, 10].includes(code)) throw new Error(`a2a create ended ${code}: ${stderr}`)
    if (!(await decided(world, report.verdicts))) {
      const {code: now} = await desk.run(command)
      if (now !== 10) throw new Error(`a batch that cannot be told was passed over: ${now}`)
      return 'stopped'
    }
    const mine = (await world.transfers()).some(({text}) => text?.startsWith(`f${number}-`))
    argv = mine ? [...command, '--rest'] : command
  }
}

/** Resolves everything that is open; false if one of it can't be told. What it says must be true at the service. */
async function decided(world: World, verdicts: Record<string, number>): Promise<boolean> {
  const {desk} = world
  let all = true
  for (const state of ['unknown', 'unfinished']) {
    const flags = ['--operation', 'a2a.create.v1', '--state', state, '--limit', '1000']
    for (const {id, reference} of await desk.json<Entry[]>(['requests', 'list', ...flags])) {
      // What could not be told once stopped its file for good.
      if (told.has(id)) continue
      const {code, stdout, stderr} = await desk.run(['requests', 'resolve', id, '-o', 'json'])
      if (code !== 0 && code !== 10) throw new Error(`requests resolve ended ${code}: ${stderr}`)
      const {verdict} = JSON.parse(stdout) as {verdict: string}
      verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
      const isThere = (await world.transfers()).some(({description}) => description?.includes(reference))
      if (verdict !== 'cannot tell' && isThere !== (verdict === 'had effect')) {
        throw new Error(`resolve says ${verdict}, and the batch is ${isThere ? '' : 'not '}there`)
      }
      if (verdict === 'cannot tell') {
        told.add(id)
        all = false
      }
    }
  }
  return all
}

const told = new Set<string>()

function mustBeOnce(file: number, end: 'whole' | 'stopped', booked: readonly Booked[]): void {
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
