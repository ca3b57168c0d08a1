import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import type {BulkSummary} from '../../src/commands/bulk/shared/summary.ts'
import type {PlainRequest, PlainResponse} from '../../src/sandbox/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const ROWS = 60
const PATCH = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--rate', 'off']
const rows = `id,creditLimit\n${Array.from({length: ROWS}, (_, at) => `${9000 + at},${at}\n`).join('')}`

let home: Home
let service: Service
let answer: (request: PlainRequest) => PlainResponse | undefined
beforeEach(async () => {
  home = await openHome()
  service = await openService(request => answer(request))
  const flags = ['--kind', 'sandbox', '--base-url', service.url, '--auth', 'none']
  await home.json(['profiles', 'add', 'other', ...flags])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const lastJob = async (): Promise<BulkSummary> => {
  const [job] = await home.json<BulkSummary[]>(['bulk', 'list', '-p', 'other'])
  if (job === undefined) throw new Error('there is no job')
  return job
}
const run = (...more: string[]) =>
  home.run([...PATCH, '-p', 'other', '--concurrency', '2', ...more], {stdin: rows})
const page = (status: number): PlainResponse => ({
  status,
  headers: {'content-type': 'text/html'},
  body: Buffer.from('<html><title>Blocked</title></html>'),
})
const problem = (status: number, title: string) =>
  reply(status, {
    type: 'about:blank',
    title,
    status,
    detail: title,
    id: '1',
    timestamp: '2026-01-01T00:00:00Z',
  })
const updated = () => reply(200, {description: 'Updated'})
const text = (status: number): PlainResponse => ({status, headers: {}, body: Buffer.from('not found')})
let asked = 0
beforeEach(() => {
  asked = 0
})

test('rows of one account end with the code of the first, for which the others wait', async () => {
  await home.json(['profiles', 'edit', 'other', '--base-url', 'http://127.0.0.1:1', '--yes'])
  const same = `id,creditLimit\n${Array.from({length: 30}, (_, at) => `9000,${at}\n`).join('')}`
  const {code, stderr} = await home.run([...PATCH, '-p', 'other', '--retries', '0'], {stdin: same})
  expect([code, stderr]).toEqual([
    9,
    expect.stringContaining('Every row that was tried failed with CONNECTION_FAILED: 0 of 30 rows done'),
  ])
})

test.each([
  ['is not there', () => 'http://127.0.0.1:1/token'],
  ['says 503', () => `${service.url}/token`],
])('a token endpoint that %s is blamed, and not the service', async (_, tokenUrl) => {
  answer = () => text(503)
  const auth = [
    '--auth',
    'oauth2',
    '--token-url',
    tokenUrl(),
    '--client-id',
    'job',
    '--secret',
    'env:CLIENT_SECRET',
  ]
  await home.json(['profiles', 'edit', 'other', ...auth, '--yes'])
  const {code, stderr} = await home.run([...PATCH, '-p', 'other', '--retries', '0'], {
    stdin: rows,
    env: {CLIENT_SECRET: 'secret-of-the-job'},
  })
  expect(stderr).toContain(
    'SERVICE_DOWN: The token endpoint gives no token, so the run stopped: 0 of 60 rows done',
  )
  expect(stderr).toContain('Next, when the token endpoint gives a token: cardctl bulk resume')
  if (tokenUrl().includes(':1/')) expect(stderr).toContain('Nothing reached the service.')
  expect(code).toBe(13)
  expect(service.requests.filter(({url}) => url !== '/token')).toEqual([])
})

test.each([
  ['401', () => problem(401, 'Unauthorised'), 4, 'UNAUTHENTICATED'],
  ['403', () => problem(403, 'Forbidden'), 4, 'FORBIDDEN'],
  ['403 of a firewall', () => page(403), 10, 'EFFECT_UNKNOWN'],
  ['404 of a web server', () => page(404), 5, 'NOT_FOUND'],
  ['404 without a problem', () => text(404), 5, 'NOT_FOUND'],
  ['400 of a proxy', () => page(400), 6, 'REFUSED'],
])('%s to every row stops the run, and a resume sends all of them', async (_, refusal, exit, code) => {
  answer = refusal
  const result = await run()
  expect(result.code).toBe(exit)
  expect(result.stderr).toContain(code)
  expect(result.stderr).toContain('5 rows one after another ended alike')
  const {job, ...counts} = await lastJob()
  expect(result.stderr).toContain(`bulk resume ${job}`)
  expect(counts).toMatchObject({state: 'stopped', done: 0, failed: 0, unknown: 0})
  // A page of a firewall may come after the effect. The key makes it harmless to send these rows again.
  expect(counts.sent > 0).toBe(exit === 10)
  expect(service.requests.length).toBeLessThanOrEqual(8)
  answer = updated
  expect((await home.run(['bulk', 'resume', job, '--rate', 'off', '-p', 'other'])).code).toBe(0)
  expect(await lastJob()).toMatchObject({state: 'done', done: ROWS})
})

test.each([
  ['one answer in between', () => (asked++ % 5 === 4 ? updated() : problem(403, 'Forbidden')), 48],
  [
    'unknown accounts, one after the other',
    () => (asked++ < 30 ? problem(404, 'No account') : updated()),
    30,
  ],
  ['a bare 404 behind a row that was done', () => (asked++ === 0 ? updated() : text(404)), 59],
])('%s: the refusals are the rows’ own, and the run goes on', async (_, answers, failed) => {
  answer = answers
  const {code} = await home.run([...PATCH, '-p', 'other', '--concurrency', '1'], {stdin: rows})
  expect(code).toBe(11)
  expect(await lastJob()).toMatchObject({state: 'done', failed, done: ROWS - failed})
})

test.each([
  ['401', () => problem(401, 'Unauthorised'), 'when the credential is right'],
  ['403', () => problem(403, 'Forbidden'), 'when the permission is given'],
])(
  '%s to fewer rows than stop a run leaves them for a resume, whatever was done before',
  async (_, refusal, when) => {
    const few = 'id,creditLimit\n1,1\n2,2\n3,3\n'
    const short = (key: string) =>
      home.run([...PATCH, '-p', 'other', '--concurrency', '1', '--job-key', key], {stdin: few})
    for (const done of [0, 1]) {
      asked = 0
      answer = () => (asked++ < done ? updated() : refusal())
      const {code, stderr} = await short(`key-${done}`)
      expect(code, stderr).toBe(4)
      expect(stderr).toContain(`${3 - done} left without an effect`)
      expect(stderr).toContain(`Next, ${when}: cardctl bulk resume j_`)
      expect(await lastJob()).toMatchObject({failed: 0, again: 3 - done})
      answer = updated
      expect((await short(`key-${done}`)).code).toBe(0)
    }
  },
)

test('a run that keeps refused rows in a file says what to do with it', async () => {
  answer = () => (asked++ === 1 ? problem(409, 'Blocked') : updated())
  const {stderr} = await run('--failed-rows', `${home.folder}/failed.csv`)
  expect(stderr).toContain('/failed.csv: correct them, and send that file as a job of its own.')
})

describe('a short job', () => {
  const FEW = 'id,creditLimit\n1,1\n2,2\n3,3\n'
  const short = (...argv: string[]) =>
    home.run([...PATCH, '-p', 'other', '-o', 'json', '-q', ...argv], {stdin: FEW})

  test.each([
    ['401', () => problem(401, 'Unauthorised'), 4, 'UNAUTHENTICATED'],
    ['403', () => problem(403, 'Forbidden'), 4, 'FORBIDDEN'],
    ['404', () => problem(404, 'No account'), 5, 'NOT_FOUND'],
    ['422', () => problem(422, 'Refused'), 6, 'REFUSED'],
  ])('whose rows all get %s ends with the exit code of that', async (_, refusal, exit, expected) => {
    answer = refusal
    const {code, stdout, stderr} = await short()
    expect(code).toBe(exit)
    expect(JSON.parse(stdout)).toMatchObject({rows: 3, done: 0})
    const {error} = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(error).toMatchObject({
      code: expected,
      data: {rows: 3, next: expect.stringContaining('cardctl bulk ')},
    })
    answer = updated
    expect((await short('--job-key', 'later')).code).toBe(0)
  })

  test('that reaches no service ends with 9 and has all rows left', async () => {
    await service.close()
    const {code, stdout} = await short('--retries', '0')
    expect([code, JSON.parse(stdout)]).toEqual([9, expect.objectContaining({failed: 0, again: 3})])
  })

  test.each([
    ['differ', () => (asked++ === 1 ? problem(404, 'No account') : problem(422, 'Refused'))],
    ['are partly done', () => (asked++ === 1 ? updated() : problem(422, 'Refused'))],
  ])('whose rows %s ends with 11', async (_, answers) => {
    answer = answers
    expect((await short('--concurrency', '1')).code).toBe(11)
  })
})

test('--keep-going treats every refusal as the row’s own', async () => {
  answer = () => problem(403, 'Forbidden')
  expect((await run('--keep-going')).code).toBe(4)
  expect(await lastJob()).toMatchObject({state: 'done', failed: ROWS})
})

test('a page with status 200 is no success: the rows stay open, and the run stops', async () => {
  answer = () => page(200)
  expect((await run()).code).toBe(10)
  const {job, ...counts} = await lastJob()
  expect(counts).toMatchObject({state: 'stopped', done: 0, failed: 0})
  expect(counts.sent).toBeGreaterThanOrEqual(5)
  answer = updated
  expect((await home.run(['bulk', 'resume', job, '--rate', 'off', '-p', 'other'])).code).toBe(0)
})

test('reads stop too', async () => {
  answer = () => page(200)
  const ids = `id\n${Array.from({length: ROWS}, (_, at) => `${3000 + at}\n`).join('')}`
  const argv = ['bulk', 'run', 'cards.get.v4', '--from', '-', '--rate', 'off', '-p', 'other']
  expect((await home.run(argv, {stdin: ids})).code).toBe(8)
  expect(await lastJob()).toMatchObject({state: 'stopped', done: 0, failed: 0})
})

test('a path that no operation has', async () => {
  answer = () => undefined
  await home.json(['profiles', 'edit', 'other', '--base-url', `${service.url}/wrong`])
  expect((await run()).code).toBe(5)
  expect(await lastJob()).toMatchObject({state: 'stopped', failed: 0})
})

test('credentials that cannot be read', async () => {
  answer = updated
  await home.json(['profiles', 'edit', 'other', '--auth', 'bearer', '--secret', 'env:NOT_THERE'])
  expect((await run()).code).toBe(3)
  expect(await lastJob()).toMatchObject({state: 'stopped', failed: 0, done: 0})
  expect(service.requests).toHaveLength(0)
})

test('doctor names the profile where it says what to change, and not itself', async () => {
  answer = () => ({status: 302, headers: {location: '/login'}, body: Buffer.alloc(0)})
  const {stdout, stderr} = await home.run(['doctor', '-p', 'other'])
  expect(stdout + stderr).toContain('cardctl profiles edit other --base-url URL')
  expect(stdout + stderr).not.toMatch(/NAME|: cardctl doctor/)
})
