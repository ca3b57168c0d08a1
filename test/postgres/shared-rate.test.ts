// The commands of docs/fleet.md.
// Machines that share a rate by a database: processes with homes and clocks of their own. The cluster is this file's own.
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {type AddressInfo, createServer} from 'node:net'
import {setTimeout as pause} from 'node:timers/promises'
import {expect, onTestFinished, test} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {startCluster} from '../helpers/postgres.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {isWhole} from '../helpers/whole.ts'

const PER_SECOND = 20
const RUN = ['bulk', 'run', 'pricelists.patch.v1', '--from', '-', '--unordered', '-p', 'fleet']

/** A run of the command line with a clock that is wrong. */
const machine = `
const [helper, skew, database, url, stdin, ...argv] = process.argv.slice(1)
const {openHome} = await import(helper)
const {setTimeout: delay} = await import('node:timers/promises')
const home = await openHome()
const options = {
  env: {RATE_URL: database},
  now: () => Date.now() + Number(skew),
  sleep: async (ms, signal) => void (await delay(ms, undefined, {signal})),
  stdin,
}
const add = ['profiles', 'add', 'fleet', '--kind', 'sandbox', '--base-url', url, '--rate', '${PER_SECOND}/s,6000/min']
await home.json([...add, '--rate-store', 'env:RATE_URL'])
const {code, stderr} = await home.run(argv, options)
if (code !== 0) console.error(stderr)
await home.remove()
process.exitCode = code
`

function cluster() {
  const started = startCluster()
  if (started === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => started.remove())
  return started
}

interface Arrivals {
  readonly service: Service
  /** `performance.now()` of each request. */
  readonly times: number[]
}

async function watchedService(onArrival: (count: number) => void = () => undefined): Promise<Arrivals> {
  const times: number[] = []
  const service = await openService(() => {
    times.push(performance.now())
    onArrival(times.length)
    return reply(200, {description: 'Updated', id: '5001'})
  })
  onTestFinished(() => service.close())
  return {service, times}
}

const rowsOf = (count: number): string =>
  `id,code\n${Array.from({length: count}, (_, at) => `5001,${at + 1}\n`).join('')}`

function start(skew: number, database: string, url: string, rows: number): ChildProcess {
  const helper = new URL('../helpers/cli.ts', import.meta.url).href
  const argv = [helper, String(skew), database, url, rowsOf(rows), ...RUN]
  const child = spawn(process.execPath, ['--input-type=module', '-e', machine, ...argv], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/**
 * How late a busy machine may receive what was sent in time, ms. Twice the quota would still be seen, in 1 s and in 5 s; that
 * not one request is too many is shown in simulated time, in test/fleet.
 */
const LATE_MS = 400

/** The most requests in any such span, whatever arrived late. */
function mostWithin(seconds: number, times: readonly number[]): number {
  const span = seconds * 1000 - LATE_MS
  return Math.max(0, ...times.map((from, at) => times.slice(at).filter(time => time < from + span).length))
}

const SPAN_MS = 5000

/** Waits for a span of 5 s in which the quota is used. On a busy machine, a span may miss it. */
async function quotaIsUsed(times: readonly number[], message: string): Promise<void> {
  const began = performance.now()
  const used = (): number => {
    const from = performance.now() - SPAN_MS
    return from < began ? 0 : times.filter(time => time >= from).length / ((PER_SECOND * SPAN_MS) / 1000)
  }
  await expect.poll(used, {timeout: 30_000, interval: 200, message}).toBeGreaterThanOrEqual(0.95)
}

test.runIf(isWhole)(
  'three machines with wrong clocks use the quota and never exceed it, also after one is killed',
  async () => {
    const {service, times} = await watchedService()
    const {url: database} = cluster()
    const machines = [-3_600_000, 0, 7_000].map(skew => start(skew, database, service.url, 2000))
    await expect.poll(() => service.connections, {timeout: 60_000}).toBeGreaterThanOrEqual(3)
    await quotaIsUsed(times, 'by three machines')
    machines[0]?.kill('SIGKILL')
    await quotaIsUsed(times, 'by the two that are left')
    for (const seconds of [1, 5])
      expect(mostWithin(seconds, times), `in ${seconds} s`).toBeLessThanOrEqual(PER_SECOND * seconds)
  },
  180_000,
)

const prompt: RunOptions['sleep'] = async (ms, signal) => void (await pause(ms, undefined, {signal}))

async function fleetHome(url: string): Promise<Home> {
  const home = await openHome()
  onTestFinished(() => home.remove())
  const address = ['--kind', 'sandbox', '--base-url', url, '--rate-store', 'env:RATE_URL']
  await home.json(['profiles', 'add', 'fleet', ...address, '--rate', '200/s,6000/min'])
  return home
}

test('when the database stops, no more is sent or recorded, and the job continues later', async () => {
  const running = cluster()
  const env = {RATE_URL: running.url}
  const {service, times} = await watchedService(count => {
    if (count === 30) running.stop('immediate')
  })
  const home = await fleetHome(service.url)
  const run = await home.run(RUN, {stdin: rowsOf(100), env, sleep: prompt})
  expect(run.code, run.stderr).toBe(9)
  expect(run.stderr).toMatch(
    /^Error CONNECTION_FAILED: The run stopped: Can't use the database of the shared rate/m,
  )
  expect(run.stderr).toContain('cardctl bulk resume')
  expect(times.length).toBeLessThan(50)
  const jobs = await home.json<{job: string; done: number; waiting: number; unknown: number}[]>([
    'bulk',
    'list',
    '-p',
    'fleet',
  ])
  expect(jobs).toMatchObject([{done: times.length, waiting: 100 - times.length}])
  const requests = await home.json<{effect: string}[]>(['requests', 'list', '--limit', '200', '-p', 'fleet'])
  // A row that had its turn may have been recorded when the run stopped. Then it is recorded as not sent.
  expect(requests.filter(({effect}) => effect !== 'none')).toHaveLength(times.length)
  expect(requests.filter(({effect}) => effect === 'unknown')).toEqual([])
  running.start()
  const resumed = await home.run(['bulk', 'resume', jobs[0]?.job ?? '', '-p', 'fleet'], {env, sleep: prompt})
  expect(resumed.code, resumed.stderr).toBe(0)
  expect(service.requests.map(({body}) => JSON.parse(String(body)).code).sort()).toEqual(
    Array.from({length: 100}, (_, at) => String(at + 1)).sort(),
  )
}, 120_000)

test('without a database nothing is sent, and the message names no password', async () => {
  const {service, times} = await watchedService()
  const home = await fleetHome(service.url)
  const env = {RATE_URL: 'postgres://app:s3cret-pass@127.0.0.1:1/rates'}
  const run = await home.run(RUN, {stdin: rowsOf(3), env, sleep: prompt})
  expect(run.code).toBe(9)
  expect(run.stderr).toContain('127.0.0.1:1/rates: nothing listens there')
  expect(run.stderr).not.toContain('s3cret')
  expect(times).toEqual([])
  const shown = await home.json<{rateStore: string}>(['profiles', 'show', 'fleet'])
  expect(shown.rateStore).toBe('env:RATE_URL')
})

test('a read of many pages stops without the database', async () => {
  const service = await openService()
  onTestFinished(() => service.close())
  const home = await fleetHome(service.url)
  const env = {RATE_URL: 'postgres://app@127.0.0.1:1/rates'}
  const list = ['cards', 'list', '--customer', '1001', '--all', '--page-size', '1', '-p', 'fleet']
  const {code, stderr} = await home.run(list, {env, sleep: prompt})
  expect(code).toBe(9)
  expect(stderr).toContain("Can't use the database of the shared rate")
  expect(service.requests).toHaveLength(1)
})

test('a database that never answers is given up', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const {port} = silent.address() as AddressInfo
  const {service, times} = await watchedService()
  const home = await fleetHome(service.url)
  const env = {RATE_URL: `postgres://app@127.0.0.1:${port}/rates`}
  const {code, stderr} = await home.run(RUN, {stdin: rowsOf(1), env, sleep: prompt})
  expect(code).toBe(9)
  expect(stderr).toContain('it does not answer')
  expect(times).toEqual([])
})
