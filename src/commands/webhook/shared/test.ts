import * as Flags from '@oclif/core/flags'
import {confirmHost} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import {Failure} from '../../../errors/failure.ts'
import {codeOfSignal} from '../../../errors/interruption.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {proveWritable, writeNamedFile} from '../../../files/named-output.ts'
import {counted} from '../../../money/amount.ts'
import {timeZoneOf} from '../../../output/when.ts'
import {runSuite, type SuiteSummary} from '../../../webhook/suite/index.ts'
import {chooseEndpoint, endpointFlags} from './endpoint.ts'
import type {OpenedSuite} from './suites.ts'
import {githubAnnotations} from './test-reports/github.ts'
import {testPage} from './test-reports/html.ts'
import {junitReport} from './test-reports/junit.ts'
import {tapReport} from './test-reports/tap.ts'
import {type ShownSuiteEvent, type SuiteReport, webhookTestView} from './test-view.ts'

export const testFlags = {
  ...endpointFlags,
  to: Flags.string({helpValue: 'URL', summary: 'URL of the endpoint, without /auth or /warm-up.'}),
  only: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME',
    summary: 'Run only steps with this name, and those that they need. * is any characters. Repeatable.',
  }),
  bail: Flags.boolean({summary: 'Stop after the first step that fails.'}),
  report: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'junit|tap|html=FILE',
    summary:
      'Also write a report: junit=FILE, tap=FILE or html=FILE; github writes annotations to stderr (default in GitHub Actions). Repeatable.',
  }),
  list: Flags.boolean({
    summary: 'List the shipped suites, or the steps of a suite. Sends nothing.',
    exclusive: ['show', 'schema', 'to'],
  }),
  show: Flags.boolean({
    summary: 'Print the suite as YAML, to copy from. Sends nothing.',
    exclusive: ['schema', 'to'],
  }),
  schema: Flags.boolean({
    summary: 'Print the path of the JSON schema of suites, for editors.',
    exclusive: ['to'],
  }),
}

type TestFlags = FlagValues<typeof testFlags>

/**
 * Runs a suite against the endpoint of `--to` and tells what happens.
 *
 * @throws Failure USAGE, CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED and those of chooseEndpoint, before anything is sent
 */
export async function* testEndpoint(
  context: Context,
  {suite}: OpenedSuite,
  flags: TestFlags,
): AsyncGenerator<ShownSuiteEvent, void, undefined> {
  const endpoint = await chooseEndpoint(context, {...flags, to: flags.to ?? ''})
  const isLoad = suite.steps.some(({verb}) => verb === 'load')
  if (isLoad || endpoint.url.protocol === 'http:') {
    const why = isLoad ? 'many calls would go there' : 'the calls would go there without TLS'
    await confirmHost(context, endpoint.url, {confirm: flags.confirm, why})
  }
  const url = endpoint.url.href.replace(/\/+$/, '')
  const {now, random, newKey: newId, signal} = context.surroundings
  const caller = await endpoint.open()
  const wait = context.printer.spinner('the endpoint')
  try {
    const {bail} = flags
    for await (const event of runSuite(suite, {caller, signal, bail, now, random, newId})) {
      yield event.type === 'suite' ? {...event, url} : event
    }
  } finally {
    wait.stop()
    caller.close()
  }
}

/** Prints a run as it goes on, or as one report, and writes the reports of `--report`. */
export async function printSuite(
  context: Context,
  {file}: OpenedSuite,
  flags: Pick<TestFlags, 'report'>,
  events: AsyncIterable<ShownSuiteEvent>,
): Promise<SuiteReport> {
  const {printer, outputOptions, surroundings} = context
  const reports = parseReports(flags.report ?? [])
  for (const {target} of reports) if (target !== undefined) await proveWritable(target)
  const {format, columns, query} = outputOptions
  const collected = new Collected()
  const isStream = (format === 'table' || format === 'ndjson') && columns === undefined && query === undefined
  if (isStream) await printer.stream(onePerBatch(collected.keep(events)), webhookTestView)
  else for await (const _ of collected.keep(events));
  const report = collected.report
  if (!isStream) {
    if (format === 'csv' || columns !== undefined) await printer.list(report.steps)
    else await printer.data(report)
  }
  const isGithub = surroundings.env.GITHUB_ACTIONS === 'true' || reports.some(({kind}) => kind === 'github')
  await writeReports(context, report, file, reports)
  if (isGithub) {
    for (const line of githubAnnotations(report, file)) printer.say(line)
  }
  return report
}

class Collected {
  #report: SuiteReport | undefined

  async *keep(events: AsyncIterable<ShownSuiteEvent>): AsyncGenerator<ShownSuiteEvent> {
    let suite = ''
    let url = ''
    const steps: SuiteReport['steps'][number][] = []
    for await (const event of events) {
      if (event.type === 'suite') ({suite, url} = event)
      else if (event.type === 'step') steps.push(event)
      else this.#report = {suite, url, summary: withoutType(event), steps}
      yield event
    }
  }

  /** Whole once all events have come. */
  get report(): SuiteReport {
    if (!this.#report) throw new Error('The run has not ended.')
    return this.#report
  }
}

const withoutType = ({type: _, suite: __, ...summary}: SuiteSummary): SuiteReport['summary'] => summary

async function* onePerBatch<Item>(items: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  for await (const item of items) yield [item]
}

const KINDS = ['junit', 'tap', 'html', 'github'] as const

interface Wanted {
  readonly kind: (typeof KINDS)[number]
  /** The file; none for annotations. */
  readonly target?: string
}

function parseReports(texts: readonly string[]): readonly Wanted[] {
  return texts.map(text => {
    const [, word = '', target] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? []
    const kind = KINDS.find(each => each === word)
    if (kind === 'github' && target === undefined) return {kind}
    if (kind !== undefined && kind !== 'github' && target) return {kind, target}
    const meant = kind ?? nearestName(word, KINDS)
    const form = meant === 'github' ? 'github' : `${meant ?? 'junit'}=FILE`
    throw new Failure('USAGE', {
      message: `--report takes junit=FILE, tap=FILE, html=FILE or github.${meant === undefined ? '' : ` Did you mean ${form}?`}`,
    })
  })
}

async function writeReports(
  {surroundings: {now, env}}: Context,
  report: SuiteReport,
  file: string,
  reports: readonly Wanted[],
): Promise<void> {
  const clock = {now: now(), timeZone: timeZoneOf(env)}
  for (const {kind, target} of reports) {
    if (target === undefined) continue
    await writeNamedFile(target, await reportOf(kind, report, file, clock))
  }
}

async function reportOf(
  kind: Wanted['kind'],
  report: SuiteReport,
  file: string,
  clock: {readonly now: number; readonly timeZone: string | undefined},
): Promise<string> {
  if (kind === 'junit') {
    return junitReport(report, file)
  }
  if (kind === 'tap') return tapReport(report, file)
  return testPage(report, clock)
}

const sentenceOf = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`

/** The failure for the exit code; undefined if every expectation was met. */
export function suiteFailure(
  {surroundings: {signal}}: Context,
  {summary, url}: SuiteReport,
): Failure | undefined {
  const {stopped, passed, failed, steps, calls} = summary
  if (stopped?.why === 'interrupted') {
    return new Failure(codeOfSignal(signal.reason), {
      message: `Stopped after ${counted(calls, 'call')}.`,
      hint: 'The endpoint may have decided a call whose answer did not come.',
    })
  }
  if (stopped?.why === 'unreachable') {
    return new Failure('CONNECTION_FAILED', {
      message: `Couldn't send a call to ${url}: ${stopped.reason}.`,
      hint: 'Check the URL. If TLS fails, pass its authorities with --ca and your client certificate with --cert.',
    })
  }
  if (failed === 0 && passed === 0 && steps > 0) {
    return new Failure('NOTHING_CHECKED', {
      message: `Nothing was checked: of ${counted(steps, 'step')}, none could be.`,
      data: {summary},
    })
  }
  if (failed === 0) return undefined
  return new Failure('EXPECTATION_FAILED', {
    message: `${counted(failed, 'step')} of ${steps} failed.${stopped ? ` ${sentenceOf(stopped.reason)}` : ''}`,
    data: {summary},
  })
}
