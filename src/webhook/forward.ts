import {ignoredFields, parseAnswer} from '../contract/auth-answer.ts'
import {describeViolation} from '../contract/unknown-fields.ts'
import {programFault} from './check-answer.ts'
import {type AuthAnswer, type Decider, DecisionFault, type DecisionRequest} from './decide.ts'
import {type EndpointOptions, openEndpoint} from './endpoint.ts'
import {shownAnswer} from './shown-answer.ts'

/**
 * Lets another endpoint decide. Passes the bytes of the call on to `/auth` below its URL, and checks its answer against
 * the contract before returning it.
 */
export function forwardTo(base: URL, tls?: EndpointOptions['tls']): Decider {
  const endpoint = openEndpoint({base, tls})

  async function post(
    path: '/auth' | '/warm-up',
    {bytes, signal, note}: Pick<DecisionRequest, 'bytes' | 'signal' | 'note'>,
  ): Promise<{reply: unknown}> {
    const said = (text: string) => note({by: 'forward', said: text})
    const {status, body} = await endpoint.post(path, bytes, signal).catch((error: Error) => {
      said(error.message)
      throw new DecisionFault(error.message)
    })
    const text = body.toString('utf8')
    const reply = parseAnswer(text)
    said(`status ${status}, ${shownAnswer(text)}`)
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
