import {shellQuoted} from '../../errors/suggested-command.ts'
import type {ReceivedCall} from '../received-call.ts'
import type {Caller} from '../send/caller.ts'
import type {Done} from '../suite/masked-call.ts'
import type {SentCall} from '../suite/results.ts'

/** A call as a check sent it. */
export interface RawCall {
  readonly done: Done
  readonly path: SentCall['path']
  readonly settings: NonNullable<Parameters<Caller['authorise']>[1]>
  /** Whether the endpoint was restarted since the call before. */
  readonly isAfterRestart: boolean
}

/** More calls than this are no reproduction that anybody reads. */
const MOST = 100

/**
 * The calls of a check up to those that failed, as lines for a shell. Ids begin with the time, so that the lines can be
 * pasted again: an endpoint must not know them. Calls have no credentials, and cards are made up.
 */
export function shellLines(
  sent: readonly RawCall[],
  failed: ReadonlySet<Done>,
  url: string,
): readonly string[] {
  const last = sent.findLastIndex(({done}) => failed.has(done))
  const shown = last === -1 ? sent : sent.slice(0, last + 1)
  if (shown.length === 0 || shown.length > MOST) return []
  const lines = shown.flatMap((call, at) => {
    const {lastByteAfter} = call.settings
    const isTogether = lastByteAfter !== undefined
    const isLast = isTogether && shown[at + 1]?.settings.lastByteAfter !== lastByteAfter
    return [
      ...(call.isAfterRestart ? ['# restart the endpoint here'] : []),
      `${lineOf(call, url)}${isTogether ? ' &' : ''}`,
      ...(isLast ? ['wait'] : []),
    ]
  })
  return ['N=$(date +%s%N)', ...lines]
}

function lineOf({done, path, settings}: RawCall, url: string): string {
  const {bytes, padTo, drop, transport} = settings
  const {call} = done as {readonly call: ReceivedCall | string}
  const text = bytes?.toString('utf8') ?? (typeof call === 'string' ? call : JSON.stringify(call))
  const isText = bytes === undefined || Buffer.from(text).equals(bytes)
  const headers = [
    ...(path === '/warm-up' ? ['x-warmup: true'] : []),
    `content-type: application/json${transport === 'with a charset' ? '; charset=utf-8' : ''}`,
    ...(transport === 'in chunks' || transport === 'in chunks of a byte'
      ? ['transfer-encoding: chunked']
      : []),
  ].map(header => `-H ${shellQuoted(header)}`)
  const body = isText ? shellQuoted(text).replaceAll(UUID, fresh).replaceAll(CARD, freshCard) : '@-'
  const before = isText ? '' : `echo ${bytes?.toString('base64')} | base64 -d | `
  const beside = [
    ...(padTo === undefined ? [] : [`of ${padTo} bytes by one more field`]),
    ...(drop === undefined ? [] : [`the connection is dropped ${drop}`]),
  ]
  const line = `${before}curl -sS -w '\\n' ${headers.join(' ')} --data-binary ${body} ${shellQuoted(`${url}${path}`)}`
  return beside.length === 0 ? line : `${line} # ${beside.join(', ')}`
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}(-[0-9a-f]{4}-[0-9a-f]{12})/g

/** The time in nanoseconds has 19 digits, so that the id keeps its 36 characters: longer ids may be refused. */
const fresh = (_: string, end: string): string => `'$N'${end.slice(1)}`

const CARD = /("(?:cardId|accountId|customerId)":")(\d+)/g

const freshCard = (_: string, name: string, digits: string): string => `${name}'$N'${digits}`
