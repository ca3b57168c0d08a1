import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type Share, weightedNames} from '../../src/webhook/send/bench.ts'
import {Latencies} from '../../src/webhook/send/latencies.ts'

function latenciesOf(values: readonly number[]): Latencies {
  const latencies = new Latencies()
  for (const value of values) latencies.add(value)
  return latencies
}

const values = fc.array(fc.double({min: 0, max: 60_000, noNaN: true}), {minLength: 1, maxLength: 200})

test('a percentile is the value at its rank, to a tenth', () => {
  fc.assert(
    fc.property(values, fc.integer({min: 1, max: 100}), (list, percent) => {
      const sorted = list.toSorted((a, b) => a - b)
      const exact = sorted[Math.ceil((percent / 100) * list.length) - 1] ?? 0
      const told = latenciesOf(list).percentile(percent) ?? Number.NaN
      expect(told).toBeGreaterThanOrEqual(exact - 0.051)
      expect(told).toBeLessThanOrEqual(exact + 0.051)
    }),
    {numRuns: 300},
  )
})

test('the maximum and the mean are exact to a tenth', () => {
  const latencies = latenciesOf([0.04, 1.26, 700])
  expect(latencies.max).toBe(700)
  expect(latencies.mean).toBe(233.8)
  expect(latenciesOf([]).max).toBeUndefined()
  expect(latenciesOf([]).percentile(99)).toBeUndefined()
})

test('bars hold every value once, in few and adjoining ranges', () => {
  fc.assert(
    fc.property(values, fc.integer({min: 11, max: 20}), (list, most) => {
      const bins = latenciesOf(list).bins(most)
      expect(bins.reduce((sum, {count}) => sum + count, 0)).toBe(list.length)
      expect(bins.length).toBeLessThanOrEqual(most)
      expect(bins.slice(1).map(({fromMs}) => fromMs)).toEqual(bins.slice(0, -1).map(({toMs}) => toMs))
      expect(bins[0]?.count).toBeGreaterThan(0)
      expect(bins.at(-1)?.count).toBeGreaterThan(0)
    }),
    {numRuns: 200},
  )
})

test('names come as often as their weights, spread over the turn', () => {
  const take = (mix: readonly Share[], count: number) => {
    const names = weightedNames(mix)
    return Array.from({length: count}, () => names.next().value)
  }
  const mix = [
    {name: 'a', weight: 5},
    {name: 'b', weight: 2},
    {name: 'c', weight: 1},
  ]
  expect(take(mix, 8).join('')).toBe('abaacaba')
  const weights = fc.array(fc.integer({min: 1, max: 20}), {minLength: 1, maxLength: 8})
  fc.assert(
    fc.property(weights, fc.integer({min: 1, max: 3}), (list, turns) => {
      const shares = list.map((weight, at) => ({name: String(at), weight}))
      const taken = take(shares, turns * list.reduce((sum, weight) => sum + weight, 0))
      for (const {name, weight} of shares) {
        expect(taken.filter(each => each === name)).toHaveLength(turns * weight)
      }
    }),
    {numRuns: 50},
  )
})
