import {execFileSync} from 'node:child_process'
import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest'
import {createSandbox} from '../../src/sandbox/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const run = (line: string) => home.run(line.split(' '))
const folder = () => join(home.folder, '.local/share/cardctl/sandbox/snapshots')
const files = () => (existsSync(folder()) ? readdirSync(folder()) : [])
const block = () => home.json('sandbox state set card 3001 -F status=CARD_BLOCKED'.split(' '))
const statusOf = async (...more: readonly string[]) =>
  (await home.json<{status: string}>(['cards', 'get', '3001', ...more])).status
const path = (name: string) => join(home.folder, name)

describe('sandbox snapshot', () => {
  it.skipIf(process.platform === 'win32')(
    'is not written to a named pipe, which would wait for a reader',
    async () => {
      execFileSync('mkfifo', [path('pipe')])
      const {code, stderr} = await home.run(['sandbox', 'snapshot', 'save', path('pipe'), '--replace'])
      expect(code).toBe(2)
      expect(stderr).toContain('is a named pipe')
    },
  )

  it('saves, loads, and says the way back', async () => {
    expect(await home.json(['sandbox', 'snapshot', 'save', 'start'])).toMatchObject({
      name: 'start',
      rows: 164,
    })
    expect(statSync(join(folder(), 'start.json')).mode & 0o777).toBe(0o600)
    await block()
    const {code, stdout, stderr} = await run('sandbox snapshot load start --yes')
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^The state of snapshot start is loaded: 164 rows, clock at /)
    expect(await statusOf()).toBe('CARD_OK')
    const [, back = ''] = /The way back: cardctl (sandbox snapshot load before-load-\S+)/.exec(stderr) ?? []
    expect((await run(`${back} --yes`)).code).toBe(0)
    expect(await statusOf()).toBe('CARD_BLOCKED')
    // The one that was loaded is there still, beside the one that it has replaced.
    expect(files()).toHaveLength(3)
  })

  it('asks before a load, and keeps nothing without a yes', async () => {
    await run('sandbox snapshot save start')
    await block()
    const refused = await run('sandbox snapshot load start')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('Everything else in the sandbox is deleted.')
    expect(files()).toEqual(['start.json'])
    expect((await run('sandbox snapshot load start --dry-run')).code).toBe(0)
    expect(await statusOf()).toBe('CARD_BLOCKED')
    expect((await run('sandbox snapshot load start --yes --without-backup')).code).toBe(0)
    expect(files()).toEqual(['start.json'])
    expect(await statusOf()).toBe('CARD_OK')
  })

  it('keeps the newest ten of the states that were replaced, and every snapshot of the user', async () => {
    await run('sandbox snapshot save start')
    await run('sandbox snapshot save ab')
    const now = Date.UTC(2026, 5, 15)
    for (let at = 0; at < 13; at++) {
      // Two at a time in the same second.
      const options = {now: () => now + Math.floor(at / 2) * 1000}
      const {code} = await home.run(['sandbox', 'snapshot', 'load', 'start', '--yes'], options)
      expect(code).toBe(0)
    }
    expect(files()).toHaveLength(12)
    expect(files()).toEqual(
      expect.arrayContaining(['ab.json', 'start.json', 'before-load-20260615-000006.json']),
    )
    expect(files()).not.toContain('before-load-20260615-000000.json')
  })

  it('replaces nothing unless it is told to', async () => {
    await run('sandbox snapshot save start')
    const before = readFileSync(join(folder(), 'start.json'), 'utf8')
    const {code, stderr} = await run('sandbox snapshot save start')
    expect(code).toBe(2)
    expect(stderr).toContain('exists already')
    expect(readFileSync(join(folder(), 'start.json'), 'utf8')).toBe(before)
    await block()
    expect((await run('sandbox snapshot save start --replace')).code).toBe(0)
    expect(readFileSync(join(folder(), 'start.json'), 'utf8')).not.toBe(before)
  })

  it('takes a path for a file of the user, which fits into any sandbox', async () => {
    await block()
    expect((await home.run(['sandbox', 'snapshot', 'save', path('fixture.json')])).code).toBe(0)
    const fixture = JSON.parse(readFileSync(path('fixture.json'), 'utf8'))
    const sandbox = await createSandbox({from: fixture})
    const {body} = await sandbox.handle({method: 'GET', url: '/v4/3001?auditUser=t'})
    await sandbox.close()
    expect(JSON.parse(Buffer.from(body).toString())).toMatchObject({status: 'CARD_BLOCKED'})
    await home.json(['sandbox', 'reset', '--yes'])
    expect((await home.run(['sandbox', 'snapshot', 'load', path('fixture.json'), '--yes'])).code).toBe(0)
    expect(await statusOf()).toBe('CARD_BLOCKED')
  })

  it.each([
    ['fixture.json', 2, 'write its path with a slash, for example ./fixture.json'],
    ['-', 2, 'The name of a snapshot has 1 to 64 characters'],
    ['a b', 2, 'The name of a snapshot has'],
    ['..', 2, 'The name of a snapshot has'],
    ['before-load-1', 2, 'for what a load replaces'],
  ])('saves nothing as %s', async (name, code, says) => {
    const ended = await home.run(['sandbox', 'snapshot', 'save', '--', name])
    expect(ended.code).toBe(code)
    expect(ended.stderr).toContain(says)
    expect(files()).toEqual([])
  })

  it('lists what cannot be loaded, and why; a load of it changes and keeps nothing', async () => {
    await run('sandbox snapshot save good')
    const good = readFileSync(join(folder(), 'good.json'), 'utf8')
    const write = (name: string, text: string) => writeFileSync(join(folder(), `${name}.json`), text)
    write('cut', good.slice(0, 5000))
    write('changed', good.replace('"rows": 164', '"rows": 165'))
    write('newer', good.replace('"version": 1', '"version": 7'))
    const listed = await home.json<{name: string; problem: string | null; rows: number | null}[]>([
      'sandbox',
      'snapshot',
      'list',
    ])
    expect(listed.map(({name, problem}) => [name, problem])).toEqual([
      ['changed', expect.stringContaining('is damaged')],
      ['cut', expect.stringContaining('is no snapshot')],
      ['good', null],
      ['newer', expect.stringMatching(/has version 7 of the format.*reads versions up to 1/)],
    ])
    for (const name of ['cut', 'changed', 'newer']) {
      const {code, stderr} = await run(`sandbox snapshot load ${name} --yes`)
      expect(code, name).toBe(2)
      expect(stderr).toContain(`The snapshot ${name} `)
    }
    expect(files()).toHaveLength(4)
    expect((await run('sandbox snapshot load nothing --yes')).code).toBe(5)
  })

  it('removes the one that is named', async () => {
    await run('sandbox snapshot save one')
    await run('sandbox snapshot save two')
    expect((await run('sandbox snapshot remove one')).code).toBe(2)
    expect((await run('sandbox snapshot remove one --yes')).code).toBe(0)
    expect(files()).toEqual(['two.json'])
    expect((await run('sandbox snapshot remove one --yes')).code).toBe(5)
    expect((await run('sandbox snapshot remove ./one --yes')).code).toBe(2)
  })

  it('works for a server too, and not for what is no sandbox', async () => {
    const sandbox = await createSandbox()
    const server = await sandbox.serve()
    try {
      await home.json([
        'profiles',
        'add',
        'served',
        '--kind',
        'sandbox',
        '--base-url',
        server.url,
        '--auth',
        'none',
      ])
      await run('sandbox snapshot save start -p served')
      await home.json('sandbox state set card 3001 -F status=CARD_BLOCKED -p served'.split(' '))
      const {code, stderr} = await run('sandbox snapshot load start --yes -p served')
      expect(code, stderr).toBe(0)
      expect(stderr).toMatch(/load before-load-\S+ -p served/)
      expect(await statusOf('-p', 'served')).toBe('CARD_OK')
      await home.json([
        'profiles',
        'add',
        'real',
        '--kind',
        'test',
        '--base-url',
        server.url,
        '--auth',
        'none',
      ])
      expect((await run('sandbox snapshot save real -p real')).code).toBe(3)
      expect((await run('sandbox snapshot load start --yes -p real')).code).toBe(3)
    } finally {
      await server.close()
      await sandbox.close()
    }
  })
})

describe('sandbox snapshot fork', () => {
  it('makes a data folder from a snapshot, or from the state as it is, and replaces none', async () => {
    await run('sandbox snapshot save start')
    await block()
    const statusIn = async (name: string) => {
      const sandbox = await createSandbox({file: join(path(name), 'sandbox.db')})
      const {body} = await sandbox.handle({method: 'GET', url: '/v4/3001?auditUser=t'})
      await sandbox.close()
      return JSON.parse(Buffer.from(body).toString()).status
    }
    expect((await home.run(['sandbox', 'snapshot', 'fork', 'start', '--data', path('a')])).code).toBe(0)
    expect((await home.run(['sandbox', 'snapshot', 'fork', '--data', path('b')])).code).toBe(0)
    expect(readdirSync(path('a'))).toEqual(['sandbox.db'])
    expect(statSync(join(path('a'), 'sandbox.db')).mode & 0o777).toBe(0o600)
    expect([await statusIn('a'), await statusIn('b')]).toEqual(['CARD_OK', 'CARD_BLOCKED'])
    const again = await home.run(['sandbox', 'snapshot', 'fork', 'start', '--data', path('b')])
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('has the state of a sandbox already')
    expect(await statusIn('b')).toBe('CARD_BLOCKED')
    expect(await statusOf()).toBe('CARD_BLOCKED')
  })

  it('leaves nothing where it fails', async () => {
    mkdirSync(path('full/sandbox.db'), {recursive: true})
    await run('sandbox snapshot save start')
    expect((await home.run(['sandbox', 'snapshot', 'fork', 'start', '--data', path('full')])).code).toBe(2)
    expect(readdirSync(path('full'))).toEqual(['sandbox.db'])
    expect((await run('sandbox snapshot fork start')).code).toBe(2)
    expect((await home.run(['sandbox', 'snapshot', 'fork', 'none', '--data', path('new')])).code).toBe(5)
    expect(existsSync(path('new'))).toBe(false)
  })
})

describe('sandbox serve --from', () => {
  /** The status of the card at a server that runs with these flags. */
  async function statusServed(...more: readonly string[]): Promise<string> {
    const stop = new AbortController()
    const port = await freePort()
    const ended = home.run(['sandbox', 'serve', '--port', String(port), ...more], {
      signal: stop.signal,
      sleep: (ms, signal) => delay(ms, undefined, {signal}),
    })
    const card = await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/v4/3001?auditUser=t`), {
      timeout: 10_000,
    })
    stop.abort('SIGTERM')
    await ended
    return ((await card.json()) as {status: string}).status
  }

  it('begins with the state of a snapshot, in memory or in a new folder', async () => {
    await block()
    await run('sandbox snapshot save blocked')
    await home.json(['sandbox', 'reset', '--yes'])
    expect(await statusServed('--from', 'blocked')).toBe('CARD_BLOCKED')
    expect(await statusServed('--from', 'blocked', '--data', path('d'))).toBe('CARD_BLOCKED')
    const sandbox = await createSandbox({file: join(path('d'), 'sandbox.db')})
    const {body} = await sandbox.handle({method: 'GET', url: '/v4/3001?auditUser=t'})
    await sandbox.close()
    expect(JSON.parse(Buffer.from(body).toString())).toMatchObject({status: 'CARD_BLOCKED'})
    const again = await home.run([
      'sandbox',
      'serve',
      '--from',
      'blocked',
      '--data',
      path('d'),
      '--port',
      '0',
    ])
    expect(again.code).toBe(2)
    // The embedded sandbox has its own state still.
    expect(await statusOf()).toBe('CARD_OK')
    expect((await run('sandbox serve --from nothing --port 0')).code).toBe(5)
    expect((await run('sandbox serve --from blocked --store env:X')).code).toBe(2)
  })
})
