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
 * Prints a server's events until SIGINT, SIGTERM or SIGHUP, then closes it. A reader of stdout who goes away doesn't end the
 * server: the log is not what it is for.
 */
export async function runServer<Event>(
  context: Context,
  {events, close}: RunningServer<Event>,
  view: View<Event | Dropped>,
): Promise<void> {
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

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), {once: true})
  })
}
