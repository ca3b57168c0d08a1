import * as Flags from '@oclif/core/flags'
import {idFlag} from '../../../cli/arguments.ts'
import type {Context} from '../../../cli/context.ts'
import {parseDuration, type SomeFlagValues} from '../../../cli/flags.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Exchange, ExchangeFilter, Recording, WebhookEvent} from '../../../webhook/index.ts'
import {recordingFlag} from './recording.ts'

/** A time that may depend on the current time: milliseconds since 1970. */
type Moment = (now: number) => number

const AGE = /^\d+(\.\d+)?(ms|s|m|h|d)$/
const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/i

/** 1h, 7d: that long ago. 2026-06-15, 2026-06-15T14:02: that time, in the reader's time zone unless it names one. */
function parseMoment(text: string, what: string): Moment {
  if (AGE.test(text)) {
    const age = parseDuration(text, what)
    return now => now - age
  }
  const at = DATE.test(text)
    ? Date.parse(`${text}T00:00`)
    : DATE_TIME.test(text)
      ? Date.parse(text)
      : Number.NaN
  if (Number.isNaN(at)) {
    throw new Failure('USAGE', {
      message: `${what} takes an age, for example 1h or 7d, or a time, for example 2026-06-15T14:02.`,
    })
  }
  return () => at
}

const momentFlag = Flags.custom<Moment>({
  parse: async (input, _context, options) => parseMoment(input, `--${options.name}`),
  helpValue: '1h|TIME',
})

const TYPES = ['auth', 'late', 'rejected', 'warm-up'] as const
const OUTCOMES = ['approved', 'partial', 'declined', 'broken', 'none'] as const

/** Flags that filter recorded calls. */
export const eventFilterFlags = {
  since: momentFlag({summary: 'Only calls at or after this time or age.'}),
  until: momentFlag({summary: 'Only calls before this time or age.'}),
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
      'Only calls with all these words in merchant, MCC, amount, card, kind or decision, or with this event or call id.',
  }),
  ...recordingFlag,
}

export type EventFilterFlags = SomeFlagValues<typeof eventFilterFlags> & {readonly limit?: number | undefined}

/** @throws Failure USAGE if no call can match. */
export function eventFilter(context: Context, flags: EventFilterFlags): ExchangeFilter {
  const {type, outcome, failed, search, limit} = flags
  const now = context.surroundings.now()
  const [since, until] = [flags.since?.(now), flags.until?.(now)]
  if (since !== undefined && until !== undefined && until <= since) {
    throw new Failure('USAGE', {
      message: '--until is not after --since.',
      hint: 'Ages count back from now, for example --since 2h --until 1h.',
    })
  }
  return {since, until, types: type, outcomes: outcome, failed, search, limit}
}

/** Fields of calls that lists show. */
export function* eventsOf(exchanges: Iterable<Exchange>): Generator<WebhookEvent, void, undefined> {
  for (const {event} of exchanges) yield event
}

/** @throws Failure NOT_FOUND */
export function eventIn(recording: Recording, id: string): Exchange {
  const found = recording.get(id)
  if (found !== undefined) return found
  throw new Failure('NOT_FOUND', {
    message: `No recorded call has the id ${id}.`,
    hint: 'List the ids, which begin with e_: cardctl webhook events list',
  })
}
