// The fixture for pytest in examples/fixtures, run by pytest, and what it rests on: a server that ends with its parent.
import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {type AddressInfo, createServer} from 'node:net'
import {join} from 'node:path'
import process from 'node:process'
import {createInterface} from 'node:readline'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = join(ROOT, 'bin/dev.mjs')
/** Debian's Python first: a Python of the user's own need not have pytest. */
const python = ['/usr/bin/python3', 'python3'].find(
  each => spawnSync(each, ['-m', 'pytest', '--version']).status === 0,
)

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const env = () => ({HOME: home.folder, PATH: process.env.PATH ?? '', TMPDIR: home.folder})

test.skipIf(python === undefined)('all tests of the fixture pass', () => {
  const argv = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(ROOT, 'examples/fixtures')]
  const {status, stdout, stderr} = spawnSync(python ?? '', argv, {
    encoding: 'utf8',
    env: {...env(), CARDCTL: `${process.execPath} ${SOURCES}`, PYTHONDONTWRITEBYTECODE: '1'},
  })
  expect({status, stderr}, stdout).toEqual({status: 0, stderr: ''})
  expect(stdout).toMatch(/^53 passed/m)
})

describe('--parent-pid', () => {
  /** A process that starts a server as its child, says its pid and its url, and stays. */
  const parent = () => {
    const file = join(home.folder, 'parent.mjs')
    writeFileSync(
      file,
      `import {spawn} from 'node:child_process'
const [node, ...argv] = process.argv.slice(2)
const server = spawn(node, [...argv, '--parent-pid', String(process.pid)], {stdio: ['ignore', 'pipe', 'ignore']})
server.stdout.once('data', line => console.log(JSON.stringify({pid: server.pid, ...JSON.parse(line)})))
`,
    )
    const argv = [file, process.execPath, SOURCES, 'sandbox', 'serve', '--isolated', '-o', 'ndjson']
    return spawn(process.execPath, argv, {env: env(), stdio: ['ignore', 'pipe', 'inherit']})
  }

  test('a server ends when its parent was killed', async () => {
    const child = parent()
    const [line] = (await once(createInterface({input: child.stdout}), 'line')) as [string]
    const {pid, url} = JSON.parse(line) as {pid: number; url: string}
    onTestFinished(() => {
      if (isThere(pid)) process.kill(pid, 'SIGKILL')
    })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    child.kill('SIGKILL')
    await expect.poll(() => isThere(pid)).toBe(false)
  })

  test('a server ends with its parent where somebody else holds its output and does not read it', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'])
    const argv = ['sandbox', 'serve', '--memory', '--parent-pid', String(child.pid), '-o', 'ndjson']
    const server = spawn(process.execPath, [SOURCES, ...argv], {
      env: env(),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
      server.kill('SIGKILL')
    })
    const [line] = (await once(server.stdout, 'data')) as [Buffer]
    server.stdout.pause()
    const {url} = JSON.parse(line.toString()) as {url: string}
    for (let at = 0; at < 1_500; at++) await (await fetch(`${url}/v4/3001?auditUser=t`)).text()
    child.kill('SIGKILL')
    // Its exit code doesn't wait for the reader either.
    expect(await once(server, 'exit', {signal: AbortSignal.timeout(10_000)})).toEqual([0, null])
  })

  test('a server that cannot start ends, though its parent lives', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const {port} = taken.address() as AddressInfo
    const argv = [
      'sandbox',
      'serve',
      '--isolated',
      '--port',
      String(port),
      '--parent-pid',
      String(process.pid),
    ]
    const {status, signal} = spawnSync(process.execPath, [SOURCES, ...argv], {
      env: env(),
      timeout: 30_000,
      killSignal: 'SIGKILL',
    })
    expect({status, signal}).toEqual({status: 3, signal: null})
  })

  test('a process that is not there is refused before the server listens', async () => {
    const {status, pid} = spawnSync(process.execPath, ['--version'])
    expect(status).toBe(0)
    const {code, stderr} = await home.run(['sandbox', 'serve', '--isolated', '--parent-pid', String(pid)])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`no process ${pid}`)])
  })
})

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
