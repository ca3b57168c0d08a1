import * as Flags from '@oclif/core/flags'
import {idFlag, LAST} from '../../../cli/arguments.ts'
import type {Context} from '../../../cli/context.ts'
import type {SomeFlagValues} from '../../../cli/flags.ts'
import {periodFlags, periodOf} from '../../../cli/moment.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {
  type Exchange,
  type ExchangeFilter,
  parseSearch,
  type Recording,
  type WebhookEvent,
} from '../../../webhook/index.ts'
import {recordingFlag} from './recording.ts'

const TYPES = ['auth', 'late', 'rejected', 'warm-up'] as const
/** All but warm-ups. */
const CALLS = ['auth', 'late', 'rejected'] as const
const OUTCOMES = ['approved', 'partial', 'declined', 'broken', 'none'] as const

/** Flags that filter recorded calls. */
export const eventFilterFlags = {
  ...periodFlags,
  type: Flags.option({
    options: TYPES,
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Only events of this type; repeatable.',
  })(),
  outcome: Flags.option({
    options: OUTCOMES,
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Only calls with this outcome; repeatable.',
  })(),
  failed: Flags.boolean({summary: 'Only calls that got no valid answer in time.'}),
  search: idFlag({
    helpValue: 'TEXT',
    summary:
      'Only calls with all these words in merchant, MCC, amount, card, kind or decision, or with this event or call id. Also by field: mcc:5411 code:51,61 ">100" -outcome:approved.',
  }),
  ...recordingFlag,
}

export type EventFilterFlags = SomeFlagValues<typeof eventFilterFlags> & {readonly limit?: number | undefined}

/** @throws Failure USAGE if no call can match, or the search can't be read. */
export async function eventFilter(context: Context, flags: EventFilterFlags): Promise<ExchangeFilter> {
  const {type, outcome, failed, search, limit} = flags
  if (search !== undefined) {
    const {fault} = parseSearch(search)
    if (fault !== undefined) {
      throw new Failure('USAGE', {
        message: `--search: ${fault}.`,
        hint: 'To search for text with a colon, put it in double quotes.',
      })
    }
  }
  return {...periodOf(context, flags), types: type, outcomes: outcome, failed, search, limit}
}

/** An event as it is printed, with its time in ISO 8601. */
export const printedEvent = (event: WebhookEvent) => ({...event, at: new Date(event.at).toISOString()})

/** Recorded calls as they are printed. */
export function* printedExchanges(exchanges: Iterable<Exchange>) {
  for (const exchange of exchanges) yield {...exchange, event: printedEvent(exchange.event)}
}

/** Fields of calls that lists show. */
export function* eventsOf(
  exchanges: Iterable<Exchange>,
): Generator<ReturnType<typeof printedEvent>, void, undefined> {
  for (const {event} of exchanges) yield printedEvent(event)
}

/** The call with this id; `last` is the newest that is no warm-up. @throws Failure NOT_FOUND */
export function eventIn(recording: Recording, id: string): Exchange {
  const [found] = id === LAST ? recording.iterate({types: CALLS, limit: 1}) : [recording.get(id)]
  if (found !== undefined) return found
  throw new Failure('NOT_FOUND', {
    message: id === LAST ? 'No call is recorded.' : `No recorded call has the id ${id}.`,
    hint: advice`List the ids, which begin with e_: ${cardctl('webhook', 'events', 'list')}`,
  })
}
