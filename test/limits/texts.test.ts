import {describe, expect, it} from 'vitest'
import {readDuration} from '../../src/limits/duration.ts'
import {readRateWindow} from '../../src/limits/rate-window.ts'

describe('texts of limits', () => {
  it.each([
    ['250ms', 250],
    ['1.5s', 1500],
    ['10m', 600_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['30', undefined],
    ['1.2.3s', undefined],
    ['-1s', undefined],
    ['999999999999999999d', undefined],
  ])('the duration %s is %s ms', (text, ms) => {
    expect(readDuration(text)).toBe(ms)
  })

  it.each([
    ['50/s', {count: 50, windowMs: 1000}],
    [' 3000/min ', {count: 3000, windowMs: 60_000}],
    ['12.5/m', {count: 12.5, windowMs: 60_000}],
    ['1/h', {count: 1, windowMs: 3_600_000}],
    ['50', undefined],
    ['50/d', undefined],
    ['-1/s', undefined],
  ])('the rate %s is %s', (text, window) => {
    expect(readRateWindow(text)).toEqual(window)
  })
})
