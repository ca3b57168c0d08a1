import type {ServerResponse} from 'node:http'
import type {Hub} from './hub.ts'
import type {Hello, StreamMessages} from './wire.ts'

/** How long changes are gathered before they are sent, ms: far below what an eye sees, far above one call. */
const GATHER_MS = 40
/** Exchanges in one message, so that a page which asks for all of them gets to draw in between. */
const BATCH = 100
/** A comment now and then finds out that the other side has gone. */
const BEAT_MS = 15_000

/**
 * Sends what the hub holds, and then what comes, as server-sent events until the page goes away. `lastId` is what the
 * page has seen (`epoch:position`), if it has been here before. A page that reads slowly makes nobody wait and fills no
 * memory: it is sent the next batch when it has read the last one. Gives what ends it.
 */
export function openStream(
  hub: Hub,
  response: ServerResponse,
  {hello, lastId}: {hello: Hello; lastId: string | undefined},
): () => void {
  let position = positionOf(lastId, hello.epoch)
  let waiting = ''
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
    const now = hub.waiting()
    if (now !== waiting) send('waiting', now)
    waiting = now
    const batch = hub.after(position, BATCH)
    if (!batch) return
    position = batch.position
    send('calls', batch.text, position)
    schedule()
  }

  response.write('retry: 1000\n\n')
  send('hello', JSON.stringify(hello))
  pump()
  const unwatch = hub.watch(schedule)
  const beat = setInterval(() => response.writableNeedDrain || response.write(':\n\n'), BEAT_MS)
  const stop = () => {
    unwatch()
    clearInterval(beat)
    clearTimeout(timer)
  }
  response.once('close', stop)
  return () => {
    stop()
    response.end()
  }
}

function positionOf(lastId: string | undefined, epoch: string): number {
  const [, of, position] = /^(.*):(\d+)$/.exec(lastId ?? '') ?? []
  return of === epoch ? Number(position) : 0
}
