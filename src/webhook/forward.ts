import {faultOf} from './check-decision.ts'
import {type AuthReply, type Decider, DecisionFault} from './decide.ts'
import {openEndpoint} from './endpoint.ts'

/**
 * Lets another endpoint decide: the bytes of the call go on to `/auth` below its address, and its answer is held against
 * the contract before it is passed back.
 */
export function forwardTo(base: URL): Decider {
  const endpoint = openEndpoint({base})
  return {
    decide: async ({call, bytes, signal}) => {
      const {status, body} = await endpoint.post('/auth', bytes, signal).catch((error: Error) => {
        throw new DecisionFault(error.message)
      })
      if (status !== 200) throw new DecisionFault(`the endpoint answered with status ${status}`)
      const reply = parse(body)
      const fault = await faultOf(call, reply)
      if (fault !== undefined) throw new DecisionFault(`the endpoint's answer is invalid: ${fault}`)
      return {answer: {kind: 'reply', reply: reply as AuthReply}, by: 'forward'}
    },
    warmUp: bytes => {
      // A warm-up that fails shows at the first call.
      endpoint.post('/warm-up', bytes, AbortSignal.timeout(2000)).catch(() => undefined)
    },
    close: () => endpoint.close(),
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new DecisionFault("the endpoint's answer is not JSON")
  }
}
