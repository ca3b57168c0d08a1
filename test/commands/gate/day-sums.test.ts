import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, it, test} from 'vitest'
import type {CountedRequest} from '../../../src/cli/pass-policy.ts'
import {bodyBudget, lineBudget, refusalBudget} from '../../../src/commands/gate/shared/caller-limits.ts'
import {KeptDaySums} from '../../../src/commands/gate/shared/day-sums.ts'
import type {Policy} from '../../../src/policy/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sums-'))
afterAll(() => rmSync(folder, {recursive: true}))

const LIMIT = 100
const policy = {
  ...{policy: 1, path: 'p', digest: '', owner: 'root', lineOf: (pointer: string) => `p:${pointer}`},
  profiles: {
    prod: {
      hosts: [],
      person: {write: 'allow', sums: {EUR: {request: 100, day: LIMIT}, SEK: {request: '0.5', day: '0.5'}}},
    },
  },
} as const satisfies Policy

interface Asking {
  readonly user?: string
  readonly key?: string | undefined
  readonly content?: string
  readonly keyed?: boolean
  readonly effect?: 'read' | 'write'
  readonly sums?: Readonly<Record<string, bigint>>
}

const MILLION = 1_000_000n

const request = ({
  user = 'aino',
  key,
  content = '',
  keyed = true,
  effect = 'write',
  sums = {},
}: Asking): CountedRequest =>
  ({
    policy,
    asked: {...{user, profile: 'prod', caller: 'person'}, sums: new Map(Object.entries(sums))},
    built: {
      ...{method: 'PATCH', path: '/v4', key, keyed, body: Buffer.from(content), input: {}},
      operation: {effect},
    },
  }) as unknown as CountedRequest

const eur = (amount: number, more: Asking = {}) =>
  request({content: String(amount), ...more, sums: {EUR: BigInt(amount) * MILLION}})

describe('the sums of a day', () => {
  let now = Date.UTC(2026, 6, 1, 12)
  /** By how much the clock was set. */
  let set = 0
  const open = (name: string) =>
    new KeptDaySums(
      join(folder, name),
      () => now + set,
      () => now,
    )
  const at = (time: number) => {
    now = time
  }
  beforeAll(() => at(Date.UTC(2026, 6, 1, 12)))
  const settle = (kept: KeptDaySums, one: CountedRequest, hadNoEffect: boolean): boolean => {
    const reserved = kept.reserve(one)
    if ('refused' in reserved) return false
    reserved.settle(hadNoEffect)
    return true
  }

  it('count what had an effect, or may have had it, and nothing else', () => {
    using kept = open('plain')
    expect(settle(kept, eur(60), true)).toBe(true)
    expect(settle(kept, eur(60), false)).toBe(true)
    expect(settle(kept, eur(41), false)).toBe(false)
    expect(settle(kept, eur(40), false)).toBe(true)
    expect(settle(kept, request({effect: 'read', sums: {EUR: 1000n * MILLION}}), false)).toBe(true)
    // Another user, another currency and another day have sums of their own.
    expect(settle(kept, eur(100, {user: 'bo'}), false)).toBe(true)
    expect(settle(kept, request({sums: {SEK: 500_000n}}), false)).toBe(true)
    expect(settle(kept, request({sums: {SEK: 1n}}), false)).toBe(false)
    at(Date.UTC(2026, 6, 2))
    expect(settle(kept, eur(100), false)).toBe(true)
    at(Date.UTC(2026, 6, 1, 23, 59, 59, 999))
    expect(settle(kept, eur(1), false)).toBe(false)
    at(Date.UTC(2026, 6, 1, 12))
  })

  it('say which line refuses, and what was sent', () => {
    using kept = open('why')
    settle(kept, eur(60), false)
    expect(kept.reserve(eur(41))).toEqual({
      refused: {
        allowed: false,
        why: 'EUR 41 with the EUR 60 of today is above the EUR 100 of a day',
        line: 'p:/profiles/prod/person/sums/EUR/day',
      },
    })
  })

  it('are not ended by a clock that is set, forward or back, nor by a start after that', () => {
    const HOUR = 3_600_000
    try {
      for (const hours of [13, -13, 24, -24, 1000, -1000, 24 * 365 * 80]) {
        const name = `clock${hours}`
        const before = open(name)
        expect(settle(before, eur(100, {key: 'k'}), false)).toBe(true)
        set = hours * HOUR
        expect(settle(before, eur(1), false)).toBe(false)
        // Where it was set back, what a later day has counts, and so does what that day has once it is there again.
        before[Symbol.dispose]()
        using after = open(name)
        if (hours < 0) expect(settle(after, eur(1), false)).toBe(false)
        if (hours < 0) expect(() => after.reserve(eur(100, {key: 'k'}))).toThrow(/so long ago/)
        set = 0
        expect(settle(after, eur(1), false)).toBe(false)
      }
      // Each step alone is less than what one look finds.
      using steps = open('steps')
      expect(settle(steps, eur(100), false)).toBe(true)
      for (const hours of [-25, -50, -75]) {
        set = hours * HOUR
        expect(settle(steps, eur(1), false)).toBe(false)
      }
      set = 0
      // What was sent in a wrong year counts on the day on which the clock is put right, and not for years.
      using kept = open('year')
      set = 24 * 365 * 80 * HOUR
      settle(kept, eur(100), false)
      set = 0
      expect(settle(kept, eur(1), false)).toBe(false)
      at(now + 25 * HOUR)
      expect(settle(kept, eur(1), false)).toBe(true)
    } finally {
      set = 0
      at(Date.UTC(2026, 6, 1, 12))
    }
  })

  it('have the guesses of a caller, which no start and no clock gives back', () => {
    const whose = {user: 'aino', profile: 'prod'}
    const one = open('guesses')
    for (let at = 0; at < 10; at++) expect(one.guesses.take(whose)).toBe(0)
    expect(one.guesses.take(whose)).toBe(180)
    set = 24 * 3_600_000
    expect(one.guesses.take(whose)).toBe(180)
    set = 0
    expect(one.guesses.take({...whose, user: 'bo'})).toBe(0)
    one[Symbol.dispose]()
    using next = open('guesses')
    expect(next.guesses.take(whose)).toBe(180)
    at(now + 181_000)
    expect(next.guesses.take(whose)).toBe(0)
    expect(next.guesses.take(whose)).toBeGreaterThan(0)
    next.guesses.giveBack(whose)
    expect(next.guesses.take(whose)).toBe(0)
    at(Date.UTC(2026, 6, 1, 12))
  })

  it('let no caller fill the disk', () => {
    const before = open('bytes')
    settle(before, request({content: 'x'}), true)
    before[Symbol.dispose]()
    const file = new DatabaseSync(join(folder, 'bytes'))
    file.exec(`UPDATE attempt SET bytes = ${512 * 1024 * 1024}`)
    file.close()
    using kept = open('bytes')
    expect(kept.reserve(request({content: 'x'}))).toMatchObject({
      refused: {why: expect.stringMatching(/512 MiB/)},
    })
    expect(settle(kept, request({content: 'x', user: 'bo'}), true)).toBe(true)
    // Requests without a body have records, too.
    using small = open('small')
    settle(small, request({content: ''}), true)
    const rows = new DatabaseSync(join(folder, 'small'))
    rows.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 140000)
      INSERT INTO attempt (day, at, user, profile, digest, bytes, state)
      SELECT day, at, user, profile, digest, bytes, 'none' FROM attempt, n`)
    rows.close()
    expect(settle(small, request({content: ''}), true)).toBe(false)
  })

  it('have reserved what was being sent when the process was killed', () => {
    const killed = open('killed')
    killed.reserve(eur(70))
    // Nothing of it is closed: the next process opens the same file.
    using kept = open('killed')
    expect(settle(kept, eur(31), false)).toBe(false)
    expect(settle(kept, eur(30), false)).toBe(true)
    killed[Symbol.dispose]()
  })

  it('refuse a repeat that could have a second effect', () => {
    using kept = open('repeats')
    settle(kept, eur(10, {key: 'a', keyed: false}), true)
    settle(kept, eur(10, {key: 'a', keyed: false}), false)
    expect(() => kept.reserve(eur(10, {key: 'a', keyed: false}))).toThrow(/takes no repeats/)
    settle(kept, eur(10, {key: 'b'}), false)
    expect(() => kept.reserve(eur(11, {key: 'b'}))).toThrow(/another content/)
    // The key of another user is another one.
    expect(settle(kept, eur(11, {key: 'b', user: 'bo'}), false)).toBe(true)
    const running = kept.reserve(eur(10, {key: 'c'}))
    expect(() => kept.reserve(eur(10, {key: 'c'}))).toThrow(/has not ended/)
    if ('settle' in running) running.settle(false)
    at(now + 24 * 3_600_000)
    expect(() => kept.reserve(eur(10, {key: 'b'}))).toThrow(/so long ago/)
    at(Date.UTC(2026, 6, 1, 12))
  })

  it('are never above the limit, whatever came of requests and repeats of them, also after a kill', () => {
    let run = 0
    const step = fc.record({
      amount: fc.integer({min: 1, max: 60}),
      key: fc.option(fc.constantFrom('k1', 'k2', 'k3'), {nil: undefined}),
      user: fc.constantFrom('aino', 'bo'),
      end: fc.constantFrom('done', 'none', 'unknown', 'kill'),
      day: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, {maxLength: 25}), steps => {
        const name = `model-${++run}`
        let kept = open(name)
        let day = 0
        // What the service has carried out: once for each key and content.
        const effects = new Map<string, {user: string; day: number; amount: number}>()
        try {
          for (const [index, {amount, key, user, end, day: next}] of steps.entries()) {
            if (next) day++
            at(Date.UTC(2026, 6, 1, 12) + day * 3_600_000)
            let reserved: ReturnType<KeptDaySums['reserve']>
            try {
              reserved = kept.reserve(eur(amount, {key, user}))
            } catch {
              continue
            }
            if ('refused' in reserved) {
              // It refuses nothing that fits what may have been carried out.
              continue
            }
            const id = key === undefined ? String(index) : `${user} ${key} ${amount}`
            const today = Math.floor((12 + day) / 24)
            if (end !== 'none' && !effects.has(id)) effects.set(id, {user, day: today, amount})
            if (end === 'kill') {
              kept[Symbol.dispose]()
              kept = open(name)
            } else reserved.settle(end === 'none')
            for (const who of ['aino', 'bo']) {
              const sum = [...effects.values()]
                .filter(one => one.user === who && one.day === today)
                .reduce((all, one) => all + one.amount, 0)
              expect(sum).toBeLessThanOrEqual(LIMIT)
            }
          }
        } finally {
          kept[Symbol.dispose]()
          at(Date.UTC(2026, 6, 1, 12))
        }
      }),
      {numRuns: 20},
    )
  })
})

test('the refusals of a caller', () => {
  let now = 0
  const refusals = refusalBudget(() => now)
  for (let done = 0; done < 60; done++) {
    expect(refusals.seconds()).toBe(0)
    refusals.add()
  }
  expect(refusals.seconds()).toBe(10)
  now = 10_000
  expect(refusals.seconds()).toBe(0)
  refusals.add()
  now = 19_000
  expect(refusals.seconds()).toBe(1)
})

test('the log lines of a caller', () => {
  let now = 0
  const omitted: number[] = []
  const lines = lineBudget(
    count => omitted.push(count),
    () => now,
  )
  const some = (count: number) => Array.from({length: count}, () => lines.isLeft()).filter(Boolean).length
  expect([some(1000), omitted]).toEqual([300, []])
  now = 60_000
  expect([some(10), omitted]).toEqual([10, [700]])
  now = 61_000
  expect(some(300)).toBe(290)
  lines.end()
  expect(omitted).toEqual([700, 10])
})

test('the bytes of a caller', () => {
  let now = 0
  const waitFor = bodyBudget(() => now)
  const MIB = 1024 * 1024
  expect([waitFor(2 * MIB), waitFor(2 * MIB), waitFor(2 * MIB), waitFor(0)]).toEqual([0, 0, 16, 0])
  now = 8_000
  expect([waitFor(2 * MIB), waitFor(MIB)]).toEqual([8, 0])
})
