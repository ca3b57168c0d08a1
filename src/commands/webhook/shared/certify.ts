import {arch, cpus, platform, release, totalmem} from 'node:os'
import * as Flags from '@oclif/core/flags'
import {confirmHost} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {type FlagValues, integerFlag} from '../../../cli/flags.ts'
import {Failure} from '../../../errors/failure.ts'
import {codeOfSignal} from '../../../errors/interruption.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {proveWritable, writeNamedFile} from '../../../files/named-output.ts'
import {counted} from '../../../money/amount.ts'
import {timeZoneOf} from '../../../output/when.ts'
import {environmentForChildren} from '../../../profiles/index.ts'
import {
  type Certificate,
  type Certified,
  type CertifiedCheck,
  certify,
  digestOf,
  type Machine,
  openProbe,
  openProbeProcess,
  openRestart,
  PROOFS,
  REQUIREMENTS,
  resultOf,
} from '../../../webhook/certify/index.ts'
import {type ShownCertifyEvent, webhookCertifyView} from './certificate-view.ts'
import {chooseEndpoint, endpointFlags} from './endpoint.ts'
import {openShippedSuites} from './suites.ts'
import {certificateMarkdown} from './test-reports/certificate-markdown.ts'
import {certificatePage} from './test-reports/certificate-page.ts'

export const certifyFlags = {
  ...endpointFlags,
  to: Flags.string({helpValue: 'URL', summary: 'URL of the endpoint, without /auth or /warm-up.'}),
  probe: Flags.string({
    helpValue: 'COMMAND',
    summary:
      'Command that prints the holds of the endpoint for a call as a JSON array of {amount, currency}. {id} in it becomes the metadata.id; without it, the id is the last argument.',
  }),
  'probe-mode': Flags.option({
    options: ['per-call', 'long-running'] as const,
    summary:
      'per-call: start the command for each call (default). long-running: start it once; it reads an id per line from stdin and writes the holds of that call per line.',
    dependsOn: ['probe'],
  })(),
  restart: Flags.string({
    helpValue: 'COMMAND',
    summary: 'Command that stops the endpoint and starts it again, and then ends.',
  }),
  expects: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    options: [...PROOFS, 'none'],
    helpValue: 'signature|basic|bearer|header|mtls|none',
    summary:
      'What the endpoint requires of calls, as its owner declares it: what it does not use is not checked. Repeatable, or separated by commas.',
  }),
  require: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    options: [...REQUIREMENTS],
    helpValue: 'probe|restart|signature|mtls',
    summary:
      'Fail if one of these was not used: also basic, bearer, header. Repeatable, or separated by commas.',
  }),
  seed: integerFlag({
    min: 0,
    max: 2_147_483_647,
    summary: 'Generate the same calls as a run with this seed (default a new one).',
  }),
  calls: integerFlag({
    default: 10_000,
    min: 1,
    max: 1_000_000,
    summary: 'Calls for the deadline. The 99.9th percentile needs at least 10,000.',
  }),
  rate: integerFlag({
    default: 200,
    min: 1,
    max: 5000,
    helpValue: '200',
    summary: 'Calls per second for the deadline.',
  }),
  report: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'html|markdown|json=FILE',
    summary: 'Also write the certificate: html=FILE, markdown=FILE or json=FILE. Repeatable.',
  }),
  verify: Flags.string({
    helpValue: 'FILE',
    exclusive: ['to', 'probe', 'probe-mode', 'restart', 'expects', 'require', 'seed', 'report'],
    summary: 'Compare a certificate as JSON with its own SHA-256. Sends nothing.',
  }),
}

type CertifyFlags = FlagValues<typeof certifyFlags>

/**
 * Checks the endpoint of `--to` and tells what happens; the certificate comes last.
 *
 * @throws Failure USAGE, CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED and those of chooseEndpoint, before anything is
 * sent; CONNECTION_FAILED if nobody answers the first call; INTERRUPTED, TERMINATED at a signal.
 */
export async function* certifyEndpoint(
  context: Context,
  flags: CertifyFlags,
): AsyncGenerator<ShownCertifyEvent, void, undefined> {
  const {expects} = flags
  if (expects?.includes('none') && expects.length > 1) {
    throw new Failure('USAGE', {message: '--expects none excludes all others.'})
  }
  for (const name of ['probe', 'restart'] as const) {
    if (flags[name]?.trim() === '')
      throw new Failure('USAGE', {message: `--${name} is empty. Pass a command.`})
  }
  const endpoint = await chooseEndpoint(context, {...flags, to: flags.to ?? ''})
  await confirmHost(context, endpoint.url, {confirm: flags.confirm, why: 'many calls would go there'})
  const {now, random, newKey: newId, signal} = context.surroundings
  const suites = await openShippedSuites()
  const caller = await endpoint.open()
  const commands = {env: environmentForChildren(context.surroundings), signal}
  const {probe, restart, calls, rate} = flags
  const asked =
    probe === undefined
      ? undefined
      : flags['probe-mode'] === 'long-running'
        ? openProbeProcess(probe, commands)
        : {probe: openProbe(probe, commands), close: () => undefined}
  const declared = expects && PROOFS.filter(proof => expects.includes(proof))
  const startedAt = now()
  const seed = flags.seed ?? Math.floor(random() * 2 ** 31)
  const url = endpoint.url.href.replace(/\/+$/, '')
  const wait = context.printer.spinner('the endpoint')
  try {
    const events = certify({
      caller,
      signal,
      suites,
      calls,
      rate,
      seed,
      url,
      now,
      random,
      newId,
      expects: declared,
      require: REQUIREMENTS.filter(each => flags.require?.includes(each)),
      probe: asked?.probe,
      restart:
        restart === undefined ? undefined : openRestart(restart, {...commands, url: endpoint.url, caller}),
    })
    let next = await events.next()
    while (next.done !== true) {
      yield next.value
      next = await events.next()
    }
    throwIfStopped(next.value, url, signal)
    yield {
      type: 'certificate',
      ...(await certificateOf(next.value, {
        endpoint: url,
        startedAt: new Date(startedAt).toISOString(),
        endedAt: new Date(now()).toISOString(),
        tool: `cardctl ${context.version}`,
        machine: thisMachine(),
        seed,
        expects: declared ?? null,
        deadlineMs: caller.deadlineMs,
      })),
    }
  } finally {
    wait.stop()
    asked?.close()
    caller.close()
  }
}

function throwIfStopped({stopped, counts: {calls}}: Certified, url: string, signal: AbortSignal): void {
  if (stopped?.why === 'interrupted') {
    throw new Failure(codeOfSignal(signal.reason), {
      message: `Stopped after ${counted(calls, 'call')}. There is no certificate.`,
      hint: 'The endpoint may have decided a call whose answer did not come.',
    })
  }
  if (stopped) {
    throw new Failure('CONNECTION_FAILED', {
      message: `Couldn't send a call to ${url}: ${stopped.reason}.`,
      hint: 'Check the URL. If TLS fails, pass its authorities with --ca and your client certificate with --cert.',
    })
  }
}

async function certificateOf(
  {counts, stopped: _, ...certified}: Certified,
  about: Omit<Certificate, 'result' | 'sha256' | keyof Certified>,
): Promise<Certificate> {
  const result = resultOf(counts, certified.generated)
  const certificate = {result, counts, ...about, ...certified}
  return {...certificate, sha256: digestOf(certificate)}
}

/** More would hide the number. */
const MOST_REASONS = 3

function thisMachine(): Machine {
  const processors = cpus()
  return {
    system: `${platform()} ${release()} ${arch()}`,
    processors: processors.length,
    processor: processors[0]?.model.trim() || 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
  }
}

/** Prints a run as it goes on, or its certificate, and writes the files of `--report`. */
export async function printCertificate(
  context: Context,
  {report = []}: Pick<CertifyFlags, 'report'>,
  events: AsyncIterable<ShownCertifyEvent>,
): Promise<Certificate> {
  const {printer, outputOptions, surroundings} = context
  const reports = parseReports(report)
  for (const {file} of reports) await proveWritable(file)
  const {format, columns, query} = outputOptions
  let certificate: Certificate | undefined
  async function* kept(): AsyncGenerator<readonly ShownCertifyEvent[]> {
    for await (const event of events) {
      if (event.type === 'certificate') {
        const {type: _, ...rest} = event
        certificate = rest
      }
      yield [event]
    }
  }
  const isStream = (format === 'table' || format === 'ndjson') && columns === undefined && query === undefined
  if (isStream) await printer.stream(kept(), webhookCertifyView)
  else for await (const _ of kept());
  if (!certificate) throw new Error('The run has not ended.')
  if (!isStream) {
    if (format === 'csv' || columns !== undefined) await printer.list(certificate.checks)
    else await printer.data(certificate)
  }
  const clock = {now: surroundings.now(), timeZone: timeZoneOf(surroundings.env)}
  for (const {kind, file} of reports) await writeNamedFile(file, await reportOf(kind, certificate, clock))
  return certificate
}

const KINDS = ['html', 'markdown', 'json'] as const

function parseReports(texts: readonly string[]): readonly {kind: (typeof KINDS)[number]; file: string}[] {
  return texts.map(text => {
    const [, word = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? []
    const kind = KINDS.find(each => each === word)
    if (kind !== undefined && file) return {kind, file}
    const meant = kind ?? nearestName(word, KINDS)
    throw new Failure('USAGE', {
      message: `--report takes html=FILE, markdown=FILE or json=FILE.${meant === undefined ? '' : ` Did you mean ${meant}=FILE?`}`,
    })
  })
}

async function reportOf(
  kind: (typeof KINDS)[number],
  certificate: Certificate,
  clock: {readonly now: number; readonly timeZone: string | undefined},
): Promise<string> {
  if (kind === 'json') return `${JSON.stringify(certificate, undefined, 2)}\n`
  if (kind === 'html') {
    return certificatePage(certificate, clock)
  }
  return certificateMarkdown(certificate)
}

/** The failure for the exit code; undefined if nothing failed, and all was checked that was asked for. */
export function certificateFailure({counts, checks, result}: Certificate): Failure | undefined {
  const named = (some: readonly CertifiedCheck[]) => some.map(({part, name}) => `${part}: ${name}`)
  if (result === 'incomplete') {
    const open = checks.filter(({because}) => because === 'endpoint' || because === 'run')
    const reasons = new Set(open.flatMap(({reason}) => reason ?? []))
    return new Failure('CERTIFICATE_INCOMPLETE', {
      message: `${counted(open.length, 'check')} of ${checks.length} could not be done: ${[...reasons].slice(0, MOST_REASONS).join('; ')}.`,
      data: {notChecked: named(open)},
    })
  }
  if (counts.failed === 0) return undefined
  const names = named(checks.filter(({state}) => state === 'failed'))
  return new Failure('EXPECTATION_FAILED', {
    message: `${counted(counts.failed, 'check')} of ${checks.length} failed.`,
    data: {failed: names},
  })
}
