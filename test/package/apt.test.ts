// The folder of a release as a repository of apt: installed, and upgraded from an older version, in an empty root.
import {execFileSync, spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {makeAptRepository} from '../../tools/package/apt-repository.ts'
import {isWhole} from '../helpers/whole.ts'
import {canMakeRoot, makeEmptyRoot, runIn} from './empty-root.ts'

const DEB = `cardctl_${pjson.version}_amd64.deb`
const DATE = 1_790_000_000
const hasTools = canMakeRoot && ['apt-ftparchive', 'gpg'].every(name => existsSync(`/usr/bin/${name}`))
let folder = ''
let root = ''
const at = (name: string): string => join(folder, name)
const env = () => ({...process.env, SOURCE_DATE_EPOCH: `${DATE}`, GNUPGHOME: at('gpg')})
const run = (command: string, ...argv: readonly string[]) =>
  execFileSync(command, argv, {env: env(), stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8'})

/** apt with nothing of this machine but its programs. */
function settleApt(): void {
  for (const name of [
    'etc/apt',
    'var/lib/apt/lists/partial',
    'var/cache/apt/archives/partial',
    'var/log/apt',
  ])
    mkdirSync(join(root, name), {recursive: true})
  for (const name of ['apt.conf.d', 'preferences.d', 'sources.list.d']) mkdirSync(join(root, 'etc/apt', name))
  const settings = {
    Dir: root,
    'Dir::State::status': join(root, 'var/lib/dpkg/status'),
    'Dir::Bin::methods': '/usr/lib/apt/methods',
    'Dir::Bin::dpkg': '/usr/bin/dpkg',
    'Dpkg::Options::': `--root=${root}`,
    'APT::Sandbox::User': 'root',
    'APT::Architecture': 'amd64',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`)
  writeFileSync(at('apt.conf'), lines.join(''))
}

function apt(...argv: readonly string[]) {
  const {status, stdout, stderr} = spawnSync('apt-get', ['--yes', ...argv], {
    env: {...env(), APT_CONFIG: at('apt.conf'), DEBIAN_FRONTEND: 'noninteractive'},
    encoding: 'utf8',
  })
  return {status, output: `${stdout}${stderr}`}
}

function good(...argv: readonly string[]): void {
  const {status, output} = apt(...argv)
  expect(status, output).toBe(0)
  expect(output).not.toMatch(/^[EW]:/m)
}

/** The package as an older version, in a repository of its own. CARDCTL_OLDER_DEB names one that was built of an older commit. */
function makeOlder(): void {
  mkdirSync(at('older'))
  const {CARDCTL_OLDER_DEB: older = join(at('release'), DEB)} = process.env
  run('dpkg-deb', '--raw-extract', older, at('tree'))
  const control = join(at('tree'), 'DEBIAN/control')
  const text = readFileSync(control, 'utf8')
  writeFileSync(control, text.replace(`Version: ${pjson.version}`, 'Version: 0.0.9'))
  const file = join(at('older'), 'cardctl_0.0.9_amd64.deb')
  run('dpkg-deb', '-Znone', '--root-owner-group', '--build', at('tree'), file)
  makeAptRepository(at('older'), DATE)
  sums('older')
}

function sums(name: string): void {
  run('sh', '-c', 'cd "$1" && sha256sum -- * >SHA256SUMS', 'sh', at(name))
}

const sign = (name: string) =>
  run('node', 'tools/sign-release.ts', '--out', at(name), '--apt-key', 'release@cardctl.invalid')

describe.runIf(isWhole && hasTools)('a repository of apt', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cardctl-apt-'))
    mkdirSync(at('gpg'), {mode: 0o700})
    const key = ['--batch', '--passphrase', '', '--faked-system-time', `${DATE - 1000}`]
    run('gpg', ...key, '--quick-generate-key', 'release@cardctl.invalid', 'ed25519', 'sign', 'never')
    run('gpg', '--output', at('cardctl.gpg'), '--export', 'release@cardctl.invalid')
    run('node', 'tools/make-release.ts', '--fast', '--platform', 'linux-x64', '--out', at('release'))
    makeOlder()
    for (const name of ['release', 'older']) sign(name)
    root = makeEmptyRoot()
    settleApt()
  }, 180_000)
  afterAll(() => {
    spawnSync('gpgconf', ['--kill', 'all'], {env: env()})
    for (const path of [folder, root]) rmSync(path, {recursive: true, force: true})
  })

  const from = (name: string) =>
    writeFileSync(
      join(root, 'etc/apt/sources.list'),
      `deb [signed-by=${at('cardctl.gpg')}] file:${at(name)} ./\n`,
    )

  const version = () => {
    const status = run('dpkg-query', `--admindir=${join(root, 'var/lib/dpkg')}`, '--status', 'cardctl')
    return /^Version: (.*)$/m.exec(status)?.[1]
  }

  test('installs the program, and upgrades it from an older version', {timeout: 180_000}, () => {
    from('older')
    good('update')
    good('install', 'cardctl')
    expect(version()).toBe('0.0.9')
    expect(
      runIn(root, 'cardctl', 'accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000').code,
    ).toBe(0)
    from('release')
    good('update')
    good('upgrade')
    expect(version()).toBe(pjson.version)
    expect(runIn(root, 'cardctl', 'requests', 'list').stdout).toContain('accounts.patchCredit')
  })

  test('is refused if a list was changed, or another signed it', () => {
    const release = join(at('release'), 'InRelease')
    const text = readFileSync(release, 'utf8')
    from('release')
    writeFileSync(release, text.replace('Origin: cardctl', 'Origin: another'))
    expect(apt('update', '-o', 'APT::Update::Error-Mode=any').status).not.toBe(0)
    writeFileSync(release, text)
    expect(apt('update', '-o', 'APT::Update::Error-Mode=any').status).toBe(0)
  })

  test('is the same each time', () => {
    const names = ['Packages', 'Packages.gz', 'Release', 'InRelease', 'Release.gpg']
    const read = () => names.map(name => readFileSync(join(at('release'), name), 'latin1'))
    const before = read()
    makeAptRepository(at('release'), DATE)
    sign('release')
    expect(read()).toEqual(before)
  })
})
