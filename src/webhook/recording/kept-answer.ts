import type {AuthReply, Outgoing} from '../decide.ts'
import type {Found} from '../decided.ts'
import type {Exchange} from '../exchange.ts'
import {isWhole} from './masked-places.ts'

/**
 * The decision that a recorded exchange tells of, to be given again; undefined when there was none, or when masks have
 * changed its answer.
 */
export function keptAnswer({event, reply, steps}: Exchange): Found | undefined {
  if (event.type !== 'auth' || !isWhole(JSON.stringify(reply ?? null))) return undefined
  const {by, because, outcome} = event
  return {answer: outgoing(outcome === 'broken', reply), by, ...(because !== undefined && {because}), steps}
}

function outgoing(broken: boolean, reply: Exchange['reply']): Outgoing {
  if (reply === undefined) return {kind: 'none'}
  const {status, body} = reply
  return broken ? {kind: 'raw', status, body: String(body)} : {kind: 'reply', reply: body as AuthReply}
}
