import {seenAs} from '../contract/seen-as.ts'
import {webhookShapes} from '../contract/webhook-shapes.gen.ts'
import {maskBroken} from '../sensitive/mask-broken.ts'
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
    decide: async ({call, bytes, signal, note}) => {
      const said = (text: string) => note({by: 'forward', said: text})
      const {status, body} = await endpoint.post('/auth', bytes, signal).catch((error: Error) => {
        said(error.message)
        throw new DecisionFault(error.message)
      })
      said(`status ${status}, ${shown(body.toString('utf8'))}`)
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

/** More of an answer is not shown. */
const LONGEST = 500

/** An answer as it may be shown. */
function shown(text: string): string {
  const masked = maskAnswer(text)
  if (masked === '') return 'no body'
  return masked.length > LONGEST ? `${masked.slice(0, LONGEST)}…` : masked
}

function maskAnswer(text: string): string {
  try {
    const {masked} = seenAs(webhookShapes['webhook.auth'].reply, JSON.parse(text))
    return JSON.stringify(masked)
  } catch {
    return maskBroken(text).trim()
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new DecisionFault("the endpoint's answer is not JSON")
  }
}
