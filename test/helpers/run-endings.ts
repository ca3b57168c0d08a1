import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import process from 'node:process'
import type {PlainRequest, PlainResponse} from '../../src/sandbox/index.ts'
import {Listening} from '../http/listening.ts'
import {type Home, openHome, type RunOptions} from './cli.ts'
import {damageJournal, expiredCertificate, lockJournal} from './journal-mishaps.ts'
import {openService, reply} from './service.ts'
import {mountSmallDisk} from './small-disk.ts'

/** What makes a bulk run end as a row of the table says. */
export interface Cause {
  /** How the service responds to the n-th row, from 0. Undefined: the sandbox responds. */
  answer?(row: number, request: PlainRequest): PlainResponse | Promise<PlainResponse> | undefined
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly secret?: string
  /** The service is gone. */
  readonly isGone?: true
  /** What is wrong on the way to the service: a proxy refuses, nobody knows its name or the CA of its certificate. */
  readonly way?: 'proxy' | 'name' | 'certificate' | 'proxy password' | 'certificate name' | 'certificate time'
  /** Tokens are had from a place where nothing listens, or one that responds with this status. */
  readonly hasNoTokens?: true | number
  /** The job has other rows. */
  readonly isOther?: true
  /** The disk of the journal is full from the second request on. */
  readonly isFull?: true
  /** It can only be read. */
  readonly isReadOnly?: true
  /** No file may grow any more from the second request on. */
  readonly isLimited?: true
  /** Another run of the same job is at it. */
  readonly isBusy?: true
  /** Another program locks the journal: before a run of few rows, and from the second request on of one of many. */
  readonly isLocked?: true
  /** The journal of an earlier run is damaged. */
  readonly isDamaged?: true
  /** The process of an earlier run was killed, and the clock is five hours behind since. */
  readonly isBehind?: true
  /** A shared job, which a test with a database runs. */
  readonly isOfTeam?: true
  /** A signal at the first request. */
  readonly signal?: 'SIGINT' | 'SIGTERM'
}

export interface Ending {
  readonly code: number
  readonly stderr: string
}

const problem = (status: number, title: string): PlainResponse => {
  const body = {type: 'about:blank', title, status, detail: title, id: '1', timestamp: '2026-01-01T00:00:00Z'}
  return reply(status, body, {'content-type': 'application/problem+json'})
}
const page = (status: number): PlainResponse => ({
  status,
  headers: {'content-type': 'text/html'},
  body: Buffer.from('<html><title>Please sign in</title></html>'),
})
const limited = (seconds: number): PlainResponse => {
  const response = problem(429, 'Too many requests')
  return {...response, headers: {...response.headers, 'retry-after': String(seconds)}}
}
const bare = (status: number): PlainResponse => ({status, headers: {}, body: Buffer.alloc(0)})
const done = (row: number) => reply(200, {id: String(9000 + row), description: 'Updated'})

/** By the words in the first column of the table. */
export const causes: Readonly<Record<string, Cause>> = {
  'All rows are done': {answer: done},
  'The service refuses a row': {answer: row => (row === 1 ? problem(409, 'Blocked') : done(row))},
  'The service refuses every row': {answer: () => problem(409, 'Blocked')},
  'The service refuses the credential': {answer: () => problem(401, 'Unauthorised')},
  'The service does not permit the operation': {answer: () => problem(403, 'Forbidden')},
  'The token endpoint is down': {hasNoTokens: true},
  'The program that prints the secret does not end': {secret: 'cmd:sleep 40', flags: ['--timeout', '1s']},
  'The network: nothing listens there': {isGone: true},
  'The name of the service is not known (DNS)': {way: 'name'},
  'The certificate of the service is not trusted (TLS)': {way: 'certificate'},
  'The certificate is for another host name': {way: 'certificate name'},
  'The certificate of the service has expired': {way: 'certificate time'},
  'A proxy refuses the connection': {way: 'proxy'},
  'A proxy refuses the password': {way: 'proxy password'},
  'A login page, or a page of a proxy': {answer: () => page(200)},
  'A redirect to another page': {
    answer: () => ({status: 302, headers: {location: '/login'}, body: Buffer.alloc(0)}),
  },
  'The service, or a gateway before it, fails': {answer: () => bare(503)},
  'The service puts rows off in its own words': {
    answer: () => {
      const response = problem(503, 'Busy')
      return {...response, headers: {...response.headers, 'retry-after': '1'}}
    },
  },
  'A success with an error inside': {answer: () => reply(200, {status: 'ERROR', code: 'E1'})},
  'The connection breaks before the response': {
    answer: () => ({status: 200, headers: {}, body: Buffer.alloc(0), drop: true}),
  },
  'The service does not respond in time': {
    answer: () => new Promise(() => undefined),
    flags: ['--timeout', '200ms'],
  },
  'The service asks for a pause longer than `--max-pause`': {answer: () => limited(86_400)},
  'Another run of the job has not ended': {isBusy: true, answer: done},
  'The file is not the one that started the job key': {isOther: true, answer: () => bare(503)},
  'Another program locks the journal': {isLocked: true, answer: done},
  'The journal is damaged': {isDamaged: true, answer: done},
  'The clock of this machine is hours behind': {isBehind: true, answer: () => bare(503)},
  'The disk of the journal is full': {isFull: true, answer: done},
  'A limit on file sizes keeps the journal from growing': {isLimited: true, answer: done},
  'The disk of the journal is read-only': {isReadOnly: true, answer: done},
  'The database of the team is gone': {isOfTeam: true},
  'Ctrl-C or SIGTERM': {signal: 'SIGTERM', answer: done},
  'As many rows fail as `--max-failures` allows': {
    flags: ['--max-failures', '2'],
    answer: () => problem(409, 'Blocked'),
  },
}

/** In bytes. What is at its hard limit stays there. */
const limitFiles = (size: number | 'unlimited') =>
  spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${size}:`])

// The start of the tool listens, too: the system then refuses to write, and kills nobody.
if (process.platform !== 'win32') process.on('SIGXFSZ', () => undefined)

const FLAGS = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--concurrency', '2', '--yes']

/** Fewer rows than many. */
const FEW = 5

/** Lets a run of so many rows end by a cause. */
export async function endBy(cause: Cause, rows: number): Promise<Ending> {
  const home = await openHome()
  const stop = new AbortController()
  const busy: Busy = {}
  const disk = (cause.isFull || cause.isReadOnly) && mountSmallDisk(8)
  const servers = new Listening()
  let asked = 0
  const isFew = rows < FEW
  const service = await openService(async request => {
    if (request.method !== 'PATCH') return undefined
    if (cause.signal) stop.abort(cause.signal)
    if (++asked === 2 && cause.isFull && disk) disk.fill()
    if (asked === 2 && cause.isLimited) limitFiles(4096)
    if (asked === 2 && cause.isLocked && !isFew) await lockJournal(home.folder)
    const row = Number(/CREDIT\/(\d+)/.exec(request.url)?.[1]) - 9000
    await busy.answer?.()
    return cause.answer?.(row, request)
  })
  try {
    const {url, env} = await wayTo(service.url, cause, servers, home.folder)
    const auth = await authOf(cause, servers)
    await home.json(['profiles', 'add', 'other', '--kind', 'sandbox', '--base-url', url, ...auth])
    if (cause.isGone) await service.close()
    if (cause.isReadOnly && disk) disk.lock()
    if (cause.isDamaged || (cause.isLocked && isFew))
      await home.run([...FLAGS, '-p', 'other'], {stdin: 'id,creditLimit\n8000,100\n', env})
    if (isFew && cause.isLocked) await lockJournal(home.folder)
    if (cause.isDamaged) damageJournal(home.folder)
    return await run(home, cause, rows, {
      stop: stop.signal,
      busy,
      env: {...env, ...(disk ? {CARDCTL_DATA_DIR: disk.folder} : {}), TOKEN_SECRET: 'secret-of-the-job'},
    })
  } finally {
    if (cause.isLimited) limitFiles('unlimited')
    await servers.close()
    await service.close().catch(() => undefined)
    disk?.remove()
    await home.remove()
  }
}

/** The address of the service, and the environment that leads there. */
async function wayTo(
  service: string,
  {way}: Cause,
  servers: Listening,
  folder: string,
): Promise<{url: string; env: Readonly<Record<string, string>>}> {
  if (way === 'name') return {url: `https://${'x'.repeat(64)}.example`, env: {}}
  if (way === 'certificate') {
    const port = await servers.https((_, response) => response.end())
    return {url: `https://127.0.0.1:${port}`, env: {}}
  }
  if (way === undefined) return {url: service, env: {}}
  const expired = way === 'certificate time' ? expiredCertificate(folder) : undefined
  const shown = expired && {cert: readFileSync(expired.cert), key: readFileSync(expired.key)}
  const names = {'other.test:443': await servers.https((_, response) => response.end(), shown)}
  const isLocked = way === 'proxy password'
  const {port} = await servers.proxy(way === 'proxy' ? {} : names, isLocked ? 'Basic eDp5' : undefined)
  const HTTPS_PROXY = `http://${isLocked ? 'job:wrong@' : ''}127.0.0.1:${port}`
  return {url: 'https://other.test', env: {HTTPS_PROXY, CARDCTL_CA: expired?.cert ?? 'test/http/tls/ca.pem'}}
}

async function authOf({secret, hasNoTokens}: Cause, servers: Listening): Promise<readonly string[]> {
  if (hasNoTokens) {
    const port =
      hasNoTokens === true ? 1 : await servers.http((_, response) => response.writeHead(hasNoTokens).end())
    const tokens = ['--token-url', `http://127.0.0.1:${port}/token`, '--client-id', 'job']
    return ['--auth', 'oauth2', ...tokens, '--secret', 'env:TOKEN_SECRET']
  }
  return secret === undefined ? ['--auth', 'none'] : ['--auth', 'bearer', '--secret', secret]
}

interface Busy {
  answer?: () => Promise<undefined>
}

interface Around {
  readonly busy: Busy
  readonly stop: AbortSignal
  readonly env: Readonly<Record<string, string>>
}

async function run(home: Home, cause: Cause, rows: number, {stop, busy, env}: Around): Promise<Ending> {
  const file = (limit: number): string =>
    `id,creditLimit\n${Array.from({length: rows}, (_, at) => `${9000 + at},${limit}\n`).join('')}`
  const options: RunOptions = {stdin: file(100), signal: stop, env}
  const line = [...FLAGS, '-p', 'other', '--job-key', 'nightly', ...(cause.flags ?? [])]
  if (cause.isOther) {
    await home.run(line, {...options, stdin: file(200)})
    return home.run(line, options)
  }
  if (cause.isBehind) {
    await home.run(line, options)
    return home.run(line, {...options, now: () => Date.now() - 5 * 3_600_000})
  }
  if (!cause.isBusy) return home.run(line, options)
  // The first row of the other run waits until this one has ended.
  const {promise, resolve} = Promise.withResolvers<undefined>()
  const asked = Promise.withResolvers<undefined>()
  busy.answer = () => {
    asked.resolve(undefined)
    return promise
  }
  const other = home.run(line, options)
  await asked.promise
  const ending = await home.run(line, options)
  resolve(undefined)
  await other
  return ending
}
