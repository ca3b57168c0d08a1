// What only a process can leak: its command line, its children's, and what Node writes when it is asked for a report.
import {globSync, readdirSync, readFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {describe, expect, onTestFinished, test} from 'vitest'
import {canaries, leaksIn} from '../canary/canaries.ts'
import {emptyHome, run, start, until} from '../helpers/binary.ts'

/** A service that takes requests and never answers. */
async function silentService(): Promise<{url: string; asked(): number}> {
  let asked = 0
  const server = createServer(() => {
    asked++
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked}
}

async function homeWithProfile(url: string): Promise<string> {
  const home = await emptyHome()
  const argv = [
    'profiles',
    'add',
    'svc',
    '--kind',
    'test',
    '--base-url',
    url,
    '--auth',
    'bearer',
    '--secret',
    '-',
  ]
  expect(await run(home, argv, {stdin: `${canaries.bearer}\n`})).toMatchObject({code: 0})
  return home
}

test('a diagnostic report holds no secret, not even the token of the environment', async () => {
  const {url, asked} = await silentService()
  const home = await homeWithProfile(url)
  const options = `--report-on-signal --report-signal=SIGUSR2 --report-directory=${home}`
  const env = {NODE_OPTIONS: options, CARDCTL_TOKEN: canaries.accessToken}
  const {child, ended} = start(home, ['cards', 'get', '--pan-stdin', '-p', 'svc'], {
    env,
    stdin: `${canaries.pan}\n`,
  })
  await until(() => asked() > 0)
  child.kill('SIGUSR2')
  const [report = ''] = await until(() => {
    const found = globSync(join(home, 'report.*.json'))
    return found.length > 0 &&
      readFileSync(found[0] ?? '', 'utf8')
        .trimEnd()
        .endsWith('}')
      ? found
      : undefined
  })
  const text = readFileSync(report, 'utf8')
  expect(text).toContain('"javascriptStack"')
  expect(leaksIn(text)).toEqual([])
  child.kill('SIGTERM')
  const {stdout, stderr} = await ended
  expect(leaksIn(stdout + stderr)).toEqual([])
})

describe.skipIf(process.platform !== 'linux')('the list of processes', () => {
  test('shows no secret during a request, nor in the environments of children', async () => {
    const {url, asked} = await silentService()
    const home = await homeWithProfile(url)
    const seen = new Set<string>()
    const looking = setInterval(() => {
      for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) seen.add(listed(pid, home))
    }, 3)
    onTestFinished(() => clearInterval(looking))
    const {child, ended} = start(home, ['cards', 'get', '--pan-stdin', '-p', 'svc'], {
      stdin: `${canaries.pan}\n`,
    })
    await until(() => asked() > 0)
    child.kill('SIGTERM')
    await ended
    const other = ['profiles', 'edit', 'svc', '--secret', '-']
    expect(await run(home, other, {stdin: `${canaries.headerKey}\n`})).toMatchObject({code: 0})
    const own = [...seen].filter(line => line !== '')
    expect(own.some(line => line.includes('--pan-stdin'))).toBe(true)
    expect(own.flatMap(leaksIn)).toEqual([])
  })
})

/** Command line and environment of a process of this home, '' for any other or one that is gone. */
function listed(pid: string, home: string): string {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
    return environment.includes(`HOME=${home}`)
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') + environment
      : ''
  } catch {
    return ''
  }
}
