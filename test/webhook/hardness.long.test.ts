// What callers may do to the listener: none of it keeps others from their answers.
import {once} from 'node:events'
import {connect} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {Secret} from '../../src/sensitive/secret.ts'
import type {Decider} from '../../src/webhook/index.ts'
import {callOf} from './calls.ts'
import {type Listener, listener} from './listener.ts'
import {recordingRoom} from './recordings.ts'

const MAX = 64 * 1024

/** A connection that says what it likes, and the text that comes back. */
async function caller({url}: Listener) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let text = ''
  const ended = new Promise<void>(resolve => socket.once('close', () => resolve()))
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const received = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(text)) {
      if (socket.destroyed) throw new Error(`The connection ended after: ${text}`)
      await Promise.race([once(socket, 'data'), ended])
    }
    return text
  }
  return {socket, received, ended, text: () => text}
}

const head = (more: string, method = 'POST', path = '/auth') =>
  `${method} ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`
const whole = (body: string) => `${head(`content-length: ${Buffer.byteLength(body)}\r\n`)}${body}`
const call = (id: string, more?: object) => JSON.stringify(callOf('chip', id, more))

/** A call of just so many bytes. */
function callOfSize(id: string, bytes: number): string {
  const bare = Buffer.byteLength(call(id, {note: ''}))
  return call(id, {note: 'x'.repeat(bytes - bare)})
}

test('a body of 64 KiB passes, one byte more does not', async () => {
  const {post, events} = await listener()
  expect(Buffer.byteLength(callOfSize('a', MAX))).toBe(MAX)
  expect((await post('/auth', callOfSize('a', MAX))).status).toBe(200)
  expect((await post('/auth', callOfSize('b', MAX + 1))).status).toBe(413)
  expect(events.map(({type}) => type)).toEqual(['auth', 'rejected'])
})

test('10 MiB are refused before they have arrived, and a caller that sends them anyway gets the answer', async () => {
  const here = await listener()
  const announced = await caller(here)
  announced.socket.write(head(`content-length: ${10 * 1024 * 1024}\r\n`))
  expect(await announced.received(/\}$/)).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*64 KiB/i)
  expect((await here.post('/auth', `"${'x'.repeat(10 * 1024 * 1024)}"`)).status).toBe(413)
  const chunked = await caller(here)
  chunked.socket.write(head('transfer-encoding: chunked\r\n'))
  const piece = `4000\r\n${'x'.repeat(0x4000)}\r\n`
  for (let count = 0; count < 5; count++) chunked.socket.write(piece)
  expect(await chunked.received(/\}$/)).toMatch(/^HTTP\/1\.1 413 /)
  expect(here.events).toMatchObject([{status: 413}, {status: 413}, {status: 413}])
})

test('a caller that disconnects is reported once', async () => {
  const here = await listener()
  for (const begun of [
    `${head('content-length: 500\r\n')}{"metadata"`,
    whole('{').slice(0, -1),
    'POST /au',
  ]) {
    const {socket, ended} = await caller(here)
    socket.end(begun)
    await ended
  }
  expect((await here.post('/auth', callOf('chip', 'a'))).status).toBe(200)
  expect(here.events).toMatchObject([{status: 400}, {status: 400}, {type: 'auth'}])
})

test('a caller that asks first is told to continue, or not to', async () => {
  const here = await listener()
  const body = call('a')
  const small = await caller(here)
  small.socket.write(head(`content-length: ${body.length}\r\nexpect: 100-continue\r\n`))
  expect(await small.received(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  small.socket.write(body)
  expect(await small.received(/"00"/)).toContain('HTTP/1.1 200 OK')
  const twice = await caller(here)
  twice.socket.write(
    head(`content-length: ${body.length}\r\nexpect: 100-continue\r\nExpect: 100-Continue\r\n`),
  )
  expect(await twice.received(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  const large = await caller(here)
  large.socket.write(head(`content-length: ${MAX + 1}\r\nexpect: 100-continue\r\n`))
  expect(await large.received(/\}$/)).toMatch(/^HTTP\/1\.1 413 /)
})

test('a body may come in chunks, and calls one behind the other on one connection', async () => {
  const here = await listener()
  const {socket, received} = await caller(here)
  const body = call('a')
  const [first, second] = [body.slice(0, 100), body.slice(100)]
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  socket.write(`${head('transfer-encoding: chunked\r\n')}${chunk(first)}`)
  socket.write(`${chunk(second)}0\r\n\r\n${whole(call('b'))}${whole('[]')}${whole(call('c'))}`)
  const text = await received(/(HTTP\/1\.1[\s\S]*){4}\}\}$/)
  expect(text.match(/HTTP\/1\.1 \d+/g)?.map(line => line.slice(9))).toEqual(['200', '200', '400', '200'])
  expect(text).not.toMatch(/connection: close/i)
  expect(here.events.flatMap(event => ('id' in event ? [event.id] : []))).toEqual(['a', 'b', 'c'])
})

test.each(['GET', 'HEAD', 'OPTIONS', 'PUT'])(
  '%s is told what is taken, and the connection stays',
  async method => {
    const here = await listener()
    const {socket, received} = await caller(here)
    socket.write(head('', method) + whole(call('a')))
    const text = await received(/"00"/)
    expect(text).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n[\s\S]*allow: POST/i)
    expect(here.events).toMatchObject([{type: 'rejected', status: 405}, {type: 'auth'}])
  },
)

test('input that is not HTTP gets a problem too, and is reported', async () => {
  const here = await listener()
  const noHttp = await caller(here)
  noHttp.socket.write('card=4111111111111111\r\n\r\n')
  expect(await noHttp.received(/\}$/)).toMatch(/^HTTP\/1\.1 400 [\s\S]*application\/problem\+json/)
  const tooMuch = await caller(here)
  tooMuch.socket.write(head(`x-more: ${'x'.repeat(20_000)}\r\n`))
  expect(await tooMuch.received(/\}$/)).toMatch(/^HTTP\/1\.1 431 /)
  expect(here.exchanges).toMatchObject([
    {event: {type: 'rejected', status: 400}, request: {path: ''}},
    {event: {type: 'rejected', status: 431}},
  ])
  expect(JSON.stringify(here.exchanges)).not.toContain('4111')
})

test.each([
  ['no host', 400, 'POST /auth HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}'],
  ['an expectation that nobody knows', 417, `${head('content-length: 2\r\nexpect: tea\r\n')}{}`],
  [
    'CONNECT',
    405,
    'CONNECT user:hunter2@shop-4111111111111111:443?token=hunter2 HTTP/1.1\r\nhost: x\r\n\r\n',
  ],
])('%s gets a problem, and is told', async (_, status, text) => {
  const here = await listener()
  const {socket, received} = await caller(here)
  socket.write(text)
  expect(await received(/\}$/)).toMatch(
    new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*application/problem\\+json`, 'i'),
  )
  expect(here.exchanges).toMatchObject([{event: {type: 'rejected', status}}])
  expect(JSON.stringify(here.exchanges)).not.toMatch(/411111111|hunter2/)
})

test.each([
  ['CONNECT', 'CONNECT elsewhere:443 HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['what is no HTTP', 'card=1\r\n\r\n'],
])('%s behind a call that waits is not answered in its place', async (_, text) => {
  const decider: Decider = {decide: () => new Promise(() => undefined)}
  const here = await listener({decider})
  const {socket, ended, text: received} = await caller(here)
  socket.write(whole(call('a')) + text)
  await ended
  expect(received()).toBe('')
  await here.close()
  expect(here.events).toMatchObject([{type: 'late', id: 'a', callerGone: true}])
})

test('calls one behind the other are all answered, though each is recorded first', async () => {
  const recorder = recordingRoom().recorder()
  const here = await listener({recorder})
  const {socket, received} = await caller(here)
  socket.write(whole(call('a')) + whole(call('b')) + whole(call('c')))
  await received(/("00"[\s\S]*){3}/)
  expect(here.events.map(({type}) => type)).toEqual(['auth', 'auth', 'auth'])
})

test.each(['CONNECT elsewhere:443 HTTP/1.1\r\nhost: x\r\n\r\n', 'card=1\r\n\r\n'])(
  'the answer reaches a caller who goes on sending: %j',
  async text => {
    const here = await listener()
    const {socket, received, ended} = await caller(here)
    socket.write(text)
    for (let count = 0; count < 64; count++) socket.write('x'.repeat(64 * 1024))
    socket.end()
    expect(await received(/\}$/)).toMatch(/^HTTP\/1\.1 40[05] /)
    await ended
    expect(socket.errored).toBeNull()
  },
)

test.each([
  ['origin: http://evil.example\r\n', 403],
  ['content-encoding: gzip\r\n', 415],
])('a call with %j is refused before it is read', async (header, status) => {
  const here = await listener()
  const {socket, received} = await caller(here)
  socket.write(`${head(`${header}content-length: 2\r\n`)}{}`)
  expect(await received(/\}$/)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(here.exchanges).toMatchObject([{event: {type: 'rejected', status}}])
})

test('the paths are named as they are below a prefix', async () => {
  const {url, post} = await listener({pathPrefix: '/hooks'})
  const {status, body} = await post('/other', {})
  expect({status, body}).toMatchObject({
    status: 404,
    body: {detail: 'calls go to /hooks/auth and /hooks/warm-up'},
  })
  expect(url).toMatch(/\/hooks$/)
})

test('HTTP/1.0 needs no host, and expects nothing', async () => {
  const here = await listener()
  const {socket, received} = await caller(here)
  const body = call('a')
  socket.write(`POST /auth HTTP/1.0\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  expect(await received(/"00"/)).toMatch(/^HTTP\/1\.1 200 /)
})

test('a caller who takes us for a proxy and stays does not keep the server from its end', async () => {
  const here = await listener()
  const socket = connect({port: Number(new URL(here.url).port), host: '127.0.0.1', allowHalfOpen: true})
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.write('CONNECT elsewhere:443 HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket.resume(), 'end')
  await here.close()
})

test('strictly, a call that differs from the contract is refused: what is wrong and where, and nothing of it', async () => {
  const {post, exchanges} = await listener({strict: true})
  const unfit = callOf('chip', 'a')
  Object.assign(unfit.card, {cardId: 'card 4111111111111111'})
  Object.assign(unfit.transactionData, {transactionAmount: {amount: '12', currency: 'euro'}})
  const {status, body} = await post('/auth', unfit)
  expect(status).toBe(400)
  expect(body).toMatchObject({
    title: 'Bad Request',
    detail: expect.stringMatching(/^card\.cardId must be/),
    errors: [
      {pointer: '/card/cardId'},
      {
        pointer: '/transactionData/transactionAmount/amount',
        detail: expect.stringContaining('must be a number'),
      },
      {pointer: '/transactionData/transactionAmount/currency'},
    ],
  })
  expect(JSON.stringify(exchanges)).not.toContain('4111111111111111')
})

test('connections that say nothing, a little or half of a call cost others nothing', async () => {
  const here = await listener({deadlineMs: 20_000})
  const many = await Promise.all(
    Array.from({length: 2000}, async (_, at) => {
      const one = await caller(here)
      if (at % 4 === 1) one.socket.write('PO')
      if (at % 4 === 2) one.socket.write(head('content-length: 500\r\n'))
      if (at % 4 === 3) one.socket.write(`${head('content-length: 500\r\n')}{"metadata"`)
      return one
    }),
  )
  const answers = await Promise.all(
    Array.from({length: 200}, (_, at) => here.post('/auth', callOf('chip', `c${at}`))),
  )
  expect(answers.every(({status}) => status === 200)).toBe(true)
  const answered = here.events.filter(event => event.type === 'auth')
  expect(answered).toHaveLength(200)
  // Whoever began to send a body and stopped is told so, and its connection is given back.
  const halfOpen = many.filter((_, at) => at % 4 >= 2)
  await Promise.all(
    halfOpen.map(({received, ended}) => Promise.all([received(/408 Request Timeout/), ended])),
  )
  expect(here.events.filter(event => event.type === 'rejected' && event.status === 408)).toHaveLength(1000)
  expect((await here.post('/auth', callOf('chip', 'last'))).status).toBe(200)
})

test('a caller that disconnects while it waits is reported as late', async () => {
  let decideNow: () => void = () => undefined
  const asked = Promise.withResolvers<void>()
  const decider: Decider = {
    decide: () => {
      asked.resolve()
      return new Promise(resolve => {
        decideNow = () =>
          resolve({
            answer: {kind: 'reply', reply: {transactionData: {authResponseCode: {code: '00'}}}},
            by: 'test',
          })
      })
    },
  }
  const here = await listener({decider})
  const {socket} = await caller(here)
  socket.write(whole(call('a')))
  await asked.promise
  socket.destroy()
  await goneFrom(here)
  decideNow()
  await expect.poll(() => here.events.at(-1)).toMatchObject({type: 'late', id: 'a', callerGone: true})
  // What was decided is still the answer to that id.
  expect((await here.post('/auth', callOf('chip', 'a'))).status).toBe(200)
})

/** The server has seen that a connection is closed when it has answered what came on another one after that. */
async function goneFrom(here: Listener): Promise<void> {
  const {socket, received} = await caller(here)
  socket.write(head('', 'GET'))
  await received(/405/)
}

test('credentials are required before a body is read', async () => {
  const auth = {type: 'bearer', token: new Secret('sesame')} as const
  const here = await listener({credentials: {auth}})
  const {socket, received} = await caller(here)
  socket.write(head(`content-length: ${MAX}\r\nauthorization: Bearer guess\r\n`))
  expect(await received(/\}$/)).toMatch(/^HTTP\/1\.1 401 [\s\S]*www-authenticate: Bearer/i)
  expect(JSON.stringify(here.exchanges)).not.toContain('guess')
})
