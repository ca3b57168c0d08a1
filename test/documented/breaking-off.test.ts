import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {reply} from '../helpers/service.ts'
import {addProfile, errorCode, newHome, newService, writesOf} from './scene.ts'

const ENDINGS = [
  {signal: 'SIGHUP', code: 129, name: 'HUNG_UP'},
  {signal: 'SIGINT', code: 130, name: 'INTERRUPTED'},
  {signal: 'SIGTERM', code: 143, name: 'TERMINATED'},
]

interface Request {
  readonly id: string
  readonly state: string
  readonly operation: string
}

/** A service that the signal meets while it works on a write, and that carries the write out all the same. */
async function scene(signal: string, whenWritten: () => Promise<unknown> = () => pause(100)) {
  const home = await newHome()
  const stop = new AbortController()
  const service = await newService(async ({method}) => {
    if (method === 'GET' || stop.signal.aborted) return undefined
    stop.abort(signal)
    await whenWritten()
    return undefined
  })
  await addProfile(home, 'staging', 'test', service.url, '--settle-delay', '0s')
  const run = (argv: readonly string[], options = {}) =>
    home.run([...argv, '-p', 'staging', '-o', 'json', '--quiet'], options)
  const requests = () => home.json<Request[]>(['requests', 'list', '-p', 'staging'])
  return {home, service, stop, run, requests}
}

describe.each(ENDINGS)('$signal', ({signal, code, name}) => {
  test('ends a write that has left with its exit code, and the journal has the request', async () => {
    const {stop, run, requests} = await scene(signal)
    const ended = await run(['pricelists', 'patch', '5002', '--code', 'NEW'], {signal: stop.signal})
    expect([ended.code, errorCode(ended)]).toEqual([code, name])
    const [request, ...others] = await requests()
    expect(others).toEqual([])
    expect(request).toMatchObject({state: 'unknown', operation: 'pricelists.patch.v1'})
    expect(ended.stderr).toContain(request?.id)
  })

  test('before the first byte sends nothing', async () => {
    const {service, stop, run, requests} = await scene(signal)
    stop.abort(signal)
    const ended = await run(['pricelists', 'patch', '5002', '--code', 'NEW'], {signal: stop.signal})
    expect(ended.code).toBe(code)
    expect(writesOf(service)).toEqual([])
    for (const {state} of await requests()) expect(state).toBe('none')
  })

  test('stops a bulk run, which lets what is on its way end, and resume goes on', async () => {
    const {service, stop, run} = await scene(signal)
    const rows = `id,creditLimit\n${Array.from({length: 6}, (_, n) => `2001,${n}`).join('\n')}\n`
    const ended = await run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--rate', 'off'], {
      stdin: rows,
      signal: stop.signal,
    })
    expect(ended.code).toBe(code)
    const [job] = JSON.parse((await run(['bulk', 'list'])).stdout) as {job: string}[]
    const id = job?.job ?? ''
    const states = async () =>
      (JSON.parse((await run(['bulk', 'results', id])).stdout) as Request[]).map(({state}) => state)
    expect(await states()).toEqual(['done', ...Array(5).fill('waiting')])
    expect((await run(['bulk', 'resume', id, '--rate', 'off'])).code).toBe(0)
    expect(await states()).toEqual(Array(6).fill('done'))
    expect(service.requests.map(({body}) => JSON.parse(String(body)).creditLimit)).toEqual([0, 1, 2, 3, 4, 5])
  })
})

test('the first signal ends a read too, and reads leave no request in the journal', async () => {
  const home = await newHome()
  const stop = new AbortController()
  const service = await newService(async () => {
    stop.abort('SIGINT')
    await pause(100)
    return undefined
  })
  await addProfile(home, 'staging', 'test', service.url)
  const ended = await home.run(['cards', 'get', '3001', '-p', 'staging'], {signal: stop.signal})
  expect([ended.code, ended.stdout]).toEqual([130, ''])
  expect(await home.json(['requests', 'list', '-p', 'staging'])).toEqual([])
})

test('a write that was broken off under an honoured key has one effect after requests resolve', async () => {
  const {home, service, stop, run, requests} = await scene('SIGTERM')
  const change = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000']
  expect((await run(change, {signal: stop.signal})).code).toBe(143)
  const id = (await requests())[0]?.id ?? ''
  expect((await run(['requests', 'resolve', id])).code).toBe(0)
  expect(writesOf(service)).toHaveLength(2)
  const keys = service.requests.map(({headers}) => headers['x-idempotency-key'])
  expect(keys[0]).toBe(keys[1])
  expect((await requests()).find(request => request.id === id)?.state).toBe('done')
  const trail = await home.json<{operation: string; outcome: string}[]>(['audit', 'list', '-p', 'staging'])
  expect(trail.map(({outcome}) => outcome)).toContain('unknown')
})

test('a write without a response and without an honoured key ends with 10, and is not sent again', async () => {
  const home = await newHome()
  const service = await newService(({method}) =>
    method === 'GET' ? undefined : {...reply(200, {}), drop: true},
  )
  await addProfile(home, 'staging', 'test', service.url, '--settle-delay', '0s')
  const run = (argv: readonly string[]) =>
    home.run([...argv, '-p', 'staging', '-o', 'json', '--quiet', '--yes'])
  const ended = await run(['a2a', 'create', '--transfer', '2006:2007:12.50:EUR'])
  expect([ended.code, errorCode(ended)]).toEqual([10, 'EFFECT_UNKNOWN'])
  const [request] = await home.json<Request[]>(['requests', 'list', '--state', 'unknown', '-p', 'staging'])
  const id = request?.id ?? ''
  expect(ended.stderr).toContain(`requests resolve ${id}`)
  expect((await run(['requests', 'resolve', id])).code).toBe(10)
  expect((await run(['requests', 'retry', id])).code).toBe(10)
  expect((await run(['a2a', 'create', '--transfer', '2006:2007:12.50:EUR'])).code).not.toBe(0)
  expect(writesOf(service)).toHaveLength(1)
})

test('sends nothing if it cannot be recorded', async () => {
  const {home, service, run} = await scene('SIGINT')
  await writeFile(join(home.folder, 'file'), '')
  const refused = await run(['pricelists', 'patch', '5002', '--code', 'NEW'], {
    env: {CARDCTL_DATA_DIR: join(home.folder, 'file')},
  })
  expect(refused.code).toBe(3)
  expect(service.connections).toBe(0)
})
