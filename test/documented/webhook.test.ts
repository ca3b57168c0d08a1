import {once} from 'node:events'
import {request} from 'node:http'
import {expect, onTestFinished, test} from 'vitest'
import type {Home, RunResult} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'
import {newHome} from './scene.ts'

interface Event {
  readonly type: string
  readonly event: string
  readonly outcome?: string
  readonly code?: string
  readonly repeated?: boolean
  readonly reusedId?: string
  readonly differs?: {pointer: string}[]
  readonly status?: number
  readonly id?: string
}

interface Served {
  readonly url: string
  /** Sends a body to /auth as it stands. */
  post(body: string, headers?: Record<string, string>, path?: string): Promise<{status: number; text: string}>
  /** Ends the server, and gives what it printed. */
  stop(signal?: string): Promise<RunResult & {events: Event[]}>
}

async function serve(home: Home, ...flags: string[]): Promise<Served> {
  const port = await freePort()
  const end = new AbortController()
  const ended = home.run(['webhook', 'serve', '--port', String(port), '-o', 'ndjson', ...flags], {
    signal: end.signal,
  })
  const url = `http://127.0.0.1:${port}`
  const post: Served['post'] = async (body, headers = {}, path = '/auth') => {
    const sent = request(`${url}${path}`, {
      method: 'POST',
      headers: {'content-type': 'application/json', ...headers},
      agent: false,
    })
    sent.end(body)
    const [response] = await once(sent, 'response')
    let text = ''
    for await (const chunk of response) text += chunk
    return {status: response.statusCode, text}
  }
  const stop: Served['stop'] = async (signal = 'SIGTERM') => {
    end.abort(signal)
    const result = await ended
    const events = result.stdout.trim().split('\n').filter(Boolean)
    return {...result, events: events.map(line => JSON.parse(line) as Event)}
  }
  onTestFinished(async () => {
    end.abort('SIGTERM')
    await ended
  })
  for (;;) {
    const ready = await post('', {}, '/warm-up').catch(() => undefined)
    if (ready !== undefined) break
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return {url, post, stop}
}

/** The body of a call, as the service sends it. */
async function callOf(home: Home, scenario: string, ...set: string[]) {
  const argv = [
    'webhook',
    'trigger',
    'auth',
    '--to',
    'http://127.0.0.1:1',
    '--scenario',
    scenario,
    '--dry-run',
  ]
  return (await home.json<{body: Record<string, Record<string, unknown>>}>([...argv, ...set])).body
}

const codeOf = ({text}: {text: string}) => JSON.parse(text).transactionData.authResponseCode.code as string
const auths = (events: readonly Event[]) => events.filter(({type}) => type === 'auth')

test('who decides: the table of --approve and --decline', async () => {
  const home = await newHome()
  const table = [
    {flags: [], payment: '00', refund: '00', reversal: '00', inquiry: '00', pin: '00', zero: '00'},
    {
      flags: ['--decline', '51'],
      payment: '51',
      refund: '00',
      reversal: '00',
      inquiry: '00',
      pin: '00',
      zero: '00',
    },
    {
      flags: ['--decline', '57'],
      payment: '57',
      refund: '57',
      reversal: '00',
      inquiry: '57',
      pin: '57',
      zero: '57',
    },
  ]
  for (const {flags, ...expected} of table) {
    const server = await serve(home, '--no-record', ...flags)
    const scenarios = ['contactless', 'refund', 'reversal', 'balance-inquiry', 'pin-change', 'verification']
    const codes = []
    for (const scenario of scenarios) {
      codes.push(codeOf(await server.post(JSON.stringify(await callOf(home, scenario)))))
    }
    expect(codes, flags.join(' ')).toEqual(Object.values(expected))
    await server.stop()
  }
})

test('the first line tells the address, and SIGINT, SIGTERM and SIGHUP end with 130, 143 and 129', async () => {
  const home = await newHome()
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    const server = await serve(home)
    const ended = await server.stop(signal)
    expect(ended.code).toBe(code)
    expect(ended.events[0]).toMatchObject({type: 'ready', url: server.url})
  }
})

test('the same call under the same id gets the same answer, also from the next server with other rules', async () => {
  const home = await newHome()
  const call = await callOf(home, 'contactless')
  const first = await serve(home)
  expect(codeOf(await first.post(JSON.stringify(call)))).toBe('00')
  await first.stop()

  const second = await serve(home, '--decline', '57')
  const reordered = Object.fromEntries(Object.entries(call).reverse())
  const again = {...reordered, metadata: {...call.metadata, traceId: 'another-try'}, extra: null}
  expect(codeOf(await second.post(JSON.stringify(again, null, 2)))).toBe('00')
  const {events} = await second.stop()
  expect(auths(events)).toMatchObject([{repeated: true, outcome: 'approved'}])
})

test('another call under a known id is decided afresh, and says so', async () => {
  const home = await newHome()
  const server = await serve(home, '--decline', '51')
  await server.post(JSON.stringify(await callOf(home, 'refund', '--set', 'metadata.id=77')))
  const other = await server.post(JSON.stringify(await callOf(home, 'gambling', '--set', 'metadata.id=77')))
  expect(codeOf(other)).toBe('51')
  const {events} = await server.stop()
  const [first, second] = auths(events)
  expect(second?.reusedId).toBe(first?.event)
  expect(second?.repeated).toBe(false)
})

test('--no-repeat-memory decides every call afresh', async () => {
  const home = await newHome()
  const server = await serve(home, '--no-repeat-memory')
  const call = JSON.stringify(await callOf(home, 'contactless'))
  await server.post(call)
  await server.post(call)
  expect(auths((await server.stop()).events).map(({repeated}) => repeated ?? false)).toEqual([false, false])
})

test('a call that differs is decided all the same, and the event names the places', async () => {
  const home = await newHome()
  const server = await serve(home)
  const call = await callOf(home, 'contactless')
  const odd = {...call, account: {...call.account, accountId: 2001}, card: null}
  expect(codeOf(await server.post(JSON.stringify(odd)))).toBe('00')
  const {events, stderr} = await server.stop()
  const pointers = auths(events)[0]?.differs?.map(({pointer}) => pointer)
  expect(pointers).toEqual(expect.arrayContaining(['/account/accountId', '/card']))
  expect(stderr).toContain('/account/accountId')
})

test('a call without a metadata.id is never taken for a repeat', async () => {
  const home = await newHome()
  const server = await serve(home)
  const {metadata, ...call} = await callOf(home, 'contactless')
  for (let n = 0; n < 2; n++) expect((await server.post(JSON.stringify(call))).status).toBe(200)
  const events = auths((await server.stop()).events)
  expect(metadata).toBeDefined()
  expect(events.map(({repeated}) => repeated ?? false)).toEqual([false, false])
  for (const {id} of events) expect(id).toMatch(/^body-[0-9a-f]{16}$/)
})

test('with --strict every call that differs is refused with 400', async () => {
  const home = await newHome()
  const server = await serve(home, '--strict')
  const call = await callOf(home, 'contactless')
  expect((await server.post(JSON.stringify(call))).status).toBe(200)
  expect((await server.post(JSON.stringify({...call, card: null}))).status).toBe(400)
  const {events} = await server.stop()
  expect(events.map(({type}) => type)).toContain('rejected')
})

test('what cannot be read is answered with a problem that quotes nothing of it', async () => {
  const home = await newHome()
  const server = await serve(home)
  const [open, shut] = ['{"a":'.repeat(61), '}'.repeat(61)]
  const cases: [number, Parameters<Served['post']>][] = [
    [400, ['not json 4111111111111111']],
    [400, ['[]']],
    [400, [`${open}1${shut}`]],
    [403, ['{}', {origin: 'https://shop.example'}]],
    [404, ['{}', {}, '/other']],
    [413, [JSON.stringify({text: 'x'.repeat(70 * 1024)})]],
    [415, ['{}', {'content-encoding': 'gzip'}]],
  ]
  for (const [status, given] of cases) {
    const seen = await server.post(...given)
    expect(seen.status, given[0].slice(0, 30)).toBe(status)
    expect(JSON.parse(seen.text)).toMatchObject({status})
    expect(seen.text).not.toContain('1111')
  }
  expect((await fetch(`${server.url}/auth`)).status).toBe(405)
  const {events} = await server.stop()
  expect(events.filter(({type}) => type === 'rejected').map(({status}) => status)).toEqual([
    ...cases.map(([status]) => status),
    405,
  ])
})

test('replay names what is decided differently now, and ends with 11', async () => {
  const home = await newHome()
  const first = await serve(home, '--decline', '57')
  for (const scenario of ['contactless', 'reversal']) {
    await first.post(JSON.stringify(await callOf(home, scenario)))
  }
  await first.stop()

  const same = await serve(home, '--decline', '57', '--no-record')
  const to = (url: string) => home.run(['webhook', 'replay', '--type', 'auth', '--to', url, '-o', 'json'])
  expect((await to(same.url)).code).toBe(0)
  await same.stop()

  const changed = await serve(home, '--no-record')
  const seen = await to(changed.url)
  expect(seen.code).toBe(11)
  const {calls} = JSON.parse(seen.stdout) as {calls: {changed: boolean; change?: string}[]}
  expect(calls.map(({change}) => change)).toEqual(['approved-instead', undefined])
  await changed.stop()
  expect((await to(changed.url)).code).toBe(9)
})

test('the recording has every call with its answer, newest first', async () => {
  const home = await newHome()
  const server = await serve(home)
  await server.post(JSON.stringify(await callOf(home, 'contactless')))
  await server.post('not json')
  const {events} = await server.stop()
  const listed = await home.json<{id?: string; event?: string; type: string}[]>(['webhook', 'events', 'list'])
  expect(listed.map(({type}) => type)).toEqual(
    events
      .slice(1)
      .map(({type}) => type)
      .reverse(),
  )
  const failed = await home.json<unknown[]>(['webhook', 'events', 'list', '--failed'])
  expect(failed).toHaveLength(1)
})
