import {afterEach, beforeEach, expect, test} from 'vitest'
import {openService, reply, type Service} from '../helpers/service.ts'
import {CANARY, check, openScene, type Scene} from './scene.ts'

let scene: Scene
let service: Service
beforeEach(async () => {
  scene = await openScene()
})
afterEach(async () => {
  await service.close()
  await scene.home.remove()
})

async function serve(...answer: Parameters<typeof openService>): Promise<void> {
  service = await openService(...answer)
  await scene.add(service.url)
}

test('a service that answers: one read to see whether, five to see how fast, and nothing else', async () => {
  await serve()
  const report = await scene.doctor()
  expect(report).toMatchObject({ok: true, code: 0})
  expect(check(report, 'authentication').state).toBe('ok')
  expect(check(report, 'latency').message).toMatch(/^\d+ ms, median of 5 reads \(\d+ to \d+ ms\)$/)
  expect(service.requests.map(({method, url}) => `${method} ${url.split('?')[0]}`)).toEqual(
    Array.from({length: 6}, () => 'GET /v1/a2a/batches'),
  )
})

test.each([
  [401, 'UNAUTHENTICATED', 4],
  [500, 'SERVICE_FAULT', 8],
])('a %i is a problem', async (status, code, exit) => {
  await serve(() => reply(status, {title: 'No', detail: `not with ${CANARY}`}))
  const report = await scene.doctor()
  expect(report).toMatchObject({ok: false, code: exit, exit})
  expect(check(report, 'authentication')).toMatchObject({state: 'problem', code})
  expect(check(report, 'latency').message).toBe('not checked, because the service does not respond to a read')
})

test('a 403 shows that the credential is good', async () => {
  await serve(() => reply(403, {title: 'Forbidden'}))
  const report = await scene.doctor()
  expect(report.code).toBe(0)
  expect(check(report, 'authentication')).toMatchObject({
    state: 'ok',
    message: 'accepted; the service does not let this user read /v1/a2a/batches (403)',
  })
})

test('a 404 says what to look at, and is no problem by itself', async () => {
  await serve(() => reply(404, {title: 'Not found'}))
  const report = await scene.doctor()
  expect(report.code).toBe(0)
  expect(check(report, 'authentication')).toMatchObject({state: 'warning'})
})

test('a login page is recognised', async () => {
  await serve(() => ({
    status: 200,
    headers: {'content-type': 'text/html'},
    body: Buffer.from('<!doctype html><form>Sign in</form>'),
  }))
  const report = await scene.doctor()
  expect(report.code).toBe(8)
  expect(check(report, 'authentication')).toMatchObject({
    state: 'problem',
    message: 'the response is an HTML page, perhaps of a login or a proxy',
  })
})

test.each([
  [3_600_000, 'this machine is 60 min ahead of the service'],
  [-90_000, 'this machine is 90 s behind the service'],
])('a clock that is %i ms out', async (drift, message) => {
  const date = new Date().toUTCString()
  const at = Date.parse(date) + 500
  await serve(
    () => undefined,
    own => ({...own, headers: {...own.headers, date}}),
  )
  const report = await scene.doctor([], {now: () => at + drift})
  expect(report.code).toBe(0)
  expect(check(report, 'clock')).toMatchObject({state: 'warning'})
  // Whole seconds: the service may have written its time up to one earlier.
  expect(check(report, 'clock').message.replace('89 s', '90 s')).toBe(message)
})

test('a clock that agrees', async () => {
  const date = new Date(Date.UTC(2026, 10, 22, 5)).toUTCString()
  await serve(
    () => undefined,
    own => ({...own, headers: {...own.headers, date}}),
  )
  const report = await scene.doctor([], {now: () => Date.parse(date) + 700})
  expect(check(report, 'clock')).toMatchObject({state: 'ok', facts: {differenceSeconds: 0}})
})

test('a slow service is a warning', async () => {
  await serve()
  // Each request takes two seconds of the clock.
  const start = Date.now()
  const report = await scene.doctor([], {now: () => start + service.requests.length * 2000})
  expect(check(report, 'latency')).toMatchObject({state: 'warning', facts: {medianMs: 2000}})
})

test('the quota comes from the service or from the profile', async () => {
  await serve(
    () => undefined,
    own => ({
      ...own,
      headers: {...own.headers, 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '0'},
    }),
  )
  expect(check(await scene.doctor(), 'quota')).toMatchObject({
    state: 'warning',
    message:
      'x-ratelimit-limit 50, x-ratelimit-remaining 0; profile: 50/s, 3000/min, 100% of it for bulk runs',
  })
})

test('a request without an answer is named until it is resolved', async () => {
  let isCut = true
  await serve(({method}) =>
    method === 'POST' && isCut ? {status: 0, headers: {}, body: Buffer.alloc(0), drop: true} : undefined,
  )
  const env = {THERE_TOKEN: CANARY, CARDCTL_PROFILE: 'there'}
  const create = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR:rent', '--yes']
  expect((await scene.home.run(create, {env})).code).toBe(10)
  isCut = false
  const report = await scene.doctor()
  expect(report.code).toBe(0)
  expect(check(report, 'journal')).toMatchObject({
    state: 'warning',
    message: 'sound; whether 1 request had an effect is not known',
    advice: expect.stringMatching(/requests resolve r_\w+ --profile there|requests resolve r_\w+ -p there/),
  })
})
