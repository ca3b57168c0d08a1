// A certificate finds a fault that was planted in the example, and names it. Here every third fault is planted, and its
// endpoint gets only the check or the suite that finds it; the whole certificate of each is for `npm run soak -- planted`.
// test/examples/certify.test.ts has that of the example itself.
import {describe, expect, test} from 'vitest'
import type {Certified} from '../../../src/webhook/certify/index.ts'
import {
  certified,
  EXAMPLE,
  finds,
  named,
  onlyWhatFinds,
  type Planted,
  patched,
  plantedFaults,
  SUITES,
} from './planted.ts'

/** Where this machine was too busy to send in time, a certificate says so, and nothing of the endpoint. It never passes. */
async function judged(planted: Planted): Promise<Certified> {
  for (;;) {
    const run = await certified(patched(planted.patch), onlyWhatFinds(planted))
    const open = run.checks.filter(({name, state}) => state === 'not checked' && finds(planted)(name))
    if (!open.some(({reason}) => reason?.endsWith('because this machine was busy'))) return run
  }
}

describe('a certificate', () => {
  // Most of the time they wait: for a restart, for a call that is late.
  describe.concurrent('names the fault of an endpoint that', {timeout: 60_000}, () => {
    test.for(plantedFaults.filter((_, at) => at % 3 === 0))('$fault', async (planted, {expect}) => {
      const run = await judged(planted)
      expect(named(run, 'failed')).toSatisfy((names: readonly string[]) => names.some(finds(planted)))
    })
  })

  test('finds no fault without a probe and a restart, and counts what needs them as not checked', async () => {
    const run = await certified(EXAMPLE, {suites: SUITES, calls: 40, withoutHelp: true})
    const {checks} = run
    expect(named(run, 'failed').filter(name => !name.includes('deadline'))).toEqual([])
    const open = checks.filter(({state}) => state === 'not checked')
    expect(new Set(open.map(({reason}) => reason))).toEqual(
      new Set([
        'it needs calls with HTTP Basic or a bearer token or a header with a secret: pass --auth basic:REF or --auth bearer:REF or --auth header:NAME:REF, or say by --expects what the endpoint uses',
        'it needs calls with a signature: pass --auth hmac:REF, or say by --expects what the endpoint uses',
        'it needs calls with a client certificate: pass --cert, or say by --expects what the endpoint uses',
        'it needs --probe',
        'it needs --restart',
        'it needs --restart and --probe',
        'it needs 10000 calls, and --calls was 40',
      ]),
    )
    const words = checks.filter(({name}) => name.includes('decided once'))
    expect(words.map(({state}) => state).filter(state => state !== 'not checked')).toEqual([])
    expect(words.length).toBeGreaterThan(4)
  })

  test('says of the rest of an endpoint that ended that it was not checked', async () => {
    const [ends] = plantedFaults.filter(({fault}) => fault === 'ends at a huge body')
    const run = await certified(patched(ends?.patch ?? []), {suites: ['hostile'], withoutHelp: true})
    expect(run.checks.at(-1)).toMatchObject({
      state: 'not checked',
      reason: expect.stringMatching(/^the endpoint no longer answered; this showed first at: .*huge/),
    })
    // Whether the call itself or the next one finds nobody depends on the connection that it used.
    expect(named(run, 'failed')).toEqual([expect.stringMatching(/^(a huge call|after the huge one)$/)])
  })
})
