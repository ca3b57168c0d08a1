import {expect, onTestFinished, test} from 'vitest'
import type {Exchange} from '../../../src/webhook/index.ts'
import {type Inspected, inspected} from './inspected.ts'
import {proofOf} from './page-link.ts'
import {exchangeOf, pendingOf} from './sample-calls.ts'

interface Message {
  readonly name: string
  readonly id: string | undefined
  readonly data: unknown
}

/** The messages of a stream as they come. */
async function* stream(site: Inspected, proof: string, lastId?: string): AsyncGenerator<Message> {
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const headers = {'x-cardctl-inspect': proof, ...(lastId !== undefined && {'last-event-id': lastId})}
  const response = await fetch(`${site.page}stream`, {headers, signal: gone.signal})
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const whole = text.split('\n\n')
    text = whole.pop() ?? ''
    for (const part of whole) {
      const fields = new Map(part.split('\n').map(line => line.split(/: (.*)/, 2) as [string, string]))
      const name = fields.get('event')
      if (name !== undefined) yield {name, id: fields.get('id'), data: JSON.parse(fields.get('data') ?? '')}
    }
  }
}

async function open(): Promise<{site: Inspected; proof: string}> {
  const site = await inspected()
  onTestFinished(site.close)
  return {site, proof: proofOf(site.url)}
}

const next = async (messages: AsyncGenerator<Message>, name: string): Promise<Message> => {
  for (;;) {
    const {value, done} = await messages.next()
    if (done) throw new Error(`the stream ended before ${name}`)
    if (value.name === name) return value
  }
}
const names = ({data}: Message) => (data as readonly Exchange[]).map(({event}) => event.event)

test('a page gets what is held, then what comes', async () => {
  const {site, proof} = await open()
  site.inspector.onExchange(exchangeOf(1))
  const messages = stream(site, proof)
  expect(await next(messages, 'hello')).toMatchObject({
    data: {epoch: 'first', url: site.url, deadlineMs: 2000, ask: false},
  })
  expect(names(await next(messages, 'calls'))).toEqual(['e_1'])
  site.inspector.onExchange(exchangeOf(2))
  site.inspector.onExchange(exchangeOf(3))
  const calls = await next(messages, 'calls')
  expect(names(calls)).toEqual(['e_2', 'e_3'])
  expect(calls.id).toBe('first:3')
  site.inspector.onPending(pendingOf(4))
  expect(await next(messages, 'waiting')).toMatchObject({
    data: [{event: 'e_4', summary: {merchant: 'Kahvila Aino'}}],
  })
  site.inspector.onExchange(exchangeOf(4))
  expect(await next(messages, 'waiting')).toMatchObject({data: []})
})

test('a page that reconnects gets what it has missed, and everything from a restarted server', async () => {
  const {site, proof} = await open()
  for (let number = 1; number <= 3; number++) site.inspector.onExchange(exchangeOf(number))
  expect(names(await next(stream(site, proof, 'first:2'), 'calls'))).toEqual(['e_3'])
  expect(names(await next(stream(site, proof, 'other:2'), 'calls'))).toEqual(['e_1', 'e_2', 'e_3'])
})

test('streams end with the inspector', async () => {
  const {site, proof} = await open()
  const messages = stream(site, proof)
  await next(messages, 'hello')
  site.inspector.close()
  await expect(next(messages, 'calls')).rejects.toThrow('the stream ended')
})

test('a browser keeps connections for what people do: the oldest of five streams is paused', async () => {
  const {site, proof} = await open()
  const streams = []
  for (let count = 0; count < 5; count++) {
    const messages = stream(site, proof)
    streams.push(messages)
    await next(messages, 'hello')
  }
  const [oldest, ...others] = streams
  if (!oldest) throw new Error('there is no stream')
  expect((await next(oldest, 'paused')).data).toEqual({})
  await expect(next(oldest, 'calls')).rejects.toThrow('the stream ended')
  site.inspector.onExchange(exchangeOf(1))
  for (const messages of others) expect(names(await next(messages, 'calls'))).toEqual(['e_1'])
})
