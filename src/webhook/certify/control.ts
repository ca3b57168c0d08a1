import {mkdtemp, open, rm} from 'node:fs/promises'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {openEndpoint} from '../endpoint.ts'

/** When a call to a responder of our own was due, and when it was answered, by performance.now(). */
export interface ControlCall {
  readonly due: number
  readonly answered: number
  /** Nothing was sent: a timer that was due then. */
  readonly isTimer?: true
}

/** How busy this machine is, measured while an endpoint is. */
export interface Control {
  /** The calls so far; the last one may not be answered yet. */
  calls(): readonly ControlCall[]
  close(): Promise<void>
}

const PAUSE_MS = 100
const BODY = Buffer.from('{}')
/** It answers at once, so this is longer than any call of a run. */
const LONGEST_MS = 60_000

/**
 * Calls a responder in this process all the time. It does the least that an endpoint does: reads a call, puts a line on the
 * disk, and answers. Where that takes long, late answers say nothing about an endpoint.
 */
export async function openControl(): Promise<Control> {
  const folder = await mkdtemp(join(tmpdir(), 'cardctl-control-'))
  const file = await open(join(folder, 'lines'), 'w')
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    await file.write('{}\n', 0)
    await file.sync()
    response.end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  const endpoint = openEndpoint({base: new URL(`http://127.0.0.1:${port}`)})
  const calls: ControlCall[] = []
  let waiting: number | undefined
  const stop = new AbortController()
  const ended = (async () => {
    while (!stop.signal.aborted) {
      waiting = performance.now()
      await endpoint.post('/auth', BODY, AbortSignal.timeout(LONGEST_MS)).catch(() => undefined)
      calls.push({due: waiting, answered: performance.now()})
      const due = performance.now() + PAUSE_MS
      await delay(PAUSE_MS, undefined, {signal: stop.signal}).catch(() => undefined)
      // A timer that is late is late because this machine is busy.
      if (!stop.signal.aborted) calls.push({due, answered: Math.max(due, performance.now()), isTimer: true})
    }
  })()
  return {
    calls: () => (waiting === undefined ? calls : [...calls, {due: waiting, answered: performance.now()}]),
    close: async () => {
      stop.abort()
      await ended
      endpoint.close()
      server.close()
      await file.close()
      await rm(folder, {recursive: true, force: true})
    },
  }
}

/** If a call to our own responder takes longer than this share of the deadline, this machine is busy. */
const BUSY_SHARE = 0.05

/** The slowest call to our own responder in some time, in ms, if this machine was busy then. */
export function busyMs(
  control: Control,
  {from, to, deadlineMs}: {readonly from: number; readonly to: number; readonly deadlineMs: number},
): number | undefined {
  const slowest = Math.max(
    0,
    ...control
      .calls()
      .filter(({due, answered}) => answered >= from && due <= to)
      .map(({due, answered}) => answered - due),
  )
  return slowest > deadlineMs * BUSY_SHARE ? Math.round(slowest) : undefined
}

/** If calls to our own responder, one after the other, need this share of the time, an endpoint can't keep up either. */
const FULL_SHARE = 0.5
/** Of fewer calls, an average says nothing. */
const LEAST_TIMES = 20

/**
 * The average time of a call to our own responder, in ms, if this machine is too slow for the rate of calls: they arrive
 * faster than it can put them on the disk one after the other. Otherwise undefined.
 */
export function tooSlowMs(
  control: Control,
  {from, to, rate}: {readonly from: number; readonly to: number; readonly rate: number},
): number | undefined {
  const times = control
    .calls()
    .filter(({due, answered, isTimer}) => answered >= from && due <= to && !isTimer)
    .map(({due, answered}) => answered - due)
  if (times.length < LEAST_TIMES) return undefined
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
  return mean * rate > FULL_SHARE * 1000 ? Math.round(mean * 10) / 10 : undefined
}

export const busyReason = (ms: number): string =>
  `this machine was busy: a responder of cardctl's own took up to ${ms} ms`
