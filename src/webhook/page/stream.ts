import type {ServerResponse} from 'node:http'
import {webhookShapes} from '../../contract/webhook-shapes.gen.ts'
import {maskByShape} from '../../sensitive/mask-by-shape.ts'
import type {Exchange, Pending} from '../exchange.ts'
import type {Hello, StreamMessages, Waiting} from './wire.ts'

interface Held {
  readonly position: number
  /** JSON. */
  readonly text: string
}

interface FeedLimits {
  readonly exchanges: number
  /** Characters of all exchanges together, as JSON. */
  readonly characters: number
  /** Calls that wait, as many as are shown. */
  readonly waiting: number
}

const LIMITS: FeedLimits = {exchanges: 1000, characters: 32 * 1024 * 1024, waiting: 50}

/**
 * What the page can show: the last exchanges, numbered in order, and the calls that wait. A page asks for the exchanges
 * after a position, so a slow or returning one misses only those that the feed has dropped meanwhile.
 */
export class CallFeed {
  readonly #limits: FeedLimits
  readonly #watchers = new Set<() => void>()
  readonly #pending = new Map<string, {readonly pending: Pending; text?: string}>()
  #held: Held[] = []
  #characters = 0
  #position = 0

  constructor(limits: Partial<FeedLimits> = {}) {
    this.#limits = {...LIMITS, ...limits}
  }

  pending(pending: Pending): void {
    this.#pending.set(pending.event, {pending})
    this.#tell()
  }

  exchange(exchange: Exchange): void {
    this.#pending.delete(exchange.event.event)
    const text = JSON.stringify(exchange)
    this.#held.push({position: ++this.#position, text})
    this.#characters += text.length
    const {exchanges, characters} = this.#limits
    while (this.#held.length > exchanges || (this.#characters > characters && this.#held.length > 1)) {
      this.#characters -= this.#held.shift()?.text.length ?? 0
    }
    this.#tell()
  }

  /** At most `count` exchanges behind a position, oldest first, as a JSON array; and the position they lead to. */
  after(position: number, count: number): {readonly text: string; readonly position: number} | undefined {
    const oldest = this.#position - this.#held.length
    const start = Math.max(0, position - oldest)
    const found = this.#held.slice(start, start + count)
    const last = found.at(-1)
    return last && {text: `[${found.map(({text}) => text).join(',')}]`, position: last.position}
  }

  /** The calls that wait, oldest first, as JSON of `Waiting[]`. */
  waiting(): string {
    const shown: string[] = []
    for (const entry of this.#pending.values()) {
      if (shown.length === this.#limits.waiting) break
      // Most calls are answered before anyone looks: only those that are looked at cost the masking.
      entry.text ??= JSON.stringify(waitingOf(entry.pending))
      shown.push(entry.text)
    }
    return `[${shown.join(',')}]`
  }

  /** Calls `changed` at every change. Returns a function that stops this. */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed)
    return () => this.#watchers.delete(changed)
  }

  /** Something else has changed that streams send. */
  touch(): void {
    this.#tell()
  }

  #tell(): void {
    for (const changed of this.#watchers) changed()
  }
}

const waitingOf = ({event, at, summary, call}: Pending): Waiting => ({
  event,
  at,
  summary,
  body: maskByShape(webhookShapes['webhook.auth'].request, call).masked,
})

/** How long changes are gathered before they are sent, ms: far below what an eye sees, far above one call. */
const GATHER_MS = 40
/** Exchanges in one message, so that a page which asks for all of them gets to draw in between. */
const BATCH = 100
interface StreamOptions {
  readonly hello: Hello
  readonly lastId: string | undefined
  /** How often each rule has decided. */
  readonly rules?: (() => StreamMessages['rules']) | undefined
}

/** A comment now and then finds out that the other side has gone. */
const BEAT_MS = 15_000

/**
 * Sends the exchanges of the feed and all new ones as server-sent events until the page disconnects. `lastId` is the last
 * position that the page has seen (`epoch:position`), if it returns. A slow page delays no call and fills no memory: it
 * gets the next batch when it has read the last one. Returns a function that ends the stream, for newer windows or for
 * good.
 */
export function openStream(
  feed: CallFeed,
  response: ServerResponse,
  {hello, lastId, rules}: StreamOptions,
): (why?: 'paused') => void {
  let position = positionOf(lastId, hello.epoch)
  let waiting = ''
  let used = ''
  let timer: NodeJS.Timeout | undefined

  const send = <Name extends keyof StreamMessages>(name: Name, data: string, id?: number) =>
    response.write(`${id === undefined ? '' : `id: ${hello.epoch}:${id}\n`}event: ${name}\ndata: ${data}\n\n`)
  const schedule = () => {
    timer ??= setTimeout(pump, GATHER_MS)
  }
  function pump(): void {
    timer = undefined
    if (response.writableNeedDrain) {
      response.once('drain', schedule)
      return
    }
    const now = feed.waiting()
    if (now !== waiting) send('waiting', now)
    waiting = now
    const hits = rules ? JSON.stringify(rules()) : ''
    if (hits !== used) send('rules', hits)
    used = hits
    const batch = feed.after(position, BATCH)
    if (!batch) return
    position = batch.position
    send('calls', batch.text, position)
    schedule()
  }

  response.write('retry: 1000\n\n')
  send('hello', JSON.stringify(hello))
  pump()
  const unwatch = feed.watch(schedule)
  const beat = setInterval(() => response.writableNeedDrain || response.write(':\n\n'), BEAT_MS)
  const stop = () => {
    unwatch()
    clearInterval(beat)
    clearTimeout(timer)
  }
  response.once('close', stop)
  return why => {
    stop()
    if (why) send(why, '{}')
    response.end()
  }
}

function positionOf(lastId: string | undefined, epoch: string): number {
  const [, of, position] = /^(.*):(\d+)$/.exec(lastId ?? '') ?? []
  return of === epoch ? Number(position) : 0
}
