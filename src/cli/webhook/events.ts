import * as Flags from '@oclif/core/flags'
import {Failure} from '../../errors/failure.ts'
import type {Exchange, ExchangeFilter, Recording, WebhookEvent} from '../../webhook/index.ts'
import {idFlag} from '../arguments.ts'
import type {Context} from '../context.ts'
import {type Moment, momentFlag} from '../moment-flag.ts'
import {recordingFlag} from './recording.ts'

const TYPES = ['auth', 'late', 'rejected', 'warm-up'] as const
const OUTCOMES = ['approved', 'partial', 'declined', 'broken', 'none'] as const

/** What chooses among recorded calls. */
export const eventFilterFlags = {
  since: momentFlag({summary: 'Only calls that are no older, or came no earlier.'}),
  until: momentFlag({summary: 'Only calls that are older, or came before.'}),
  type: Flags.option({
    options: TYPES,
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Only these; repeatable.',
  })(),
  outcome: Flags.option({
    options: OUTCOMES,
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Only calls that were decided so; repeatable.',
  })(),
  failed: Flags.boolean({summary: 'Only calls that got no valid answer in time.'}),
  search: idFlag({
    helpValue: 'TEXT',
    summary:
      'Only calls with all these words in merchant, MCC, amount, card, kind or decision; ids of events and calls whole.',
  }),
  ...recordingFlag,
}

export interface EventFilterFlags {
  readonly since?: Moment | undefined
  readonly until?: Moment | undefined
  readonly type?: (typeof TYPES)[number][] | undefined
  readonly outcome?: (typeof OUTCOMES)[number][] | undefined
  readonly failed?: boolean | undefined
  readonly search?: string | undefined
  readonly limit?: number | undefined
}

/** @throws Failure USAGE where no call can be meant. */
export function eventFilter(context: Context, flags: EventFilterFlags): ExchangeFilter {
  const {type, outcome, failed, search, limit} = flags
  const now = context.surroundings.now()
  const [since, until] = [flags.since?.(now), flags.until?.(now)]
  if (since !== undefined && until !== undefined && until <= since) {
    throw new Failure('USAGE', {
      message: '--until is no later than --since, so there is no time between them.',
      hint: 'An age is counted back from now: --since 2h --until 1h.',
    })
  }
  return {since, until, types: type, outcomes: outcome, failed, search, limit}
}

/** What lists show of calls. */
export function* eventsOf(exchanges: Iterable<Exchange>): Generator<WebhookEvent, void, undefined> {
  for (const {event} of exchanges) yield event
}

/** @throws Failure NOT_FOUND */
export function eventIn(recording: Recording, id: string): Exchange {
  const found = recording.get(id)
  if (found !== undefined) return found
  throw new Failure('NOT_FOUND', {
    message: `No call is recorded as ${id}.`,
    hint: 'See webhook events list; ids begin with e_.',
  })
}
