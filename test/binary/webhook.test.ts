// `webhook serve` as a process: where it is, what it tells, how it ends.
import {once} from 'node:events'
import {createServer, type ServerResponse} from 'node:http'
import {type AddressInfo, connect} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {type Ended, emptyHome, start, until} from '../helpers/binary.ts'
import {callOf} from '../webhook/calls.ts'

interface Served {
  readonly url: string
  readonly ended: Promise<Ended>
  lines(): Record<string, unknown>[]
  kill(signal: NodeJS.Signals): void
}

async function serve(flags: readonly string[]): Promise<Served> {
  const {child, ended, stdout, stderr} = start(await emptyHome(), [
    ...['webhook', 'serve', '-o', 'ndjson', ...flags],
  ])
  const lines = () =>
    stdout()
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line))
  const ready = await until(() => {
    if (child.exitCode !== null) throw new Error(stderr())
    return lines()[0]
  })
  expect(ready).toMatchObject({
    type: 'ready',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    deadlineMs: expect.any(Number),
  })
  return {url: ready.url, ended, lines, kill: signal => child.kill(signal)}
}

/** An endpoint that decides when the test says so. */
async function slowEndpoint() {
  const asked = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, response) => asked.resolve(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: asked.promise}
}

const post = (url: string, id: string) =>
  fetch(`${url}/auth`, {method: 'POST', body: JSON.stringify(callOf('chip', id))})

const APPROVED = '{"transactionData":{"authResponseCode":{"code":"00"}}}'

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s: the call under way is answered, then %i', async (signal, code) => {
  const endpoint = await slowEndpoint()
  const server = await serve(['--forward-to', endpoint.url, '--deadline', '20s'])
  const answer = post(server.url, 'a')
  const decider = await endpoint.asked
  // An idle connection must not hold the end.
  const idle = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(idle, 'connect')
  idle.on('error', () => undefined)
  server.kill(signal)
  await until(() => idle.destroyed || idle.readableEnded || idle.closed)
  decider.end(APPROVED)
  expect((await answer).status).toBe(200)
  expect(await server.ended).toMatchObject({code, stderr: expect.stringContaining('SERVER_ENDED')})
  expect(server.lines()).toMatchObject([{type: 'ready'}, {type: 'auth', id: 'a', outcome: 'approved'}])
  await expect(post(server.url, 'b')).rejects.toThrow()
})

test('an undecided call ends as late, and a second signal ends the wait at once', async () => {
  for (const signals of [2, 1]) {
    const endpoint = await slowEndpoint()
    const server = await serve(['--forward-to', endpoint.url, '--deadline', '60s'])
    const answer = post(server.url, 'a').then(
      ({status}) => status,
      () => 'cut',
    )
    await endpoint.asked
    server.kill('SIGTERM')
    if (signals === 2) {
      // The second within a moment of the first is its echo.
      await new Promise(resolve => setTimeout(resolve, 400))
      server.kill('SIGTERM')
    }
    expect(await server.ended).toMatchObject({code: 143})
    expect(await answer).toBe(signals === 2 ? 'cut' : 503)
  }
})

test('continues when nobody reads its lines', async () => {
  const {child, ended, stdout} = start(await emptyHome(), ['webhook', 'serve', '-o', 'ndjson'])
  const {url} = JSON.parse(await until(() => stdout().split('\n', 1)[0] || undefined))
  child.stdout?.destroy()
  for (const id of ['a', 'b', 'c']) expect((await post(url, id)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({code: 143, stderr: expect.stringContaining('SERVER_ENDED')})
})
