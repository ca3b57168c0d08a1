import * as Flags from '@oclif/core/flags'
import {confirmHost} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import {integerFlag} from '../../../cli/flags.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {counted} from '../../../money/amount.ts'
import {
  type Exchange,
  exchangeMatcher,
  type Replayable,
  type Replayed,
  replay,
  replayable,
} from '../../../webhook/index.ts'
import {chooseEndpoint, endpointFlags} from './endpoint.ts'
import {eventFilter, eventFilterFlags, eventIn} from './events.ts'
import {exportedCalls} from './exported-calls.ts'
import {withRecording} from './recording.ts'
import {runningServers} from './running-servers.ts'

export const replayFlags = {
  ...eventFilterFlags,
  limit: integerFlag({min: 1, default: 100, summary: 'Maximum number of calls. Takes the newest.'}),
  from: Flags.string({
    helpValue: 'FILE',
    summary: 'Read calls from a file that webhook events export wrote. Filters apply to it.',
  }),
  ...endpointFlags,
  to: Flags.string({
    helpValue: 'URL',
    summary: 'Base URL of the endpoint, without /auth (default: the server that is recording now).',
  }),
  expect: Flags.option({
    options: ['same', 'answered'] as const,
    default: 'same',
    summary:
      'same: the endpoint must decide as recorded (default); answered: any valid answer in time is enough.',
  })(),
  'same-id': Flags.boolean({
    summary: 'Keep the recorded metadata.id. An endpoint that knows it repeats its earlier answer.',
  }),
}

export type ReplayFlags = FlagValues<typeof replayFlags>

/** The result of a call, and where it was sent. */
export interface Sent extends Replayed {
  readonly url: string
}

/** Calls to send again, oldest first. Warns on stderr about calls that can't be sent as they were. */
export async function chooseCalls(
  context: Context,
  ids: readonly string[],
  flags: ReplayFlags,
): Promise<readonly Replayable[]> {
  const {calls, left, more} = await chosenCalls(context, ids, flags)
  const {printer} = context
  if (more) printer.note(`Sends only the newest ${counted(flags.limit, 'call')}. For more, pass --limit.`)
  if (left > 0) printer.note(`${counted(left, 'call')} left out: warm-ups, or without a body to send.`)
  warnOfMasked(printer, calls)
  if (calls.length === 0) {
    throw new Failure('NOT_FOUND', {
      message:
        flags.from === undefined
          ? 'No recorded call to send again.'
          : `No call of ${flags.from} to send again.`,
      hint:
        flags.from === undefined
          ? advice`See ${cardctl('webhook', 'events', 'list')}`
          : 'Check the filters, and that the file has calls with a body.',
    })
  }
  return calls
}

export function warnOfMasked(printer: Context['printer'], calls: readonly Replayable[]): void {
  const masked = calls.filter(call => call.masked.length > 0)
  if (masked.length === 0) return
  const places = [...new Set(masked.flatMap(call => call.masked))].join(', ')
  printer.warn(
    `${counted(masked.length, 'call')} with something masked when recorded, going out as the mask, at ${places}.`,
  )
}

interface Chosen {
  readonly calls: readonly Replayable[]
  /** Number of calls that can't be sent again. */
  readonly left: number
  /** Whether there are older calls beyond the limit. */
  readonly more: boolean
}

async function chosenCalls(context: Context, ids: readonly string[], flags: ReplayFlags): Promise<Chosen> {
  const {limit: _, ...filter} = await eventFilter(context, flags)
  const filters = FILTERS.filter(name => flags[name] !== undefined).map(name => `--${name}`)
  if (ids.length > 0) refuseBeside(ids, [...(flags.from === undefined ? [] : ['--from']), ...filters])
  else if (flags.from === undefined && filters.length === 0) {
    throw new Failure('USAGE', {
      message: 'No calls chosen.',
      hint: `Pass event ids (${EXAMPLE_ID}), choose recorded calls (--since 1h, --failed …) or pass exported calls (--from FILE).`,
    })
  }
  const {limit} = flags
  if (flags.from !== undefined) {
    const exported = exportedCalls(flags.from, context.surroundings)
    return newest(chosenOf(exported, exchangeMatcher(filter)), limit, replayable)
  }
  return withRecording(context, flags, async recording => {
    if (ids.length === 0) return newest(recording.iterate(filter), limit, replayable)
    const calls = ids.flatMap(id => replayable(eventIn(recording, id)) ?? [])
    return {calls, left: ids.length - calls.length, more: false}
  })
}

const FILTERS = ['since', 'until', 'type', 'outcome', 'failed', 'search'] as const
const EXAMPLE_ID = 'e_01JD8…'

/** Filters don't apply to events that are named. */
function refuseBeside(ids: readonly string[], others: readonly string[]): void {
  const [first] = others
  if (first === undefined) return
  throw new Failure('USAGE', {
    message: `${counted(ids.length, 'event')} named, so ${others.join(' and ')} would have nothing to choose from.`,
    hint: `Leave out the ${ids.length === 1 ? 'id' : 'ids'}, or ${others.join(' and ')}.`,
  })
}

async function* chosenOf(
  exchanges: AsyncIterable<Exchange>,
  isWanted: (exchange: Exchange) => boolean,
): AsyncGenerator<Exchange, void, undefined> {
  for await (const exchange of exchanges) if (isWanted(exchange)) yield exchange
}

/** From calls in the order newest first: those within the limit that can be sent again, oldest first. */
async function newest(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
  limit: number,
  replayable: (exchange: Exchange) => Replayable | undefined,
): Promise<Chosen> {
  const calls: Replayable[] = []
  let left = 0
  for await (const exchange of exchanges) {
    const call = replayable(exchange)
    // Calls older than the oldest one to send don't count.
    if (!call) left += calls.length < limit ? 1 : 0
    else if (calls.length === limit) return {calls: calls.reverse(), left, more: true}
    else calls.push(call)
  }
  return {calls: calls.reverse(), left, more: false}
}

/** Sends the calls one after the other. @throws Failure before anything is sent */
export async function* replayCalls(
  context: Context,
  calls: readonly Replayable[],
  flags: ReplayFlags,
): AsyncGenerator<Sent, void, undefined> {
  const endpoint = await chooseEndpoint(context, {...flags, ...(await whereTo(context, flags))})
  const why = `${counted(calls.length, 'recorded call')} would go there`
  await confirmHost(context, endpoint.url, {confirm: flags.confirm, why})
  const {signal, newKey} = context.surroundings
  for (const {call} of calls) endpoint.translator?.writeCall(call)
  const caller = await endpoint.open()
  try {
    const newId = flags['same-id'] ? undefined : newKey
    for await (const replayed of replay(calls, {caller, signal, newId})) {
      yield {...replayed, url: endpoint.url.href}
    }
  } finally {
    caller.close()
  }
}

async function whereTo(
  context: Context,
  {to, ca, recording}: ReplayFlags,
): Promise<{to: string; ca?: string}> {
  if (to !== undefined) return {to}
  const running = await withRecording(
    context,
    {recording},
    async opened => runningServers(context, opened)[0],
  )
  if (running === undefined) {
    throw new Failure('USAGE', {
      message: 'No server is recording now.',
      hint: advice`Start ${cardctl('webhook', 'serve')}, or pass the endpoint with --to.`,
    })
  }
  context.printer.note(`to ${running.url}`)
  const own = ca ?? running.ca
  return {to: running.url, ...(own === undefined ? {} : {ca: own})}
}
