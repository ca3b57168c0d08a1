import {isIPv6} from 'node:net'
import {Failure} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import {errnoOf} from '../../errors/system-reason.ts'
import {isLoopback} from '../../network/check-url.ts'
import type {View} from '../../output/index.ts'
import type {Context} from '../context.ts'
import {endOfParent} from './parent.ts'
import {ServerTally, tallyLines} from './server-tally.ts'

/** @throws Failure USAGE for a server that other machines can reach without credentials. */
export function refuseExposed(host: string, {guarded}: {guarded: boolean}): void {
  if (guarded || isLoopback(isIPv6(host) ? `[${host}]` : host)) return
  throw new Failure('USAGE', {
    message: `--host ${host} lets other machines connect without credentials.`,
    hint: 'Add --auth basic:REF or bearer:REF, or --i-know-this-is-exposed.',
  })
}

/** Why a port is not available. */
export const portReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the name lookup failed',
}

/** Runs `listen`. @throws Failure PORT_UNAVAILABLE if the port is not available. */
export async function listening<Server>(
  listen: () => Promise<Server>,
  {host, port}: {host: string; port: number},
): Promise<Server> {
  try {
    return await listen()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = portReasons[code]
    if (reason === undefined) throw error
    throw new Failure('PORT_UNAVAILABLE', {
      message: `Can't listen on ${host}, port ${port === 0 ? 'any' : port}: ${reason}.`,
      cause: error,
    })
  }
}

/** Reports how many events were dropped because the reader was too slow. */
export interface DroppedEvent {
  readonly type: 'dropped'
  readonly count: number
}

const LONGEST = 10_000

/**
 * A bounded queue of events for a reader that may be slow or stalled. The producer never waits. Events that don't fit are
 * counted, and the count takes their place.
 */
export class EventQueue<Event> implements AsyncIterable<readonly (Event | DroppedEvent)[]> {
  readonly #longest: number
  #waiting: Event[] = []
  #dropped = 0
  #ended = false
  #wake: (() => void) | undefined
  #soon: NodeJS.Immediate | undefined

  constructor(longest = LONGEST) {
    this.#longest = longest
  }

  push(event: Event): void {
    if (this.#ended) return
    if (this.#waiting.length < this.#longest) this.#waiting.push(event)
    else this.#dropped++
    // What comes in the same turn of the event loop goes out together.
    this.#soon ??= setImmediate(() => this.#wakeReader())
  }

  /** Ends the queue. Queued events are still delivered. */
  end(): void {
    this.#ended = true
    this.#wakeReader()
  }

  /** Returns all events since the last call. */
  async *[Symbol.asyncIterator](): AsyncGenerator<readonly (Event | DroppedEvent)[]> {
    for (;;) {
      const batch = this.#waiting
      const count = this.#dropped
      this.#waiting = []
      this.#dropped = 0
      if (count > 0) yield [...batch, {type: 'dropped', count}]
      else if (batch.length > 0) yield batch
      if (this.#waiting.length > 0 || this.#dropped > 0) continue
      if (this.#ended) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }

  #wakeReader(): void {
    clearImmediate(this.#soon)
    this.#soon = undefined
    this.#wake?.()
  }
}

export interface RunningServer<Event> {
  readonly events: EventQueue<Event>
  /** Why the server can't go on, once that is so. Only a new process may help. */
  readonly lost?: Promise<Failure>
  /** Stops listening, answers the requests in progress as far as there is time, and frees everything. */
  close(): Promise<void>
}

/** How long to wait for a stalled reader at the end, ms. */
const LAST_WORDS = 300

/**
 * Starts a server, prints its events until SIGINT, SIGTERM or SIGHUP, then closes it. The server continues without a
 * reader of stdout: the events are not its purpose.
 *
 * @param parent the pid of a process whose end is also its own.
 * @throws the failure that ends the server.
 * @returns nothing. The type is that of each line with ndjson, for `schema`.
 * @throws Failure USAGE, before it starts, for a format that needs the end of a list.
 */
export async function runServer<Event>(
  context: Context,
  start: () => Promise<RunningServer<Event>>,
  view: View<Event | DroppedEvent>,
  parent?: number,
): Promise<PrintedEvent<Event> | undefined> {
  refuseWholeList(context)
  const over = new AbortController()
  const orphaned = endOfParent(parent, over.signal)
  const {signal, sleep, now, stderr} = context.surroundings
  const started = context.printer.waiting({for: 'start', why: 'the server has not started yet'})
  const {events, lost, close} = await start()
    .catch((error: unknown) => {
      // Nobody waits for the parent now.
      over.abort()
      throw error
    })
    .finally(started)
  const tally = new ServerTally(now())
  const isForPeople = context.outputOptions.format === 'table'
  const seen = counted(events, tally)
  const shown = context.printer.stream(isForPeople ? seen : withIsoTimes(seen), view)
  // Who closes stdout doesn't read the events either.
  const printed = shown.catch((error: unknown) => {
    if (!(error instanceof Failure) || errnoOf(error.details.cause) !== 'EBADF') throw error
  })
  try {
    const stopped = Promise.race([aborted(signal), ended(lost), orphaned])
    await Promise.race([stopped, printed.then(() => stopped)])
  } finally {
    await close()
    events.end()
    await Promise.race([printed, sleep(LAST_WORDS, over.signal).catch(() => undefined)])
    context.surroundings.leaveReader?.()
    over.abort()
    if (stderr.isTTY !== true) sayTally(context, tally.summary(now()))
  }
  return undefined
}

function sayTally({printer}: Context, summary: ReturnType<ServerTally['summary']>): void {
  printer.fact(tallyLines(summary).join('\n'), {code: 'SERVER_ENDED', ...summary})
}

async function* counted<Event>(
  batches: AsyncIterable<readonly Event[]>,
  tally: ServerTally,
): AsyncGenerator<readonly Event[]> {
  for await (const batch of batches) {
    for (const event of batch) tally.see(event)
    yield batch
  }
}

/** An event as a line of NDJSON. */
type PrintedEvent<Event> = WithIsoTime<Event | DroppedEvent>
type WithIsoTime<Event> = Event extends {readonly at: number}
  ? Omit<Event, 'at'> & {readonly at: string}
  : Event

/** Events hold times in milliseconds; JSON has ISO 8601. */
async function* withIsoTimes<Event>(
  batches: AsyncIterable<readonly Event[]>,
): AsyncGenerator<readonly Event[]> {
  for await (const batch of batches)
    yield batch.map(event =>
      isObject(event) && typeof event.at === 'number'
        ? {...event, at: new Date(event.at).toISOString()}
        : event,
    )
}

/** Events have no end, so they are printed as lines for people or as NDJSON. */
function refuseWholeList({outputOptions: {format, query, columns}}: Context): void {
  if (format !== 'table' && format !== 'ndjson') {
    throw new Failure('USAGE', {
      message: `-o ${format} needs the end of the output, and a server's events have none.`,
      hint: 'Use -o ndjson: one JSON object on each line.',
    })
  }
  if (query !== undefined || (columns !== undefined && format === 'table')) {
    throw new Failure('USAGE', {
      message: `${query === undefined ? '--columns' : '--query'} does not apply to the events of a server${query === undefined ? ' as lines for people' : ''}.`,
      hint: 'Use -o ndjson, with --columns to choose fields, or pipe the lines to another tool.',
    })
  }
}

/** Rejects when the server can't go on. */
async function ended(lost: Promise<Failure> = new Promise(() => undefined)): Promise<never> {
  throw await lost
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), {once: true})
  })
}
