// What a benchmark run does with what it measured. Nothing is timed here: the benchmarks give fixed numbers.
import {describe, expect, test} from 'vitest'
import {bench} from '../../bench/bench.ts'
import type {Limit} from '../../bench/limits.ts'
import {LIMITS} from '../../bench/limits.ts'
import {median, pairedRatio, quantile} from '../../bench/statistics.ts'
import type {Measured} from '../../bench/suite.ts'

const measured = (figures: Measured['figures'], skipped: readonly string[] = []): Measured => ({
  about: 'One program beside another.',
  columns: ['', 'wall'],
  rows: [['node -e 0', '40']],
  figures,
  skipped,
  versions: {peer: '1.2.3'},
})

/** Runs benchmarks that give fixed figures, and keeps what is printed. */
async function benchOf(
  suites: Readonly<Record<string, Measured>>,
  limits: Readonly<Record<string, Readonly<Record<string, Limit>>>>,
  argv: readonly string[] = [],
) {
  const ran: string[] = []
  const texts = {out: '', err: '', page: ''}
  const code = await bench(argv, {
    suites: Object.entries(suites).map(([name, result]) => ({
      name,
      title: `About ${name}`,
      run: async ({runs}) => {
        ran.push(`${name} ${runs}`)
        return result
      },
    })),
    limits,
    now: () => new Date('2027-01-15T12:00:00Z'),
    out: text => {
      texts.out += text
    },
    err: text => {
      texts.err += text
    },
    writePage: text => {
      texts.page += text
    },
  })
  return {code, ran, ...texts}
}

describe('the exit code', () => {
  const outcomes: readonly (readonly [
    text: string,
    value: number | null | undefined,
    Limit,
    code: number,
  ])[] = [
    ['at the limit', 2, {most: 2, wanted: 1}, 0],
    ['past a limit upwards', 2.01, {most: 2, wanted: 1}, 1],
    ['past a limit downwards', 0.49, {least: 0.5, wanted: 0.6}, 1],
    ['above a limit downwards, below what is wanted', 0.55, {least: 0.5, wanted: 0.6}, 0],
    ['what is wanted', 0.6, {least: 0.5, wanted: 0.6}, 0],
    ['no number', Number.NaN, {most: 2, wanted: 1}, 1],
    ['a peer that could not be installed', null, {most: 2, wanted: 1}, 0],
    ['a figure that nobody measured', undefined, {most: 2, wanted: 1}, 1],
  ]
  test.each(outcomes)('%s', async (_, value, limit, code) => {
    const figures = value === undefined ? {} : {figure: value}
    expect((await benchOf({one: measured(figures)}, {one: {figure: limit}})).code).toBe(code)
  })

  test('is 1 if only the first of two benchmarks is past its limit', async () => {
    const limits = {one: {figure: {most: 2, wanted: 1}}, two: {figure: {most: 2, wanted: 1}}}
    const {code, ran} = await benchOf({one: measured({figure: 3}), two: measured({figure: 1})}, limits)
    expect(code).toBe(1)
    expect(ran).toEqual(['one 15', 'two 15'])
  })

  test.each([
    ['--only', 'three'],
    ['--runs', '0'],
    ['--runs', 'many'],
    ['--fast'],
    ['--only', 'one', '--write'],
  ])('is 2 for %s %s %s, before anything is measured', async (...argv) => {
    const {code, ran, err} = await benchOf({one: measured({})}, {}, argv.filter(Boolean))
    expect(code).toBe(2)
    expect(ran).toEqual([])
    expect(err).toContain('Usage: npm run bench')
  })
})

describe('what is printed', () => {
  const limits = {
    one: {slow: {most: 2, wanted: 1}, fast: {most: 2, wanted: 1}},
    two: {figure: {least: 0.5, wanted: 0.6}},
  }
  const suites = {
    one: measured({slow: 1.5, fast: 0.9}, ['peer: not found']),
    two: measured({figure: 0.3}),
  }

  test('the outcome of each limit, and what was skipped', async () => {
    const {out} = await benchOf(suites, limits)
    expect(out).toMatch(/one: slow +1\.50 +at most 2 +1 +not yet/)
    expect(out).toMatch(/one: fast +0\.90 +at most 2 +1 +reached/)
    expect(out).toMatch(/two: figure +0\.30 +at least 0\.5 +0\.6 +past the limit/)
    expect(out).toContain('skipped: peer: not found')
  })

  test('only what --only names, as often as --runs says', async () => {
    const {ran, out, code} = await benchOf(suites, limits, ['--only', 'one', '--runs', '3'])
    expect(ran).toEqual(['one 3'])
    expect(out).not.toContain('two')
    expect(code).toBe(0)
  })

  test('JSON', async () => {
    const {out} = await benchOf(suites, limits, ['--json'])
    expect(JSON.parse(out)).toMatchObject({
      date: '2027-01-15',
      machine: {processors: expect.any(Number), load: expect.any(Number)},
      suites: [{name: 'one', figures: {slow: 1.5}}, {name: 'two'}],
      verdicts: [{figure: 'slow', outcome: 'wanted'}, {outcome: 'reached'}, {outcome: 'past the limit'}],
    })
  })

  test('the page, with date, machine, versions, tables and limits', async () => {
    const {page} = await benchOf(suites, limits, ['--write'])
    expect(page).toContain('| Date | 2027-01-15 |')
    expect(page).toContain(`| Node.js | ${process.versions.node} |`)
    expect(page).toContain('| peer | 1.2.3 |')
    expect(page).toContain('## About one\n\nOne program beside another.\n')
    expect(page).toContain('| node -e 0 | 40 |')
    expect(page).toContain('Skipped: peer: not found')
    expect(page).toContain('| one: slow | 1.50 | at most 2 | 1 |')
  })
})

describe('statistics', () => {
  test('the median of an odd and of an even number of values', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([9, 1, 5, 3])).toBe(4)
    expect(() => median([])).toThrow()
  })

  test('ratios are made within a round, before the median', () => {
    // In the second round the machine was ten times slower, for both.
    expect(pairedRatio([2, 20, 2.2], [1, 10, 1])).toBe(2)
    expect(() => pairedRatio([1, 2], [1])).toThrow()
  })

  test('quantiles', () => {
    const values = Array.from({length: 100}, (_, at) => 100 - at)
    expect(quantile(values, 0)).toBe(1)
    expect(quantile(values, 0.99)).toBe(100)
  })
})

test('what is wanted is never easier than the limit', () => {
  for (const limits of Object.values(LIMITS)) {
    for (const limit of Object.values(limits)) {
      if ('most' in limit) expect(limit.wanted).toBeLessThanOrEqual(limit.most)
      else expect(limit.wanted).toBeGreaterThanOrEqual(limit.least)
    }
  }
})
