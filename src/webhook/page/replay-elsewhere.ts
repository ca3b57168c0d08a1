import {maskAnswer} from '../../contract/mask-answer.ts'
import {Failure} from '../../errors/failure.ts'
import {isLoopback} from '../../network/check-url.ts'
import {parseAddress} from '../endpoint.ts'
import {type CallerOptions, openCaller} from '../send/caller.ts'
import type {ElsewhereRequest, ElsewhereResult} from './wire.ts'

/** The endpoint of `--forward-to`, which was confirmed on the command line, and how it is called. */
export interface ForwardTarget extends Pick<CallerOptions, 'tls' | 'headers' | 'credentials'> {
  readonly url: URL
}

export interface ElsewhereOptions {
  readonly deadlineMs: number
  readonly forward?: ForwardTarget | undefined
  /** Why calls may not go to a URL, as a sentence without a full stop. */
  readonly refused?: ((url: URL) => Promise<string | undefined>) | undefined
  /** Milliseconds since 1970. */
  now(): number
}

/**
 * Sends a call to an endpoint that is not this server, with its credentials only if it is that of `--forward-to`.
 * Another machine must be named twice, as on the command line. Returns what came back, masked, or why nothing was sent,
 * as a sentence without a full stop.
 */
export async function replayElsewhere(
  {to, confirm, path, body}: Partial<Record<keyof ElsewhereRequest, unknown>>,
  {deadlineMs, forward, refused, now}: ElsewhereOptions,
): Promise<ElsewhereResult | string> {
  if (typeof to !== 'string' || (path !== '/auth' && path !== '/warm-up') || body === undefined) {
    return 'the call is invalid'
  }
  const url = readUrl(to)
  if (typeof url === 'string') return url
  const refusal = await refused?.(url)
  if (refusal !== undefined) return refusal
  const own = forward && hrefOf(forward.url) === hrefOf(url) ? forward : undefined
  if (!own && !isLoopback(url.hostname) && confirm !== url.hostname) {
    return `to send calls to another machine than this, type its host: ${url.hostname}`
  }
  const caller = openCaller({...own, base: url, deadlineMs, now})
  try {
    const sent = path === '/auth' ? caller.authorise(body) : caller.warmUp({}, body)
    const {outcome, code, part, status, reply, reason, durationMs} = await sent
    return {
      to: url.href,
      outcome,
      durationMs,
      ...(code !== undefined && {code}),
      ...(part && {part}),
      ...(reason !== undefined && {reason}),
      ...(status !== undefined && {reply: {status, body: masked(reply)}}),
    }
  } finally {
    caller.close()
  }
}

const masked = (reply: unknown): unknown =>
  maskAnswer(typeof reply === 'string' ? reply : (JSON.stringify(reply) ?? ''))

const hrefOf = ({href}: URL): string => href.replace(/\/+$/, '')

function readUrl(text: string): URL | string {
  try {
    return parseAddress(text, 'the page')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'SENSITIVE_IN_ARGV') return 'the URL contains credentials'
    return 'use an http or https URL without a query and without /auth, for example http://127.0.0.1:3000'
  }
}
