import {ignoredFields, parseAnswer} from '../contract/auth-answer.ts'
import {describeViolation} from '../contract/unknown-fields.ts'
import {programFault} from './check-answer.ts'
import {type AuthAnswer, type Decider, DecisionFault, type WarmUpRequest} from './decide.ts'
import {type EndpointOptions, openEndpoint} from './endpoint.ts'
import {shownAnswer} from './shown-answer.ts'

export interface ForwardOptions extends Omit<EndpointOptions, 'base'> {
  /** The headers by which a call with this body proves who sends it, in place of those that it came with. */
  readonly credentialsFor?: ((body: Buffer) => Readonly<Record<string, string>>) | undefined
  /** Headers of the call that are meant for the listener and not for the endpoint. */
  readonly withheld?: readonly string[] | undefined
}

/**
 * Lets another endpoint decide. Passes the bytes and the headers of the call on to `/auth` below its URL, and checks its
 * answer against the contract before returning it.
 */
export function forwardTo(base: URL, options: ForwardOptions = {}): Decider {
  const {credentialsFor, withheld = [], ...endpointOptions} = options
  const endpoint = openEndpoint({base, ...endpointOptions})

  async function post(
    path: '/auth' | '/warm-up',
    {bytes, headers, signal, note}: WarmUpRequest,
  ): Promise<{reply: unknown}> {
    const settings = {
      headers: passedOn(headers, withheld),
      credentials: credentialsFor?.(bytes),
    }
    const {
      status,
      headers: sent,
      body,
    } = await endpoint.post(path, bytes, signal, settings).catch((error: Error) => {
      note({by: 'forward', said: error.message})
      throw new DecisionFault(error.message)
    })
    const text = body.toString('utf8')
    const reply = parseAnswer(text)
    note({by: 'forward', said: `status ${status}, ${shownAnswer(text)}`, headers: sent})
    if (status === 200) return {reply}
    const what = path === '/auth' ? 'answered' : 'answered the warm-up'
    throw new DecisionFault(`the endpoint ${what} with status ${status}`)
  }

  return {
    decide: async request => {
      const {reply} = await post('/auth', request)
      const fault = await programFault(request.call, reply)
      if (fault !== undefined) throw new DecisionFault(`the endpoint's answer is invalid: ${fault}`)
      const unread = ignoredFields(reply).map(describeViolation)
      const answer = {kind: 'reply', reply: reply as AuthAnswer} as const
      return {answer, by: 'forward', ...(unread.length > 0 && {unread})}
    },
    warmUp: async request => {
      await post('/warm-up', request)
    },
    close: () => endpoint.close(),
  }
}

/** Headers of one connection (RFC 9110, 7.6.1), and those that the next request has of its own. */
const OF_ONE_CONNECTION =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding ' +
  'upgrade host content-length expect accept-encoding'

/** The headers of a call that its endpoint gets. An answer is never asked to be compressed. */
function passedOn(
  headers: WarmUpRequest['headers'],
  withheld: readonly string[],
): Readonly<Record<string, string[]>> {
  const named = (headers.connection ?? []).flatMap(value => value.toLowerCase().split(/\s*,\s*/))
  const dropped = new Set([...OF_ONE_CONNECTION.split(' '), ...named, ...withheld])
  const kept = Object.entries(headers).flatMap(([name, values]) =>
    values === undefined || dropped.has(name) ? [] : [[name, values] as const],
  )
  return Object.fromEntries(kept)
}
