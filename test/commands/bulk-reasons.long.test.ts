import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import type {BulkSummary} from '../../src/commands/bulk/shared/summary.ts'
import type {PlainRequest, PlainResponse} from '../../src/sandbox/index.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
let answer: (request: PlainRequest) => PlainResponse | Promise<PlainResponse> | undefined

beforeEach(async () => {
  home = await openHome()
  service = await openService(request => (request.method === 'PATCH' ? answer(request) : undefined))
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
afterEach(async () => {
  await service.close()
  await home.remove()
})

const ON = ['-p', 'other']
const updated = () => reply(200, {description: 'Updated'})
const problem = (status: number, title: string) =>
  reply(status, {
    type: 'about:blank',
    title,
    status,
    detail: title,
    id: '1',
    timestamp: '2026-01-01T00:00:00Z',
  })
const limited = (seconds: number): PlainResponse => {
  const response = problem(429, 'Too many requests')
  return {...response, headers: {...response.headers, 'retry-after': String(seconds)}}
}
const idOf = ({url}: PlainRequest) => Number(/CREDIT\/(\d+)/.exec(url)?.[1])

const run = (ids: readonly number[], more: readonly string[] = [], options: RunOptions = {}) =>
  home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--concurrency', '1', ...ON, ...more], {
    ...options,
    stdin: `id,creditLimit\n${ids.map(id => `${id},100\n`).join('')}`,
  })

const errorIn = (stderr: string) => {
  const line = stderr.split('\n').find(text => text.startsWith('{"error"'))
  return (JSON.parse(line ?? '{}') as {error: {code: string; data: BulkSummary & {stopped?: string}}}).error
}

describe('a run that leaves rows', () => {
  it('ends with the most frequent reasons, an example of each, and one command', async () => {
    answer = request => {
      const id = idOf(request)
      return id < 3 ? problem(409, 'Blocked') : id === 3 ? problem(404, 'No account') : undefined
    }
    const {code, stderr} = await run([1, 2, 3, 2001])
    expect(code).toBe(11)
    const lines = stderr.trimEnd().split('\n')
    const error = lines.findIndex(line =>
      line.startsWith('Error PARTLY_DONE: 1 of 4 rows done, 3 failed, 0 left.'),
    )
    expect(lines.slice(error + 1)).toEqual([
      expect.stringMatching(
        /^ {2}2 × REFUSED \(HTTP 409\), such as row 1 \(request r_\w+\): PATCH .*Blocked/,
      ),
      expect.stringMatching(/^ {2}1 × NOT_FOUND \(HTTP 404\), row 3 \(request r_\w+\): .*No account/),
      expect.stringMatching(
        /^ {2}bulk resume --retry-failed sends the 3 that failed once more; .* lists them\.$/,
      ),
      expect.stringMatching(
        /^ {2}Next, when that is put right: cardctl bulk resume j_\w+ --retry-failed -p other$/,
      ),
    ])
  })

  it.each([
    [403, 'FORBIDDEN', 'when the permission is given', 4, /given: cardctl bulk resume j_\w+ -p other$/m],
    [
      409,
      'REFUSED',
      'when that is put right',
      11,
      /Next: cardctl bulk results j_\w+ --state failed -p other$/m,
    ],
  ])(
    'of which one is refused with %i names what sends it again, once',
    async (status, reason, when, code, then) => {
      let isRight = false
      answer = request => (idOf(request) === 2002 && !isRight ? problem(status, 'No') : updated())
      const {stderr} = await run([2001, 2002, 2003])
      expect(stderr).toContain(`1 × ${reason}`)
      const next = new RegExp(
        `^ {2}Next, ${when}: cardctl (bulk resume (j_\\w+) --retry-failed) -p other$`,
        'm',
      )
      const [, argv = '', job = ''] = next.exec(stderr) ?? []
      expect(await home.json(['bulk', 'status', job, ...ON])).toMatchObject({nextWhen: when})
      const again = await home.run([...argv.split(' '), ...ON])
      expect([again.code, again.stderr.match(next)]).toEqual([code, null])
      expect(again.stderr).toMatch(then)
      isRight = true
      expect((await home.run([...argv.split(' '), ...ON])).code).toBe(0)
    },
  )

  it('names no row as cut off that the run gave up before it was sent', async () => {
    let accepted = 12
    answer = () => (accepted-- > 0 ? updated() : problem(401, 'Unknown credential'))
    const ids = Array.from({length: 30}, (_, at) => 2001 + at)
    await home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--concurrency', '8', ...ON], {
      stdin: `id,creditLimit\n${ids.map(id => `${id},100\n`).join('')}`,
    })
    for (let again = 0; again < 4; again++) {
      const {code, stderr} = await home.run(['bulk', 'resume', 'last', '--concurrency', '8', ...ON])
      expect(code, stderr).toBe(4)
      expect(stderr).not.toContain('cut off before')
      expect((await home.run(['bulk', 'status', 'last', ...ON])).stdout).not.toMatch(/cut off|EFFECT_UNKNOWN/)
    }
  })

  it('has no more than five, and says the same in the error, in status and in list', async () => {
    const statuses = [400, 404, 405, 406, 409, 410, 412]
    answer = request => problem(statuses[idOf(request)] ?? 500, 'No')
    const {stderr} = await run([0, 1, 2, 3, 4, 5, 6], ['-o', 'json'])
    const {data} = errorIn(stderr)
    expect(data.reasons).toHaveLength(5)
    expect(data.reasons?.[0]).toMatchObject({
      code: 'REFUSED',
      status: 400,
      count: 1,
      example: {row: 1, line: 2},
    })
    const status = await home.json<BulkSummary>(['bulk', 'status', 'last', ...ON])
    const [listed] = await home.json<BulkSummary[]>(['bulk', 'list', ...ON])
    const shared = {reasons: data.reasons, next: data.next, open: data.open, left: data.left}
    expect(status).toMatchObject(shared)
    expect(listed).toMatchObject(shared)
    expect((await home.run(['bulk', 'status', 'last', ...ON])).stdout).toContain(
      '1 × REFUSED (HTTP 400), row 1',
    )
  })

  it('names the request to resolve where no key is honoured, and counts it as unknown', async () => {
    answer = () => ({status: 500, headers: {}, body: Buffer.from('')})
    const {stderr, code} = await home.run(
      ['bulk', 'run', 'pricelists.patch.v1', '--from', '-', '--rate', 'off', ...ON],
      {stdin: 'id,code\n5001,A\n'},
    )
    expect(code).toBe(10)
    expect(stderr).toContain('0 left, 1 sent, effect unknown.')
    expect(stderr).toMatch(
      /1 × EFFECT_UNKNOWN \(HTTP 500\), row 1 \(request (r_\w+)\)[\s\S]*\n {2}Next: cardctl requests resolve \1/,
    )
  })
})

it('shows no row of unknown effect as the example of a reason by which nothing happened', async () => {
  answer = request =>
    idOf(request) === 1
      ? {status: 503, headers: {}, body: Buffer.alloc(0)}
      : {status: 403, headers: {}, body: Buffer.alloc(0)}
  await run([1, 2, 3], ['--retries', '0'])
  answer = () => ({status: 403, headers: {}, body: Buffer.alloc(0)})
  const job = await home.json<BulkSummary>(['bulk', 'status', 'last', ...ON])
  await home.run(['bulk', 'resume', job.job, '--yes', ...ON])
  const {open, reasons} = await home.json<BulkSummary>(['bulk', 'status', 'last', ...ON])
  // Row 1 got a 503 before.
  expect([open, reasons?.map(({code, example}) => [code, example.row])]).toEqual([1, [['FORBIDDEN', 2]]])
})

it('doctor says of a job that ended how many of its rows failed', async () => {
  answer = request => (idOf(request) === 2 ? {status: 403, headers: {}, body: Buffer.alloc(0)} : updated())
  await run([1, 2, 3])
  const {stdout} = await home.run(['doctor', ...ON])
  expect(stdout).toMatch(/Bulk jobs +none is left undone\. j_\w+ ended with 1 row failed/)
})

it('doctor has the numbers and reasons of a job as data, and one next command', async () => {
  answer = request => (idOf(request) === 2 ? {status: 503, headers: {}, body: Buffer.alloc(0)} : updated())
  await run([1, 2, 3], ['--retries', '0'])
  const job = await home.json<BulkSummary>(['bulk', 'status', 'last', ...ON])
  const {checks} = await home.json<{checks: {id: string; advice?: string; facts: {open: object[]}}[]}>([
    'doctor',
    ...ON,
  ])
  const [found] = checks.find(({id}) => id === 'bulk')?.facts.open ?? []
  const {rows, done, failed, held, left, open, reasons, next, nextWhen} = job
  expect(nextWhen).toBe('when the service is up again')
  expect(reasons?.[0]?.blame).toBe('service')
  expect([done, open, reasons?.length]).toEqual([2, 1, 1])
  expect(found).toEqual({job: job.job, rows, done, failed, held, left, open, reasons, next, nextWhen})
  const advised = checks.flatMap(({advice}) => /cardctl (?:bulk|requests) \w+/.exec(advice ?? '') ?? [])
  expect(advised).toEqual(['cardctl bulk resume'])
})

describe('a pause that the service asks for', () => {
  it('ends the run with 7 if it is longer than --max-pause, and is shown and cleared', async () => {
    let isOver = false
    answer = () => (isOver ? updated() : limited(86_400))
    const first = await run([1, 2, 3], ['-o', 'json'])
    expect(first.code).toBe(7)
    const {data} = errorIn(first.stderr)
    expect(data).toMatchObject({stopped: 'pause', left: 3, failed: 0, open: 0})
    expect(data.paused?.why).toContain(`asked for a pause (429), in response to bulk job ${data.job}`)
    expect(data.next).toContain(`bulk resume ${data.job}`)
    expect(data.nextAfter).toBe(data.paused?.until)
    expect(data.nextWhen).toMatch(/^after \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)
    isOver = true
    const sent = service.requests.length

    const second = await run([4])
    expect(second.code).toBe(7)
    expect(second.stderr).toMatch(
      /Nothing is sent until \S+ \S+ UTC \((24 h|23 h 59 min)\), which is longer than --max-pause \(15 min\)/,
    )
    expect(service.requests).toHaveLength(sent)

    const shown = await home.json(['requests', 'pace', ...ON])
    expect(shown).toMatchObject({paused: data.paused, cleared: false})
    expect(await home.json(['bulk', 'status', data.job, ...ON])).toMatchObject({
      paused: data.paused,
      nextAfter: data.nextAfter,
    })
    const {checks} = await home.json<{
      checks: {id: string; state: string; message: string; advice?: string}[]
    }>(['doctor', ...ON])
    expect(checks.find(({id}) => id === 'pause')).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('asked for a pause'),
      advice: expect.stringContaining('requests pace --clear'),
    })
    expect(checks.find(({id}) => id === 'bulk')).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('(and 1 more)'),
      advice: expect.stringContaining('bulk resume'),
    })

    expect(await home.json(['requests', 'pace', '--clear', ...ON])).toMatchObject({
      paused: null,
      cleared: true,
    })
    expect((await home.run(['bulk', 'resume', data.job, ...ON])).code).toBe(0)
    expect(await home.json(['bulk', 'status', data.job, ...ON])).toMatchObject({done: 3, left: 0})
  })

  it('is said in one sentence, and how many rows are left', async () => {
    answer = () => ({status: 429, headers: {'retry-after': '7200'}, body: Buffer.alloc(0)})
    const {stderr} = await run([1])
    expect(stderr).toMatch(/rate limit \(429\); the service asks to wait 2 h/)
    await home.json(['requests', 'pace', '--clear', ...ON])
    answer = updated
    expect((await home.run(['bulk', 'resume', 'last', ...ON])).stderr).toContain(': 1 row left · ')
  })

  it('is waited for and said if it is shorter', async () => {
    let asked = 0
    answer = () => (asked++ === 0 ? limited(600) : updated())
    const {code, stderr} = await run([1, 2])
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^Waiting until .* \(10 min\): \S+ asked for a pause \(429\), in response to bulk job j_\w+\.$/m,
    )
  })

  it('ends sooner with a shorter --max-pause', async () => {
    answer = () => limited(600)
    const {code, stderr} = await run([1, 2], ['--max-pause', '5m'])
    expect(code).toBe(7)
    expect(stderr).toContain('which is longer than --max-pause (5 min)')
  })

  it('ends a read at once that could not wait for it', async () => {
    answer = () => limited(600)
    await run([1], ['--max-pause', '5m'])
    const {code, stderr} = await home.run(['cards', 'list', '--account', '2001', '--all', ...ON])
    expect([code, stderr]).toEqual([7, expect.stringContaining('longer than this command waits (30 s)')])
  })
})

it('says within ten seconds that the service does not respond', async () => {
  answer = () => new Promise(resolve => setTimeout(() => resolve(updated()), 6_500))
  const {stderr} = await run([1])
  expect(stderr).toMatch(/^Waiting: 127\.0\.0\.1:\d+ has not responded yet\.$/m)
}, 30_000)
