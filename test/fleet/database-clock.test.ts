import fc from 'fast-check'
import {expect, test} from 'vitest'
import {DatabaseClock} from '../../src/fleet/pace/database-clock.ts'

const way = fc.double({min: 0.1, max: 500, noNaN: true})
const exchanges = fc.array(fc.record({there: way, inside: way, back: way, pause: way}), {minLength: 1})

test('a time of the database is never taken for an earlier one, and the fastest ways limit the error', () => {
  fc.assert(
    fc.property(fc.integer({min: -1e9, max: 1e9}), exchanges, (offset, all) => {
      const clock = new DatabaseClock()
      let now = 0
      for (const {there, inside, back, pause} of all) {
        const databaseAt = now + there + inside - offset
        const receivedAt = now + there + inside + back
        clock.add({askedAt: now, receivedAt, databaseAt, spentMs: inside})
        const error = clock.atLatest(databaseAt) - (databaseAt + offset)
        expect(error).toBeGreaterThanOrEqual(-1e-3)
        expect(error).toBeLessThanOrEqual(clock.doubtMs + 1e-3)
        expect(clock.doubtMs).toBeLessThanOrEqual(there + back + 1e-3)
        now = receivedAt + pause
      }
    }),
  )
})

test.each([-3_600_000, 3_600_000])('a clock that is set by %i ms is noticed with the next question', by => {
  const clock = new DatabaseClock()
  const ask = (askedAt: number, databaseAt: number) =>
    clock.add({askedAt, receivedAt: askedAt + 4, databaseAt, spentMs: 0})
  ask(0, 1002)
  ask(10, 1012 + by)
  expect(clock.atLatest(1012 + by)).toBe(14)
  expect(clock.doubtMs).toBe(4)
})

test('what was known of the clocks is forgotten after a few seconds, because they may run apart', () => {
  const clock = new DatabaseClock()
  for (let at = 0; at <= 10_000; at += 100) {
    const wayMs = at === 0 ? 0 : 5
    // The clock of the database loses 1 ms a second.
    clock.add({askedAt: at, receivedAt: at + 2 * wayMs, databaseAt: (at + wayMs) * 0.999, spentMs: 0})
  }
  expect(clock.atLatest(10_005 * 0.999)).toBeGreaterThanOrEqual(10_005)
})
