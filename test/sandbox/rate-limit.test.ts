import fc from 'fast-check'
import {expect, test} from 'vitest'
import {RateLimit} from '../../src/sandbox/rate-limit.ts'
import {testSandbox} from './helpers/sandbox.ts'

test('no window of any start holds more than it allows, and nothing is refused that would fit', () => {
  const window = fc.record({count: fc.integer({min: 1, max: 5}), windowMs: fc.integer({min: 1, max: 20})})
  fc.assert(
    fc.property(
      fc.array(window, {minLength: 1, maxLength: 2}),
      fc.array(fc.integer({min: 0, max: 8}), {maxLength: 60}),
      (windows, gaps) => {
        const limit = new RateLimit(windows)
        const accepted: number[] = []
        let now = 0
        for (const gap of gaps) {
          now += gap
          const fits = windows.every(
            ({count, windowMs}) => accepted.filter(at => at > now - windowMs).length < count,
          )
          const wait = limit.take('a', now)
          expect(wait === 0).toBe(fits)
          if (wait === 0) accepted.push(now)
        }
      },
    ),
  )
})

test('the wait that is named is enough, and no less would be', () => {
  const limit = new RateLimit([{count: 2, windowMs: 1000}])
  expect([limit.take('a', 0), limit.take('a', 300), limit.take('a', 400)]).toEqual([0, 0, 600])
  expect(limit.take('a', 999)).toBe(1)
  expect(limit.take('a', 1000)).toBe(0)
})

test('credentials have limits of their own; beyond them it is 429 with Retry-After', async () => {
  let now = 0
  const sandbox = await testSandbox({
    rateLimit: [
      {count: 2, windowMs: 1000},
      {count: 3, windowMs: 60_000},
    ],
    monotonic: () => now,
  })
  const get = (authorization: string) =>
    sandbox.op('cards.get.v4', {path: {id: '3001'}}, {headers: {authorization}})
  expect([(await get('a')).status, (await get('a')).status, (await get('b')).status]).toEqual([200, 200, 200])
  const refused = await get('a')
  expect(refused.status).toBe(429)
  expect(refused.headers['retry-after']).toBe('1')
  now = 1000
  expect((await get('a')).status).toBe(200)
  now = 2000
  expect((await get('a')).headers['retry-after']).toBe('58')
})
