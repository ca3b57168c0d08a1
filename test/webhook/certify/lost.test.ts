// What is left of a certificate when the endpoint is gone.
import {randomUUID} from 'node:crypto'
import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {type BehaviourCheck, certify} from '../../../src/webhook/certify/index.ts'
import {openCaller} from '../../../src/webhook/index.ts'

const sends = (name: string): BehaviourCheck => ({
  name,
  rule: 'status',
  run: async exam => exam.expectOutcome(await exam.send(exam.call('chip')), 'decided'),
})

const restarts: BehaviourCheck = {
  name: 'restarts',
  rule: 'repeats-after-restart',
  needs: ['restart'],
  run: exam => exam.restart(),
}

test('a restart that failed is not tried again, and what follows is not checked', async () => {
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const caller = openCaller({base: new URL(url), deadlineMs: 60_000, now: Date.now})
  onTestFinished(() => caller.close())
  let times = 0
  const run = certify({
    caller,
    url,
    suites: [],
    behaviour: [restarts, sends('one'), sends('another')],
    restart: async () => {
      times++
      server.closeAllConnections()
      server.close()
      return {problem: '--restart failed: it ended with exit code 7'}
    },
    seed: 1,
    signal: new AbortController().signal,
    now: Date.now,
    newId: randomUUID,
    random: Math.random,
    calls: 1,
    rate: 100,
  })
  let next = await run.next()
  while (next.done !== true) next = await run.next()
  expect(times).toBe(1)
  expect(next.value.restart).toMatchObject({failure: '--restart failed: it ended with exit code 7'})
  const [first, ...others] = next.value.checks
  expect(first).toMatchObject({name: 'restarts', state: 'failed'})
  expect(new Set(others.map(({state}) => state))).toEqual(new Set(['not checked']))
  expect(others[0]?.reason).toBe('the endpoint no longer answered; this showed first at: restarts')
})
