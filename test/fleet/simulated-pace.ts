// Machines that share a rate, in simulated time: the rules of the database run in PostgreSQL, with a clock that the
// simulation sets, so neither the load of this machine nor its timers matter.
import {setImmediate as turnOfTheLoop} from 'node:timers/promises'
import pg from 'pg'
import {type PaceDatabase, paceSchema, SharedPacer} from '../../src/fleet/pace/shared-pace.ts'
import type {Rate} from '../../src/journal/pace-rates.ts'
import {migrate} from '../../src/postgres/migrate.ts'
import {seeded} from '../helpers/random.ts'

const EPOCH_S = 1_800_000_000

let fleets = 0

/** Time that passes only from one event to the next. */
class SimulatedTime {
  now = 0
  readonly #events: {readonly at: number; readonly run: () => void}[] = []
  #working = 0
  #workEnded: () => void = () => undefined

  /** Waits in simulated time. */
  until(at: number): Promise<void> {
    return new Promise(resolve => {
      const place = this.#events.findLastIndex(each => each.at <= at) + 1
      this.#events.splice(place, 0, {at: Math.max(at, this.now), run: resolve})
    })
  }

  /** Work in real time, during which the simulated time stands still. */
  async still<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#working++
    try {
      return await work()
    } finally {
      if (--this.#working === 0) this.#workEnded()
    }
  }

  /** Runs events until that time. */
  async runTo(end: number): Promise<void> {
    for (;;) {
      await turnOfTheLoop()
      // Turns of the loop that only look whether it has ended would take a processor of their own.
      while (this.#working > 0) {
        await new Promise<void>(resolve => {
          this.#workEnded = resolve
        })
        await turnOfTheLoop()
      }
      const next = this.#events[0]
      if (next === undefined || next.at > end) break
      this.#events.shift()
      this.now = next.at
      next.run()
    }
    this.now = end
  }
}

/** How slow everything is, in ms. Each time is at least `least`, and `more` longer on average. */
export interface Slowness {
  readonly least: number
  readonly more: number
}

export interface SimulatedMachine {
  /** When it starts and is killed, in ms. */
  readonly from: number
  readonly to: number
  /** Requests that it sends at the same time. */
  readonly concurrency: number
  /** Each way between the machine and the database. */
  readonly database: Slowness
  /** Each way between the machine and the service. */
  readonly service: Slowness
  /** How late its timers are. */
  readonly timers: Slowness
  /** How long after a row the next one is ready. */
  readonly row: Slowness
  /** The whole process stops for so long, about every `everyMs`. */
  readonly stalls?: Slowness & {readonly everyMs: number}
}

export interface SimulatedFleet {
  readonly machines: readonly SimulatedMachine[]
  readonly rates: readonly Rate[]
  readonly quota: readonly Rate[]
  readonly ms: number
  readonly seed: number
}

export interface Arrival {
  readonly at: number
  readonly machine: number
  /** 429 if the service counts more than its quota. */
  status: number
}

/** A service that counts every sliding window. */
class StrictService {
  readonly arrivals: Arrival[] = []
  readonly #accepted: number[] = []
  readonly #rates: readonly Rate[]

  constructor(rates: readonly Rate[]) {
    this.#rates = rates
  }

  /** @returns the status of an arrival, once all before it are known. */
  statusOf(arrival: Arrival): number {
    const open = this.arrivals.filter(({at, status}) => status === 0 && at <= arrival.at)
    for (const each of open.sort((one, other) => one.at - other.at)) {
      const isFull = this.#rates.some(
        ({limit, windowMs}) => (this.#accepted.at(-limit) ?? Number.NEGATIVE_INFINITY) > each.at - windowMs,
      )
      each.status = isFull ? 429 : 200
      if (!isFull) this.#accepted.push(each.at)
    }
    return arrival.status
  }
}

/** @returns the arrivals at the service, in order. */
export async function simulateFleet(url: string, fleet: SimulatedFleet): Promise<readonly Arrival[]> {
  const time = new SimulatedTime()
  const random = seeded(fleet.seed)
  const spread = ({least, more}: Slowness): number => least - Math.log(1 - random()) * more
  const client = await simulatedDatabase(url)
  const strict = new StrictService(fleet.quota)
  const {arrivals} = strict
  const service = `simulated-${fleets++}`
  const errors: unknown[] = []

  const runMachine = async (machine: SimulatedMachine, number: number): Promise<void> => {
    const {from, to, stalls} = machine
    await time.until(from)
    let stalledFrom = stalls === undefined ? Infinity : from + spread({least: 0, more: stalls.everyMs})
    let stalledTo = stalledFrom + (stalls === undefined ? 0 : spread(stalls))
    /** Waits until that time, and then until the process runs. Never returns in a killed process. */
    const reach = async (at: number): Promise<void> => {
      await time.until(at)
      for (; stalls !== undefined && stalledTo < time.now; ) {
        stalledFrom = stalledTo + spread({least: 0, more: stalls.everyMs})
        stalledTo = stalledFrom + spread(stalls)
      }
      if (time.now >= stalledFrom) await time.until(stalledTo)
      if (time.now >= to) await new Promise(() => undefined)
    }
    const database: PaceDatabase = {
      shown: 'simulated',
      close: async () => undefined,
      query: async <Row>(text: string, values: readonly unknown[]) => {
        await time.until(time.now + spread(machine.database))
        const now = EPOCH_S + time.now / 1000
        const {rows} = await time.still(async () => {
          void client.query(`SET sim.now = '${now.toFixed(6)}'`)
          return client.query(text, [...values])
        })
        await reach(time.now + spread(machine.database))
        return rows as Row[]
      },
    }
    const pacer = new SharedPacer(
      {
        service,
        rates: fleet.rates,
        quota: fleet.quota,
        random,
        now: () => time.now + 1000 * number,
        sleep: ms => reach(time.now + ms + spread(machine.timers)),
      },
      database,
    )
    const send = async (): Promise<void> => {
      for (;;) {
        const turn = await pacer.turn()
        const arrives = time.now + spread(machine.service)
        const arrival = {at: arrives, machine: number, status: 0}
        arrivals.push(arrival)
        await reach(arrives + spread(machine.service))
        turn.answered(strict.statusOf(arrival))
        await reach(time.now + spread(machine.row))
      }
    }
    await Promise.all(Array.from({length: machine.concurrency}, send))
  }
  for (const [number, machine] of fleet.machines.entries()) {
    runMachine(machine, number).catch((error: unknown) => errors.push(error))
  }
  try {
    await time.runTo(fleet.ms)
  } finally {
    await client.end()
  }
  if (errors.length > 0) throw errors[0]
  return arrivals.filter(({at}) => at < fleet.ms).sort((one, other) => one.at - other.at)
}

/** A connection to the tables, with a clock that the simulation sets. */
async function simulatedDatabase(url: string): Promise<pg.Client> {
  const pool = new pg.Pool({connectionString: url, max: 1})
  await pool.query(`CREATE OR REPLACE FUNCTION public.sim_now() RETURNS timestamptz LANGUAGE sql STABLE AS
    $$ SELECT to_timestamp(current_setting('sim.now')::float8) $$`)
  const withClock = (sql: string) => sql.replaceAll(/(clock|statement)_timestamp\(\)/g, 'public.sim_now()')
  const migrations = paceSchema.migrations.map(step =>
    'sql' in step ? {...step, sql: withClock(step.sql)} : step,
  )
  const nobody = async () => []
  await migrate(
    {pool, connect: () => pool.connect(), aside: nobody, shown: 'simulated'},
    {...paceSchema, migrations},
  )
  await pool.end()
  const client = new pg.Client({connectionString: url})
  await client.connect()
  await client.query("SET TIME ZONE 'UTC'; SET synchronous_commit = off; SET enable_seqscan = off")
  return client
}

/** The most arrivals in any span of the window. */
export function mostInWindow(arrivals: readonly Arrival[], windowMs: number): number {
  let most = 0
  let first = 0
  for (const [last, {at}] of arrivals.entries()) {
    while ((arrivals[first]?.at ?? at) <= at - windowMs) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

/** Which part of the quota was used between these times. */
export function usedPart(
  arrivals: readonly Arrival[],
  {limit, windowMs}: Rate,
  from: number,
  to: number,
): number {
  const count = arrivals.filter(({at}) => at >= from && at < to).length
  return count / ((limit * (to - from)) / windowMs)
}
