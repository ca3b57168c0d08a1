import {SuggestedCommand, shellQuoted} from '../../errors/suggested-command.ts'
import {partOf, type ReceivedCall} from '../received-call.ts'
import type {Caller, CredentialForms} from '../send/caller.ts'
import type {Done} from '../suite/masked-call.ts'
import type {SentCall} from '../suite/results.ts'
import type {ProbedHolds} from './certificate.ts'
import {shellCredentials, shellOptions, shellVariable} from './shell-credentials.ts'
import {droppedLine, piecesLine} from './shell-raw.ts'

/** A call as a check sent it. */
export interface RawCall {
  readonly done: Done
  readonly path: SentCall['path']
  readonly settings: NonNullable<Parameters<Caller['authorise']>[1]>
  /** Whether the endpoint was restarted since the call before. */
  readonly isAfterRestart: boolean
  /** Of a card of its own, to find out how much a card can pay. */
  readonly isAside?: boolean
  /** How many calls of other checks came before, if that is what the check is about. */
  readonly othersBefore?: number
}

/** What failed of a check, and how it was called. */
export interface ShellSettings {
  /** With what was expected of each. */
  readonly failed: ReadonlyMap<Done, string>
  readonly url: string
  readonly forms: CredentialForms
  /** The last look by the probe, if that was wrong. */
  readonly held?: ProbedHolds | undefined
}

/** More calls than this are no reproduction that anybody reads. */
const MOST = 100
/** Of more calls, only those of the cards that failed are shown. */
const FEW = 12

/** A shorter time between two calls is what their answers and a probe took. */
const LEAST_WAIT_S = 30

/**
 * The calls of a check up to those that failed, as lines for a shell. Ids begin with the time, so that the lines can be
 * pasted again: an endpoint must not know them. Secrets are variables of the shell, and cards are made up. Empty if they
 * can't show the failure.
 */
export function shellLines(sent: readonly RawCall[], settings: ShellSettings): readonly string[] {
  const {failed, url, forms, held} = settings
  const shown = shownOf(sent, failed)
  if (shown.length === 0 || shown.length > MOST) return []
  const hasOthers = shown.some(({othersBefore = 0}) => othersBefore > 0)
  const variables = new Set([
    ...shellCredentials(forms, undefined).variables,
    ...(hasOthers ? shellOptions(forms).variables : []),
  ])
  let before: number | undefined
  const restarts = shown.some(({isAfterRestart}) => isAfterRestart)
  const lines: string[] = []
  for (let at = 0; at < shown.length; ) {
    const batch = batchFrom(shown, at)
    const [first] = batch
    const waited = first && before !== undefined ? Math.ceil((first.done.at - before) / 1000) : 0
    if (first?.othersBefore) lines.push(othersLine(first.othersBefore, settings))
    else if (waited >= LEAST_WAIT_S) lines.push(`sleep ${waited}`)
    before = first?.done.at
    if (first?.isAfterRestart) lines.push(restartLine(url))
    lines.push(
      ...(batch.length > 1 ? togetherLines(batch, settings) : batch.map(call => lineOf(call, settings))),
      ...expectedLines(batch, failed),
    )
    at += batch.length
  }
  return [
    'N=$(date +%s%N)',
    ...(shown.some(call => needsFile(call, forms)) ? ['F=$(mktemp)'] : []),
    ...variables,
    ...(restarts ? [shellVariable('RESTART', 'set it to the command that restarts the endpoint')] : []),
    ...lines,
    ...(held && failed.size === 0
      ? [
          `echo "the probe, of this id, expected ${held.expected}, got ${held.got}: ${held.id.replace(UUID, shortFresh)}"`,
        ]
      : []),
  ]
}

/** Below the answer, what it should have been. A comment behind a line is none in every shell. */
const expectedLines = (batch: readonly RawCall[], failed: ShellSettings['failed']): readonly string[] =>
  [...new Set(batch.flatMap(({done}) => failed.get(done) ?? []))].map(
    expected => `echo ${shellQuoted(`  ^ expected: ${expected}`)}`,
  )

/** Calls at once are shown all, and of many only those of the cards that failed. */
function shownOf(sent: readonly RawCall[], failed: ShellSettings['failed']): readonly RawCall[] {
  const last = sent.findLastIndex(({done}) => failed.has(done))
  const until = last === -1 ? sent.length : last + batchFrom(sent, last).length
  const shown = sent.slice(0, until).filter(({done, isAside}) => isAside !== true || failed.has(done))
  const isOneByOne = shown.every(
    ({settings, isAfterRestart}) => !isAfterRestart && settings.lastByteAfter === undefined,
  )
  if (shown.length <= (isOneByOne ? FEW : MOST)) return shown
  const cards = new Set(shown.filter(({done}) => failed.has(done)).map(cardIn))
  return shown.filter(call => cards.has(cardIn(call)))
}

const cardIn = ({done: {call}}: RawCall): unknown =>
  typeof call === 'string' ? call : Object(partOf(call as ReceivedCall, 'card')).cardId

function batchFrom(calls: readonly RawCall[], at: number): readonly RawCall[] {
  const first = calls[at]
  const {lastByteAfter} = first?.settings ?? {}
  if (first === undefined) return []
  if (lastByteAfter === undefined) return [first]
  const end = calls.findIndex((call, place) => place > at && call.settings.lastByteAfter !== lastByteAfter)
  return calls.slice(at, end === -1 ? undefined : end)
}

/** Other calls, at the rate of a whole certificate. */
function othersLine(calls: number, {url, forms}: ShellSettings): string {
  const words = [
    'webhook',
    'bench',
    '--to',
    url,
    '--rate',
    '200/s',
    '--duration',
    `${Math.ceil(calls / 200)}s`,
  ]
  return [new SuggestedCommand(words), ...shellOptions(forms).options].join(' ')
}

const restartLine = (url: string): string =>
  `sh -c "$RESTART" >/dev/null 2>&1; until curl -sk -o /dev/null ${shellQuoted(`${url}/warm-up`)}; do sleep 0.1; done; echo '(restarted)'`

/** One curl sends them over a connection each, within a millisecond; signed ones need a process each. */
function togetherLines(batch: readonly RawCall[], settings: ShellSettings): readonly string[] {
  if (batch.some(call => needsFile(call, settings.forms))) {
    return [...batch.map(call => `(F=$(mktemp); ${lineOf(call, settings)}) &`), 'wait']
  }
  const [first, ...others] = batch.map(call => optionsOf(call, settings))
  return [
    `curl -sS --no-progress-meter -Z --parallel-immediate -w '\\n' ${first}${others.map(other => ` --next -sS -w '\\n' ${other}`).join('')}`,
  ]
}

const needsFile = ({settings}: RawCall, forms: CredentialForms): boolean =>
  settings.bytes !== undefined ||
  settings.padTo !== undefined ||
  settings.drop !== undefined ||
  settings.transport !== undefined ||
  forms.signature !== undefined

function lineOf(call: RawCall, settings: ShellSettings): string {
  if (!needsFile(call, settings.forms)) return `curl -sS -w '\\n' ${optionsOf(call, settings)}`
  const {forgery, drop, transport, signed} = call.settings
  const {headers, tls, signed: sign} = shellCredentials(settings.forms, forgery)
  const file = fileLines(call)
  const other = signed && `${printed(signed.toString('utf8'))} >"$F"`
  const signing = sign(forgery)
  const before = [
    ...(other && signing ? [other, signing, file] : [file, ...(signing ? [signing] : [])]),
  ].join('; ')
  const written = {path: call.path, url: settings.url, headers: [...headersOf(call), ...headers], tls}
  if (drop !== undefined) return `${before}; ${droppedLine(drop, written)}`
  if (transport === 'byte by byte' || transport === 'in chunks' || transport === 'in chunks of a byte') {
    return `${before}; ${piecesLine(transport, written)}`
  }
  return `${before}; curl -sS -w '\\n' ${optionsOf(call, settings, '@"$F"')}`
}

/** Writes the body of a call to `$F`. */
function fileLines({done, settings: {bytes, padTo}}: RawCall): string {
  const {call} = done
  const text = bytes?.toString('utf8') ?? (typeof call === 'string' ? call : JSON.stringify(call))
  if (bytes !== undefined && !Buffer.from(text).equals(bytes)) {
    return `echo ${bytes.toString('base64')} | openssl base64 -d -A >"$F"`
  }
  if (padTo === undefined) return `${printed(text)} >"$F"`
  const padding = `$(head -c $((${padTo} - $(wc -c <"$F") - 2)) /dev/zero | tr '\\0' x)`
  return `printf %s ${inShell(`${text.slice(0, -1)},"padding":"`)} >"$F"; printf '%s"}' "${padding}" >>"$F"`
}

function optionsOf(call: RawCall, {url, forms}: ShellSettings, body?: string): string {
  const {done, path, settings} = call
  const {headers, tls} = shellCredentials(forms, settings.forgery)
  const text = typeof done.call === 'string' ? done.call : JSON.stringify(done.call)
  const within = settings.withinMs === undefined ? [] : [`--max-time ${settings.withinMs / 1000}`]
  return [
    ...within,
    ...tls,
    ...[...headersOf(call), ...headers].map(header => `-H ${header}`),
    `--data-binary ${body ?? inShell(text)}`,
    shellQuoted(`${url}${path}`),
  ].join(' ')
}

function headersOf({path, settings: {transport}}: RawCall): readonly string[] {
  const type = `content-type: application/json${transport === 'with a charset' ? '; charset=utf-8' : ''}`
  return [
    ...(path === '/warm-up' ? ["'x-warmup: true'"] : []),
    shellQuoted(transport === 'headers in capitals' ? type.replace('content-type', 'CONTENT-TYPE') : type),
  ]
}

/** Line feeds and the like become escapes of printf, so that each call is one line. */
function printed(text: string): string {
  if (text.search(CONTROLS) === -1) return `printf %s ${inShell(text)}`
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replace(CONTROLS, char => `\\0${char.charCodeAt(0).toString(8).padStart(3, '0')}`)
  return `printf %b ${inShell(escaped)}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
const CONTROLS = /[\u0000-\u001f\u007f]/g

/** Quoted, with ids and cards of its own, and without what would fill the screen. */
const inShell = (text: string): string =>
  shellQuoted(text)
    .replaceAll(UUID, fresh)
    .replaceAll(CARD, freshCard)
    .replaceAll(LONG, ({length}) => `'"$(head -c ${length} /dev/zero | tr '\\0' x)"'`)

const LONG = /x{200,}/g

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}(-[0-9a-f]{4}-[0-9a-f]{12})/g

/** The time in nanoseconds has 19 digits, so that the id keeps its 36 characters: longer ids may be refused. */
const fresh = (_: string, end: string): string => `'$N'${end.slice(1)}`
const shortFresh = (_: string, end: string): string => `\${N}${end.slice(1)}`

const CARD = /("(?:cardId|accountId|customerId)":")(\d+)/g

const freshCard = (_: string, name: string, digits: string): string => `${name}'$N'${digits}`
