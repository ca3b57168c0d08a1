import type {Span, SpanStatusCode} from '@opentelemetry/api'
import {operations} from '../contract/operations.gen.ts'
import type {OperationId} from '../contract/types.ts'
import type {Handled} from './handle.ts'
import type {PlainRequest} from './plain-http.ts'

/** Makes a span of each request. */
export type Tracing = (request: PlainRequest, handle: () => Promise<Handled>) => Promise<Handled>

const METHODS = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|QUERY)$/

/** `SpanStatusCode.ERROR`; the enum itself would load the API. */
const ERROR: SpanStatusCode.ERROR = 2

/**
 * Traces requests by the OpenTelemetry SDK that the user has started in this process. A span has the path template and the operation of the contract, never the path, the query or the body: they have ids.
 * https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 *
 * @returns undefined without the API beside cardctl.
 */
export async function openTracing(): Promise<Tracing | undefined> {
  const api = await import('@opentelemetry/api').catch(() => undefined)
  if (api === undefined) return undefined
  const {propagation, ROOT_CONTEXT, SpanKind, trace} = api
  const tracer = trace.getTracer('cardctl')
  return (request, handle) => {
    const method = METHODS.test(request.method) ? request.method : '_OTHER'
    const options = {kind: SpanKind.SERVER, attributes: {'http.request.method': method}}
    const caller = propagation.extract(ROOT_CONTEXT, request.headers)
    const name = method === '_OTHER' ? 'HTTP' : method
    return tracer.startActiveSpan(name, options, caller, async span => {
      try {
        const handled = await handle()
        describe(span, name, handled)
        return handled
      } finally {
        span.end()
      }
    })
  }
}

function describe(span: Span, name: string, {reply: {status, drop}, operation}: Handled): void {
  if (operation !== null) {
    const {path} = operations[operation as OperationId]
    span.updateName(`${name} ${path}`)
    span.setAttributes({'http.route': path, 'cardctl.operation': operation})
  }
  if (!drop) span.setAttribute('http.response.status_code', status)
  if (!drop && status < 500) return
  span.setAttribute('error.type', drop ? 'dropped' : String(status))
  span.setStatus({code: ERROR})
}
