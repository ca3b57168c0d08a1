import {AsyncLocalStorage} from 'node:async_hooks'
import {readTraceContext, type TraceContext, traceHeaders} from '../network/trace-context.ts'
import type {RandomBytes} from './ids.ts'

const current = new AsyncLocalStorage<TraceContext>()

/** Does the work for a request within the trace that its headers name. */
export function withinTrace<Result>(
  headers: Readonly<Record<string, string | undefined>>,
  work: () => Result,
): Result {
  const trace = readTraceContext(headers.traceparent, headers.tracestate)
  return trace === undefined ? work() : current.run(trace, work)
}

/** The id of the trace of the request that is worked on, for an event. */
export function traceMember(): {readonly trace?: string} {
  const trace = current.getStore()
  return trace === undefined ? {} : {trace: trace.traceId}
}

/** The headers of a call that follows from the request. */
export function callTraceHeaders(random: RandomBytes): Record<string, string> {
  const trace = current.getStore()
  return trace === undefined ? {} : traceHeaders(trace, Buffer.from(random(8)).toString('hex'))
}
