// Why a row is not done stays told until it is sent again and ends.
import {afterEach, beforeEach, expect, test} from 'vitest'
import type {PlainResponse} from '../../src/sandbox/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
let answer: () => PlainResponse | undefined
beforeEach(async () => {
  home = await openHome()
  service = await openService(({method}) => (method === 'PATCH' ? answer() : undefined))
  const auth = ['--auth', 'bearer', '--secret', 'env:CARDS_TOKEN']
  await home.json(['profiles', 'add', 'own', '--kind', 'test', '--base-url', service.url, ...auth])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const ROWS = `id,creditLimit\n${Array.from({length: 20}, (_, at) => `2001,${1000 + at}\n`).join('')}`
const SLOWLY = ['--concurrency', '1', '--rate', 'off', '--retries', '0', '--yes', '-p', 'own']
const RUN = 'bulk run accounts.patchCredit.v4 --from - --unordered'.split(' ')
const RESUME = ['bulk', 'resume', 'last']
const WITH_TOKEN = {env: {CARDS_TOKEN: 'let-me-in'}}
const problem = (status: number) =>
  reply(status, {title: 'No', status}, {'content-type': 'application/problem+json'})

test('a resume without its secret keeps the response that a row got before', async () => {
  answer = () => reply(503, 'Down for maintenance', {'content-type': 'text/html'})
  const first = await home.run([...RUN, ...SLOWLY], {...WITH_TOKEN, stdin: ROWS})
  expect(first.stderr).toMatch(/\d+ × EFFECT_UNKNOWN \(HTTP 503\), such as row 1 /)
  const second = await home.run([...RESUME, ...SLOWLY])
  expect([second.code, second.stderr]).toEqual([3, expect.stringContaining('CARDS_TOKEN')])
  expect(second.stderr).toMatch(/\d+ × EFFECT_UNKNOWN \(HTTP 503\), such as row 1 /)
  expect(second.stderr).not.toContain('cut off before')
})

test('every row that was tried has its reason, also one that a later run did not come to', async () => {
  answer = () => problem(401)
  expect((await home.run([...RUN, ...SLOWLY], {...WITH_TOKEN, stdin: ROWS})).code).toBe(4)
  answer = () => problem(422)
  const {stderr} = await home.run([...RESUME, ...SLOWLY, '--max-failures', '1'], WITH_TOKEN)
  const [, tried] = /left without an effect \((\d+) of them tried so far\)/.exec(stderr) ?? []
  const [, told] = /^ {2}(\d+) × UNAUTHENTICATED \(HTTP 401\), such as row \d/m.exec(stderr) ?? []
  expect(Number(tried), stderr).toBeGreaterThan(1)
  expect(told).toBe(tried)
})

test('a row that failed keeps its reason where --retry-failed has not sent it', async () => {
  answer = () => problem(409)
  await home.run([...RUN, ...SLOWLY, '--max-failures', '12'], {...WITH_TOKEN, stdin: ROWS})
  const {stderr} = await home.run([...RESUME, '--retry-failed', ...SLOWLY])
  expect(stderr).toMatch(/ {2}\d × REFUSED \(HTTP 409\), such as row \d/)
})
