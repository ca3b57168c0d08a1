import {chmod, mkdir, stat, truncate, utimes, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {folder, memory, terminalFinding} from '../../src/doctor/index.ts'
import {diskSpace} from '../../src/doctor/machine.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {check, openScene, type Scene, states} from './scene.ts'

const CREATE = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR:rent', '--yes']
const MEBIBYTE = 1024 * 1024

let scene: Scene
let home: Home
let data: string
beforeEach(async () => {
  scene = await openScene()
  home = scene.home
  data = join(home.folder, '.local/share/cardctl')
})
afterEach(() => home.remove())

const doctor = (...argv: string[]) => scene.doctor(argv, {env: {CARDCTL_PROFILE: 'sandbox'}})
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test('on the sandbox everything is fine, and the network lines say that there is none', async () => {
  const report = await doctor()
  expect(report).toMatchObject({ok: true, exit: 0, code: 0, profile: 'sandbox'})
  for (const id of ['proxy', 'dns', 'tcp', 'tls']) {
    expect(check(report, id)).toMatchObject({
      state: 'ok',
      message: 'no network: the sandbox is inside cardctl',
    })
  }
  expect(check(report, 'authentication').state).toBe('ok')
})

test('without a terminal it says so, and the report has no colour', async () => {
  const {stdout, code} = await home.run(['doctor'])
  expect(code).toBe(0)
  expect(stdout).toContain('✓ Terminal          no terminal, no colour, Unicode, never asks')
  expect(stdout).not.toContain('\u001b')
})

test.each([40, 80])('a terminal of %i columns is not overrun', async columns => {
  const {stdout} = await home.run(['doctor'], {columns})
  const paths = /\/\S{20,}/
  for (const line of stdout.split('\n'))
    if (!paths.test(line)) expect(line.length).toBeLessThanOrEqual(columns)
})

test('a profile that is not there: what needs it is left out, and the rest is looked at', async () => {
  const report = await scene.doctor([], {env: {CARDCTL_PROFILE: 'nowhere'}})
  expect(report).toMatchObject({ok: false, exit: 3, code: 3, profile: null})
  expect(check(report, 'profile')).toMatchObject({state: 'problem', code: 'PROFILE_NOT_FOUND'})
  expect(check(report, 'tls').message).toBe('not checked, because the profile cannot be used')
  expect(check(report, 'journal').message).toBe('not checked, because the profile cannot be used')
  expect(states(report)).toMatchObject({runtime: 'ok', audit: 'ok', terminal: 'ok'})
})

test('a secret that cannot be read', async () => {
  await scene.add('https://127.0.0.1:9')
  const report = await scene.doctor([], {env: {THERE_TOKEN: ''}})
  expect(report.code).toBe(3)
  expect(check(report, 'credential')).toMatchObject({state: 'problem', code: 'SECRET_MISSING'})
  expect(check(report, 'authentication').message).toBe(
    'not checked, because the credential of the profile cannot be read',
  )
})

describe('folders', () => {
  test('reports modes that let others in; only --fix corrects them', async () => {
    await home.run(CREATE)
    await chmod(data, 0o755)
    await chmod(join(data, 'journal/local.key'), 0o644)
    await writeFile(join(data, 'audit.ndjson'), '', {flag: 'a', mode: 0o600})
    const told = await doctor()
    expect(told.code).toBe(0)
    expect(check(told, 'folder.data')).toMatchObject({
      state: 'warning',
      advice: 'Run: cardctl doctor --fix -p sandbox',
    })
    expect(await modeOf(data)).toBe('755')
    const fixed = await doctor('--fix')
    expect(check(fixed, 'folder.data')).toMatchObject({state: 'ok', facts: {fixed: true}})
    expect([await modeOf(data), await modeOf(join(data, 'journal/local.key'))]).toEqual(['700', '600'])
    expect(check(await doctor(), 'folder.data').message).toBe(`${data}, yours alone`)
  })

  test('the compile cache has modes of its own, in a folder that is closed to others', async () => {
    const compiled = join(home.folder, '.cache/cardctl/compiled')
    await mkdir(join(compiled, 'v24'), {recursive: true})
    for (const path of [compiled, join(compiled, '..')]) await chmod(path, 0o700)
    await chmod(join(compiled, 'v24'), 0o755)
    expect(check(await doctor(), 'folder.cache')).toMatchObject({state: 'ok'})
    await chmod(compiled, 0o755)
    expect(check(await doctor(), 'folder.cache')).toMatchObject({
      state: 'warning',
      facts: {loose: [compiled]},
    })
  })

  test('files of others in the folder stay unchanged', async () => {
    await mkdir(data, {recursive: true, mode: 0o755})
    await chmod(data, 0o755)
    const theirs = join(data, 'notes.txt')
    await writeFile(theirs, 'mine', {mode: 0o644})
    const report = await doctor('--fix')
    expect(check(report, 'folder.data')).toMatchObject({
      state: 'warning',
      advice: expect.stringContaining(`chmod go= ${data}`),
    })
    expect([await modeOf(data), await modeOf(theirs)]).toEqual(['755', '644'])
  })

  test('files of killed processes go by --fix, once nobody can be writing them', async () => {
    await mkdir(data, {recursive: true, mode: 0o700})
    const [old, fresh] = ['.cardctl-0123456789ab.tmp', '.cardctl-ba9876543210.tmp'].map(name =>
      join(data, name),
    )
    if (old === undefined || fresh === undefined) throw new Error('two names')
    await writeFile(old, 'half', {mode: 0o600})
    await writeFile(fresh, 'half', {mode: 0o600})
    const week = new Date(Date.now() - 7 * 24 * 3_600_000)
    await utimes(old, week, week)
    const told = (await doctor()).checks.filter(({id}) => id === 'folder.data')
    expect(told.map(({state}) => state)).toEqual(['ok', 'warning'])
    await doctor('--fix')
    await expect(stat(old)).rejects.toThrow('ENOENT')
    expect((await stat(fresh)).size).toBe(4)
  })

  test('a file in the place of a folder is a problem', async () => {
    await mkdir(join(home.folder, '.local/share'), {recursive: true})
    await writeFile(data, '')
    const report = await doctor()
    expect(report.code).toBe(3)
    expect(check(report, 'folder.data')).toMatchObject({state: 'problem', code: 'CONFIG_UNREADABLE'})
    expect(check(report, 'journal').message).toBe('not checked, because the data folder cannot be used')
  })

  test('a folder of another user is a problem', async () => {
    const {uid} = await stat(home.folder)
    const options = {
      purpose: 'data',
      title: 'Data folder',
      path: home.folder,
      variable: 'CARDCTL_DATA_DIR',
      platform: 'linux',
      fix: true,
      now: 0,
    } as const
    expect(await folder({...options, uid: uid + 1})).toMatchObject([
      {state: 'problem', code: 'CONFIG_UNREADABLE'},
    ])
  })
})

describe('records', () => {
  test('a damaged journal', async () => {
    await home.run(CREATE)
    await truncate(join(data, 'journal/sandbox.db'), 4096)
    const report = await doctor()
    expect(report).toMatchObject({ok: false, code: 3})
    expect(check(report, 'journal')).toMatchObject({state: 'problem', code: 'STORE_DAMAGED'})
  })

  test('a journal that another process keeps locked', async () => {
    await home.run(CREATE)
    using db = new DatabaseSync(join(data, 'journal/sandbox.db'))
    db.exec('BEGIN IMMEDIATE')
    expect(check(await doctor(), 'journal')).toMatchObject({state: 'problem', code: 'FILE_LOCKED'})
    db.exec('ROLLBACK')
    expect(check(await doctor(), 'journal')).toMatchObject({state: 'ok'})
  })

  test('a key of another journal', async () => {
    await home.run(CREATE)
    await writeFile(join(data, 'journal/local.key'), Buffer.alloc(32, 7))
    expect(check(await doctor(), 'journal')).toMatchObject({state: 'problem', code: 'STORE_DAMAGED'})
  })

  test('an audit trail that somebody changed', async () => {
    await home.run(CREATE)
    expect(check(await doctor(), 'audit')).toMatchObject({state: 'ok', message: 'sound, 1 line'})
    await writeFile(join(data, 'audit.ndjson'), '{"seq":1}\n')
    expect(check(await doctor(), 'audit')).toMatchObject({state: 'problem', code: 'CONFIG_DAMAGED'})
  })
})

test('little disk, little memory, a narrow terminal', async () => {
  expect(await diskSpace('/', async () => 9 * MEBIBYTE)).toMatchObject({
    state: 'problem',
    code: 'DISK_FULL',
  })
  expect(await diskSpace('/', async () => 400 * MEBIBYTE)).toMatchObject({state: 'warning'})
  expect(memory(100 * MEBIBYTE, 1024 * MEBIBYTE)).toMatchObject({
    state: 'warning',
    message: '100 MiB of 1.0 GiB free',
  })
  expect(memory(0, 1024 * MEBIBYTE).state).toBe('unchecked')
  const narrow = {isTerminal: true, interactive: true, colour: 3, ascii: true, width: 50}
  expect(terminalFinding(narrow)).toMatchObject({
    state: 'warning',
    message: '50 columns, true colour, ASCII, asks questions',
  })
})

test('a keyring that has the credential and does not respond', async () => {
  const kept = new Map<string, string>()
  const openKeyring = async () => ({
    get: async (account: string) => {
      const {Secret} = await import('../../src/sensitive/secret.ts')
      const found = kept.get(account)
      return found === undefined ? undefined : new Secret(found)
    },
    set: async (account: string, secret: {open(): string}) => void kept.set(account, secret.open()),
    delete: async (account: string) => void kept.delete(account),
  })
  const add = ['profiles', 'add', 'there', '--kind', 'test', '--base-url', 'https://127.0.0.1:9']
  const stored = await home.run([...add, '--auth', 'bearer', '--secret', '-'], {
    openKeyring,
    stdin: 'canary-token-7Q2\n',
  })
  expect(stored.code).toBe(0)
  expect(check(await scene.doctor([], {openKeyring}), 'keyring')).toMatchObject({
    state: 'ok',
    message: 'responds',
  })
  expect(check(await scene.doctor(), 'keyring')).toMatchObject({
    state: 'problem',
    code: 'SECRET_MISSING',
    message: 'does not respond, and keeps the credential of the profile',
  })
})

test('a new home is not written to, but for the sandbox', async () => {
  const fresh = await openHome()
  const {code} = await fresh.run(['doctor', '-p', 'sandbox'])
  expect(code).toBe(0)
  await expect(stat(join(fresh.folder, '.config'))).rejects.toThrow('ENOENT')
  await expect(stat(join(fresh.folder, '.local/share/cardctl/journal'))).rejects.toThrow('ENOENT')
  await fresh.remove()
})
