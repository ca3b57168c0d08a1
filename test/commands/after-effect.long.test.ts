// What is said when a write was carried out, and something after it fails.
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const SERVED = {env: {CARDCTL_PROFILE: 'served'}}
const CREATE = ['a2a', 'create', '--transfer', '2006:2007:1.00:EUR:rent', '--yes']
const ENROL = ['remotecheckout', 'enroll', '--card', '3001', '--bid', 'B', '--no-check-input']
/** What can't stand in a path, as JSON writes it, and as the journal keeps it. */
const UNUSABLE = ['..', 'a/../../b', 'a\\b', '\ud800', 'x\udfff']
const kept = (id: string): string => (id.isWellFormed() ? id : JSON.stringify(id).slice(1, -1))

let home: Home
let service: Service
/** The id in the response to a write, and what a read gets. */
let made: string
let read: Parameters<typeof openService>[0]

beforeEach(async () => {
  made = '88001'
  read = () => reply(404, {title: 'batch not found', status: 404})
  service = await openService(request => {
    if (request.method !== 'POST') return read?.(request)
    return request.url.includes('enroll')
      ? reply(202, {requestTraceId: made})
      : reply(200, {id: made, status: 'IN_PROGRESS'})
  })
  home = await openHome()
  await home.json(['profiles', 'add', 'served', '--kind', 'sandbox', '--base-url', service.url])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const run = (argv: readonly string[], env = {}) => home.run(argv, {env: {...SERVED.env, ...env}})
const entries = (...flags: string[]) =>
  home.json<{id: string; state: string; replyId?: string; resources: string[]}[]>(
    ['requests', 'list', ...flags],
    SERVED,
  )
const lastError = (stderr: string) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error

describe.each([
  ['the wait for a batch', [...CREATE, '--wait']],
  ['the read of a batch', [...CREATE, '--show-change']],
  ['the wait for an operation', [...ENROL, '--wait']],
])('%s that fails', (_, argv) => {
  test.each<[string, NonNullable<typeof read>]>([
    ['with 404', () => reply(404, {title: 'not found', status: 404})],
    ['with 401', () => reply(401, null)],
    ['with 422', () => reply(422, {title: 'no', status: 422})],
    ['with 429', () => reply(429, {title: 'slow down', status: 429}, {'retry-after': '999999'})],
    ['with 501', () => reply(501, {title: 'not here', status: 501})],
    ['without a response', () => ({...reply(200, {}), drop: true})],
    [
      'with a page',
      () => ({status: 200, headers: {'content-type': 'text/html'}, body: Buffer.from('<html>')}),
    ],
    ['with another id', () => reply(200, {id: '99', requestTraceId: '99', status: 'COMPLETED'})],
  ])('%s leaves the write done, and names it', async (__, answer) => {
    read = answer
    const {code, stderr} = await run([...argv, '-o', 'json', '--retries', '0'])
    const error = lastError(stderr)
    const [entry] = await entries()
    expect([code, error.code, error.effect, error.requestId]).toEqual([
      12,
      'FOLLOW_UP_FAILED',
      'done',
      entry?.id,
    ])
    expect(error.hint).toContain(`requests show ${entry?.id}`)
    expect(entry).toMatchObject({state: 'done', replyId: made})
  })

  test.each(UNUSABLE)('because the id %j cannot be asked for leaves it done too', async id => {
    made = id
    const {code, stderr} = await run([...argv, '-o', 'json'])
    const error = lastError(stderr)
    expect([code, error.code, error.effect]).toEqual([12, 'FOLLOW_UP_FAILED', 'done'])
    expect(stderr).toContain('"code":"ID_UNUSABLE"')
    expect(await entries()).toMatchObject([{id: error.requestId, state: 'done', replyId: kept(id)}])
  })
})

describe.each(UNUSABLE)('an id %j that cannot be asked for', id => {
  beforeEach(() => {
    made = id
  })

  test('is shown and kept as it came, and no command is named with it', async () => {
    const batch = await run([...CREATE, '-o', 'json'])
    expect([batch.code, JSON.parse(batch.stdout)]).toMatchObject([0, [{id}]])
    expect((await run([...ENROL, '-o', 'json'])).stderr).not.toContain('Its outcome')
    const shown = await home.run([...CREATE, '--again'], {...SERVED, columns: 100})
    expect([shown.code, shown.stderr]).toEqual([0, expect.not.stringContaining('Next:')])
    expect(shown.stderr).toContain('no command can ask for it')
    const all = await entries()
    expect(all.map(({state, replyId}) => [state, replyId])).toEqual(Array(3).fill(['done', kept(id)]))
    expect(all[0]?.resources).toContain(`batch:${kept(id)}`)
    expect((await run(['audit', 'verify'])).code).toBe(0)
  })

  test('does not stop later commands that read what was made', async () => {
    await run(CREATE)
    await run(ENROL)
    read = undefined
    expect((await run([...CREATE, '-o', 'json'])).code).toBe(14)
    expect((await run(['remotecheckout', 'traces', '-o', 'json'])).code).toBe(0)
    const report = await run(['report', 'shift', '-o', 'json'])
    expect([report.code, JSON.parse(report.stdout).accepted]).toEqual([0, 2])
  })
})

test('a write that is refused itself keeps its own code and effect', async () => {
  await service.close()
  service = await openService(() => reply(422, {title: 'no', status: 422}))
  await home.json(['profiles', 'edit', 'served', '--base-url', service.url])
  const {code, stderr} = await run([...CREATE, '--wait', '-o', 'json'])
  expect([code, lastError(stderr).effect]).toEqual([6, 'none'])
})

test.each([
  ['a batch', [...CREATE, '--wait'], 'a2a watch 88001'],
  ['an operation', [...ENROL, '--wait'], 'remotecheckout status 88001'],
])('a wait for %s that breaks off ends with how it is followed, and when', async (_, argv, next) => {
  read = () => ({status: 503, headers: {}, body: Buffer.alloc(0)})
  const {code, stderr} = await run([...argv, '--retries', '0'])
  expect(code).toBe(12)
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(
    `  Next, when the service is up again: cardctl ${next} -p served`,
  )
})

test('a batch that cannot be followed now can be later', async () => {
  await run(CREATE)
  read = () => ({status: 503, headers: {}, body: Buffer.alloc(0)})
  const {code, stderr} = await run(['a2a', 'watch', '88001', '-o', 'json', '--retries', '0'])
  expect(code).toBe(8)
  expect(lastError(stderr).data).toMatchObject({
    next: 'cardctl a2a watch 88001 -p served',
    nextWhen: 'when the service is up again',
  })
})
