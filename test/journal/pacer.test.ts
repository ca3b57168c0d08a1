import {describe, expect, it} from 'vitest'
import {Pace, Pacer} from '../../src/journal/index.ts'
import {testJournal} from './fixtures.ts'

const rates = [{limit: 2, windowMs: 1_000}]

/** A pacer whose sleep moves the clock; `slept` is asked by each test. */
function pacerOn(clock: {at: number}, pace: Pace) {
  const slept: number[] = []
  const pacer = new Pacer({
    pace,
    rates,
    now: () => clock.at,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      slept.push(ms)
      clock.at += ms
    },
  })
  return {pacer, slept}
}

describe('turns', () => {
  it('come in the order of the requests, at the rate', async () => {
    using d = testJournal()
    const {pacer} = pacerOn(d.clock, new Pace(d.journal.store.db, {now: () => d.clock.at}))
    const began = d.clock.at
    const times = await Promise.all(
      Array.from({length: 5}, async (_, n) => {
        const turn = await pacer.turn()
        const at = d.clock.at - began
        turn.answered(200)
        return [n, at]
      }),
    )
    expect(times.map(([n]) => n)).toEqual([0, 1, 2, 3, 4])
    expect(times[2]?.[1]).toBeGreaterThanOrEqual(1_000)
    expect(times[4]?.[1]).toBeGreaterThanOrEqual(2_000)
    expect(times[4]?.[1]).toBeLessThan(2_200)
  })

  it('that are abandoned cost nobody their place', async () => {
    using d = testJournal()
    const {pacer} = pacerOn(d.clock, new Pace(d.journal.store.db, {now: () => d.clock.at}))
    const abort = new AbortController()
    const [first, second, third] = [pacer.turn(), pacer.turn(abort.signal), pacer.turn()]
    abort.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    await first
    await third
    expect(d.journal.store.db.get('SELECT count(*) AS n FROM pace_grant')).toEqual({n: 2})
  })

  it('wait after a 429, those of other processes on the file too', async () => {
    using d = testJournal()
    const here = pacerOn(d.clock, new Pace(d.journal.store.db, {now: () => d.clock.at}))
    const there = pacerOn(d.clock, new Pace(d.journal.store.db, {now: () => d.clock.at}))
    const turn = await here.pacer.turn()
    turn.answered(429, 7_000)
    await there.pacer.turn()
    // Looked at again after five seconds: somebody may have ended the pause.
    expect(there.slept.slice(0, 2)).toEqual([5_000, 2_000])
  })

  it('wait a second after a 429 that names no time', async () => {
    using d = testJournal()
    const {pacer, slept} = pacerOn(d.clock, new Pace(d.journal.store.db, {now: () => d.clock.at}))
    const turn = await pacer.turn()
    turn.answered(429)
    await pacer.turn()
    expect(slept[0]).toBe(1_000)
  })
})
