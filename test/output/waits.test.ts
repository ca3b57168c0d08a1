import {describe, expect, it} from 'vitest'
import {type Waiting, Waits} from '../../src/output/waits.ts'

const RESPONSE: Waiting = {for: 'response', why: 'api.example has not responded yet'}

function clocked() {
  const clock = {at: 1_700_000_000_000}
  const said: string[] = []
  const facts: unknown[] = []
  let tick: (() => void) | undefined
  const waits = new Waits({
    timeZone: 'UTC',
    now: () => clock.at,
    every: (_, act) => {
      tick = act
      return () => {
        tick = undefined
      }
    },
    say: (text, more) => {
      said.push(text)
      facts.push(more)
    },
  })
  const pass = (ms: number): void => {
    for (const end = clock.at + ms; clock.at < end; ) {
      clock.at += 1000
      tick?.()
    }
  }
  return {clock, said, facts, waits, pass, isTicking: () => tick !== undefined}
}

describe('what a command waits for', () => {
  it('is said when it takes long, and not before', () => {
    const {waits, said, pass, isTicking} = clocked()
    const end = waits.begin(RESPONSE)
    pass(4_000)
    expect(said).toEqual([])
    pass(1_000)
    expect(said).toEqual(['Waiting: api.example has not responded yet.'])
    expect(waits.longest).toBe(RESPONSE)
    end()
    pass(1_000)
    expect(waits.longest).toBeUndefined()
    expect(isTicking()).toBe(false)
  })

  it('is not blamed for a time in which this process stood still', () => {
    const {waits, said, clock, pass} = clocked()
    waits.begin(RESPONSE)
    pass(2_000)
    // As long as another process holds the lock of the journal, nothing else runs.
    clock.at += 8_000
    pass(1_000)
    expect(said).toEqual([])
    pass(2_000)
    expect(said).toEqual([])
    pass(2_000)
    expect(said).toEqual(['Waiting: api.example has not responded yet.'])
  })

  it('is said at once if it is known to take long, with its end', () => {
    const {waits, said, facts, clock} = clocked()
    waits.begin({for: 'pause', why: 'api.example asked for a pause (429)', until: clock.at + 600_000})
    expect(said).toEqual([
      'Waiting until 2023-11-14 22:23 UTC (10 min): api.example asked for a pause (429).',
    ])
    expect(facts).toEqual([
      {
        code: 'WAITING',
        for: 'pause',
        why: 'api.example asked for a pause (429)',
        until: '2023-11-14T22:23:20.000Z',
      },
    ])
  })

  it('is said once for all that wait for the same, and again every minute', () => {
    const {waits, said, pass} = clocked()
    for (let n = 0; n < 16; n++) waits.begin(RESPONSE)
    pass(59_000)
    expect(said).toHaveLength(1)
    pass(60_000)
    expect(said).toHaveLength(2)
  })

  it('is not said of a run that goes on', () => {
    const {waits, said, pass} = clocked()
    for (let n = 0; n < 100; n++) {
      const end = waits.begin({for: 'quota', why: 'the rate is used up'})
      pass(1_000)
      end()
    }
    expect(said).toEqual([])
  })
})
