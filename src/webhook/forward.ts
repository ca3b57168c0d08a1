import {Agent, request as httpRequest} from 'node:http'
import {request as httpsRequest, Agent as TlsAgent} from 'node:https'
import {Failure} from '../errors/failure.ts'
import {faultOf} from './check-decision.ts'
import {type AuthReply, type Decider, DecisionFault} from './decide.ts'
import {MAX_BODY, readBody} from './read-body.ts'

/**
 * Lets another endpoint decide: the bytes of the call go on to `/auth` below its address, and its answer is held against
 * the contract before it is passed back.
 *
 * @throws Failure USAGE or SENSITIVE_IN_ARGV for an address that cannot be used.
 */
export function forwardTo(address: string): Decider {
  const base = parseAddress(address)
  const secure = base.protocol === 'https:'
  // One that has been idle for longer may be closed by the other side at the moment it is used.
  const options = {keepAlive: true, timeout: 4000}
  const agent = secure ? new TlsAgent(options) : new Agent(options)

  function post(path: string, bytes: Buffer, signal: AbortSignal): Promise<{status: number; body: Buffer}> {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'content-length': bytes.length,
      ...(path === '/warm-up' ? {'x-warmup': 'true'} : {}),
    }
    const send = secure ? httpsRequest : httpRequest
    return new Promise((resolve, reject) => {
      const request = send(below(base, path), {method: 'POST', agent, headers, signal}, response => {
        readBody(response, {limit: MAX_BODY, signal}).then(
          body => resolve({status: response.statusCode ?? 0, body}),
          reject,
        )
      })
      request.on('error', reject)
      request.end(bytes)
    })
  }

  return {
    decide: async ({call, bytes, signal}) => {
      const {status, body} = await post('/auth', bytes, signal).catch(() => {
        throw new DecisionFault('the endpoint cannot be reached, or broke off')
      })
      if (status !== 200) throw new DecisionFault(`the endpoint answered with status ${status}`)
      const reply = parse(body)
      const fault = await faultOf(call, reply)
      if (fault !== undefined) throw new DecisionFault(`the endpoint's answer is invalid: ${fault}`)
      return {answer: {kind: 'reply', reply: reply as AuthReply}, by: 'forward'}
    },
    warmUp: bytes => {
      // A warm-up that fails shows at the first call.
      post('/warm-up', bytes, AbortSignal.timeout(2000)).catch(() => undefined)
    },
    close: () => agent.destroy(),
  }
}

function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Failure('USAGE', {
      message: '--forward-to takes an http or https address without a query, such as http://127.0.0.1:3000.',
    })
  }
  if (url.username !== '' || url.password !== '') {
    throw new Failure('SENSITIVE_IN_ARGV', {
      message:
        'The address of --forward-to holds credentials, which others can see in the list of processes.',
      hint: 'Leave them out of the address.',
    })
  }
  return url
}

function below(base: URL, path: string): URL {
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${path}`
  return url
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new DecisionFault("the endpoint's answer is not JSON")
  }
}
