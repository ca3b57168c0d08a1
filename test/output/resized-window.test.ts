// Everything that is redrawn, in a window that is resized while it is shown.
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {createPrinter, type Printer} from '../../src/output/index.ts'
import {openXterm} from '../helpers/xterm.ts'

const ABOVE = Array.from({length: 30}, (_, row) => `printed before ${row}`).join('\n')

interface Shown {
  /** Ends the display. */
  stop(): void
  /** What stays of it. */
  readonly left: readonly (string | RegExp)[]
}

const board = {
  title: ['accounts.patchCredit.v4', '  job j_01JD8Q4Y7'],
  counts: ['Done', 'Failed', 'Unknown', 'Held back', 'Left'].map(name => ({name, count: 1234})),
  reasons: ['REFUSED (HTTP 409)', 'NOT_FOUND (HTTP 404)'].map(reason => ({reason, count: 9})),
}

const DISPLAYS: Readonly<Record<string, (printer: Printer) => Promise<Shown>>> = {
  'a watched list': async printer => {
    const watched = await printer.watch(2000)
    const row = (at: number) => `card ${at}  ${'wide '.repeat(16)}`
    await watched.show(null, () => Array.from({length: 60}, (_, at) => row(at)).join('\n'))
    return {stop: () => watched.end(), left: [/^every 2 s, /, /more lines$/]}
  },
  'a board': async printer => {
    const progress = await printer.progress('rows')
    progress.update({done: 5000, total: 20_000, board: () => board})
    return {stop: () => progress.stop(), left: [/^5\u202f000 of 20\u202f000 rows/, / {2}9 {2}NOT_FOUND/]}
  },
  'a bar': async printer => {
    const progress = await printer.progress('transfers that take long')
    progress.update({done: 5000, total: 20_000, failed: 17})
    return {stop: () => progress.stop(), left: []}
  },
  'a spinner': async printer => {
    const wait = printer.wait('waiting for batch 88121, which was sent a moment ago and is not booked')
    return {stop: () => wait.stop(), left: []}
  },
}

async function openDisplay(name: string, columns: number, rows: number) {
  const window = openXterm(columns, rows)
  const printer = createPrinter(
    {
      env: {TERM: 'xterm-256color'},
      stdout: window.stream,
      stderr: window.stream,
      now: () => 0,
      every: () => () => undefined,
      timeZone: 'UTC',
    },
    {format: 'table'},
  )
  window.stream.write(`${ABOVE}\n`)
  const shown = await DISPLAYS[name]?.(printer)
  if (shown === undefined) throw new Error(name)
  return {...window, ...shown, printer}
}

const anySize = fc.record({columns: fc.integer({min: 2, max: 130}), rows: fc.integer({min: 1, max: 50})})
const sizes = fc.oneof(
  fc.array(anySize, {minLength: 1, maxLength: 5}),
  fc.constant([
    {columns: 40, rows: 24},
    {columns: 80, rows: 24},
    {columns: 20, rows: 5},
    {columns: 80, rows: 24},
  ]),
)

describe.each(Object.keys(DISPLAYS))('%s in a resized window', name => {
  it('looks as if it was opened at that size', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, async all => {
        const resized = await openDisplay(name, 80, 24)
        for (const {columns, rows} of all) {
          await resized.resize(columns, rows)
          const fresh = await openDisplay(name, columns, rows)
          expect(statusOf(await resized.screen())).toBe(statusOf(await fresh.screen()))
          fresh.stop()
        }
        resized.stop()
      }),
      {numRuns: 15},
    )
  })

  it('leaves nothing behind, and takes nothing with it', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, async all => {
        const {resize, stop, left, scrollback, printer} = await openDisplay(name, 80, 24)
        for (const [at, {columns, rows}] of all.entries()) {
          await resize(columns, rows)
          if (at === 0) printer.warn('meanwhile')
        }
        await resize(200, 24)
        stop()
        const lines = (await scrollback()).split('\n')
        expect(lines.slice(0, 31).join('\n')).toBe(`${ABOVE}\nWarning: meanwhile`)
        const rest = lines.slice(31)
        if (left.length === 0) expect(rest).toEqual([])
        for (const [at, text] of [left[0], left.at(-1)].entries())
          if (text !== undefined) expect(rest.at(-at)).toMatch(text)
      }),
      {numRuns: 15},
    )
  })
})

/** Without what was printed before, of which a resized terminal shows more or less. */
const statusOf = (screen: string): string => screen.replace(/^(?:[\s\S]*printed before \d+\n?)?/, '')
