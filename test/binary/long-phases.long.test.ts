// Whatever a service or a document makes of a run: a signal ends it soon, and --timeout what follows a request.
import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {createServer, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {fillRecords} from '../../bench/full-records.ts'
import {emptyHome, start, until} from '../helpers/binary.ts'
import {isWhole} from '../helpers/whole.ts'

/** The promise is two seconds; this machine may be busy. */
const SOON_MS = 5000

const rows = (count: number, fields: number) =>
  JSON.stringify(
    Array.from({length: count}, (_, row) =>
      Object.fromEntries(Array.from({length: fields}, (__, field) => [`field${field}`, `世é${row}`])),
    ),
  )

/** Answers that take long, by path. */
const ANSWERS: Readonly<Record<string, () => string | undefined>> = {
  '/silent': () => undefined,
  '/table': () => rows(5000, 95),
  '/blocks': () => rows(4000, 120),
  '/fields': () =>
    JSON.stringify(Object.fromEntries(Array.from({length: 250_000}, (_, at) => [`f${at}`, at]))),
  '/digits': () => JSON.stringify(Array.from({length: 8}, () => '4 '.repeat(900_000))),
}

/** Each is made once. */
const made = new Map<string, string | undefined>()
function answerTo(path: string): string | undefined {
  if (!made.has(path)) made.set(path, ANSWERS[path]?.())
  return made.get(path)
}

interface Asked {
  /** The path of the request whose answer has left. */
  readonly answered: string[]
}

async function openSlowService(): Promise<{url: string; asked: Asked; close(): void}> {
  const asked: Asked = {answered: []}
  const drip = (response: ServerResponse): void => {
    response.write('[1')
    const timer = setInterval(() => response.write(',1'), 50)
    response.on('close', () => clearInterval(timer))
  }
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    response.writeHead(200, {'content-type': 'application/json'})
    const done = () => asked.answered.push(path)
    if (path === '/drip') {
      drip(response)
      done()
    } else {
      const text = answerTo(path)
      if (text === undefined) done()
      else response.end(text, done)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

let service: Awaited<ReturnType<typeof openSlowService>>
let documents: string
beforeAll(async () => {
  service = await openSlowService()
  documents = await mkdtemp(join(tmpdir(), 'cardctl-documents-'))
})
afterAll(async () => {
  service.close()
  await rm(documents, {recursive: true})
})

/** A document whose reading takes long; it is made once. */
const large = {file: ''}
function largeDocument(): string {
  if (large.file !== '') return large.file
  const operation = (at: number) =>
    `  /things${at}/{id}:\n    get:\n      operationId: thing${at}\n      tags: [t${at % 50}]\n      summary: ${'word '.repeat(20)}\n      parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}, name: {type: string}}}}}}}\n`
  large.file = join(documents, 'large.yaml')
  const paths = Array.from({length: 60_000}, (_, at) => operation(at)).join('')
  writeFileSync(large.file, `openapi: 3.1.0\ninfo: {title: Large, version: '1'}\npaths:\n${paths}`)
  return large.file
}

/** A data folder with too many requests to list in a second; it is made once. */
const full = {folder: ''}
function fullFolder(): Readonly<Record<string, string>> {
  if (full.folder === '') {
    full.folder = join(documents, 'data')
    fillRecords(full.folder, 40_000)
  }
  return {CARDCTL_DATA_DIR: full.folder, CARDCTL_BASE_URL: ''}
}

interface Phase {
  readonly line: () => readonly string[]
  readonly env?: () => Readonly<Record<string, string>>
  /** The path whose answer has left when the phase begins. */
  readonly hasBegun?: string
  /** How long after that, or after the start, the run is in the phase. */
  readonly afterMs: number
}

const read = (path: string, ...flags: readonly string[]): Phase => ({
  line: () => ['api', 'GET', path, ...flags],
  hasBegun: path,
  afterMs: flags.includes('json') ? 300 : 1000,
})

/** For each of the rows, compares each of them with all: no machine ends it in a second. */
const SLOW_QUERY = "[?length($[?length($[?field1=='x'])>`0`])>`0`]"

const PHASES: Readonly<Record<string, Phase>> = {
  'waiting for an answer': read('/silent'),
  'receiving an answer': read('/drip'),
  'reading an answer with many fields': read('/fields', '-o', 'json'),
  'reading an answer that may hide card numbers': read('/digits', '-o', 'json'),
  'laying out a table': read('/table'),
  'laying out blocks': read('/blocks'),
  'laying out an object': read('/fields'),
  'writing YAML': read('/table', '-o', 'yaml'),
  'writing CSV': read('/fields', '-o', 'csv'),
  'answering a query': read('/table', '--query', SLOW_QUERY),
  'importing a document': {
    line: () => ['contract', 'import', largeDocument(), '--name', 'large'],
    afterMs: 1000,
  },
  'importing a document that is about to begin': {
    line: () => ['contract', 'import', largeDocument(), '--name', 'large'],
    afterMs: 120,
  },
  'reading a long journal for a report': {line: () => ['report', 'shift'], env: fullFolder, afterMs: 1000},
  'reading a long history': {line: () => ['history', 'account', '2001'], env: fullFolder, afterMs: 1000},
  'comparing a document': {line: () => ['contract', 'diff', largeDocument()], afterMs: 1000},
}

const env = () => ({CARDCTL_PROFILE: 'sandbox', CARDCTL_BASE_URL: service.url, COLUMNS: '120'})

/** A shell reports both ends of a process alike. */
const ENDS = {SIGINT: 130, SIGTERM: 143} as const

/** Each phase gets one of them, by turns: they take the same way. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const ends = Object.entries(PHASES)
  .map(([name, phase], at) => [name, SIGNALS[at % 2] ?? 'SIGINT', phase] as const)
  .filter((_, at) => isWhole || at % 3 === 0)

describe('a run ends soon', () => {
  test.each(ends)('%s: %s', {timeout: 120_000}, async (_, signal, {line, env: own, hasBegun, afterMs}) => {
    const home = await emptyHome()
    service.asked.answered.length = 0
    const argv = line()
    const run = start(home, argv, {env: {...env(), ...own?.()}})
    if (hasBegun !== undefined) await until(() => service.asked.answered.includes(hasBegun))
    await new Promise(resolve => setTimeout(resolve, afterMs))
    expect(run.child.exitCode, run.stderr()).toBe(null)
    const at = performance.now()
    process.kill(run.child.pid ?? 0, signal)
    const ended = await run.ended
    expect(performance.now() - at).toBeLessThan(SOON_MS)
    expect([ended.code, ended.signal]).toEqual(ended.signal === null ? [ENDS[signal], null] : [null, signal])
    expect(ended.stdout).toBe('')
  })
})

describe('--timeout covers a request and the layout of its answer', () => {
  const LINES = [
    ['/silent'],
    ['/fields'],
    ['/table', '--query', SLOW_QUERY],
    ['/drip'],
    ['/table'],
    ['/blocks'],
    ['/table', '-o', 'yaml'],
    ['/fields', '-o', 'csv'],
  ]
  test.each(LINES.slice(0, isWhole ? LINES.length : 2))('%s %s %s', {timeout: 120_000}, async (...argv) => {
    const home = await emptyHome()
    const at = performance.now()
    const {code, stdout, stderr} = await start(home, ['api', 'GET', ...argv, '--timeout', '1s'], {env: env()})
      .ended
    expect(stderr).toContain('TIMED_OUT')
    expect([code, stdout]).toEqual([9, ''])
    expect(performance.now() - at).toBeLessThan(1000 + 2 * SOON_MS)
  })
})
