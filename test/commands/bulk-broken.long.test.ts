import {existsSync, mkdirSync, renameSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {PassThrough} from 'node:stream'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {sendRow} from '../../src/commands/bulk/shared/send-row.ts'
import type {BulkSummary} from '../../src/commands/bulk/shared/summary.ts'
import {Failure} from '../../src/errors/failure.ts'
import type {PlainRequest, PlainResponse} from '../../src/sandbox/index.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
let answer: (request: PlainRequest) => PlainResponse | Promise<PlainResponse>

beforeEach(async () => {
  home = await openHome()
  service = await openService(request => (request.method === 'PATCH' ? answer(request) : undefined))
  await home.json([
    ...['profiles', 'add', 'other', '--kind', 'sandbox', '--auth', 'none'],
    ...['--base-url', service.url],
  ])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const updated = () => reply(200, {description: 'Updated'})
const run = (more: readonly string[], env: Readonly<Record<string, string>> = {}, options: RunOptions = {}) =>
  home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', ...more], {
    ...options,
    env,
    stdin: `id,creditLimit\n${[1, 2, 3, 4, 5, 6, 7, 8].map(id => `${id},100\n`).join('')}`,
  })
const ONE = ['-p', 'other', '--concurrency', '1', '--rate', '50/s']

describe('a run that breaks in the middle', () => {
  it('ends with the numbers, what is unknown, and the one command that goes on with this journal', async () => {
    const trail = join(home.folder, 'data', 'audit.ndjson')
    let calls = 0
    answer = () => {
      calls++
      if (calls === 3) {
        renameSync(trail, `${trail}.away`)
        mkdirSync(trail)
      }
      return updated()
    }
    // Ends are written 250 ms later at the latest, when rows must be left.
    const slow = ['-p', 'other', '--concurrency', '1', '--rate', '10/s']
    const {code, stderr} = await run(slow, {CARDCTL_DATA_DIR: join(home.folder, 'data')})
    const [, job = ''] = /Bulk job (j_\w+)/.exec(stderr) ?? []
    expect(stderr).toContain(
      `If it is cut off: CARDCTL_DATA_DIR=${join(home.folder, 'data')} cardctl bulk resume ${job} -p other`,
    )
    expect(code).toBe(3)
    expect(stderr).toMatch(
      /The run stopped: .+ (\d) of 8 rows done, \d of them not recorded as done, (\d of them although [^,]+, )?0 failed, \d left/,
    )
    const [, done] = /(\d) of 8 rows done, \d of them not/.exec(stderr) ?? []
    expect(Number(done)).toBeLessThanOrEqual(calls)
    expect(stderr).toContain(
      `Next, when that is put right: CARDCTL_DATA_DIR=${join(home.folder, 'data')} cardctl bulk resume ${job} -p other`,
    )
    expect(stderr).not.toContain('set CARDCTL_DATA_DIR')
    const sent = calls
    rmSync(trail, {recursive: true})
    renameSync(`${trail}.away`, trail)
    const after = await home.run(['bulk', 'resume', job, '-p', 'other'], {
      env: {CARDCTL_DATA_DIR: join(home.folder, 'data')},
    })
    expect(after.code).toBe(0)
    expect(calls).toBeGreaterThan(sent)
  })

  it('takes a row as unknown whose journal failed after it was admitted, and as not sent before that', async () => {
    const locked = new Failure('FILE_LOCKED', {message: 'Locked.'})
    const sender = {honoured: false, settlesEarlierAttempts: () => false, operation: {touches: []}} as never
    const signal = new AbortController().signal
    const refuse = {send: () => Promise.reject(locked)} as never
    const admitted = {
      send: async (admit: (signal: AbortSignal) => Promise<unknown>) =>
        admit(signal).then(() => Promise.reject(locked)),
    }
    const turn = async () => ({}) as never
    const stateOf = async (...[request, admit]: [never, typeof turn | undefined]) =>
      (await sendRow(sender, request, admit)).row.state
    expect(await stateOf(refuse, turn)).toBe('again')
    expect(await stateOf(admitted as never, turn)).toBe('unknown')
    expect(await stateOf(refuse, undefined)).toBe('unknown')
  })
})

describe('a job that is continued', () => {
  it('keeps to the number of failures that the first command allows', async () => {
    answer = () => reply(422, {title: 'No', status: 422})
    const first = await run([...ONE, '--max-failures', '2', '--keep-going'])
    expect(first.code).toBe(11)
    expect(first.stderr).toMatch(
      /The run stopped at the limit of --max-failures \(2\):[\s\S]* It stops again after 2 further failures, unless --max-failures says otherwise\. Those that failed: cardctl bulk results j_\w+ --state failed -p other\n {2}Next, when the reasons are known: cardctl bulk resume/,
    )
    const job = /Bulk job (j_\w+)/.exec(first.stderr)?.[1] ?? ''
    const status = async () =>
      (await home.json(['bulk', 'status', job, '-p', 'other'])) as Pick<BulkSummary, 'failed' | 'left'>
    expect(await status()).toMatchObject({failed: 2, left: 6})
    await home.run(['bulk', 'resume', job, '-p', 'other', '--keep-going', '--concurrency', '1'])
    expect(await status()).toMatchObject({failed: 4, left: 4})
    await home.run(['bulk', 'resume', job, '-p', 'other', '--keep-going', '--max-failures', '100'])
    expect(await status()).toMatchObject({failed: 8, left: 0})
  })

  it('names what a job of variables needs, without a secret', async () => {
    answer = () => reply(503, {title: 'Down', status: 503})
    const env = {
      CARDCTL_BASE_URL: service.url,
      CARDCTL_KIND: 'test',
      CARDCTL_AUTH: 'bearer',
      CARDCTL_SECRET: 'env:TOKEN_HERE',
      CARDCTL_AUDIT_USER: 'night shift',
      TOKEN_HERE: 'hunter2-canary',
    }
    const begin = `CARDCTL_BASE_URL=${service.url} CARDCTL_KIND=test CARDCTL_AUTH=bearer CARDCTL_SECRET=`
    for (const [format, quote] of [
      ['text', '"'],
      ['json', '\\"'],
    ] as const) {
      const {stderr} = await run(['--yes', '--log-format', format], env)
      // The line at the start, and the last one.
      const line = `${begin}${quote}\${CARDCTL_SECRET:?}${quote} CARDCTL_AUDIT_USER='night shift' cardctl bulk resume`
      expect(stderr.split(line).length, stderr).toBeGreaterThanOrEqual(3)
      expect(stderr).not.toMatch(/\[masked\]|hunter2-canary/)
    }
  })

  it('sends nothing more when its journal is moved away, and goes on when it is back', async () => {
    const [data, away] = ['data', 'away'].map(name => join(home.folder, name)) as [string, string]
    let calls = 0
    answer = () => {
      if (++calls === 3) renameSync(data, away)
      return updated()
    }
    const slow = ['-p', 'other', '--concurrency', '1', '--rate', '10/s', '--yes']
    const {code, stderr} = await run(slow, {CARDCTL_DATA_DIR: data})
    expect([code, calls < 8], stderr).toEqual([3, true])
    expect(stderr).toMatch(/was moved or removed while this command ran, so nothing more is sent\./)
    expect(stderr).toContain(`Delete nothing in ${data}`)
    // A folder in its place would take in the one that is moved back.
    expect(existsSync(data)).toBe(false)
    renameSync(away, data)
    const again = await home.run(['bulk', 'resume', 'last', '-p', 'other'], {env: {CARDCTL_DATA_DIR: data}})
    expect(again.code, again.stderr).toBe(0)
  })

  it('names the command that does it all when a signal comes before the rows are read', async () => {
    answer = updated
    const stop = new AbortController()
    const input = new PassThrough()
    input.write('id,creditLimit\n1,100\n')
    setTimeout(() => stop.abort('SIGTERM'), 300)
    const argv = [
      'bulk',
      'run',
      'accounts.patchCredit.v4',
      '--from',
      '-',
      ...ONE,
      '--job-key',
      'night',
      '--yes',
    ]
    const {code, stderr} = await home.run(argv, {input, signal: stop.signal})
    expect(code).toBe(143)
    expect(stderr).toContain(`  Next: cardctl ${argv.join(' ')}\n`)
    expect((await home.run(argv, {stdin: 'id,creditLimit\n1,100\n'})).code).toBe(0)
  })

  it('names the audit user of a log whose variable or flag gave it', async () => {
    answer = () => reply(503, {title: 'Down', status: 503})
    const asWho = /^ {2}Next, .*: (.*)cardctl bulk resume j_\w+ -p/m
    const line = async (...more: Parameters<typeof run>) => asWho.exec((await run(...more)).stderr)?.[1]
    expect(await line([...ONE, '--yes'], {CARDCTL_AUDIT_USER: 'night'})).toBe('CARDCTL_AUDIT_USER=night ')
    expect(await line([...ONE, '--yes', '--audit-user', 'day'])).toBe('CARDCTL_AUDIT_USER=day ')
    expect(await line([...ONE, '--yes'])).toBe('')
  })
})

it('says what is true when a second signal ends the process in the middle of the end of a run', async () => {
  const acts = new Set<() => void>()
  const stop = new AbortController()
  const [held, go] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  let asked = 0
  answer = async () => {
    // The first signal comes when nothing is done; a row ends after it, and another one doesn't.
    if (++asked === 2) {
      stop.abort('SIGTERM')
      setTimeout(() => held.resolve(undefined), 700)
      await go.promise
    }
    return updated()
  }
  const running = run(
    ['-p', 'other', '--concurrency', '2', '--rate', '50/s'],
    {},
    {
      signal: stop.signal,
      atExit: act => {
        acts.add(act)
        return () => acts.delete(act)
      },
    },
  )
  await held.promise
  // As process.exit does.
  for (const act of acts) act()
  go.resolve(undefined)
  const {stderr} = await running
  expect(acts.size).toBe(0)
  expect(stderr).toMatch(
    /^Bulk job (j_\w+) was cut off: 1 of 8 rows done, 0 failed, 6 left, 1 sent, effect unknown\.\n {2}Next: cardctl bulk resume \1 -p other$/m,
  )
})
