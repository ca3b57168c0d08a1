// What only the machine around can show: another Node, the compile cache, a terminal that isn't there.
import {globSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {setTimeout as delay} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {bash, emptyHome, run, start, until} from '../helpers/binary.ts'
import {olderNode} from '../helpers/older-node.ts'
import {isWhole} from '../helpers/whole.ts'

const SANDBOX = {CARDCTL_PROFILE: 'sandbox'}

const older = olderNode()

test.skipIf(!older)('an older Node starts the runtime that is installed beside it', async () => {
  const home = await emptyHome()
  const node = older ?? ''
  const {code, stdout} = await run(home, ['--version'], {node})
  expect(code).toBe(0)
  expect(stdout).toContain(`node-${process.version}`)
  expect(await run(home, ['cards', 'get', '9999'], {node, env: SANDBOX})).toMatchObject({code: 5})
  const piped = await run(home, ['pin', 'set', '3004'], {node, env: SANDBOX, stdin: '8253\n'})
  expect(piped.code).toBe(0)

  const server = start(home, ['sandbox', 'serve', '--memory', '-o', 'ndjson'], {node})
  await until(() => server.stdout().includes('ready'))
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(143)
})

test.skipIf(!older)('a runtime started by an older Node ends with it, however it ends', async () => {
  const server = start(await emptyHome(), ['sandbox', 'serve', '--memory', '-o', 'ndjson'], {
    node: older ?? '',
  })
  const {url} = JSON.parse(await until(() => server.stdout().includes('\n') && server.stdout()))
  expect((await fetch(url)).status).toBe(404)
  server.child.kill('SIGKILL')
  // Its streams close when the last who holds them is gone.
  expect(await server.ended).toMatchObject({
    signal: 'SIGKILL',
    stderr: expect.stringMatching(/^(?:\{"note":\{"code":"SERVER_ENDED".*\n)?$/),
  })
  await expect(fetch(url)).rejects.toThrow()
})

test.skipIf(!older)(
  'an older Node passes SIGHUP on, unless it is ignored, and ends as its child does',
  async () => {
    const serve = ['sandbox', 'serve', '--memory', '-o', 'ndjson']
    const server = start(await emptyHome(), serve, {node: older ?? ''})
    await until(() => server.stdout().includes('ready'))
    server.child.kill('SIGHUP')
    expect((await server.ended).code).toBe(129)
    // What shells set under nohup.
    const kept = start(await emptyHome(), serve, {node: older ?? '', env: {_: '/usr/bin/nohup'}})
    const {url} = JSON.parse(await until(() => kept.stdout().includes('\n') && kept.stdout()))
    kept.child.kill('SIGHUP')
    await delay(2500)
    expect((await fetch(url)).status).toBe(404)
    kept.child.kill('SIGTERM')
    expect((await kept.ended).code).toBe(143)
  },
)

test('the compile cache is a folder of the user alone', async () => {
  const home = await emptyHome()
  const folders = [
    [join(home, '.cache/cardctl/compiled'), {CARDCTL_CACHE_DIR: ''}],
    [join(home, 'xdg/cardctl/compiled'), {XDG_CACHE_HOME: join(home, 'xdg'), CARDCTL_CACHE_DIR: ''}],
    [join(home, 'own/compiled'), {CARDCTL_CACHE_DIR: join(home, 'own')}],
  ] as const
  for (const [folder, env] of folders) {
    await mkdir(folder, {recursive: true, mode: 0o777})
    await bash(home, `umask 0; chmod 777 ${folder}`)
    expect((await run(home, ['--help'], {env})).code).toBe(0)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(globSync('**/*', {cwd: folder}).length).toBeGreaterThan(1)
  }
})

test.runIf(isWhole)('a damaged compile cache is not used, and is written again', async () => {
  const home = await emptyHome()
  const env = {...SANDBOX, CARDCTL_CACHE_DIR: join(home, 'own')}
  const get = () => run(home, ['cards', 'get', '3001', '-o', 'json'], {env})
  const files = () => globSync('own/compiled/*/cards-get/*', {cwd: home}).map(path => join(home, path))
  expect((await run(home, ['cards', 'get', '9999'], {env})).code).toBe(5)
  expect(files(), 'of a run that failed there is none').toEqual([])
  expect((await get()).code).toBe(0)
  const [program = ''] = files().filter(path => path.endsWith('cli-cardctl.cjs'))
  const whole = readFileSync(program)
  expect(whole.length).toBeGreaterThan(100_000)
  const lost = Buffer.from(whole)
  lost.fill(0, 65_536, 65_536 + 512)
  for (const content of [Buffer.alloc(0), whole.subarray(0, 50_000), lost, Buffer.alloc(whole.length)]) {
    writeFileSync(program, content)
    expect(await get()).toMatchObject({code: 0, stderr: ''})
    expect(readFileSync(program).equals(content)).toBe(false)
  }
})

test.runIf(isWhole)(
  'a write after a preview adds to the compile cache what the preview did not compile',
  async () => {
    const home = await emptyHome()
    const env = {...SANDBOX, CARDCTL_CACHE_DIR: join(home, 'own')}
    const write = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000']
    const cached = async (...flags: string[]): Promise<Buffer> => {
      expect((await run(home, [...write, ...flags], {env})).code).toBe(0)
      const [program = ''] = globSync('own/compiled/*/accounts-patch/cli-cardctl.cjs', {cwd: home})
      return readFileSync(join(home, program))
    }
    const preview = await cached('--dry-run')
    expect((await cached('--dry-run')).equals(preview), 'nothing to add').toBe(true)
    const both = await cached()
    expect(both.length).toBeGreaterThan(preview.length * 1.3)
    expect((await cached('--dry-run')).equals(both), 'both are cached').toBe(true)
  },
)

test('only the user can read the files', async () => {
  const home = await emptyHome()
  const line = 'umask 0; cardctl accounts patch 2001 --type credit -F creditLimit=5000'
  expect((await bash(home, line, SANDBOX)).code).toBe(0)
  const files = globSync('.local/share/cardctl/**', {cwd: home, withFileTypes: true})
  expect(files.length).toBeGreaterThan(3)
  for (const entry of files) {
    const path = join(entry.parentPath, entry.name)
    const mode = (statSync(path).mode & 0o777).toString(8)
    expect(mode, path).toBe(entry.isDirectory() ? '700' : '600')
  }
})

test.skipIf(process.platform === 'win32')('SIGTERM while the program is loaded is told', async () => {
  const home = await emptyHome()
  // Comes before any code of the program runs.
  const preload = join(home, 'ended-early.cjs')
  const load =
    "const {_load} = M; M._load = (name, ...more) => { if (/load-program/.test(name)) process.kill(process.pid, 'SIGTERM'); return _load(name, ...more) }"
  await writeFile(preload, `const M = require('node:module'); ${load}\n`)
  await writeFile(join(home, 'limits.csv'), 'id,creditLimit\n2001,4000\n')
  const argv = 'bulk run accounts.patchCredit.v4 --from limits.csv --yes'.split(' ')
  const {code, stderr} = await run(home, argv, {env: {...SANDBOX, NODE_OPTIONS: `--require ${preload}`}})
  expect([code, stderr]).toEqual([143, expect.stringMatching(/TERMINATED.*[Nn]othing was sent/s)])
})
