import {describe, expect, it} from 'vitest'
import {setUp} from './streams.ts'

function clocked(options: Parameters<typeof setUp>[0], terminal: boolean) {
  const clock = {at: 0}
  let ticking: (() => void) | undefined
  const every = (_millis: number, act: () => void) => {
    ticking = act
    return () => {
      ticking = undefined
    }
  }
  return {
    ...setUp(options, {terminal, now: () => clock.at, every, env: {NO_COLOR: '1'}}),
    clock,
    tick: () => ticking?.(),
    isTicking: () => ticking !== undefined,
  }
}

const lastLine = (text: string) => text.split('\r\u001b[2K').at(-1)

describe('progress', () => {
  it('is a bar on a terminal, with rate and time left, and goes without a trace', () => {
    const {printer, stderr, clock} = clocked({}, true)
    const progress = printer.progress('rows')
    for (clock.at = 0; clock.at <= 10_000; clock.at += 100) {
      progress.update({done: clock.at / 20, total: 50_000, failed: clock.at > 9000 ? 2 : 0, pace: 50})
    }
    expect(lastLine(stderr.text)).toBe(
      ' ▱▱▱▱▱▱▱▱▱▱    1%  500 of 50,000 rows  2 failed  50.0/s of 50  16 min 30 s left',
    )
    progress.stop()
    expect(stderr.text.endsWith('\r\u001b[2K')).toBe(true)
  })

  it('keeps to the width that the window has by now', () => {
    const {printer, stderr, clock} = clocked({}, true)
    const progress = printer.progress('rows')
    progress.update({done: 1, total: 2})
    expect(lastLine(stderr.text)).toBe(' ▰▰▰▰▰▱▱▱▱▱   50%  1 of 2 rows  0 failed')
    stderr.columns = 20
    clock.at = 100
    progress.update({done: 1, total: 2})
    expect(lastLine(stderr.text)).toBe(' ▰▰▰▰▰▱▱▱▱▱   50% …')
  })

  it('is redrawn at most ten times a second', () => {
    const {printer, stderr, clock} = clocked({}, true)
    const progress = printer.progress('rows')
    for (let n = 0; n < 1000; n++) {
      clock.at = n
      progress.update({done: n, total: 1000})
    }
    expect(stderr.text.split('\r\u001b[2K').length - 1).toBe(10)
  })

  it('lets notes and data pass above it', async () => {
    const {printer, stderr, stdout} = clocked({}, true)
    const progress = printer.progress('rows')
    progress.update({done: 1, total: 2})
    const bar = lastLine(stderr.text)
    printer.note('by the way')
    expect(stderr.text.endsWith(`\r\u001b[2Kby the way\n\r\u001b[2K${bar}`)).toBe(true)
    await printer.data('x', () => 'data')
    expect(stdout.text).toBe('data\n')
    expect(stderr.text.endsWith(`\r\u001b[2K\r\u001b[2K${bar}`)).toBe(true)
  })

  it('is a plain line every ten seconds without a terminal, and one at the end', () => {
    const {printer, stderr, clock} = clocked({}, false)
    const progress = printer.progress('rows')
    for (clock.at = 0; clock.at < 25_000; clock.at += 1000)
      progress.update({done: clock.at / 1000, total: 25})
    progress.stop()
    expect(stderr.text).toBe(
      [
        '10 of 25 rows, 0 failed, 1.0/s, 15 s left',
        '20 of 25 rows, 0 failed, 1.0/s, 5 s left',
        '24 of 25 rows, 0 failed, 1.0/s, 1 s left',
        '',
      ].join('\n'),
    )
  })

  it('shows no end if there is none, and is silent on request', () => {
    const {printer, stderr, clock} = clocked({}, false)
    const progress = printer.progress('calls')
    clock.at = 20_000
    progress.update({done: 1234})
    expect(stderr.text).toBe('1,234 calls, 0 failed\n')
    const quiet = clocked({quiet: true}, true)
    quiet.printer.progress('calls').update({done: 1, total: 2})
    expect(quiet.stderr.text).toBe('')
  })
})

describe('waiting', () => {
  it('turns a spinner with the time gone by, and stops', () => {
    const {printer, stderr, clock, tick, isTicking} = clocked({}, true)
    const wait = printer.wait('waiting for batch 88121')
    expect(lastLine(stderr.text)).toBe(' ⠋ waiting for batch 88121')
    clock.at = 61_500
    tick()
    expect(lastLine(stderr.text)).toBe(' ⠙ waiting for batch 88121  1 min 1 s')
    wait.stop()
    expect(isTicking()).toBe(false)
    expect(stderr.text.endsWith('\r\u001b[2K')).toBe(true)
  })

  it('is one line without a terminal', () => {
    const {printer, stderr} = clocked({}, false)
    printer.wait('waiting').stop()
    expect(stderr.text).toBe('waiting\n')
  })
})
