import {expect, test} from 'vitest'
import {CallFeed} from '../../../src/webhook/page/stream.ts'
import {exchangeOf, pendingOf} from './sample-calls.ts'

const events = (feed: CallFeed, position: number, count = 1000) => {
  const found = feed.after(position, count)
  const exchanges = JSON.parse(found?.text ?? '[]') as readonly {event: {event: string}}[]
  return {names: exchanges.map(({event}) => event.event), position: found?.position}
}

test('exchanges are given once, in batches, from any position', () => {
  const feed = new CallFeed()
  expect(feed.after(0, 10)).toBeUndefined()
  for (let number = 1; number <= 5; number++) feed.exchange(exchangeOf(number))
  expect(events(feed, 0, 3)).toEqual({names: ['e_1', 'e_2', 'e_3'], position: 3})
  expect(events(feed, 3, 3)).toEqual({names: ['e_4', 'e_5'], position: 5})
  expect(feed.after(5, 3)).toBeUndefined()
})

test('the oldest are let go by number and by size, and whoever is behind misses only those', () => {
  const few = new CallFeed({exchanges: 3})
  for (let number = 1; number <= 5; number++) few.exchange(exchangeOf(number))
  expect(events(few, 0).names).toEqual(['e_3', 'e_4', 'e_5'])
  expect(events(few, 3).names).toEqual(['e_4', 'e_5'])

  const one = JSON.stringify(exchangeOf(1)).length
  const small = new CallFeed({characters: 2 * one + 10})
  for (let number = 1; number <= 5; number++) small.exchange(exchangeOf(number))
  expect(events(small, 0).names).toEqual(['e_4', 'e_5'])
  small.exchange(exchangeOf(6, {merchant: 'x'.repeat(5 * one)}))
  expect(events(small, 0).names).toEqual(['e_6'])
})

test('a call waits until it has its answer, and is masked while it does', () => {
  const feed = new CallFeed({waiting: 2})
  const told: number[] = []
  const end = feed.watch(() => told.push(JSON.parse(feed.waiting()).length))
  const {summary, ...pending} = pendingOf(1, {merchant: 'Shop 4111111111111111'})
  feed.pending({...pending, summary: {...summary, merchant: 'Shop'}})
  expect(feed.waiting()).not.toContain('4111111111111111')
  feed.pending(pendingOf(2))
  feed.pending(pendingOf(3))
  feed.exchange(exchangeOf(1))
  expect(told).toEqual([1, 2, 2, 2])
  end()
  feed.exchange(exchangeOf(2))
  feed.exchange(exchangeOf(3))
  expect(told).toHaveLength(4)
  expect(feed.waiting()).toBe('[]')
})
