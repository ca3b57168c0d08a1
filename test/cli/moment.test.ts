// Times as --since and --until take them.
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {parseMoment} from '../../src/cli/moment.ts'
import {Failure} from '../../src/errors/failure.ts'
import {localTime} from '../../src/output/when.ts'

/** A Wednesday, 2026-07-15 10:30 in Helsinki. */
const clock = {now: Date.UTC(2026, 6, 15, 7, 30), timeZone: 'Europe/Helsinki'}
const iso = (text: string, given = clock) => new Date(parseMoment(text, '--since').at(given)).toISOString()

describe('a time', () => {
  it.each([
    ['8h', '2026-07-14T23:30:00.000Z'],
    [' 2d ', '2026-07-13T07:30:00.000Z'],
    ['1.5h', '2026-07-15T06:00:00.000Z'],
    ['now', '2026-07-15T07:30:00.000Z'],
    ['today', '2026-07-14T21:00:00.000Z'],
    ['Yesterday', '2026-07-13T21:00:00.000Z'],
    ['yesterday 14:05', '2026-07-14T11:05:00.000Z'],
    ['monday', '2026-07-12T21:00:00.000Z'],
    ['wednesday', '2026-07-14T21:00:00.000Z'],
    ['thursday', '2026-07-08T21:00:00.000Z'],
    ['08:00', '2026-07-15T05:00:00.000Z'],
    ['2026-01-15', '2026-01-14T22:00:00.000Z'],
    ['2026-06-15T14:02', '2026-06-15T11:02:00.000Z'],
    ['2026-06-15 14:02:07.5', '2026-06-15T11:02:07.500Z'],
    ['2026-06-15t14:02z', '2026-06-15T14:02:00.000Z'],
    ['2026-06-15T14:02:00-03:30', '2026-06-15T17:32:00.000Z'],
    // Clocks go forward from 03:00 to 04:00, and back from 04:00 to 03:00.
    ['2026-03-29T03:30', '2026-03-29T01:30:00.000Z'],
    ['2025-10-26T03:30', '2025-10-26T00:30:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(iso(text)).toBe(expected)
  })

  it.each([
    '',
    '8',
    '8x',
    'monady',
    '2026-02-31',
    '2026-13-01',
    '24:00',
    '14:60',
    'monday z',
    '2026-06-15 1:00',
  ])('%j is none', text => {
    expect(() => parseMoment(text, '--since')).toThrow(Failure)
  })

  it('that is mistyped gets a suggestion', () => {
    expect(() => parseMoment('yesterdya', '--since')).toThrow(
      '--since is not a time. Did you mean yesterday?',
    )
  })

  it('of any text is a time or a Failure', () => {
    const unit = fc.constantFrom(...'0123456789-:TZz+. hdmstodayesr')
    fc.assert(
      fc.property(fc.string({unit, maxLength: 20}), text => {
        try {
          expect(Number.isNaN(parseMoment(text, '--since').at(clock))).toBe(false)
        } catch (error) {
          if (!(error instanceof Failure)) throw error
        }
      }),
      {numRuns: 2000},
    )
  })

  it('in any zone is the local time that was written', () => {
    const zones = [
      'UTC',
      'Europe/Helsinki',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'Pacific/Apia',
    ]
    const minutes = fc.integer({min: Date.UTC(2015, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000})
    fc.assert(
      fc.property(minutes, fc.constantFrom(...zones), (minute, timeZone) => {
        const written = localTime(minute * 60_000, {timeZone}).slice(0, 16)
        const at = parseMoment(written, '--until').at({now: 0, timeZone})
        expect(localTime(at, {timeZone}).slice(0, 16)).toBe(written)
        // Where a time comes twice, it is the first.
        expect(at).toBeLessThanOrEqual(minute * 60_000)
        expect(at).toBeGreaterThan((minute - 61) * 60_000)
      }),
    )
  })
})
