// However a run is broken off, what is printed and what it ends with are those of the signal.
import {globSync, readFileSync} from 'node:fs'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {ENDING_SIGNALS} from '../../src/errors/interruption.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

let home: Home
let stop: AbortController
let reason: string
let service: Service
beforeEach(async () => {
  home = await openHome()
  stop = new AbortController()
  service = await openService(({url}) => {
    if (url.includes('/slow')) return new Promise(() => setTimeout(() => stop.abort(reason), 20))
    if (url.includes('88001'))
      return reply(200, {
        id: '88001',
        status: 'IN_PROGRESS',
        startTime: '2026-01-01T00:00:00',
        transferItemCount: 5,
        totalAmount: {EUR: 5},
      })
    return url.includes('t-1') ? reply(200, {traceId: 't-1', status: 'IN_PROGRESS'}) : undefined
  })
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const CODES = {SIGINT: ['INTERRUPTED', 130], SIGTERM: ['TERMINATED', 143], SIGHUP: ['HUNG_UP', 129]} as const

/** The signal comes while the tool sleeps between two looks. */
const sleeping = () => ({
  signal: stop.signal,
  sleep: (_: number, signal?: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
      stop.abort(reason)
    }),
})

describe.each(ENDING_SIGNALS)('%s', signal => {
  beforeEach(() => {
    reason = signal
  })
  const [name, exit] = CODES[signal]

  it.each([
    ['remotecheckout status t-1 --wait', 'cardctl remotecheckout status t-1'],
    ['a2a watch 88001', 'cardctl a2a watch 88001'],
  ])('in `%s` says how to look again', async (line, hint) => {
    const env = {CARDCTL_BASE_URL: service.url}
    const {code, stderr} = await home.run(line.split(' '), {env, ...sleeping()})
    expect(code).toBe(exit)
    expect(stderr).toContain(`Error ${name}: Stopped waiting for`)
    expect(stderr).toContain(hint)
  })

  it('while a request waits for its answer', async () => {
    const env = {CARDCTL_BASE_URL: service.url}
    const line = ['api', 'GET', '/slow', '--group', 'cards', '-o', 'json']
    const {code, stderr} = await home.run(line, {env, signal: stop.signal})
    expect(code).toBe(exit)
    expect(JSON.parse(stderr).error.code).toBe(name)
  })

  it('between the rows of a bulk run', async () => {
    const rows = `id,creditLimit\n${Array.from({length: 200}, () => '2001,5000').join('\n')}\n`
    setTimeout(() => stop.abort(reason), 150)
    const argv = [
      'bulk',
      'run',
      'accounts.patchCredit.v4',
      '--from',
      '-',
      '--yes',
      '--rate',
      '20/s',
      '-o',
      'json',
    ]
    const {code, stderr} = await home.run(argv, {stdin: rows, signal: stop.signal})
    expect(code).toBe(exit)
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error.code).toBe(name)
  })

  it('at a question', async () => {
    const {code, stderr} = await home.run(['cards', 'get'], {
      typed: [],
      signal: AbortSignal.abort(signal),
    })
    expect(code).toBe(exit)
    expect(stderr).toContain(`Error ${name}: Stopped at the question.`)
  })
})

it.each([
  ['cards get', 'Id of the card'],
  ['profiles add near', 'What is behind this profile?'],
  ['pin set 3004', 'New PIN:'],
])('the end of the input ends the question of `%s`', async (line, asks) => {
  const {code, stderr} = await home.run(line.split(' '), {typed: [[asks, '\u0004']]})
  expect(code).toBe(2)
  expect(stderr).toContain('Error INPUT_ENDED: The input ended at the question.')
})

it('all output to stdout or stderr passes the code that handles closed readers', () => {
  const direct = globSync('src/**/*.ts').filter(
    path => path !== 'src/output/sink.ts' && /std(out|err)\s*\.write\(/.test(readFileSync(path, 'utf8')),
  )
  // A program of its own, which speaks to its parent.
  expect(direct).toEqual(['src/profiles/keyring.ts'])
})
