import {spawnSync} from 'node:child_process'
import {chmodSync, mkdirSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import {foldersOf, makeFolder} from '../../src/profiles/index.ts'
import {failureOf, home} from './fixtures.ts'

const given = {platform: 'linux', homedir: '/home/aino', cwd: '/work', env: {}} as const
const windows = {platform: 'win32', homedir: 'C:\\Users\\aino', cwd: 'D:\\work', env: {}} as const

describe('the folders', () => {
  it.each([
    [
      'Linux',
      given,
      ['/home/aino/.config/cardctl', '/home/aino/.local/share/cardctl', '/home/aino/.cache/cardctl'],
    ],
    [
      'macOS',
      {...given, platform: 'darwin', homedir: '/Users/aino'},
      [
        '/Users/aino/Library/Preferences/cardctl',
        '/Users/aino/Library/Application Support/cardctl',
        '/Users/aino/Library/Caches/cardctl',
      ],
    ],
    [
      'Windows',
      {...windows, env: {APPDATA: 'C:\\Roaming', LOCALAPPDATA: 'C:\\Local'}},
      ['C:\\Roaming\\cardctl\\Config', 'C:\\Local\\cardctl\\Data', 'C:\\Local\\cardctl\\Cache'],
    ],
    [
      'Windows without its variables',
      windows,
      [
        'C:\\Users\\aino\\AppData\\Roaming\\cardctl\\Config',
        'C:\\Users\\aino\\AppData\\Local\\cardctl\\Data',
        'C:\\Users\\aino\\AppData\\Local\\cardctl\\Cache',
      ],
    ],
    [
      'XDG variables, on macOS too',
      {
        ...given,
        platform: 'darwin',
        env: {XDG_CONFIG_HOME: '/x/c', XDG_DATA_HOME: '/x/d', XDG_CACHE_HOME: '/x/e'},
      },
      ['/x/c/cardctl', '/x/d/cardctl', '/x/e/cardctl'],
    ],
    [
      'relative or empty XDG variables, which the specification says to ignore',
      {...given, env: {XDG_CONFIG_HOME: 'c', XDG_DATA_HOME: '', XDG_CACHE_HOME: './e'}},
      ['/home/aino/.config/cardctl', '/home/aino/.local/share/cardctl', '/home/aino/.cache/cardctl'],
    ],
    [
      'our own variables before all others, relative ones from the working folder',
      {
        ...given,
        env: {
          CARDCTL_CONFIG_DIR: '/c',
          CARDCTL_DATA_DIR: 'd',
          CARDCTL_CACHE_DIR: '../e',
          XDG_CONFIG_HOME: '/x',
        },
      },
      ['/c', '/work/d', '/e'],
    ],
  ] as const)('%s', (_, surroundings, [config, data, cache]) => {
    expect(foldersOf(surroundings)).toEqual({config, data, cache})
  })

  it('need no home folder where variables say it all, and say what is missing otherwise', async () => {
    const env = {CARDCTL_CONFIG_DIR: '/c', CARDCTL_DATA_DIR: '/d', CARDCTL_CACHE_DIR: '/e'}
    expect(foldersOf({...given, homedir: '', env}).config).toBe('/c')
    const failure = await failureOf(
      () => foldersOf({...given, homedir: '', env: {...env, CARDCTL_DATA_DIR: ''}}).data,
    )
    expect(failure).toMatchObject({code: 'CONFIG_UNREADABLE', exit: 3})
    expect(failure.hint).toContain('CARDCTL_DATA_DIR')
  })
})

const onPosix = it.skipIf(process.platform === 'win32')

describe('a folder that is made', () => {
  onPosix("is its owner's alone, parents included", async () => {
    using user = home()
    const folder = join(user.path, 'a', 'b')
    expect(makeFolder(folder, process.platform)).toEqual([])
    for (const path of [folder, join(user.path, 'a')]) expect(statSync(path).mode & 0o777).toBe(0o700)
  })

  onPosix('keeps the mode that it has, and a notice names what is too open', async () => {
    using user = home()
    const folder = join(user.path, 'shared')
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    const [notice] = makeFolder(folder, process.platform)
    expect(notice).toMatchObject({code: 'LOOSE_MODE', path: folder})
    expect(notice?.message).toContain('0755')
    expect(statSync(folder).mode & 0o777).toBe(0o755)
  })

  onPosix('a config folder that others may read causes a notice only if we can write it', () => {
    using user = home()
    mkdirSync(join(user.path, 'mounted'))
    writeFileSync(join(user.path, 'mounted/profiles.json'), '{}')
    chmodSync(user.path, 0o755)
    // A process of its own, because root can write whatever its modes say.
    const program = `
      import {chmodSync} from 'node:fs'
      import {looseConfig, looseModes} from ${JSON.stringify(new URL('../../src/profiles/folder-modes.ts', import.meta.url).href)}
      const [folder, file] = ['mounted', 'mounted/profiles.json']
      const set = (forFolder, forFile) => { chmodSync(file, forFile); chmodSync(folder, forFolder) }
      const notices = () => [looseModes([folder, file], 'linux').length, looseConfig([folder, file], 'linux').length]
      set(0o755, 0o644)
      const writable = notices()
      set(0o555, 0o444)
      if (process.getuid() === 0) process.setuid(65534)
      console.log(JSON.stringify({writable, mounted: notices()}))`
    const {stdout, stderr} = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: user.path,
      encoding: 'utf8',
    })
    chmodSync(join(user.path, 'mounted'), 0o755)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({writable: [2, 2], mounted: [2, 0]})
  })

  it('is refused by name where a file stands in the way', async () => {
    using user = home()
    user.writeConfig('{}')
    const failure = await failureOf(() => makeFolder(join(user.configFile, 'below'), process.platform))
    expect(failure).toMatchObject({code: 'CONFIG_UNREADABLE', exit: 3})
    expect(failure.message).toContain(user.configFile)
  })
})
