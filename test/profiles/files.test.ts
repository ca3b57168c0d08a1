import {spawnSync} from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {build} from 'esbuild'
import {describe, expect, it} from 'vitest'
import {failureOf, home} from './fixtures.ts'

const profile = {kind: 'test', baseUrl: 'https://api.example'} as const

describe('a file of profiles', () => {
  it.each([
    ['nothing', ''],
    ['half of it', '{"schema": 1, "profiles": {"one": {"kind": "te'],
    ['no object', '[1]'],
    ['a number', '7'],
    ['no schema', '{"profiles": {}}'],
    ['a schema of another kind', '{"schema": "1", "profiles": {}}'],
    ['a newer schema', '{"schema": 2, "profiles": {}}'],
    ['profiles that are a list', '{"schema": 1, "profiles": []}'],
    ['a choice that is no name', '{"schema": 1, "current": {}, "profiles": {}}'],
    ['the built-in profile', '{"schema": 1, "profiles": {"sandbox": {"kind": "live"}}}'],
    ['zeros after a power cut', '\0'.repeat(512)],
    ['a secret in the wrong place', '{"schema": 1, "password": hunter2}'],
    ['a million brackets', '['.repeat(1_000_000)],
    ['too much', ' '.repeat(10 * 1024 * 1024)],
  ])('with %s is refused by name, and kept as it is', async (_, text) => {
    using user = home()
    user.writeConfig(text)
    const profiles = user.profiles()
    for (const call of [
      () => profiles.list(),
      () => profiles.show('one'),
      () => profiles.choose({}),
      () => profiles.add('two', profile),
      () => profiles.edit('one', {set: {readOnly: true}}),
      () => profiles.remove('one'),
      () => profiles.use('sandbox'),
    ]) {
      const failure = await failureOf(call)
      expect(failure).toMatchObject({code: 'CONFIG_DAMAGED', exit: 3})
      expect(failure.message).toContain(user.configFile)
      expect(failure.message).not.toContain('hunter2')
    }
    expect(readFileSync(user.configFile, 'utf8')).toBe(text)
    expect(readdirSync(user.path)).toEqual(['profiles.json'])
  })

  it('that is no UTF-8 is refused; a byte order mark is not minded', async () => {
    using user = home()
    user.writeConfig('\uFEFF{"schema": 1, "current": "sandbox"}')
    expect((await user.profiles().choose({})).explicit).toBe(true)
    writeFileSync(user.configFile, Buffer.from('{"schema": 1, "x": "\xff"}', 'latin1'))
    expect((await failureOf(() => user.profiles().list())).code).toBe('CONFIG_DAMAGED')
  })

  it.skipIf(process.platform === 'win32')(
    'that is a link to one stays a link, and an edit reaches that one',
    async () => {
      using user = home()
      using repository = home()
      await repository.profiles().add('one', profile)
      symlinkSync(repository.configFile, user.configFile)
      for (const name of ['two', 'three']) await user.profiles().add(name, profile)
      expect(lstatSync(user.configFile).isSymbolicLink()).toBe(true)
      expect(statSync(repository.configFile).mode & 0o777).toBe(0o600)
      expect(Object.keys(JSON.parse(readFileSync(repository.configFile, 'utf8')).profiles)).toEqual([
        'one',
        'two',
        'three',
      ])
      expect(readdirSync(user.path)).toEqual(['profiles.json'])
    },
  )

  it('that is a folder is refused by name', async () => {
    using user = home()
    mkdirSync(user.configFile)
    const failure = await failureOf(() => user.profiles().list())
    expect(failure).toMatchObject({code: 'CONFIG_UNREADABLE', exit: 3})
    expect(failure.message).toBe(`${user.configFile} cannot be read: it is a folder.`)
  })

  it.skipIf(process.platform === 'win32')(
    'or a folder that others can use is told, on choosing',
    async () => {
      using user = home()
      await user.profiles().add('one', profile)
      chmodSync(user.configFile, 0o640)
      chmodSync(user.path, 0o711)
      await user.profiles().choose({})
      expect(user.notices.map(({code, path}) => [code, path])).toEqual([
        ['LOOSE_MODE', user.path],
        ['LOOSE_MODE', user.configFile],
      ])
    },
  )
})

describe('a folder that cannot be written', () => {
  it('still gives the profiles, and an edit names it', async () => {
    using user = home()
    // A file where the folder should be stops root as well, whom mode bits don't bind.
    user.writeConfig('x')
    const profiles = user.profiles({env: {CARDCTL_CONFIG_DIR: join(user.configFile, 'below')}})
    const failure = await failureOf(() => profiles.add('one', profile))
    expect(failure).toMatchObject({code: 'CONFIG_UNREADABLE', exit: 3})
    expect(failure.message).toContain(user.configFile)
  })

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'by its mode (root is not bound by it)',
    async () => {
      using user = home()
      await user.profiles().add('one', profile)
      chmodSync(user.path, 0o500)
      try {
        expect(await user.profiles().show('one')).toMatchObject(profile)
        const failure = await failureOf(() => user.profiles().add('two', profile))
        expect(failure).toMatchObject({code: 'CONFIG_UNREADABLE', exit: 3})
        expect(failure.message).toContain('access is denied')
      } finally {
        chmodSync(user.path, 0o700)
      }
    },
  )
})

/** Whether a shell is there that can limit how large a file may grow, which cuts a write short as a full disk does. */
const canLimit = process.platform !== 'win32' && spawnSync('bash', ['-c', 'ulimit -f 4']).status === 0

describe.skipIf(!canLimit)('a disk that is full', () => {
  it('in the middle of a write never touches the profiles', async () => {
    using user = home()
    await user.profiles().add('first', profile)
    const program = fileURLToPath(new URL('add-profiles.ts', import.meta.url))
    const write = (prefix: string) => {
      const argv = [process.execPath, program, user.path, prefix, '200']
      return spawnSync('bash', ['-c', 'ulimit -f 4; exec "$@"', 'bash', ...argv], {encoding: 'utf8'})
    }
    const limited = write('a')
    expect(limited.status).not.toBe(0)
    expect(limited.stderr).toContain('DISK_FULL')
    const added = limited.stdout.split('\n').filter(Boolean)
    expect(added.length).toBeGreaterThan(5)
    expect(added.length).toBeLessThan(200)
    const names = (await user.profiles().list()).filter(({builtIn}) => !builtIn).map(({name}) => name)
    expect(names.sort()).toEqual(['first', ...added].sort())
    expect(readdirSync(user.path)).toEqual(['profiles.json'])
    // Not even for a moment: another write that fails leaves the same file there, not a restored one.
    const before = statSync(user.configFile)
    expect(write('b').stderr).toContain('DISK_FULL')
    expect(statSync(user.configFile)).toMatchObject({ino: before.ino, ctimeMs: before.ctimeMs})
    await user.profiles().add('after', profile)
  }, 60_000)
})

describe('reading', () => {
  it("loads neither conf nor the keyring's module", async () => {
    const {metafile} = await build({
      entryPoints: [fileURLToPath(new URL('../../src/profiles/index.ts', import.meta.url))],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      outdir: 'unused',
    })
    const imports = Object.values(metafile.inputs).flatMap(({imports}) => imports)
    const packages = imports.filter(({external, path}) => external === true && !path.startsWith('node:'))
    expect(packages.map(({path, kind}) => [path, kind]).sort()).toEqual([
      ['@napi-rs/keyring', 'dynamic-import'],
      ['conf', 'dynamic-import'],
    ])
  })

  it('makes no file and no folder', async () => {
    using user = home()
    const folder = join(user.path, 'none')
    const profiles = user.profiles({env: {CARDCTL_CONFIG_DIR: folder}})
    await profiles.target(await profiles.choose({}))
    await profiles.list()
    expect(existsSync(folder)).toBe(false)
  })
})
