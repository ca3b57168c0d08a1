// Whatever goes wrong, the run, its JSON, bulk status, bulk results and the journal have one number of rows whose effect is
// unknown, and the recorder of the service says which rows these are.

import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {BulkSummary} from '../../src/commands/bulk/shared/summary.ts'
import {openHome, type RunResult} from '../helpers/cli.ts'
import {MISHAPS, type MishapName, Recorder} from '../helpers/mishaps.ts'
import {ProcessHome} from '../helpers/process-home.ts'
import {isWhole, part} from '../helpers/whole.ts'

const KEYED = 'accounts.patchCredit.v4'
const UNKEYED = 'pricelists.patch.v1'

interface Line {
  readonly row: number
  readonly state: string
}

interface Sent {
  readonly id: string
  readonly key: string
  readonly state: string
}

interface Scene {
  readonly isKeyed: boolean
  /** The rows are of one resource, in their order. */
  readonly isOrdered: boolean
  readonly rows: number
  readonly concurrency: number
  readonly retries: number
  /** The mishap of each request, in the order in which they arrive; afterwards all is well. */
  readonly mishaps: readonly MishapName[]
  /** Ctrl-C after so many requests. */
  readonly stopAfter?: number | undefined
}

type Run = (argv: readonly string[], options?: {stdin?: string; signal?: AbortSignal}) => Promise<RunResult>

const numbers = (scene: Pick<Scene, 'rows'>) => Array.from({length: scene.rows}, (_, at) => at + 1)

function csvOf({isKeyed, isOrdered, rows}: Scene): string {
  const [first, field] = isKeyed ? [2001, 'creditLimit'] : [5001, 'code']
  const lines = numbers({rows}).map(row => `${isOrdered ? first : first + row},${row}\n`)
  return `id,${field}\n${lines.join('')}`
}

/** Those that end by a timeout; for others, a busy machine must not look like one. */
const SLOW: readonly MishapName[] = ['timeout', 'trickle']

const flagsOf = ({isOrdered, concurrency, retries, mishaps}: Scene): readonly string[] => [
  ...['--rate', 'off', '--timeout', mishaps.some(name => SLOW.includes(name)) ? '300ms' : '10s'],
  ...['-p', 'other', '--yes'],
  ...['--concurrency', String(concurrency), '--retries', String(retries)],
  ...(isOrdered ? [] : ['--unordered']),
]

/** Every place that counts, against each other and against the recorder. */
async function compare(run: Run, recorder: Recorder, ended?: {result: RunResult; mayBeCut: boolean}) {
  const json = async <T>(...argv: string[]): Promise<T> => {
    const {code, stdout, stderr} = await run([...argv, '-p', 'other', '-o', 'json'])
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout) as T
  }
  const status = await json<BulkSummary>('bulk', 'status', 'last')
  const {job, open, left, done, failed, held, rows} = status
  expect(done + failed + open + held + left, 'each row is counted once').toBe(rows)

  const lines = await json<Line[]>('bulk', 'results', job)
  const unknown = lines.filter(({state}) => state === 'unknown' || state === 'sent')
  const openRequests = await json<Sent[]>('requests', 'list', '--open', '--job', job)
  const all = await json<Sent[]>('requests', 'list', '--job', job)
  const isOpen = ({state}: Sent) => state === 'unknown' || state === 'unfinished'
  const {stdout: table} = await run(['bulk', 'status', job, '-p', 'other'])
  const inTable = (label: string) => Number(new RegExp(`^ ${label} +([\\d,]+)`, 'm').exec(table)?.[1])
  const counts = {
    status: open,
    results: unknown.length,
    journal: new Set(openRequests.map(({key}) => key)).size,
    requests: new Set(all.filter(isOpen).map(({key}) => key)).size,
    table: inTable('Unknown'),
  }
  expect(counts).toEqual({status: open, results: open, journal: open, requests: open, table: open})
  expect({failed: inTable('Failed'), held: inTable('Held back'), left: inTable('Left')}).toEqual({
    failed,
    held,
    left,
  })
  if (open > 0) expect(table).toContain(`${open} (sent, effect unknown)`)

  for (const {row, state} of lines) {
    const [verdict, effects] = [recorder.verdictOf(String(row)), recorder.effectsOf(String(row))]
    const about = `row ${row} is ${state}; ${JSON.stringify(recorder.arrivals.get(String(row)))}`
    const isUnknown = state === 'unknown' || state === 'sent'
    if (verdict === 'unknown') expect(isUnknown, about).toBe(true)
    if (verdict === 'known' && ended?.mayBeCut !== true) expect(isUnknown, about).toBe(false)
    if (state === 'done') expect(effects, about).toBe(1)
    if (!isUnknown && state !== 'done') expect(effects, about).toBe(0)
  }

  if (ended === undefined || ended.result.stdout === '') return status
  // What the run itself printed.
  const {code, stdout, stderr} = ended.result
  expect(JSON.parse(stdout)).toMatchObject({done, failed, open, held, left})
  if (code === 0) return status
  const error = stderr.split('\n').find(line => line.startsWith('{"error"')) ?? ''
  const {message, effect, data} = (
    JSON.parse(error) as {error: {message: string; effect: string; data: object}}
  ).error
  expect(data).toMatchObject({done, failed, open, held, left})
  expect(effect).toBe(open > 0 ? 'unknown' : done > 0 ? 'done' : 'none')
  if (open > 0) expect(message).toContain(`${open} sent, effect unknown`)
  else expect(message).not.toContain('unknown')
  return status
}

async function play(scene: Scene): Promise<void> {
  const home = await openHome()
  const recorder = new Recorder(scene)
  await recorder.open()
  try {
    const profile = [
      '--kind',
      'sandbox',
      '--base-url',
      recorder.url,
      '--auth',
      'none',
      '--settle-delay',
      '1ms',
    ]
    await home.json(['profiles', 'add', 'other', ...profile])
    const mishaps = [...scene.mishaps]
    recorder.next = () => mishaps.shift() ?? 'done'
    const stop = new AbortController()
    let arrivals = 0
    recorder.arrived = () => {
      if (++arrivals === scene.stopAfter) stop.abort('SIGINT')
    }
    const operation = scene.isKeyed ? KEYED : UNKEYED
    const argv = ['bulk', 'run', operation, '--from', '-', ...flagsOf(scene), '-o', 'json']
    const result = await home.run(argv, {stdin: csvOf(scene), signal: stop.signal})
    const mayBeCut = scene.stopAfter !== undefined
    let status = await compare(home.run, recorder, {result, mayBeCut})

    // A person finds out about some of them: that counts at once, before any other run.
    const found = await home.json<Sent[]>(['requests', 'list', '--open', '-p', 'other'])
    const lines = await home.json<(Line & {request?: string})[]>([
      'bulk',
      'results',
      status.job,
      '-p',
      'other',
    ])
    for (const {id} of found.filter((_, at) => at % 2 === 0)) {
      const row = lines.find(({request}) => request === id)?.row
      if (row === undefined) continue
      const what = recorder.effectsOf(String(row)) > 0 ? 'effect' : 'no-effect'
      const said = ['--found', what, '--because', 'Seen', '--yes', '-p', 'other']
      expect((await home.run(['requests', 'resolve', id, ...said])).code).toBe(0)
    }
    const before = status.open
    const now = await home.json<BulkSummary>(['bulk', 'status', status.job, '-p', 'other'])
    const open = await home.json<Sent[]>(['requests', 'list', '--open', '-p', 'other'])
    expect(now.open).toBe(new Set(open.map(({key}) => key)).size)
    expect(now.open).toBeLessThanOrEqual(before)

    // Each further run, which may meet more of it, ends with the numbers alike.
    for (let runs = 0; status.done + status.failed < status.rows && runs < 4; runs++) {
      const resumed = await home.run([
        'bulk',
        'resume',
        status.job,
        ...flagsOf(scene).filter(flag => flag !== '--unordered'),
        '-o',
        'json',
      ])
      expect([0, 4, 6, 7, 8, 9, 10, 11, 13], resumed.stderr).toContain(resumed.code)
      const after = await home.json<BulkSummary>(['bulk', 'status', status.job, '-p', 'other'])
      const left = await home.json<Sent[]>(['requests', 'list', '--open', '-p', 'other'])
      expect(after.open).toBe(new Set(left.map(({key}) => key)).size)
      status = after
    }
  } finally {
    await recorder.close()
    await home.remove()
  }
}

const names = Object.keys(MISHAPS) as MishapName[]

describe('one mishap', () => {
  const cases = names.flatMap(name => [true, false].map(isKeyed => ({name, isKeyed})))
  test.each(part(cases, 5))(
    '$name, with an honoured key $isKeyed, is counted alike everywhere',
    async ({name, isKeyed}) => {
      const scene = {isKeyed, isOrdered: true, rows: 4, concurrency: 1, retries: 0}
      await play({...scene, mishaps: ['done', name]})
    },
  )
})

test('after a 500 with an effect, one row is sent with unknown effect, and the others are left', async () => {
  const home = await openHome()
  const recorder = new Recorder({isKeyed: true})
  await recorder.open()
  try {
    await home.json([
      'profiles',
      'add',
      'other',
      '--kind',
      'sandbox',
      '--base-url',
      recorder.url,
      '--auth',
      'none',
    ])
    recorder.next = () => 'faultAfterEffect'
    const argv = ['bulk', 'run', KEYED, '--from', '-', '-p', 'other', '--rate', 'off', '--retries', '0']
    const stdin = 'id,creditLimit\n2001,1\n2001,2\n2001,3\n'
    const {stderr} = await home.run([...argv, '--concurrency', '1'], {stdin})
    expect(stderr).toContain('0 of 3 rows done, 0 failed, 2 left without an effect, 1 sent, effect unknown')
    const {stdout} = await home.run(['bulk', 'status', 'last', '-p', 'other'])
    expect(stdout).toMatch(/^ Unknown +1 \(sent, effect unknown\)\n Held back +0\n Left +2$/m)
    expect(await home.json(['requests', 'list', '--open', '-p', 'other'])).toHaveLength(1)
  } finally {
    await recorder.close()
    await home.remove()
  }
})

test('a row that is done at last leaves no request open, however many attempts had an unknown effect', async () => {
  const home = await openHome()
  const recorder = new Recorder({isKeyed: true})
  await recorder.open()
  try {
    await home.json([
      'profiles',
      'add',
      'other',
      '--kind',
      'sandbox',
      '--base-url',
      recorder.url,
      '--auth',
      'none',
    ])
    const pace = ['-p', 'other', '--rate', 'off', '--retries', '0']
    recorder.next = () => 'resetAfter'
    await home.run(['bulk', 'run', KEYED, '--from', '-', ...pace], {stdin: 'id,creditLimit\n2001,1\n'})
    await home.run(['bulk', 'resume', 'last', ...pace])
    const open = () => home.json(['requests', 'list', '--open', '-p', 'other'])
    expect(await open()).toHaveLength(2)
    recorder.next = () => 'done'
    expect((await home.run(['bulk', 'resume', 'last', ...pace])).code).toBe(0)
    expect(await open()).toEqual([])
  } finally {
    await recorder.close()
    await home.remove()
  }
})

test('whatever goes wrong in whatever order, all counts agree', async () => {
  const scenes = fc.record(
    {
      isKeyed: fc.boolean(),
      isOrdered: fc.boolean(),
      rows: fc.integer({min: 1, max: 9}),
      concurrency: fc.integer({min: 1, max: 3}),
      retries: fc.integer({min: 0, max: 1}),
      mishaps: fc.array(fc.constantFrom(...names), {maxLength: 20}),
      stopAfter: fc.option(fc.integer({min: 1, max: 6}), {nil: undefined}),
    },
    {requiredKeys: ['isKeyed', 'isOrdered', 'rows', 'concurrency', 'retries', 'mishaps']},
  )
  await fc.assert(fc.asyncProperty(scenes, play), {
    numRuns: Number(process.env.MODEL_RUNS ?? (isWhole ? 8 : 4)),
  })
}, 240_000)

describe('a run that was killed', () => {
  test.each(part([true, false], 2))(
    'with an honoured key %s has what was on its way as unknown, also after a resume',
    // A kill between an answer and its record rightly leaves the row unknown, which a busy machine makes likely.
    {retry: 4, timeout: 240_000},
    async isKeyed => {
      const home = await openHome()
      const recorder = new Recorder({isKeyed})
      await recorder.open()
      try {
        const address = ['--kind', 'sandbox', '--base-url', recorder.url, '--auth', 'none']
        const settings = ['--settle-delay', '1ms', '--profile-audit-user', 'tester']
        await home.json(['profiles', 'add', 'other', ...address, ...settings])
        // Only what is killed needs a process of its own.
        const env = {CARDCTL_PROFILE: 'other', CARDCTL_NO_INPUT: '1'}
        const killable = new ProcessHome(home.folder, {program: 'sources', env})
        const file = join(home.folder, 'rows.csv')
        await writeFile(
          file,
          csvOf({isKeyed, isOrdered: false, rows: 6, concurrency: 1, retries: 0, mishaps: []}),
        )
        recorder.next = row => (row === '3' ? 'timeout' : 'done')
        const operation = isKeyed ? KEYED : UNKEYED
        const killed = await killable.run(
          [
            'bulk',
            'run',
            operation,
            '--from',
            file,
            '--rate',
            'off',
            '--concurrency',
            '1',
            '--unordered',
            '--yes',
          ],
          child => {
            recorder.arrived = () => {
              if (recorder.arrivals.has('3')) child.kill('SIGKILL')
            }
          },
        )
        expect(killed.code).toBe(null)
        const nothing = {code: 1, stdout: '', stderr: ''}
        const status = await compare(home.run, recorder, {result: nothing, mayBeCut: true})
        expect(status.open).toBeGreaterThanOrEqual(1)
        expect((await home.run(['doctor', '-p', 'other'], {columns: 400})).stdout).toMatch(
          /Most often \d+ × EFFECT_UNKNOWN, .*: the run was cut off before the response was recorded, so the service may have done it/,
        )
        recorder.next = () => 'done'
        recorder.arrived = () => undefined
        await home.run(['bulk', 'resume', 'last', '--rate', 'off', '-p', 'other'])
        const {open} = await compare(home.run, recorder)
        if (isKeyed) expect(open).toBe(0)
        else expect(open).toBeGreaterThanOrEqual(1)
      } finally {
        await recorder.close()
        await home.remove()
      }
    },
  )
})
