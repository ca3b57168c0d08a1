import {Failure} from '../../errors/failure.ts'
import type {View} from '../../output/index.ts'
import type {Context} from '../context.ts'
import type {Dropped, EventQueue} from './event-queue.ts'

export interface RunningServer<Event> {
  readonly events: EventQueue<Event>
  /** Stops listening, answers what is under way as far as its time allows, and lets everything go. */
  close(): Promise<void>
}

/** A reader who has stalled is not waited for at the end, ms. */
const LAST_WORDS = 300

/**
 * Starts a server, prints its events until SIGINT, SIGTERM or SIGHUP, then closes it. A reader of stdout who goes away doesn't end the
 * server: the log is not what it is for.
 *
 * @throws Failure USAGE, before it starts, for an output that needs the end of a list.
 */
export async function runServer<Event>(
  context: Context,
  start: () => Promise<RunningServer<Event>>,
  view: View<Event | Dropped>,
): Promise<void> {
  refuseWholeList(context)
  const {events, close} = await start()
  const {signal, sleep} = context.surroundings
  const printed = context.printer.stream(events, view)
  try {
    await Promise.race([aborted(signal), printed.then(() => aborted(signal))])
  } finally {
    await close()
    events.end()
    const over = new AbortController()
    await Promise.race([printed, sleep(LAST_WORDS, over.signal).catch(() => undefined)])
    over.abort()
  }
}

/** Events come without an end: what is printed of them is lines for people, or NDJSON. */
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

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), {once: true})
  })
}
