import {describe, expect, it} from 'vitest'
import {duration} from '../../src/errors/duration.ts'
import {colourLevel, dateTime, dayTime, isAsciiOnly, relative, state} from '../../src/output/index.ts'
import {NOON} from './streams.ts'

describe('colourLevel', () => {
  const tty = {isTTY: true}
  const pipe = {}
  it.each([
    [{TERM: 'xterm'}, tty, {}, 1],
    [{TERM: 'xterm-256color'}, tty, {}, 2],
    [{COLORTERM: 'truecolor'}, tty, {}, 3],
    [{TERM: 'xterm'}, pipe, {}, 0],
    [{TERM: 'dumb'}, tty, {}, 0],
    [{NO_COLOR: '1', FORCE_COLOR: '1'}, tty, {}, 0],
    [{NO_COLOR: ''}, tty, {}, 1],
    [{FORCE_COLOR: ''}, pipe, {}, 1],
    [{FORCE_COLOR: 'true'}, pipe, {}, 1],
    [{FORCE_COLOR: '3'}, pipe, {}, 3],
    [{FORCE_COLOR: '0', CLICOLOR_FORCE: '1'}, tty, {}, 0],
    [{FORCE_COLOR: 'false'}, tty, {}, 0],
    [{FORCE_COLOR: '2', TERM: 'dumb'}, pipe, {}, 2],
    [{CLICOLOR_FORCE: '1', TERM: 'dumb'}, pipe, {}, 1],
    [{CLICOLOR_FORCE: '0'}, pipe, {}, 0],
    [{CLICOLOR: '0'}, tty, {}, 0],
    [{CLICOLOR: '1'}, pipe, {}, 0],
    [{CI: 'true', COLORTERM: 'truecolor'}, tty, {}, 1],
    [{CI: 'true'}, pipe, {}, 0],
    [{FORCE_COLOR: '3'}, tty, {noColour: true}, 0],
  ] as const)('%j %j %j: %i', (env, stream, flags, level) => {
    expect(colourLevel(env, stream, flags)).toBe(level)
  })

  it.each([
    [{}, false],
    [{TERM: 'dumb'}, true],
    [{LANG: 'C'}, true],
    [{LANG: 'fi_FI.UTF-8'}, false],
    [{LC_ALL: 'POSIX', LANG: 'fi_FI.utf8'}, true],
    [{LC_ALL: '', LANG: 'fi_FI.utf8'}, false],
  ])('ASCII for %j: %s', (env, ascii) => {
    expect(isAsciiOnly(env)).toBe(ascii)
  })
})

describe('words for people', () => {
  const clock = {now: NOON, timeZone: 'Europe/Helsinki'}

  it.each([
    ['2026-11-18T12:00:00Z', '2026-11-18 14:00 UTC+2 (3 days ago)'],
    ['2026-11-21T12:05:00+00:00', '2026-11-21 14:05 UTC+2 (in 5 min)'],
    ['2026-11-21T14:02:05', '2026-11-21 14:02 (service time)'],
    ['2026-11-21', '2026-11-21'],
    ['soon', 'soon'],
    [null, ''],
  ])('dateTime %j', (value, text) => {
    expect(dateTime(value, clock)).toBe(text)
  })

  it.each([
    [0, 'just now'],
    [-59_999, 'just now'],
    [-3_600_000, '1 h ago'],
    [86_400_000, 'in 1 day'],
    [-200_000_000, '2 days ago'],
  ])('relative %i', (distance, text) => {
    expect(relative(NOON + distance, NOON)).toBe(text)
  })

  it('dayTime counts days as the reader does', () => {
    expect(dayTime(NOON, clock)).toBe('today 14:00 UTC+2')
    // 23:30 UTC is tomorrow in Helsinki.
    expect(dayTime(NOON + 11.5 * 3_600_000, clock)).toBe('tomorrow 01:30 UTC+2')
    expect(dayTime(NOON - 15 * 3_600_000, clock)).toBe('yesterday 23:00 UTC+2')
    expect(dayTime(NOON - 9 * 86_400_000, clock)).toBe('2026-11-12 14:00 UTC+2')
  })

  it.each([
    [711, '711 ms'],
    [59_600, '1 min'],
    [389_000, '6 min 29 s'],
    [7_500_000, '2 h 5 min'],
    [7_200_000, '2 h'],
  ])('duration %i', (millis, text) => {
    expect(duration(millis)).toBe(text)
  })

  it('states have a colour by what they mean, and always their word', () => {
    expect(
      ['CARD_OK', 'CARD_BLOCKED', 'CARD_STOLEN', 'IN_PROGRESS', 'NEW_ONE', undefined].map(word =>
        state(word),
      ),
    ).toEqual([
      {text: 'CARD_OK', style: 'ok'},
      {text: 'CARD_BLOCKED', style: 'warn'},
      {text: 'CARD_STOLEN', style: 'bad'},
      {text: 'IN_PROGRESS', style: 'busy'},
      {text: 'NEW_ONE', style: undefined},
      {text: '', style: undefined},
    ])
  })
})
