// Late answers count for an endpoint only if this machine was not what was slow.
import {setTimeout as delay} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {contractRules} from '../../../src/contract/webhook-contract.ts'
import {busyMs, type Control, openControl} from '../../../src/webhook/certify/control.ts'
import {deadlineChecks} from '../../../src/webhook/certify/deadline-checks.ts'

/** A machine whose own responder took so long for calls that were due at these times. */
const taking = (ms: number, ...times: readonly number[]): Control => ({
  calls: () => times.map(due => ({due, answered: due + ms})),
  close: async () => undefined,
})

const LOAD = {
  calls: 1000,
  invalid: 0,
  inTime: 0.99,
  p50: 5,
  p95: 9,
  p99: 1900,
  p999: 2000,
  max: 2000,
  rate: 100,
  ownDelayMs: 3,
}

/** Ten calls of a thousand were late, at these times. */
const inTime = async (control: Control, late: readonly number[], ownDelayMs = 3) => {
  const load = {...LOAD, late: late.length, inTime: 1 - late.length / LOAD.calls, ownDelayMs}
  const rules = await contractRules()
  const of = {load, late, calls: 1000, deadlineMs: 2000, durationMs: 10_000, endedAt: 12_500, control, rules}
  const {state, reason} = deadlineChecks(of)[1] ?? {}
  return `${state}${reason === undefined ? '' : `: ${reason}`}`
}

const TEN = Array.from({length: 10}, (_, at) => 3000 + at * 1000)
const BUSY = "not checked: this machine was busy: a responder of cardctl's own took up to 900 ms"

test.each([
  ['no answer is late', taking(900, ...TEN), [], 'passed'],
  ['this machine was quiet', taking(3, ...TEN), TEN, 'failed'],
  ['this machine was busy each time', taking(900, ...TEN), TEN, BUSY],
  ['this machine was busy at another time', taking(900, 100, 20_000), TEN, 'failed'],
  [
    "this machine's disk was slow all the time",
    taking(6, ...Array.from({length: 80}, (_, at) => 3000 + at * 100)),
    TEN,
    "not checked: this machine was busy: a responder of cardctl's own took 6 ms for a call on average, and 100 calls came each second",
  ],
  ['this machine was busy only at one of them', taking(900, 3000), TEN, 'failed'],
] as const)('late answers: %s', async (_, control, late, expected) => {
  expect(await inTime(control, late)).toBe(expected)
})

test('calls that left late say nothing of an endpoint', async () => {
  expect(await inTime(taking(3), TEN, 800)).toBe(
    'not checked: calls left up to 800 ms late, because this machine was busy',
  )
})

test('our own responder is called all the time, and a slow call counts while it was slow', async () => {
  const control = await openControl()
  while (control.calls().length < 3) await delay(10)
  await control.close()
  expect(control.calls().every(({due, answered}) => answered >= due)).toBe(true)
  const from = (at: number) => busyMs(taking(150, 1000), {from: at, to: at + 2000, deadlineMs: 2000})
  expect([from(900), from(1150), from(1151), from(-1001)]).toEqual([150, 150, undefined, undefined])
})
