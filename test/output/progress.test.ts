import {describe, expect, it} from 'vitest'
import {cardctl} from '../../src/errors/suggested-command.ts'
import {Screen} from '../helpers/screen.ts'
import {setUp} from './streams.ts'

function clocked(
  options: Parameters<typeof setUp>[0],
  terminal: boolean,
  env: Readonly<Record<string, string | undefined>> = {},
) {
  const clock = {at: 0}
  let ticking: (() => void) | undefined
  const every = (_millis: number, act: () => void) => {
    ticking = act
    return () => {
      ticking = undefined
    }
  }
  return {
    ...setUp(options, {terminal, now: () => clock.at, every, env: {NO_COLOR: '1', ...env}}),
    clock,
    tick: () => ticking?.(),
    isTicking: () => ticking !== undefined,
  }
}

/** What a terminal shows after it. */
function shown(text: string, columns = 80): string {
  const screen = new Screen({columns})
  screen.write(text)
  return screen.text
}

describe('progress', () => {
  it('is a bar on a terminal, with rate and time left, and goes without a trace', async () => {
    const {printer, stderr, clock} = clocked({}, true)
    const progress = await printer.progress('rows')
    for (clock.at = 0; clock.at <= 10_000; clock.at += 100) {
      progress.update({done: clock.at / 20, total: 50_000, failed: clock.at > 9000 ? 2 : 0, pace: '50'})
    }
    expect(shown(stderr.text)).toBe(
      ' ▱▱▱▱▱▱▱▱▱▱    1%  498 of 50\u202f000 rows  2 failed  50.0/s of 50  16 min 30 s left',
    )
    progress.stop()
    expect(shown(stderr.text)).toBe('')
  })

  it('keeps to the width that the window has by now', async () => {
    const {printer, stderr, clock} = clocked({}, true)
    const progress = await printer.progress('rows')
    const screen = new Screen()
    progress.update({done: 1, total: 2})
    screen.write(stderr.text)
    expect(screen.text).toBe(' ▰▰▰▰▰▱▱▱▱▱   50%  1 of 2 rows  0 failed')
    const before = stderr.text.length
    stderr.columns = 20
    screen.resize(20)
    clock.at = 100
    progress.update({done: 1, total: 2})
    screen.write(stderr.text.slice(before))
    expect(screen.text).toBe(' ▰▰▰▰▰▱▱▱▱▱   50% …')
  })

  it('is redrawn at most ten times a second', async () => {
    const {printer, stderr, clock} = clocked({}, true)
    const progress = await printer.progress('rows')
    for (let n = 0; n < 1000; n++) {
      clock.at = n
      progress.update({done: n, total: 1000})
    }
    expect(stderr.text.split('of 1\u202f000 rows').length - 1).toBe(10)
  })

  it('lets notes and data pass above it', async () => {
    const {printer, stderr, stdout} = clocked({}, true)
    const progress = await printer.progress('rows')
    progress.update({done: 1, total: 2})
    const bar = shown(stderr.text)
    printer.note('by the way')
    expect(shown(stderr.text)).toBe(`by the way\n${bar}`)
    const before = stderr.text
    await printer.data('x', () => 'data')
    expect(stdout.text).toBe('data\n')
    // Cleared before the data, and drawn again after it.
    expect(stderr.text.slice(before.length)).toContain('\r\u001b[J\r ▰')
    expect(shown(stderr.text)).toBe(`by the way\n${bar}`)
  })

  it('is a plain line every ten seconds without a terminal, and one at the end', async () => {
    const {printer, stderr, clock} = clocked({}, false)
    const progress = await printer.progress('rows')
    for (clock.at = 0; clock.at < 25_000; clock.at += 1000)
      progress.update({done: clock.at / 1000, total: 25})
    progress.stop()
    expect(stderr.text).toBe(
      [
        '10 of 25 rows done, 0 failed, 1.0/s, 15 s left',
        '20 of 25 rows done, 0 failed, 1.0/s, 5 s left',
        '24 of 25 rows done, 0 failed, 1.0/s',
        '',
      ].join('\n'),
    )
  })

  it('says what does not move three times less often, with the rate of now', async () => {
    const {printer, stderr, clock, tick} = clocked({}, false)
    const progress = await printer.progress('rows')
    for (clock.at = 0; clock.at <= 10_000; clock.at += 1000)
      progress.update({done: clock.at / 1000, total: 25})
    for (; clock.at <= 80_000; clock.at += 1000) if (clock.at % 10_000 === 0) tick()
    expect(stderr.text.trimEnd().split('\n')).toEqual([
      '10 of 25 rows done, 0 failed, 1.0/s, 15 s left',
      '10 of 25 rows done, 0 failed, 0.0/s',
      '10 of 25 rows done, 0 failed, 0.0/s',
    ])
    progress.stop()
  })

  it('has its counts as data in a log of JSON', async () => {
    const {printer, stderr, clock} = clocked({log: true}, false)
    const progress = await printer.progress('rows')
    for (clock.at = 0; clock.at <= 10_000; clock.at += 5000)
      progress.update({done: clock.at / 1000, failed: 2, unknown: 1, total: 25, of: 'Bulk job j_1'})
    expect(JSON.parse(stderr.text)).toMatchObject({
      note: {code: 'PROGRESS', of: 'Bulk job j_1', done: 7, total: 25, failed: 2, unknown: 1, held: 0},
    })
    progress.stop()
  })

  it('has the job and the command that continues it in any twenty lines of a log', async () => {
    const {printer, stderr, clock} = clocked({}, false)
    const progress = await printer.progress('rows')
    const ifCutOff = cardctl('bulk', 'resume', {value: 'j_1'})
    for (clock.at = 0; clock.at < 600_000; clock.at += 1000)
      progress.update({done: clock.at / 1000, total: 900, of: 'Bulk job j_1', ifCutOff})
    const lines = stderr.text.trimEnd().split('\n')
    expect(lines[0]).toBe('Bulk job j_1: 10 of 900 rows done, 0 failed, 1.0/s, 14 min 50 s left')
    for (let end = 20; end <= lines.length; end++)
      expect(lines.slice(end - 20, end)).toContain('If it is cut off: cardctl bulk resume j_1')
    expect(lines.length).toBeLessThan(70)
  })

  it('is plain lines on a terminal with CARDCTL_ACCESSIBLE', async () => {
    const {printer, stderr, clock} = clocked({}, true, {CARDCTL_ACCESSIBLE: '1'})
    const progress = await printer.progress('rows')
    progress.update({done: 1, total: 2})
    clock.at = 10_000
    progress.update({done: 2, total: 2})
    progress.stop()
    expect(stderr.text).toBe('2 of 2 rows done, 0 failed, 0.1/s\n')
  })

  it('counts as done only that, and says nothing of the time left while a pause lasts', async () => {
    const {printer, stderr, clock} = clocked({}, false)
    const progress = await printer.progress('rows')
    const show = (at: number, done: number) => {
      clock.at = at
      progress.update({done, total: 40, failed: 2, unknown: 3, held: 1})
    }
    show(0, 6)
    show(10_000, 16)
    const end = printer.waiting({for: 'pause', why: 'the service asked for it', until: 600_000})
    show(20_000, 20)
    end()
    show(30_000, 30)
    const lines = stderr.text.split('\n').filter(line => !line.startsWith('Waiting'))
    expect(lines).toEqual([
      '10 of 40 rows done, 2 failed, 3 unknown, 1 held back, 1.0/s, 24 s left',
      '14 of 40 rows done, 2 failed, 3 unknown, 1 held back, 0.4/s',
      '24 of 40 rows done, 2 failed, 3 unknown, 1 held back, 1.0/s, 10 s left',
      '',
    ])
  })

  it('shows no end if there is none, and is silent on request', async () => {
    const {printer, stderr, clock} = clocked({}, false)
    const progress = await printer.progress('calls')
    clock.at = 20_000
    progress.update({done: 1234})
    expect(stderr.text).toBe('1\u202f234 calls done, 0 failed\n')
    const quiet = clocked({quiet: true}, true)
    const hidden = await quiet.printer.progress('calls')
    hidden.update({done: 1, total: 2})
    expect(quiet.stderr.text).toBe('')
  })
})

describe('waiting', () => {
  it('turns a spinner with the time gone by, and stops', () => {
    const {printer, stderr, clock, tick, isTicking} = clocked({}, true)
    const wait = printer.wait('waiting for batch 88121')
    expect(shown(stderr.text)).toBe(' ⠋ waiting for batch 88121')
    clock.at = 61_500
    tick()
    expect(shown(stderr.text)).toBe(' ⠙ waiting for batch 88121  1 min 1 s')
    wait.stop()
    expect(isTicking()).toBe(false)
    expect(shown(stderr.text)).toBe('')
  })

  it('shows a spinner only after 300 ms, and none while something else is shown', async () => {
    const {printer, stderr, clock, tick} = clocked({}, true)
    const spinner = printer.spinner('api.example')
    clock.at = 299
    tick()
    expect(stderr.text).toBe('')
    clock.at = 400
    tick()
    expect(shown(stderr.text)).toBe(' ⠋ api.example')
    clock.at = 2000
    tick()
    printer.note('a note')
    expect(shown(stderr.text)).toBe('a note\n ⠙ api.example  2 s')
    spinner.stop()
    expect(shown(stderr.text)).toBe('a note')
    const progress = await printer.progress('rows')
    progress.update({done: 1})
    const before = stderr.text
    printer.spinner('api.example').stop()
    expect(stderr.text).toBe(before)
  })

  it('shows no spinner once a reader of stdout may print on the terminal', async () => {
    const {printer, stderr, stdout, clock, tick} = clocked({}, true)
    Object.assign(stdout, {isTTY: false})
    printer.spinner('api.example').stop()
    await printer.data('x', () => 'data')
    const spinner = printer.spinner('api.example')
    clock.at = 5000
    tick()
    spinner.stop()
    expect(stderr.text).toBe('')
  })

  it.each([
    ['without a terminal', {}, false, {}],
    ['with --quiet', {quiet: true}, true, {}],
    ['with CARDCTL_ACCESSIBLE', {}, true, {CARDCTL_ACCESSIBLE: '1'}],
    ['on a dumb terminal', {}, true, {TERM: 'dumb'}],
  ])('shows no spinner %s', (_name, options, terminal, env) => {
    const {printer, stderr, clock, tick} = clocked(options, terminal, env)
    const spinner = printer.spinner('api.example')
    clock.at = 5000
    tick()
    spinner.stop()
    expect(stderr.text).toBe('')
  })

  it('is one line without a terminal', () => {
    const {printer, stderr} = clocked({}, false)
    printer.wait('waiting').stop()
    expect(stderr.text).toBe('waiting\n')
  })
})
