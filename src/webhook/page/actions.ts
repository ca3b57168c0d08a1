import {X509Certificate} from 'node:crypto'
import type {IncomingMessage} from 'node:http'
import {isIPv6} from 'node:net'
import type {TLSSocket} from 'node:tls'
import {exceededLimit, LIMITS} from '../../limits/limits.ts'
import {type CallCredentials, credentialHeaders} from '../../network/call-credentials.ts'
import {openOutgoing} from '../../network/outgoing.ts'
import type {PendingCalls} from '../pending-calls.ts'
import {readBody} from '../read-body.ts'
import {type Translator, untranslatable} from '../translator.ts'
import {isSecure} from './access.ts'
import {type ElsewhereOptions, replayElsewhere} from './replay-elsewhere.ts'
import type {AnswerRequest} from './wire.ts'

/** Handles a post of the page. Returns why it failed, as a sentence without a full stop, or what to answer on success. */
export type Action = (body: unknown, request: IncomingMessage) => Promise<string | object | undefined>

export interface ActionOptions extends ElsewhereOptions {
  readonly pathPrefix: string
  /** What the listener requires of every call. */
  readonly credentials?: CallCredentials | undefined
  /** How calls come to the listener, if not as ours. */
  readonly translator?: Translator | undefined
  /** Where people decide. */
  readonly pendingCalls?: Pick<PendingCalls, 'answer'> | undefined
}

/** What the page can ask for, by path below that of the page. */
export function createActions(options: ActionOptions): Readonly<Record<string, Action>> {
  const {pathPrefix, credentials = {}, translator, now, pendingCalls} = options
  return {
    answer: async body => {
      if (!pendingCalls) return 'no person decides here: start with --ask'
      const {event, choice} = record(body)
      const read = readChoice(choice)
      if (typeof event !== 'string' || !read) return 'the answer is invalid'
      return pendingCalls.answer(event, read, 'page')
    },
    elsewhere: body => replayElsewhere(record(body), options),
    send: async (body, request) => {
      const {path, body: call} = record(body)
      if ((path !== '/auth' && path !== '/warm-up') || call === undefined) return 'the call is invalid'
      let sent: {readonly path: string; readonly body: unknown} = {path, body: call}
      try {
        if (translator && path === '/auth') sent = {path: translator.path, body: translator.writeCall(call)}
        else if (translator) sent = translator.warmUp ?? sent
      } catch (error) {
        return untranslatable(error) ?? 'the call could not be sent'
      }
      const bytes = Buffer.from(JSON.stringify(sent.body))
      return sendAgain(
        request,
        pathPrefix + sent.path,
        bytes,
        credentialHeaders(credentials, bytes, now()),
      ).then(
        () => undefined,
        () => 'the call could not be sent',
      )
    },
  }
}

/** The largest call, with room for the JSON around it. */
const LARGEST = LIMITS.call.bytes + 1024
const READ_MS = 2000

/** The JSON of a post. @throws when it doesn't come, is beyond the limits, or is no JSON. */
export async function readPost(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(request, {limit: LARGEST, signal: AbortSignal.timeout(READ_MS)})
  const text = bytes.toString('utf8')
  if (exceededLimit(text, LIMITS.call)) throw new RangeError('beyond the limits')
  return JSON.parse(text)
}

function readChoice(value: unknown): AnswerRequest['choice'] | undefined {
  const {approve, decline, partial} = record(value)
  if (approve === true) return {approve}
  if (typeof decline === 'string') return {decline}
  const {amount, currency} = record(partial)
  if (typeof amount === 'number' && typeof currency === 'string') return {partial: {amount, currency}}
  return undefined
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/**
 * Sends a call to the port that a request of the page came to, as the service would. Resolves once it is sent; its outcome
 * is shown like that of every call.
 * @throws the system's error when the port doesn't take it.
 */
function sendAgain(
  {socket}: Pick<IncomingMessage, 'socket'>,
  path: string,
  bytes: Buffer,
  credentials: Readonly<Record<string, string>>,
): Promise<void> {
  const {localAddress = '', localPort} = socket
  const protocol = isSecure({socket}) ? 'https:' : 'http:'
  const url = new URL(
    `${protocol}//${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`,
  )
  // It is this process: its certificate is known, and made for other names than the address.
  const outgoing = openOutgoing(protocol, {tls: {pinned: ownCertificate(socket as TLSSocket)}})
  return new Promise((resolve, reject) => {
    const request = outgoing.request(url, {
      path,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': bytes.length,
        ...credentials,
      },
    })
    request.on('finish', resolve)
    request.on('error', reject)
    request.on('response', response => response.resume())
    request.end(bytes)
  })
}

/** The certificate that this server shows on a connection. */
function ownCertificate(socket: Partial<TLSSocket>): string | undefined {
  const certificate = socket.getCertificate?.()
  if (!certificate || !('raw' in certificate)) return undefined
  return new X509Certificate(certificate.raw).toString()
}
