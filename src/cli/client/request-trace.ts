import process from 'node:process'
import {readTraceContext, traceHeaders} from '../../network/trace-context.ts'
import type {Surroundings} from '../surroundings.ts'

/** Loaded with the first attempt of a trace: most runs have none. */
const nodeCrypto = () => process.getBuiltinModule('node:crypto')

/** The headers of attempts in the trace that the environment names, each with a span of its own. */
export function requestTrace({
  TRACEPARENT: parent,
  TRACESTATE: state,
}: Surroundings['env']): () => Record<string, string> {
  const trace = readTraceContext(parent, state)
  return () => (trace === undefined ? {} : traceHeaders(trace, nodeCrypto().randomBytes(8).toString('hex')))
}
