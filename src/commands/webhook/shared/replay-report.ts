import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {counted} from '../../../money/amount.ts'
import type {Replayed} from '../../../webhook/index.ts'
import type {Sent} from './replay.ts'
import {type ReplayReport, type ReplaySummary, summaryLines, webhookReplayView} from './replay-view.ts'
import {failureOf, interrupted} from './trigger.ts'

interface SentReport extends ReplayReport {
  readonly calls: readonly Sent[]
}

/**
 * Prints the result of each call, and a summary. Table, JSON and YAML print one report; NDJSON ends with the summary as
 * its last line; CSV, and any output with chosen columns, prints only the rows, with the summary on stderr.
 */
export async function printReplay(
  {printer, outputOptions}: Context,
  sent: AsyncIterable<Sent>,
): Promise<SentReport> {
  const {format, columns, query} = outputOptions
  const all: Sent[] = []
  const report = (): SentReport => ({summary: summaryOf(all), calls: all})
  if (format === 'ndjson' && columns === undefined && query === undefined) {
    await printer.list(withSummary(sent, all))
  } else if (format === 'csv' || columns !== undefined) {
    await printer.list(kept(sent, all))
    printer.note(...summaryLines(summaryOf(all)))
  } else {
    for await (const _ of kept(sent, all));
    await printer.data(report(), webhookReplayView)
  }
  return report()
}

async function* kept(sent: AsyncIterable<Sent>, all: Sent[]): AsyncGenerator<Sent> {
  for await (const each of sent) {
    all.push(each)
    yield each
  }
}

async function* withSummary(sent: AsyncIterable<Sent>, all: Sent[]): AsyncGenerator<object> {
  for await (const each of kept(sent, all)) yield {type: 'call', ...each}
  yield {type: 'summary', ...summaryOf(all)}
}

function summaryOf(all: readonly Replayed[]): ReplaySummary {
  const changes: Partial<Record<NonNullable<Replayed['change']>, number>> = {}
  for (const {change} of all) if (change) changes[change] = (changes[change] ?? 0) + 1
  const number = (wanted: Replayed['changed']) => all.filter(({changed}) => changed === wanted).length
  return {
    calls: all.length,
    same: number(false),
    changed: number(true),
    changes,
    notCompared: number(null),
    unanswered: all.filter(call => !isDecided(call)).length,
  }
}

const DECIDED: ReadonlySet<string> = new Set(['approved', 'partial', 'declined'])
const isDecided = ({got}: Replayed): boolean => DECIDED.has(got.outcome)

/**
 * The failure for the exit code; undefined if every call got a valid answer in time, and with `same` the recorded decision
 * if it has one.
 */
export function replayFailure(
  {surroundings: {signal}}: Context,
  all: readonly Sent[],
  {deadline, expect}: {readonly deadline: number; readonly expect: 'same' | 'answered'},
): Failure | undefined {
  if (signal.aborted) return interrupted(signal)
  const unanswered = all.filter(call => !isDecided(call))
  const [first] = unanswered
  const isOneFault = all.length === 1 || unanswered.every(({got}) => got.outcome === 'unreachable')
  if (first && unanswered.length === all.length && isOneFault) {
    return failureOf({...first.got, url: first.url, deadlineMs: deadline})
  }
  const changed = expect === 'same' ? all.filter(call => call.changed === true) : []
  if (changed.length > 0) {
    return new Failure('DECISION_CHANGED', {
      message: `${counted(changed.length, 'decision')} of ${counted(all.length, 'call')} changed.`,
    })
  }
  if (unanswered.length === 0) return undefined
  return new Failure('PARTLY_DONE', {
    message: `No valid answer in time: ${unanswered.length} of ${counted(all.length, 'call')}.`,
  })
}
