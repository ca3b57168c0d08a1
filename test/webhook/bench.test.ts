import type {RequestListener} from 'node:http'
import {expect, onTestFinished, test} from 'vitest'
import {scenarios} from '../../src/contract/scenarios.ts'
import {type BenchOptions, runBench} from '../../src/webhook/send/bench.ts'
import {openCaller} from '../../src/webhook/send/caller.ts'
import {scenarioCall, someCard} from '../../src/webhook/send/scenario-call.ts'
import {endpoint, listener} from './listener.ts'

let ids = 0
function makeCall(name: string) {
  const scenario = scenarios[name]
  if (!scenario) throw new Error(`There is no scenario ${name}.`)
  return scenarioCall({
    scenario,
    card: someCard,
    now: Date.now,
    newId: () => `id-${++ids}`,
    random: () => 0.5,
  })
}

function bench(
  url: string,
  {deadlineMs = 10_000, ...more}: Partial<BenchOptions> & {deadlineMs?: number} = {},
) {
  const caller = openCaller({base: new URL(url), deadlineMs, now: Date.now})
  onTestFinished(() => caller.close())
  return runBench({
    caller,
    rate: 200,
    durationMs: 200,
    concurrency: 64,
    mix: [
      {name: 'contactless', weight: 3},
      {name: 'atm', weight: 1},
    ],
    makeCall,
    signal: new AbortController().signal,
    ...more,
  })
}

const approve: RequestListener = (request, response) => {
  request.resume()
  request.on('end', () => response.end('{"transactionData":{"authResponseCode":{"code":"00"}}}'))
}

test('a mix of scenarios is sent and counted, each by its weight', async () => {
  const {url, events} = await listener()
  const {planned, unsent, all, byScenario} = await bench(url)
  expect({planned, unsent, calls: all.calls}).toEqual({planned: 40, unsent: 0, calls: 40})
  expect(all.outcomes).toEqual({approved: 40, partial: 0, declined: 0, invalid: 0, late: 0, unreachable: 0})
  expect([...byScenario].map(([name, tally]) => [name, tally.calls])).toEqual([
    ['contactless', 30],
    ['atm', 10],
  ])
  expect(all.latencies.count).toBe(40)
  expect(new Set(events.map(event => ('id' in event ? event.id : undefined))).size).toBe(40)
})

test('calls are sent at their time, whatever happens to earlier ones', async () => {
  let waiting = 0
  let most = 0
  const url = await endpoint((request, response) => {
    most = Math.max(most, ++waiting)
    response.on('close', () => waiting--)
    setTimeout(() => approve(request, response), 150)
  })
  const {all, elapsedMs} = await bench(url, {rate: 100, durationMs: 300})
  expect(all.outcomes.approved).toBe(30)
  expect(most).toBeGreaterThan(5)
  expect(elapsedMs).toBeGreaterThanOrEqual(290 + 150 - 10)
})

test('a call that finds no room waits, and its wait counts', async () => {
  const url = await endpoint((request, response) => void setTimeout(() => approve(request, response), 40))
  const {all} = await bench(url, {rate: 1000, durationMs: 10, concurrency: 1})
  expect(all.outcomes.approved).toBe(10)
  // The last of ten leaves when nine have been answered.
  expect(all.latencies.max).toBeGreaterThanOrEqual(10 * 39 - 10)
})

test('a call without room within its deadline is late and never sent', async () => {
  const url = await endpoint(() => undefined)
  const {all, unsent} = await bench(url, {rate: 20_000, durationMs: 1, concurrency: 2, deadlineMs: 60})
  expect(all.outcomes.late).toBe(20)
  expect(unsent).toBeGreaterThanOrEqual(10)
  expect(all.latencies.percentile(50)).toBeGreaterThanOrEqual(55)
})

test('an endpoint that does everything wrong is counted for each, with few reasons', async () => {
  let calls = 0
  const url = await endpoint((request, response) => {
    request.resume()
    request.on('end', () => {
      const call = calls++
      if (call % 4 === 0) response.destroy()
      else if (call % 4 === 1) response.writeHead(400 + (call % 100)).end()
      else if (call % 4 === 2) response.end('{"transactionData":{"authResponseCode":{"code":"51"}}}')
      else response.end('no JSON')
    })
  })
  const {all} = await bench(url, {rate: 400, durationMs: 500})
  const {declined, invalid, unreachable, ...others} = all.outcomes
  expect(declined + invalid + unreachable).toBe(200)
  expect(declined).toBeGreaterThan(20)
  expect(invalid).toBeGreaterThan(60)
  expect(others).toEqual({approved: 0, partial: 0, late: 0})
  expect(all.reasons.size).toBeLessThanOrEqual(21)
  expect([...all.reasons.values()].reduce((sum, count) => sum + count, 0)).toBe(invalid + unreachable)
})

test('where nobody listens nothing looks fast', async () => {
  const {all} = await bench('http://127.0.0.1:1')
  expect(all.outcomes.unreachable).toBe(40)
  expect(all.invalid).toBe(40)
  expect(all.latencies.count).toBe(0)
})

test('a signal ends it with what was counted, also while calls wait for room', async () => {
  const stop = new AbortController()
  let received = 0
  const url = await endpoint((request, response) => {
    received++
    if (received <= 5) approve(request, response)
    if (received === 7) stop.abort()
  })
  const {all, planned} = await bench(url, {durationMs: 60_000, concurrency: 2, signal: stop.signal})
  expect(planned).toBe(12_000)
  expect(all.outcomes).toMatchObject({approved: 5, late: 0})
  expect(all.calls).toBe(5)
})

test('a call that cannot be made ends the run', async () => {
  const {url} = await listener()
  await expect(bench(url, {mix: [{name: 'none', weight: 1}]})).rejects.toThrow('no scenario none')
})
