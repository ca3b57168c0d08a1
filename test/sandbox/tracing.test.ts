// Traces of requests with the real SDK of OpenTelemetry, which the user registers in the process.
import {execFile} from 'node:child_process'
import {promisify} from 'node:util'
import {context, propagation, SpanKind, SpanStatusCode, trace} from '@opentelemetry/api'
import {AsyncLocalStorageContextManager} from '@opentelemetry/context-async-hooks'
import {W3CTraceContextPropagator} from '@opentelemetry/core'
import {BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor} from '@opentelemetry/sdk-trace-base'
import {expect, onTestFinished, test} from 'vitest'
import {createSandbox} from '../../src/sandbox/index.ts'

function registerSdk(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({spanProcessors: [new SimpleSpanProcessor(exporter)]}),
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  onTestFinished(() => {
    for (const each of [trace, context, propagation]) each.disable()
  })
  return exporter
}

const PAN = '4111111111111111'
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

test('a request has a span with the path template, below the span of its caller', async () => {
  const exporter = registerSdk()
  const sandbox = await createSandbox()
  const server = await sandbox.serve()
  const headers = {traceparent: `00-${TRACE}-${PARENT}-01`}
  await fetch(`${server.url}/v4/3001?auditUser=test`, {headers})
  await server.close()
  await sandbox.close()
  const [span, ...others] = exporter.getFinishedSpans()
  expect(others).toEqual([])
  expect(span?.spanContext().traceId).toBe(TRACE)
  expect(span?.parentSpanContext?.spanId).toBe(PARENT)
  expect(span).toMatchObject({
    name: 'GET /v4/{id}',
    kind: SpanKind.SERVER,
    status: {code: SpanStatusCode.UNSET},
  })
  expect(span?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/v4/{id}',
    'http.response.status_code': 200,
    'cardctl.operation': 'cards.get.v4',
  })
})

test('errors of the service are marked, and nothing of a request is in its span', async () => {
  const exporter = registerSdk()
  const sandbox = await createSandbox()
  onTestFinished(() => sandbox.close())
  const send = (method: string, url: string, body?: object) =>
    sandbox.handle({
      method,
      url,
      headers: {'content-type': 'application/json', authorization: `Bearer ${PAN}`},
      ...(body && {body: JSON.stringify(body)}),
    })
  await send('GET', `/v4/${PAN}?auditUser=${PAN}`)
  await send('GET', `/nothing/${PAN}?pan=${PAN}`)
  await send(`BREW${PAN}`, `/v4/${PAN}`)
  await send('POST', '/_sandbox/faults', {operation: 'cards.get.v4', status: 503, count: 1})
  await send('GET', '/v4/3001?auditUser=test')
  await send('POST', '/_sandbox/faults', {operation: 'cards.get.v4', drop: 'before', count: 1})
  await send('GET', '/v4/3001?auditUser=test')
  const spans = exporter.getFinishedSpans()
  const seen = spans.map(({name, attributes, status}) => [
    name,
    attributes['http.response.status_code'],
    attributes['error.type'],
    status.code,
  ])
  const {UNSET, ERROR} = SpanStatusCode
  expect(seen).toEqual([
    ['GET /v4/{id}', 404, undefined, UNSET],
    ['GET', 404, undefined, UNSET],
    ['HTTP', 405, undefined, UNSET],
    ['POST /_sandbox/faults', 201, undefined, UNSET],
    ['GET /v4/{id}', 503, '503', ERROR],
    ['POST /_sandbox/faults', 201, undefined, UNSET],
    ['GET /v4/{id}', undefined, 'dropped', ERROR],
  ])
  const all = JSON.stringify(
    spans.map(({name, attributes, events, status}) => [name, attributes, events, status]),
  )
  expect(all).not.toContain(PAN)
})

/** Serves one request in a process of its own, and prints what of OpenTelemetry was loaded. */
const server = `
import {registerHooks} from 'node:module'
const loaded = []
registerHooks({resolve: (name, context, next) => {
  if (name.includes('opentelemetry')) loaded.push(name)
  return next(name, context)
}})
const [entry, hasSdk] = process.argv.slice(1)
if (hasSdk === 'true') globalThis[Symbol.for('opentelemetry.js.api.1')] = {version: '1.9.0'}
const {createSandbox} = await import(entry)
const sandbox = await createSandbox()
const served = await sandbox.serve()
await fetch(served.url + '/v4/3001?auditUser=test')
await served.close()
await sandbox.close()
console.log(JSON.stringify(loaded.filter(name => name === '@opentelemetry/api')))
`

test.each([
  ['is not loaded while no SDK runs', false, []],
  ['is loaded for an SDK', true, ['@opentelemetry/api']],
])('OpenTelemetry %s', async (_, hasSdk, loaded) => {
  const entry = new URL('../../src/sandbox/index.ts', import.meta.url).href
  const argv = ['--input-type=module', '-e', server, entry, String(hasSdk)]
  const {stdout} = await promisify(execFile)(process.execPath, argv)
  expect(JSON.parse(stdout)).toEqual(loaded)
})
