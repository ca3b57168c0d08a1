// Endpoints of developers whose issuer speaks its own words. Written by hand; they share nothing with the dialect engine.
import type {IncomingMessage} from 'node:http'
import {endpoint} from '../webhook/listener.ts'

type Json = Record<string, unknown>
export interface Answer {
  readonly status?: number
  readonly body: unknown
}

/** What is wrong with an endpoint: its answer is changed. */
export type Bend = (answer: Answer, call: Json) => Answer

async function jsonOf(request: IncomingMessage): Promise<Json | undefined> {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch {
    return undefined
  }
}

/** Answers calls at a path; the same call under the same id gets the same answer. */
async function remembering(
  path: string,
  idOf: (call: Json) => unknown,
  decide: (call: Json) => Answer,
): Promise<{readonly url: string; readonly calls: Json[]}> {
  const calls: Json[] = []
  const known = new Map<unknown, {readonly content: string; readonly answer: Answer}>()
  const url = await endpoint(async (request, response) => {
    const send = ({status = 200, body}: Answer) =>
      response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
    const call = await jsonOf(request)
    if (request.method === 'POST' && request.url === '/webhooks/ready') return send({body: {}})
    if (request.method !== 'POST' || request.url !== path) return send({status: 404, body: {}})
    if (call === undefined || idOf(call) === undefined) return send({status: 400, body: {}})
    calls.push(call)
    const content = JSON.stringify({...call, delivery_id: undefined})
    const earlier = known.get(idOf(call))
    if (earlier && earlier.content !== content) return send({status: 409, body: {}})
    const answer = earlier?.answer ?? decide(call)
    known.set(idOf(call), {content, answer})
    return send(answer)
  })
  return {url, calls}
}

/** An endpoint of harbour: approves, and 80.00 of a larger amount if a part is taken; declines what is above 5,000.00. */
export const harbourEndpoint = (bend: Bend = answer => answer) =>
  remembering(
    '/webhooks/authorisation',
    call => (call.kind === undefined ? undefined : call.call_id),
    call => {
      const {minor, currency} = (call.asked ?? {minor: 0}) as {minor: number; currency?: string}
      const takesPart = call.part === 'accepted' && minor > 8000 && currency === 'EUR'
      const decision =
        call.kind === 'reversal'
          ? {decision: 'approved'}
          : call.kind === 'balance'
            ? {decision: 'approved', balance: call.available}
            : takesPart
              ? {decision: 'approved_in_part', approved: {minor: 8000, currency}}
              : {decision: minor > 500_000 ? 'over_limit' : 'approved'}
      return bend({body: {call_id: call.call_id, ...decision}}, call)
    },
  )

/** A gateway of just-in-time funding: approves with 200, declines what is above 5,000 with 402. */
export const gatewayEndpoint = (bend: Bend = answer => answer) =>
  remembering(
    '/jit',
    call => call.token,
    call => {
      const {token, method, user_token, amount} = (call.gpa_order as {jit_funding: Json}).jit_funding
      const funding = {token, method, user_token, amount}
      const isDeclined = Number(amount) > 5000 && call.type !== 'authorization.reversal'
      return bend(
        isDeclined
          ? {status: 402, body: {jit_funding: {...funding, decline_reason: 'AMOUNT_LIMIT_EXCEEDED'}}}
          : {body: {jit_funding: funding}},
        call,
      )
    },
  )
