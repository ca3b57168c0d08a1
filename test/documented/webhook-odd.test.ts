import {expect, test} from 'vitest'
import {auths, callOf, codeOf, type Served, serve} from './endpoint.ts'
import {newHome} from './scene.ts'

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

test('an unreadable call gets a problem that quotes nothing of it', async () => {
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
