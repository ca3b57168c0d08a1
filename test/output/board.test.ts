import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {type BoardState, boardLines, FEWEST_ROWS} from '../../src/output/board.ts'
import type {ProgressState} from '../../src/output/index.ts'
import {StatusLines} from '../../src/output/status-lines.ts'
import {paintFor} from '../../src/output/styled.ts'
import {glyphsFor} from '../../src/output/terminal.ts'
import {textWidth} from '../../src/output/text-layout.ts'
import {hostileTexts} from '../helpers/hostile-texts.ts'
import {Screen} from '../helpers/screen.ts'
import {setUp} from './streams.ts'

const title = ['accounts.patchCredit.v4', '  job j_01JD8Q4Y7'] as const
const counts = [
  {name: 'Done', count: 6203, style: 'ok'},
  {name: 'Failed', count: 12, style: 'bad'},
  {name: 'Unknown', count: 1, style: 'bad'},
  {name: 'Held back', count: 40, style: 'warn'},
  {name: 'Left', count: 5744, style: 'dim'},
] as const
const reasons = [
  {reason: 'REFUSED (HTTP 409)', count: 9},
  {reason: 'NOT_FOUND (HTTP 404)', count: 2},
  {reason: 'EARLIER_ROW_FAILED', count: 40},
  {reason: 'INPUT_INVALID', count: 1},
  {reason: 'EFFECT_UNKNOWN', count: 1},
  {reason: 'ANSWER_INVALID (HTTP 200)', count: 1},
]

const running: BoardState = {
  title,
  counts,
  reasons,
  what: 'rows',
  done: 6256,
  total: 12_000,
  perSecond: 41.24,
  pace: '50/s, 3000/min',
  series: Array.from({length: 60}, (_, second) => 25 + 25 * Math.sin(second / 6)),
  elapsedMs: 151_700,
  leftMs: 140_000,
}

const boards: Readonly<Record<string, BoardState>> = {
  'a job that runs': running,
  'a job that begins': {
    ...running,
    counts: counts.map((one, at) => ({...one, count: at === 4 ? 12_000 : 0})),
    reasons: [],
    done: 0,
    perSecond: undefined,
    series: [],
    elapsedMs: 400,
    leftMs: undefined,
  },
  'a batch of unknown size': {
    title: ['Batch 8001', '  IN_PROGRESS'],
    counts: [
      {name: 'Booked', count: 3, style: 'ok'},
      {name: 'Failed', count: 0, style: 'bad'},
    ],
    what: 'transfers',
    done: 3,
    series: [1, 0, 2],
    perSecond: 0.3,
    elapsedMs: 10_000,
  },
}

/** What a terminal shows of the lines. */
function picture(lines: ReturnType<typeof boardLines>, columns: number): string {
  const screen = new Screen({columns, rows: 40})
  statusOn(screen, () => 40).show(() => lines)
  return screen.text
}

function statusOn(screen: Screen, rows: () => number): StatusLines {
  return new StatusLines({
    isTerminal: true,
    get width() {
      return screen.columns
    },
    get rows() {
      return rows()
    },
    mark: '…',
    paint: paintFor(3),
    write: text => screen.write(text),
  })
}

describe('a board', () => {
  it.each([40, 80, 120])('at %i columns', async columns => {
    const drawn = Object.entries(boards).map(
      ([name, state]) =>
        `## ${name}\n${picture(boardLines(state, columns - 1, 23, glyphsFor(false)), columns)}\n`,
    )
    const ascii = picture(boardLines(running, columns - 1, 23, glyphsFor(true)), columns)
    await expect(`${drawn.join('\n')}\n## in ASCII\n${ascii}\n`).toMatchFileSnapshot(
      `golden/boards-${columns}.txt`,
    )
  })

  it('leaves out reasons if there are few rows', () => {
    expect(boardLines(running, 79, FEWEST_ROWS - 1, glyphsFor(false))).toHaveLength(FEWEST_ROWS - 1)
    expect(boardLines(running, 79, 12, glyphsFor(false))).toHaveLength(12)
  })
})

function clocked(rows: number, env: Record<string, string> = {}) {
  const clock = {at: 0}
  const screen = new Screen({rows})
  const {printer, stderr} = setUp(
    {},
    {terminal: true, now: () => clock.at, every: () => () => undefined, env: {NO_COLOR: '1', ...env}},
  )
  Object.assign(stderr, {rows})
  let drawn = 0
  const look = () => {
    screen.write(stderr.text.slice(drawn))
    drawn = stderr.text.length
    return screen.text
  }
  return {printer, clock, look}
}

const state: ProgressState = {
  done: 3,
  total: 4,
  failed: 1,
  board: () => ({title: 'job', counts: [{name: 'Done', count: 2}], reasons: [{reason: 'REFUSED', count: 1}]}),
}

describe('progress with a board', () => {
  it('leaves its last state as plain lines', async () => {
    const {printer, clock, look} = clocked(24)
    const progress = await printer.progress('rows')
    progress.update(state)
    expect(look()).toContain('Reasons')
    clock.at = 4000
    progress.stop()
    expect(look()).toBe('2 of 4 rows done, 1 failed, 4 s\n  1  REFUSED')
  })

  it('is the bar of one line in a window with few rows', async () => {
    const {printer, look} = clocked(FEWEST_ROWS - 1)
    const progress = await printer.progress('rows')
    progress.update(state)
    expect(look()).toBe(' ▰▰▰▰▰▰▰▱▱▱   75%  2 of 4 rows  1 failed')
  })
})

const text = fc.oneof(
  fc.string({unit: 'grapheme', maxLength: 60}),
  fc.constantFrom(...Object.values(hostileTexts)),
)
const many = fc.nat({max: 10_000_000})

const anyBoard: fc.Arbitrary<BoardState> = fc.record({
  title: text,
  what: fc.constant('rows'),
  done: many,
  total: fc.option(many, {nil: undefined}),
  counts: fc.array(
    fc.record({name: text, count: many, style: fc.constantFrom('ok' as const, 'bad' as const)}),
    {maxLength: 6},
  ),
  reasons: fc.array(fc.record({reason: text, count: many}), {maxLength: 8}),
  perSecond: fc.option(fc.double({min: 0, max: 1e6, noNaN: true}), {nil: undefined}),
  pace: fc.option(text, {nil: undefined}),
  series: fc.array(many, {maxLength: 61}),
  elapsedMs: many,
  leftMs: fc.option(many, {nil: undefined}),
})

const step = fc.oneof(
  fc.record({act: fc.constant('show' as const), board: anyBoard}),
  fc.record({act: fc.constant('print' as const), text: fc.stringMatching(/^[a-z]{1,20}$/)}),
  fc.record({act: fc.constant('resize' as const), columns: fc.integer({min: 20, max: 140})}),
  fc.record({act: fc.constant('clear' as const)}),
)

describe('lines that are redrawn', () => {
  it('leave nothing behind and take nothing with them, whatever is shown, printed and resized', () => {
    fc.assert(
      fc.property(fc.array(step, {maxLength: 12}), fc.integer({min: 2, max: 30}), (steps, rows) => {
        const screen = new Screen({rows: 30})
        const status = statusOn(screen, () => rows)
        const printed: string[] = []
        for (const next of steps) {
          if (next.act === 'show')
            status.show(() => boardLines(next.board, status.width, rows - 1, glyphsFor(false)))
          else if (next.act === 'print') {
            printed.push(next.text)
            status.print(`${next.text}\n`)
          } else if (next.act === 'resize') screen.resize(next.columns)
          else status.clear()
        }
        const above = printed.flatMap(line => line.match(new RegExp(`.{1,${screen.columns}}`, 'g')) ?? [])
        // The cursor is behind what was printed, at the start of the status.
        expect(screen.cursor).toEqual([above.length, 0])
        expect(screen.text.split('\n').slice(0, above.length).join('\n')).toBe(above.join('\n'))
        status.clear()
        expect(screen.text).toBe(above.join('\n'))
      }),
    )
  })

  it('are never wider than the window, nor more than fit', () => {
    fc.assert(
      fc.property(
        anyBoard,
        fc.integer({min: 20, max: 140}),
        fc.integer({min: 2, max: 30}),
        (board, columns, rows) => {
          const screen = new Screen({columns, rows})
          statusOn(screen, () => rows).show(() => boardLines(board, columns - 1, rows - 1, glyphsFor(false)))
          const lines = screen.text.split('\n')
          expect(lines.filter(line => textWidth(line) >= columns)).toEqual([])
          expect(lines.length).toBeLessThan(rows)
        },
      ),
    )
  })
})
