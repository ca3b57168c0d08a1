// Machines that share a rate, in simulated time: what they use of the quota doesn't depend on the load of this machine.
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {type Cluster, startCluster} from '../helpers/postgres.ts'
import {seeded} from '../helpers/random.ts'
import {isWhole} from '../helpers/whole.ts'
import {type Arrival, mostInWindow, type SimulatedMachine, simulateFleet, usedPart} from './simulated-pace.ts'

const second = {limit: 50, windowMs: 1000}
const minute = {limit: 3000, windowMs: 60_000}
const rates = [second, minute]

let cluster: Cluster | undefined
beforeAll(() => {
  cluster = startCluster()
})
afterAll(() => cluster?.remove())

const always = {from: 0, to: Number.POSITIVE_INFINITY, concurrency: 8}
const calm: SimulatedMachine = {
  ...always,
  database: {least: 0.3, more: 0.3},
  service: {least: 0.3, more: 0.3},
  timers: {least: 0.5, more: 0.5},
  row: {least: 5, more: 2},
}
/** Its cores have more work than they can do. */
const busy: SimulatedMachine = {
  ...always,
  database: {least: 1, more: 3},
  service: {least: 1, more: 3},
  timers: {least: 0.5, more: 2},
  row: {least: 20, more: 20},
  stalls: {least: 20, more: 40, everyMs: 1500},
}
const far: SimulatedMachine = {
  ...calm,
  database: {least: 20, more: 2},
  service: {least: 30, more: 3},
}

function simulate(machines: readonly SimulatedMachine[], ms: number, seed = 7): Promise<readonly Arrival[]> {
  if (cluster === undefined) throw new Error('PostgreSQL is not installed')
  return simulateFleet(cluster.url, {machines, rates, quota: rates, ms, seed})
}

const countsOf = (arrivals: readonly Arrival[], machines: readonly unknown[], from: number) =>
  machines.map((_, number) => arrivals.filter(each => each.machine === number && each.at >= from).length)

describe('the quota is used to 98%, and never exceeded,', () => {
  const FLEETS: readonly (readonly [name: string, machines: readonly SimulatedMachine[]])[] = [
    ['by one machine', [calm]],
    ['by machines that differ', [calm, busy, far]],
    ...(isWhole
      ? ([
          ['by three machines', [calm, calm, calm]],
          ['by a busy machine', [busy]],
          ['by three busy machines', [busy, busy, busy]],
          ['by a machine with 40 ms to the database and back', [far]],
        ] as const)
      : []),
  ]
  test.each(FLEETS)(
    '%s',
    async (_, machines) => {
      const arrivals = await simulate(machines, 15_000)
      expect(mostInWindow(arrivals, 1000)).toBe(50)
      expect(usedPart(arrivals, second, 5000, 15_000)).toBeGreaterThanOrEqual(0.98)
      const counts = countsOf(arrivals, machines, 5000)
      expect(Math.min(...counts), 'turns go around').toBeGreaterThan(0.7 * Math.max(...counts))
    },
    120_000,
  )

  test('by those that are left when two of three are killed', async () => {
    const machines = [calm, {...calm, to: 10_000}, {...calm, to: 16_000}]
    const arrivals = await simulate(machines, 22_000)
    expect(mostInWindow(arrivals, 1000)).toBe(50)
    for (const from of [5000, 11_000, 17_000]) {
      expect(usedPart(arrivals, second, from, from + 5000), `from ${from}`).toBeGreaterThanOrEqual(0.98)
    }
  }, 120_000)
})

test.runIf(isWhole)(
  'a 429 makes machines careful whose requests arrive too late, so that there is no second one',
  async () => {
    const slow = {least: 2, more: 40}
    const overloaded = {...busy, service: slow, timers: {least: 1, more: 10}}
    const arrivals = await simulate([overloaded, overloaded, overloaded], 60_000)
    const refused = arrivals.filter(({status}) => status === 429).map(({at}) => at)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.filter(at => at > (refused[0] ?? 0) + 1000)).toEqual([])
    expect(usedPart(arrivals, second, 45_000, 60_000)).toBeGreaterThan(0.9)
  },
  120_000,
)

test.runIf(isWhole)(
  'twenty machines, more than have a turn ahead, all get theirs',
  async () => {
    const machines = Array.from({length: 20}, () => calm)
    const arrivals = await simulate(machines, 12_000)
    expect(mostInWindow(arrivals, 1000)).toBe(50)
    const counts = countsOf(arrivals, machines, 0)
    expect(Math.min(...counts), counts.join()).toBeGreaterThan(15)
  },
  120_000,
)

test('the longer window is used and never exceeded either', async () => {
  const rate = [
    {limit: 50, windowMs: 1000},
    {limit: 100, windowMs: 10_000},
  ]
  if (cluster === undefined) throw new Error('PostgreSQL is not installed')
  const fleet = {machines: [busy, busy], rates: rate, quota: rate, ms: 30_000, seed: 3}
  const arrivals = await simulateFleet(cluster.url, fleet)
  expect(mostInWindow(arrivals, 10_000)).toBe(100)
}, 120_000)

test.each(isWhole ? [1, 2] : [1])(
  'no span of a second has too many, whatever the machines are like (%i)',
  async seed => {
    const random = seeded(seed)
    const upTo = (most: number) => ({least: random() * most, more: (random() * most) / 2})
    const machines = Array.from({length: 1 + Math.floor(random() * 5)}, () => ({
      from: random() * 5000,
      to: 5000 + random() * 20_000,
      concurrency: 1 + Math.floor(random() * 12),
      database: upTo(20),
      service: {least: random() * 50, more: random() * 4},
      timers: upTo(20),
      row: upTo(50),
      stalls: {least: 0, more: random() * 300, everyMs: 500 + random() * 5000},
    }))
    const arrivals = await simulate(machines, 15_000, seed)
    expect(arrivals.length).toBeGreaterThan(50)
    expect(mostInWindow(arrivals, 1000)).toBeLessThanOrEqual(50)
  },
  120_000,
)
