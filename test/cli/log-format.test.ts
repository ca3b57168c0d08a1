import {afterAll, beforeAll, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`
const env = {TRACEPARENT, TRACESTATE: 'vendor=1'}

let home: Home
let service: Service
let failures = 0
beforeAll(async () => {
  home = await openHome()
  service = await openService(({method}) =>
    method === 'PATCH' && failures-- > 0 ? reply(503, {}) : undefined,
  )
  await home.json([
    'profiles',
    'add',
    'other',
    '--kind',
    'sandbox',
    '--base-url',
    service.url,
    '--auth',
    'none',
  ])
})
afterAll(async () => {
  await service.close()
  await home.remove()
})

interface Entry {
  readonly time: string
  readonly level: string
  readonly trace?: string
  readonly code?: string
  readonly message: string
}
const entries = (stderr: string): Entry[] =>
  stderr
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Entry)

it.each([
  ['a note', ['bulk', 'run', 'cards.get.v4', '--from', '-'], 0, 'info', 'JOB_BEGINS'],
  ['an error of the service', ['cards', 'get', '999'], 5, 'error', 'NOT_FOUND'],
  ['an error of the line', ['cards', 'get', '3001', '--no-such'], 2, 'error', 'USAGE'],
  ['an unknown command', ['no', 'such'], 2, 'error', 'USAGE'],
  ['debug lines', ['cards', 'get', '3001', '--debug'], 0, 'debug', undefined],
])('%s is JSON', async (_, argv, exit, level, code) => {
  const {
    code: ended,
    stderr,
    stdout,
  } = await home.run([...argv, '--log-format', 'json'], {stdin: 'id\n3001\n'})
  expect(ended, stderr).toBe(exit)
  const found = entries(stderr)
  for (const {time, message} of found) {
    expect(new Date(time).toISOString()).toBe(time)
    expect(message).toEqual(expect.any(String))
  }
  expect(found.map(each => [each.level, each.code])).toContainEqual([level, code])
  if (exit === 0) expect(stdout).not.toMatch(/^\{/)
})

it('comes by the variable too, and every line names the trace', async () => {
  const {stderr} = await home.run(['cards', 'get', '999'], {env: {...env, CARDCTL_LOG_FORMAT: 'json'}})
  for (const {trace} of entries(stderr)) expect(trace).toBe(TRACE)
})

it('a trace leads through the attempts of a request, each with its own span', async () => {
  failures = 2
  const before = service.requests.length
  const line = [
    'accounts',
    'patch',
    '2001',
    '--type',
    'credit',
    '--credit-limit',
    '6000',
    '--yes',
    '-p',
    'other',
  ]
  const {code, stderr} = await home.run([...line, '--debug', '--log-format', 'json'], {env})
  expect(code, stderr).toBe(0)
  const parents = service.requests
    .slice(before)
    .filter(({method}) => method === 'PATCH')
    .map(({headers}) => headers.traceparent ?? '')
  expect(parents).toHaveLength(3)
  expect(new Set(parents).size).toBe(3)
  for (const parent of parents) {
    expect(parent).toMatch(new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-01$`))
    expect(stderr).toContain(parent)
  }
  expect(service.requests.at(-1)?.headers.tracestate).toBe('vendor=1')
})

it('a request without a trace has no header of one, and a bad one is named', async () => {
  const {stderr} = await home.run(['cards', 'get', '3001', '-p', 'other'], {env: {TRACEPARENT: '00-0-0-01'}})
  expect(stderr).toContain('TRACEPARENT is no W3C trace context')
  expect(service.requests.at(-1)?.headers).not.toHaveProperty('traceparent')
})
