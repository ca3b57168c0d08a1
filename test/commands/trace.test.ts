// One trace from the command line to the authorisation call.
import {once} from 'node:events'
import {createServer, type IncomingHttpHeaders} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect, it, onTestFinished} from 'vitest'
import {createSandbox} from '../../src/sandbox/index.ts'
import {openHome} from '../helpers/cli.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`

/** An endpoint that answers nothing useful: the fallback decides. */
async function endpoint(): Promise<{url: string; calls: IncomingHttpHeaders[]}> {
  const calls: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    if (request.url === '/auth') calls.push(request.headers)
    request.resume().on('end', () => response.writeHead(500).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls}
}

const PURCHASE = ['sandbox', 'authorize', '--card', '3001', '--amount', '12.50', '--currency', 'EUR']

it('leads from the command through the embedded sandbox to the endpoint', async () => {
  const home = await openHome()
  onTestFinished(() => home.remove())
  const {url, calls} = await endpoint()
  const line = [...PURCHASE, '--webhook-url', url]
  await home.run(line, {env: {TRACEPARENT}})
  await home.run(line)
  expect(calls).toHaveLength(2)
  expect(calls[0]?.traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-01$`))
  expect(calls[1]).not.toHaveProperty('traceparent')
})

it('leads through a served sandbox, whose events name it', async () => {
  const home = await openHome()
  const {url, calls} = await endpoint()
  const events: {type: string; trace?: string}[] = []
  const sandbox = await createSandbox({
    webhook: {url},
    onRequest: event => events.push(event),
    onWebhookCall: event => events.push(event),
  })
  const server = await sandbox.serve()
  onTestFinished(async () => {
    await server.close()
    await sandbox.close()
    await home.remove()
  })
  const profile = ['--kind', 'sandbox', '--base-url', server.url, '--auth', 'none']
  await home.json(['profiles', 'add', 'served', ...profile])
  await home.run([...PURCHASE, '-p', 'served'], {env: {TRACEPARENT}})
  expect(calls.map(({traceparent}) => traceparent?.slice(3, 35))).toEqual([TRACE])
  const traced = events.filter(({trace}) => trace === TRACE).map(({type}) => type)
  expect(traced).toEqual(expect.arrayContaining(['request', 'webhook']))
})

it('finds the requests that a trace sent', async () => {
  const home = await openHome()
  onTestFinished(() => home.remove())
  const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6100', '--yes']
  await home.run(patch)
  await home.run(patch, {env: {TRACEPARENT}})
  const rows = {stdin: 'id,creditLimit\n2001,6200\n', env: {TRACEPARENT}}
  await home.run(['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', '-', '--yes'], rows)
  const list = await home.json<{id: string; trace: string}[]>(['requests', 'list', '--trace', TRACE])
  expect(list.map(({trace}) => trace)).toEqual([TRACE, TRACE])
  const {stdout, stderr} = await home.run(['find', TRACE])
  expect(stdout).toContain(`Request ${list[0]?.id}`)
  expect(stderr).toContain(`cardctl requests list --trace ${TRACE}`)
  expect((await home.run(['requests', 'show', 'last'])).stdout).toMatch(new RegExp(`Trace +${TRACE}`))
})
