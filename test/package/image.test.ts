// The container image, without a container: its layers unpacked over each other, and the program run in that root.
import {execFileSync, spawnSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {digestOf} from '../../tools/package/digest.ts'
import {hasImagePackages} from '../../tools/package/image-packages.ts'
import {isWhole} from '../helpers/whole.ts'
import {canMakeRoot} from './empty-root.ts'

interface Blob {
  readonly digest: string
  readonly size: number
}

const NAME = `cardctl-${pjson.version}-linux-x64.oci.tar`
let folder = ''
const root = () => join(folder, 'root')
const layout = (path: string): string => join(folder, 'layout', path)
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const blob = ({digest}: Blob): string => layout(`blobs/${digest.replace(':', '/')}`)
const manifest = (): {readonly config: Blob; readonly layers: readonly Blob[]} =>
  json(blob(json(layout('index.json')).manifests[0]))
const config = () => json(blob(manifest().config))
const make = (out: string) => {
  const argv = ['tools/package.ts', '--platform', 'image', '--fast', '--out', join(folder, out)]
  execFileSync('node', argv, {env: {...process.env, SOURCE_DATE_EPOCH: '1790000000'}, stdio: 'pipe'})
}

/** Skipped where the archive of Debian has dropped a package, after its update: `node tools/package/image-packages.ts pin`. */
describe.runIf(isWhole && canMakeRoot && hasImagePackages())('the container image', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cardctl-image-'))
    for (const name of ['layout', 'root']) mkdirSync(join(folder, name))
    make('once')
    execFileSync('tar', ['-xf', join(folder, 'once', NAME), '-C', layout('')])
    for (const layer of manifest().layers)
      execFileSync('tar', ['-xzf', blob(layer), '--numeric-owner', '--same-owner', '-C', root()])
  }, 180_000)
  afterAll(() => rmSync(folder, {recursive: true, force: true}))

  test('has the blobs that it names', () => {
    const blobs = [json(layout('index.json')).manifests[0], manifest().config, ...manifest().layers]
    expect(blobs.length).toBe(4)
    for (const each of blobs) {
      expect(`sha256:${digestOf(blob(each))}`).toBe(each.digest)
      expect(statSync(blob(each)).size).toBe(each.size)
    }
    const contents = manifest().layers.map(layer => {
      const path = join(folder, 'layer.tar')
      execFileSync('sh', ['-c', 'gzip -dc "$1" >"$2"', 'sh', blob(layer), path])
      return `sha256:${digestOf(path)}`
    })
    expect(config().rootfs.diff_ids).toEqual(contents)
  })

  const inside = (...argv: readonly string[]) => {
    const {User, Env, Entrypoint, WorkingDir} = config().config
    const env = Object.fromEntries(Env.map((line: string) => line.split('=')))
    const chroot = [`--userspec=${User}`, root(), '/bin/sh', '-c', `cd ${WorkingDir} && exec "$@"`, 'sh']
    return spawnSync('/usr/sbin/chroot', [...chroot, ...Entrypoint, ...argv], {
      env: {...env, CARDCTL_PROFILE: 'sandbox'},
      encoding: 'utf8',
    })
  }

  test('runs the program as a user without rights, who can write to the home only', () => {
    const {stdout, stderr} = inside('--version')
    expect(stdout, stderr).toContain(`cardctl/${pjson.version} linux-x64`)
    expect(inside('accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000').status).toBe(0)
    expect(inside('requests', 'list').stdout).toContain('accounts.patchCredit')
    expect(inside('upgrade').stdout).toContain('says how it was installed')
    const writable = execFileSync(
      'find',
      [root(), '-xdev', '(', '-user', '65532', '-o', '-perm', '-002', ')', '!', '-type', 'l'],
      {encoding: 'utf8'},
    )
    const outside = writable
      .trim()
      .split('\n')
      .filter(path => !path.startsWith(join(root(), 'home/cardctl')))
    expect(outside).toEqual([join(root(), 'tmp')])
  })

  test('tells scanners which packages it has', () => {
    const status = readFileSync(join(root(), 'var/lib/dpkg/status.d/libc6'), 'utf8')
    expect(status).toMatch(/^Package: libc6$/m)
    expect(status).toMatch(/^Version: 2\./m)
  })

  test('has the same bytes each time', {timeout: 120_000}, () => {
    make('twice')
    expect(digestOf(join(folder, 'twice', NAME))).toBe(digestOf(join(folder, 'once', NAME)))
  })
})
