import {describe, expect, it} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {Pace} from '../../src/journal/pace.ts'
import {journalMigrations} from '../../src/journal/schema.ts'
import {openDatabase} from '../../src/sqlite/index.ts'
import {part} from '../helpers/whole.ts'
import {play, type Scene} from './simulated-service.ts'

const quota = [
  {limit: 50, windowMs: 1_000},
  {limit: 3_000, windowMs: 60_000},
]
const seconds = 90
const promptTimer = (random: () => number) => random() * 2
const busyTimer = (random: () => number) => random() * 4 + (random() < 0.01 ? 60 : 0)

const loopback: Scene['travel'] = random => [random(), 1 + random() * 3, random()]
/** A far service: a steady way, a first request on each connection that takes long, and now and then a hiccup. */
const far: Scene['travel'] = (random, n) => [
  20 + random() * 3 + (n < 10 ? 120 : 0) + (random() < 0.002 ? 80 : 0),
  5 + random() * 5,
  20 + random() * 3,
]
/** The service itself takes its time, which looks like a slow way but isn't. */
const slowService: Scene['travel'] = random => [2 + random() * 4, 20 + random() * 300, 2]

const client = {rates: quota, concurrency: 10}

function used(scene: Omit<Scene, 'rates' | 'seconds'>): {share: number; refused: number} {
  const {service} = play({...scene, rates: quota, seconds})
  return {share: service.arrivals.length / (50 * seconds), refused: service.refused}
}

/** PACE_SEEDS=1,2,3 tries others. */
const SEEDS = (process.env.PACE_SEEDS ?? '1').split(',').map(Number)

describe('a shared pace of 50/s and 3,000/min', () => {
  const scenes: [string, Omit<Scene, 'rates' | 'seconds' | 'seed'>][] = [
    ['one process on loopback', {clients: [client], travel: loopback, lateness: promptTimer}],
    ['two processes on a busy machine', {clients: [client, client], travel: loopback, lateness: busyTimer}],
    [
      'three processes and a far service',
      {clients: [client, client, client], travel: far, lateness: promptTimer},
    ],
    [
      'a service that takes its time',
      {clients: [{rates: quota, concurrency: 40}], travel: slowService, lateness: promptTimer},
    ],
  ]
  for (const [name, scene] of part(scenes, 2, 1)) {
    it.each(SEEDS)(`${name}: 98 % used, no 429 (seed %i)`, seed => {
      const {share, refused} = used({...scene, seed})
      expect(refused).toBe(0)
      expect(share).toBeGreaterThanOrEqual(0.98)
    })
  }

  it('starts evenly, without a burst', () => {
    const {sentAt} = play({
      seed: 4,
      rates: quota,
      seconds: 1,
      clients: [client],
      travel: loopback,
      lateness: () => 0,
    })
    const gaps = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(19)
  })

  it('is divided among processes, none of which starves', () => {
    const {accepted} = play({
      seed: 5,
      rates: quota,
      seconds: 60,
      clients: [client, client, client],
      travel: loopback,
      lateness: promptTimer,
    })
    for (const count of accepted) expect(count).toBeGreaterThan(3_000 / 3 / 2)
  })
})

describe('a slower pace beside a fast one', () => {
  it('gets its own share within the quota', () => {
    const slow = {rates: [{limit: 10, windowMs: 1_000}], concurrency: 5}
    const {accepted, service} = play({
      seed: 6,
      rates: quota,
      quota,
      seconds: 60,
      clients: [client, slow],
      travel: loopback,
      lateness: promptTimer,
    })
    expect(service.refused).toBe(0)
    expect(accepted[1]).toBeGreaterThan(300)
    expect(accepted[1]).toBeLessThanOrEqual(600)
  })
})

describe('a 429', () => {
  // Somebody else takes 30 requests at once, at 20 s.
  const foreign = Array.from({length: 30}, (_, n) => 20_000 + n)
  const scene: Scene = {
    seed: 7,
    rates: quota,
    seconds: 90,
    clients: [client, client],
    travel: loopback,
    lateness: promptTimer,
    foreign,
  }

  it('stops all processes at once, and the pace is found again', () => {
    const {sentAt, refusedAt, service} = play(scene)
    const [first = 0] = refusedAt
    expect(first).toBeGreaterThan(20_000)
    const duringBlock = sentAt.filter(at => at > first + 10 && at < first + 1_000)
    expect(duringBlock).toEqual([])
    const rightAfter = sentAt.filter(at => at >= first + 1_000 && at < first + 3_000).length / 2
    expect(rightAfter).toBeGreaterThan(20)
    expect(rightAfter).toBeLessThan(35)
    const lastTen = service.arrivals.filter(at => at >= 80_000).length / 10
    expect(lastTen).toBeGreaterThanOrEqual(49)
  })

  it('that several requests of one moment get counts once', () => {
    let now = 1_000_000
    using db = openDatabase(':memory:', {kind: 'journal', migrations: journalMigrations})
    const pace = new Pace(db, {now: () => now})
    const grants = Array.from({length: 4}, () => {
      for (;;) {
        const {waitMs, grant} = pace.acquire(quota)
        if (grant !== undefined) return grant
        now += waitMs
      }
    })
    for (const grant of grants) pace.penalise(now + 5_000, grant)
    expect(pace.acquire(quota)).toMatchObject({waitMs: 5_000, pause: {until: now + 5_000}})
    now += 5_000
    expect(pace.acquire(quota)).toHaveProperty('grant')
    // Half speed, so twice 20 ms: not a sixteenth.
    expect(pace.acquire(quota).waitMs).toBeLessThanOrEqual(40)
  })
})

describe('a clock that is set', () => {
  it.each(part([-3_600_000, -5_000, 3_600_000], 2, 1))(
    'by %i ms delays nobody for longer than a window',
    shift => {
      const {service, sentAt} = play({
        seed: 8,
        rates: quota,
        seconds: 120,
        clients: [client, client],
        travel: loopback,
        lateness: promptTimer,
        clockShift: at => (at < 20_000 ? 0 : shift),
      })
      const gaps = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0))
      expect(Math.max(...gaps)).toBeLessThanOrEqual(61_000)
      expect(service.arrivals.filter(at => at > 110_000).length).toBeGreaterThan(400)
    },
  )
})

describe('a rate that is none', () => {
  it.each([
    [[]],
    [[{limit: 0, windowMs: 1_000}]],
    [[{limit: 1.5, windowMs: 1_000}]],
    [[{limit: 1, windowMs: 86_400_000}]],
  ])('%j is refused', rates => {
    using db = openDatabase(':memory:', {kind: 'journal', migrations: journalMigrations})
    expect(() => new Pace(db, {now: () => 0}).acquire(rates)).toThrow(Failure)
  })
})
