import {expect, test} from 'vitest'
import {auths, callOf, codeOf, serve} from './endpoint.ts'
import {newHome} from './scene.ts'

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

test('the first line has the URL, and SIGINT, SIGTERM and SIGHUP end with 130, 143 and 129', async () => {
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

test('another call under a known id is decided by its content, and says so', async () => {
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

test('--no-repeat-memory decides every call again', async () => {
  const home = await newHome()
  const server = await serve(home, '--no-repeat-memory')
  const call = JSON.stringify(await callOf(home, 'contactless'))
  await server.post(call)
  await server.post(call)
  expect(auths((await server.stop()).events).map(({repeated}) => repeated ?? false)).toEqual([false, false])
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
