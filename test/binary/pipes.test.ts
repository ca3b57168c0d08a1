// Pipes: a reader who leaves, one who stalls, and a stdin that says nothing.
import {execFileSync} from 'node:child_process'
import {once} from 'node:events'
import {closeSync, constants, openSync} from 'node:fs'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {expect, onTestFinished, test} from 'vitest'
import {bash, emptyHome, run, start, until} from '../helpers/binary.ts'
import {part} from '../helpers/whole.ts'

const SANDBOX = {CARDCTL_PROFILE: 'sandbox'}
const ROWS = 20_000
/** Longer than the 10 s after which a stalled reader used to lose the rest. */
const STALL_MS = 11_000

/** A service that answers everything with a list much longer than a pipe holds. */
async function longList(): Promise<Record<string, string>> {
  const rows = JSON.stringify(Array.from({length: ROWS}, (_, id) => ({id, text: 'x'.repeat(80)})))
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(rows)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const {port} = server.address() as {port: number}
  return {...SANDBOX, CARDCTL_BASE_URL: `http://127.0.0.1:${port}`}
}

test('| head ends quietly', async () => {
  const line = 'set -o pipefail; cardctl api GET /long/list --group cards -o ndjson | head -n 1'
  const {code, stdout, stderr} = await bash(await emptyHome(), line, await longList())
  expect({code, stderr}).toEqual({code: 0, stderr: ''})
  expect(JSON.parse(stdout)).toMatchObject({id: 0})
})

test('a stalled reader loses nothing', async () => {
  const {child, ended, stdout} = start(
    await emptyHome(),
    ['api', 'GET', '/long/list', '--group', 'cards', '-o', 'ndjson'],
    {env: await longList()},
  )
  child.stdout?.once('data', () => child.stdout?.pause())
  await delay(STALL_MS)
  expect(child.exitCode).toBeNull()
  child.stdout?.resume()
  expect((await ended).code).toBe(0)
  const ids = stdout()
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).id)
  expect(ids).toEqual(Array.from({length: ROWS}, (_, id) => id))
})

test.each(
  part(
    [
      ['cards get', 'ID'],
      ['profiles add other', '--kind and --base-url'],
      ['pricelists delete 5001', 'confirm'],
    ],
    3,
    2,
  ),
)('without a terminal `%s` never asks, though stdin is open', async (line, says) => {
  const {code, stdout, stderr} = await run(await emptyHome(), line.split(' '), {
    env: SANDBOX,
    openStdin: true,
  })
  expect({code, stdout}).toEqual({code: 2, stdout: ''})
  expect(stderr.toLowerCase()).toContain(says.toLowerCase())
})

test('closed streams do not fail a command', async () => {
  const home = await emptyHome()
  expect(await bash(home, 'cardctl cards get 3001 -q <&-', SANDBOX)).toMatchObject({code: 0, stderr: ''})
  expect(await bash(home, 'cardctl cards get 3001 2>&-', SANDBOX)).toMatchObject({code: 0})
  const pin = await bash(home, 'cardctl pin set 3004 <&-', SANDBOX)
  expect(pin).toMatchObject({code: 2, stdout: ''})
  expect(pin.stderr).toContain('stdin was empty')
})

test('missing arguments do not consume the stdin of a loop', async () => {
  const loop = `while read -r id; do cardctl cards get "$id" -o json | grep -o '"id": "30.."'; done`
  const {stdout} = await bash(await emptyHome(), `printf '3001\\n3002\\n3003\\n' | ${loop}`, SANDBOX)
  expect(stdout.match(/30\d\d/g)).toEqual(['3001', '3002', '3003'])
})

const ENDED = {
  code: 143,
  stdout: '',
  stderr: 'Error TERMINATED: Stopped while waiting for input.\n  Nothing was sent.\n',
}

/** The writing end of a pipe, as soon as somebody reads. */
async function openOnceRead(pipe: string): Promise<number> {
  for (;;) {
    try {
      return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error
      await delay(20)
    }
  }
}

test.each(
  part(
    [
      'webhook trigger auth --to http://127.0.0.1:1 --data @PIPE',
      'a2a create --from PIPE --yes',
      'webhook serve --port 0 --client-ca PIPE --tls',
      'webhook serve --port 0 --auth basic:file:PIPE',
    ],
    4,
    1,
  ),
)('a signal ends the wait for a pipe that says nothing: %s', async line => {
  const home = await emptyHome()
  const pipe = join(home, 'pipe')
  execFileSync('mkfifo', ['-m', '600', pipe])
  const {child, ended} = start(home, line.replace('PIPE', pipe).split(' '))
  const writer = await openOnceRead(pipe)
  onTestFinished(() => closeSync(writer))
  child.kill('SIGTERM')
  // What sends says how it goes on.
  const next = line.startsWith('a2a')
    ? expect.stringMatching(/\n {2}Next: .*cardctl a2a create --from/)
    : ENDED.stderr
  expect(await ended).toMatchObject({...ENDED, stderr: next})
})

test('a signal ends the wait for more of stdin', async () => {
  const {child, ended} = start(
    await emptyHome(),
    ['webhook', 'trigger', 'auth', '--to', 'http://127.0.0.1:1', '--data', '-'],
    {openStdin: true},
  )
  // More than a pipe holds: once it has gone, there is a reader.
  child.stdin?.write(Buffer.alloc(1024 * 1024, ' '))
  await once(child.stdin ?? child, 'drain')
  child.kill('SIGTERM')
  expect(await ended).toMatchObject(ENDED)
})

test('bulk run --results - | head ends as if all had been read', async () => {
  const home = await emptyHome()
  const rows = Array.from({length: 600}, () => '2001,5000').join('\n')
  const line = `set -o pipefail; (echo id,creditLimit; echo '${rows}') | cardctl bulk run accounts.patchCredit.v4 --from - --yes --rate off --unordered --results - | head -n 1`
  const {code, stdout, stderr} = await bash(home, line, SANDBOX)
  expect({code, stderr: stderr.match(/Error .*/)?.[0]}).toEqual({code: 0, stderr: undefined})
  expect(JSON.parse(stdout)).toMatchObject({row: 1, state: 'done'})
  const list = await run(home, ['bulk', 'list', '-o', 'json'], {env: SANDBOX})
  expect(JSON.parse(list.stdout)).toMatchObject([{state: 'done', done: 600}])
})

test.each(
  part(
    [
      ['SIGTERM', 143],
      ['SIGINT', 130],
      ['SIGHUP', 129],
    ] as const,
    3,
  ),
)('%s ends the wait for a reader who stalls', async (signal, code) => {
  const {child, ended} = start(
    await emptyHome(),
    ['api', 'GET', '/long/list', '--group', 'cards', '-o', 'ndjson'],
    {env: await longList()},
  )
  child.stdout?.once('data', () => {
    child.stdout?.pause()
    child.kill(signal)
  })
  await once(child, 'exit')
  child.stdout?.resume()
  expect((await ended).code).toBe(code)
})

test('the end of stdin does not end a server', async () => {
  const {child, ended, stdout} = start(await emptyHome(), ['webhook', 'serve', '--port', '0', '-o', 'ndjson'])
  await until(() => stdout().includes('"ready"'))
  await delay(300)
  expect(child.exitCode).toBeNull()
  child.kill('SIGTERM')
  expect((await ended).code).toBe(143)
})
