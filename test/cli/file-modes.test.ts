// What lies on the disk is for its owner alone; where it was not, the owner is told.
import {execFileSync} from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {exchangeOf, recordInto} from '../webhook/recordings.ts'

let home: Home
const data = (name: string) => join(home.folder, '.local/share/cardctl', name)
const patch = 'accounts patch 2001 --type credit -F creditLimit=5000'

beforeAll(async () => {
  home = await openHome()
  const env = {DBUS_SESSION_BUS_ADDRESS: 'unix:path=/none'}
  const add = 'profiles add svc --kind test --base-url http://127.0.0.1:1 --auth bearer --secret -'
  await home.run(add.split(' '), {env, stdin: 't0ken\n'})
  await home.run(patch.split(' '))
  await recordInto(data('webhook/events.db'), exchangeOf(1))
  const rows = join(home.folder, 'rows.csv')
  writeFileSync(rows, 'id,creditLimit\n2001,5001\n9999,1\n', {mode: 0o600})
  await home.run([
    'bulk',
    'run',
    'accounts.patchCredit.v4',
    '--from',
    rows,
    '--yes',
    '--results',
    join(home.folder, 'results.ndjson'),
  ])
  const [{job} = {job: ''}] = await home.json<{job: string}[]>(['bulk', 'list'])
  await home.run(['bulk', 'export', job, '--to', join(home.folder, 'job.ndjson')])
})
afterAll(() => home.remove())

it('all of it: files 0600, folders 0700', () => {
  const loose = readdirSync(home.folder, {recursive: true, encoding: 'utf8'})
    .map(path => ({path, mode: statSync(join(home.folder, path)).mode}))
    .filter(({mode}) => (mode & 0o077) !== 0)
    .map(({path, mode}) => `${path} ${(mode & 0o777).toString(8)}`)
  // The XDG folders above ours are the user's own.
  expect(loose.filter(line => !/^\.(config|local|local\/share|cache) /.test(line))).toEqual([])
})

describe.skipIf(process.platform === 'win32')('a wrong mode is reported', () => {
  it.each([
    ['secrets.json', 'cards get 3001 -p svc', false],
    ['audit.ndjson', patch, true],
    ['journal/sandbox.db', patch, true],
    ['journal/sandbox.db', 'requests list', true],
    ['journal/local.key', patch, true],
    ['webhook/events.db', 'webhook events list', true],
  ])('of %s by %s', async (name, line, mended) => {
    chmodSync(data(name), 0o644)
    const {stderr} = await home.run(line.split(' '))
    expect(stderr).toMatch(new RegExp(`Warning: .*${name} (can|could) be used by others.*mode 0644`))
    expect(statSync(data(name)).mode & 0o777).toBe(mended ? 0o600 : 0o644)
    expect((await home.run(line.split(' '))).stderr.includes('used by others')).toBe(!mended)
    chmodSync(data(name), 0o600)
  })

  it.each([
    ['', 0o777, true],
    ['', 0o770, true],
    ['journal', 0o777, true],
    ['..', 0o777, true],
    ['../..', 0o777, true],
    ['..', 0o1777, false],
    ['..', 0o775, false],
  ])('of the folder "%s" that others can write, mode %o: %s', async (name, mode, isTold) => {
    const folder = join(data('.'), name)
    const before = statSync(folder).mode & 0o7777
    chmodSync(folder, mode)
    const {stderr, code} = await home.run(patch.split(' '))
    chmodSync(folder, before)
    expect(code).toBe(0)
    expect(stderr.split(`chmod go-w ${folder}\n`)).toHaveLength(isTold ? 2 : 1)
    expect(stderr.includes('chmod')).toBe(isTold)
  })

  it('of profiles.json', async () => {
    const file = join(home.folder, '.config/cardctl/profiles.json')
    chmodSync(file, 0o644)
    expect((await home.run(['cards', 'get', '3001'])).stderr).toContain(
      `${file} can be used by others (mode 0644)`,
    )
    chmodSync(file, 0o600)
  })
})

describe.skipIf(process.platform === 'win32')('the compile cache', () => {
  it.each(['a folder', 'a link'])('%s that others can write is thrown away and not run', kind => {
    const cache = join(home.folder, 'cache')
    const elsewhere = join(home.folder, 'elsewhere')
    const folder = join(cache, 'cardctl', 'compiled')
    rmSync(cache, {recursive: true, force: true})
    mkdirSync(join(elsewhere, 'planted'), {recursive: true})
    mkdirSync(kind === 'a folder' ? join(folder, 'planted') : dirname(folder), {recursive: true})
    if (kind === 'a link') symlinkSync(elsewhere, folder)
    else chmodSync(folder, 0o777)
    const module = new URL('../../src/cli/load-program.ts', import.meta.url).href
    const code = `(await import(${JSON.stringify(module)})).ownFolder()`
    const env = {PATH: process.env.PATH, HOME: home.folder, XDG_CACHE_HOME: cache}
    execFileSync(process.execPath, ['--input-type=module', '-e', code], {env})
    expect(existsSync(join(folder, 'planted'))).toBe(false)
    expect(lstatSync(folder).isDirectory()).toBe(true)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(existsSync(join(elsewhere, 'planted'))).toBe(true)
  })
})
