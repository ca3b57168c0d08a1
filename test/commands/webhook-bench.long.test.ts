import {once} from 'node:events'
import {writeFile} from 'node:fs/promises'
import {createServer, type RequestListener} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import type {BenchReport} from '../../src/commands/webhook/shared/bench-views.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {endpoint, listener} from '../webhook/listener.ts'
import {recordInto} from '../webhook/recordings.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const bench = (to: string, ...argv: string[]) =>
  home.run(['webhook', 'bench', '--to', to, '--rate', '200/s', '--duration', '100ms', ...argv])

const reported = (stdout: string) => JSON.parse(stdout) as BenchReport

test('reports figures, a histogram and the scenarios', async () => {
  const {url, events} = await listener()
  const {code, stdout} = await bench(url, '--mix', 'contactless=3,atm')
  expect(code).toBe(0)
  expect(stdout).toContain(url)
  expect(stdout).toMatch(/Calls +20 of 20/)
  expect(stdout).toMatch(/Answers +20 approved/)
  expect(stdout).toMatch(/Took +p50 .* ms {2}p95 .* ms {2}p99 .* ms {2}max .* ms/)
  expect(stdout).toMatch(/– .* ms {2}█/)
  expect(stdout).toMatch(/contactless +15 /)
  expect(events.map(({type}) => type)).toEqual(['warm-up', ...Array.from({length: 20}, () => 'auth')])
})

test.each(['600/m', '600/min'])('%s is ten a second', async rate => {
  const {url} = await listener()
  const argv = ['webhook', 'bench', '--to', url, '--rate', rate, '--duration', '100ms', '-o', 'json']
  const {stdout} = await home.run(argv)
  expect(reported(stdout)).toMatchObject({rate: {asked: 10}, calls: {planned: 1}})
})

test('as JSON it is one report', async () => {
  const {url} = await listener()
  const {code, stdout} = await bench(url, '-o', 'json', '--max-p99', '1m', '--max-late', '0')
  expect(code).toBe(0)
  const report = reported(stdout)
  const {p50, p95, p99, max, mean} = report.latencyMs
  expect([p50, p95, p99, max].toSorted((a, b) => Number(a) - Number(b))).toEqual([p50, p95, p99, max])
  expect(mean).toBeGreaterThan(0)
  expect(report).toMatchObject({
    url,
    interrupted: false,
    rate: {asked: 200},
    deadlineMs: 2000,
    calls: {planned: 20, counted: 20, unsent: 0},
    outcomes: {approved: 20, invalid: 0, late: 0},
    faults: [],
    limits: [
      {name: 'p99', most: 60_000, was: p99, kept: true},
      {name: 'late', most: 0, was: 0, kept: true},
    ],
  })
  expect(report.histogram.reduce((sum, {count}) => sum + count, 0)).toBe(20)
  expect(report.scenarios.reduce((sum, {calls}) => sum + calls, 0)).toBe(20)
})

const warm =
  (answer: RequestListener): RequestListener =>
  (request, response) => {
    request.resume()
    request.on('end', () => (request.url === '/warm-up' ? response.end() : answer(request, response)))
  }

test('a missed limit is exit 11, and named', async () => {
  const silent = await endpoint(warm(() => undefined))
  const late = await bench(silent, '--deadline', '50ms', '--max-late', '0', '--max-p95', '10ms')
  expect(late.code).toBe(11)
  expect(late.stdout).toMatch(/missed +p95 .* ms, at most 10 ms/)
  expect(late.stdout).toMatch(/missed +late 20, at most 0/)
  expect(late.stderr).toContain('Error LIMIT_MISSED: Limits exceeded: --max-p95, --max-late.')
  const broken = await endpoint(warm((_, response) => response.writeHead(503).end()))
  const invalid = await bench(broken, '--max-invalid', '19', '-o', 'json')
  expect(invalid.code).toBe(11)
  expect(reported(invalid.stdout)).toMatchObject({
    faults: [{reason: 'status 503', count: 20}],
    limits: [{name: 'invalid', most: 19, was: 20, kept: false}],
  })
  expect((await bench(broken, '--max-invalid', '20')).code).toBe(0)
})

test('a limit on time is missed where nothing was answered', async () => {
  const url = await endpoint(warm((_, response) => response.destroy()))
  const {code, stdout} = await bench(url, '--max-p99', '10s', '-o', 'json')
  expect(code).toBe(11)
  expect(reported(stdout).limits).toEqual([{name: 'p99', most: 10_000, was: null, kept: false}])
})

test('reports an endpoint that cannot be reached before the run', async () => {
  const {code, stdout, stderr} = await bench('http://127.0.0.1:1')
  expect(code).toBe(9)
  expect(stdout).toBe('')
  expect(stderr).toContain('The warm-up could not be sent')
})

test('reports a refused warm-up, and continues', async () => {
  const url = await endpoint((request, response) => {
    request.resume()
    if (request.url === '/warm-up') response.writeHead(404).end()
    else response.end('{"transactionData":{"authResponseCode":{"code":"05"}}}')
  })
  const {code, stdout, stderr} = await bench(url)
  expect(code).toBe(0)
  expect(stderr).toContain('The warm-up failed: status 404.')
  expect(stdout).toMatch(/Answers +20 declined/)
})

test('a signal reports what was measured so far', async () => {
  const stop = new AbortController()
  let calls = 0
  const url = await endpoint(
    warm((_, response) => {
      if (++calls === 10) stop.abort('SIGINT')
      else response.end('{"transactionData":{"authResponseCode":{"code":"00"}}}')
    }),
  )
  // One at a time, so that nine are answered when the tenth comes.
  const pace = ['--rate', '200/s', '--duration', '10m', '--concurrency', '1']
  const argv = ['webhook', 'bench', '--to', url, ...pace, '-o', 'json']
  const {code, stdout, stderr} = await home.run(argv, {signal: stop.signal})
  expect(code).toBe(130)
  expect(reported(stdout)).toMatchObject({interrupted: true, calls: {planned: 120_000, counted: 9}})
  expect(stderr).toContain('Stopped after 9 of 120000 calls.')
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('%s during the warm-up is told as that, and nothing is reported', async (signal, exit) => {
  const stop = new AbortController()
  const url = await endpoint(() => stop.abort(signal))
  const argv = ['webhook', 'bench', '--to', url, '--deadline', '20s']
  const {code, stdout, stderr} = await home.run(argv, {signal: stop.signal})
  expect({code, stdout}).toEqual({code: exit, stdout: ''})
  expect(stderr).toContain('Stopped during the warm-up, before the first call.')
  expect(stderr).not.toContain('20000 ms')
})

test.each([
  [['--rate', 'fast'], '--rate'],
  [['--rate', '0/s'], '--rate'],
  [['--rate', '5001/s'], '5000/s'],
  [['--duration', '11m'], '--duration'],
  [['--duration', '0s'], '--duration is longer than 0 and at most 10m'],
  [['--rate', '5000/s', '--duration', '10m'], '1,000,000 calls'],
  [['--concurrency', '0'], '--concurrency'],
  [['--mix', 'contactless=0'], '--mix'],
  [['--max-p99', '500'], '--max-p99 needs a unit: 500s, or 500ms'],
  [['--duration', '5'], '--duration needs a unit: 5s, or 5ms'],
  [['--mix', 'atm,atm'], 'twice'],
  [['--mix', 'atmm'], 'Did you mean atm?'],
])('%j is refused', async (flags, message) => {
  const argv = ['webhook', 'bench', '--to', 'http://127.0.0.1:1', ...flags]
  const {code, stderr} = await home.run(argv)
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

test('another machine is not called unless its name is typed again, TLS or not', async () => {
  const {code, stderr} = await bench('https://hooks.example.com', '--yes')
  expect(code).toBe(2)
  expect(stderr).toContain('Add --confirm hooks.example.com')
})

test('bars fit the width, and are drawn in ASCII where they must be', async () => {
  const {url} = await listener()
  const argv = ['webhook', 'bench', '--to', url, '--rate', '200/s', '--duration', '100ms', '--mix', 'chip']
  for (const columns of [40, 80]) {
    const {stdout} = await home.run(argv, {columns, env: {LC_ALL: 'C', LANG: 'C'}})
    expect(stdout).toMatch(/ms +#+/)
    expect(stdout).not.toMatch(/[^\x20-\x7e\n]/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
  }
})

const AS_JSON = ['-o', 'json'] as const

test('tells what ended in each second, in the report and to programs', async () => {
  const {url} = await listener()
  const argv = ['webhook', 'bench', '--to', url, '--rate', '40/s', '--duration', '1500ms']
  const {seconds} = reported((await home.run([...argv, ...AS_JSON])).stdout)
  expect(seconds.map(({second}) => second)).toEqual(seconds.map((_, at) => at + 1))
  expect(seconds.length).toBeGreaterThanOrEqual(2)
  expect(seconds.reduce((sum, {calls}) => sum + calls, 0)).toBe(60)
  expect(seconds[0]).toMatchObject({late: 0, invalid: 0, p99: expect.any(Number)})
  const drawn =
    /Second by second\n +Calls +[▁▂▃▄▅▆▇█]{2,} {2}at most \d+, in second \d+\n +p99 +[▁▂▃▄▅▆▇█]{2,} {2}at most [\d.\u202f]+ ms, in/
  expect((await home.run(argv)).stdout).toMatch(drawn)
  const ascii = await home.run(argv, {env: {CARDCTL_ASCII: '1'}})
  expect(ascii.stdout).toMatch(/Calls +[_.\-~=+*#]{2,} {2}at most/)
  const accessible = await home.run(argv, {env: {CARDCTL_ACCESSIBLE: '1'}})
  expect(accessible.stdout).toMatch(/^Calls: at most \d+, in second \d+\np99: at most/m)
})

test('--cards sends calls about as many cards, in turn', async () => {
  const {url, events} = await listener()
  expect((await bench(url, '--cards', '7')).code).toBe(0)
  const cards = events.flatMap(event => (event.type === 'auth' ? [event.cardId] : []))
  expect(new Set(cards)).toEqual(new Set(['3001', '3002', '3003', '3004', '3005', '3006', '3007']))
})

test('--from sends recorded calls as often as they were recorded, with new ids', async () => {
  const {url, events, exchanges} = await listener()
  for (const scenario of ['atm', 'contactless', 'refund', 'contactless'])
    expect((await home.run(['webhook', 'trigger', 'auth', '--scenario', scenario, '--to', url])).code).toBe(0)
  const recording = join(home.folder, 'earlier.db')
  await recordInto(recording, ...exchanges)
  const exported = join(home.folder, 'calls.ndjson')
  const {stdout: lines} = await home.run(['webhook', 'events', 'export', '--recording', recording])
  await writeFile(exported, lines)
  for (const from of [exported, recording]) {
    const before = events.length
    const {code, stdout, stderr} = await bench(url, '--from', from, ...AS_JSON)
    expect(stderr).toContain('Sends 4 recorded calls in turn.')
    expect(code).toBe(0)
    const counts = Object.fromEntries(reported(stdout).scenarios.map(({name, calls}) => [name, calls]))
    expect(counts).toEqual({payment: 15, credit: 5})
    const ids = events.slice(before).map(event => ('id' in event ? event.id : undefined))
    expect(new Set(ids).size).toBe(ids.length)
  }
})

test('--from refuses a recording without calls, and scenarios beside it', async () => {
  const empty = join(home.folder, 'empty.ndjson')
  await writeFile(empty, '')
  const none = await bench('http://127.0.0.1:1', '--from', empty)
  expect([none.code, none.stderr]).toEqual([5, expect.stringContaining('No call of')])
  expect((await bench('http://127.0.0.1:1', '--from', empty, '--mix', 'atm')).code).toBe(2)
  expect((await bench('http://127.0.0.1:1', '--from', empty, '--cards', '2')).code).toBe(2)
})

test('is no success where calls reached no endpoint', async () => {
  let answered = 0
  const server = createServer((request, response) => {
    // However many calls were under way by then.
    if (++answered > 6) return void request.socket.destroy()
    const answer = {transactionData: {authResponseCode: {code: '00'}}}
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    if (answered === 6) server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const {port} = server.address() as AddressInfo
  // Slow enough that most calls are still to come when the endpoint goes away, on a busy machine too.
  const slowly = ['--rate', '10/s', '--duration', '2s']
  const argv = ['webhook', 'bench', '--to', `http://127.0.0.1:${port}`, ...slowly, '-o', 'json']
  const {code, stderr, stdout} = await home.run(argv)
  expect(code).toBe(11)
  expect(stderr).toMatch(/\d+ of 20 calls reached no endpoint/)
  expect(reported(stdout).outcomes.unreachable).toBeGreaterThan(0)
})
