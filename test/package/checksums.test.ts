// What a user checks before an installation, with the commands of docs/installation.md.
import {execFileSync, spawnSync} from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}

const NPM_PACKAGE = `cardctl-${pjson.version}.tgz`
const hasSsh = existsSync('/usr/bin/ssh-keygen')
let folder = ''
let release = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardctl-sums-'))
  release = join(folder, 'release')
  mkdirSync(release)
  writeFileSync(join(release, 'cardctl_0.1.0_amd64.deb'), 'package')
  if (!hasSsh) return
  for (const name of ['key', 'other'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  // Nobody else may read what this builder makes.
  execFileSync('sh', [
    '-c',
    'umask 077 && exec node tools/sign-release.ts --out "$1" --key "$2"',
    'sh',
    release,
    join(folder, 'key'),
  ])
})
afterAll(() => rmSync(folder, {recursive: true, force: true}))

function expectSigner(key: string): void {
  const publicKey = readFileSync(join(folder, `${key}.pub`), 'utf8')
  writeFileSync(join(release, 'cardctl-signers'), `release@cardctl ${publicKey}`)
}

/** The line of the guide that holds these words, run as it is. */
function documented(words: string): number | null {
  const guide = readFileSync('docs/installation.md', 'utf8')
  const line = guide.split('\n').find(each => each.includes(words)) ?? 'false'
  return spawnSync('sh', ['-c', line], {cwd: release}).status
}

const VERIFY = 'ssh-keygen -Y verify'
const COMPARE = 'sha256sum --check'

describe.skipIf(!hasSsh)('a signed release', () => {
  test('has the bill of materials and the npm package among what is signed', () => {
    const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8')
    expect(sums).toContain(`  cardctl-${pjson.version}.cdx.json\n`)
    expect(sums).toContain(`  ${NPM_PACKAGE}\n`)
    expect(sums).not.toContain('SHA256SUMS')
  })

  test('has an npm package whose files everybody may read, whatever the umask was', () => {
    const list = execFileSync('tar', ['-tvzf', join(release, NPM_PACKAGE)], {encoding: 'utf8'})
      .trim()
      .split('\n')
    expect(list.length).toBeGreaterThan(200)
    const others = list.filter(line => !line.startsWith('-rw-r--r-- '))
    expect(others).toEqual([expect.stringMatching(/^-rwxr-xr-x .* package\/bin\/run\.js$/)])
  })

  test('has an npm package without the scripts of a clone, of which npm would warn', () => {
    const archive = ['-xOzf', join(release, NPM_PACKAGE), 'package/package.json']
    expect(JSON.parse(execFileSync('tar', archive, {encoding: 'utf8'}))).not.toHaveProperty('scripts')
  })

  test('matches its signature and checksums, and no longer after a change', () => {
    expectSigner('other')
    expect(documented(VERIFY)).not.toBe(0)
    expectSigner('key')
    expect([documented(VERIFY), documented(COMPARE)]).toEqual([0, 0])
    appendFileSync(join(release, 'cardctl_0.1.0_amd64.deb'), '!')
    expect([documented(VERIFY), documented(COMPARE)]).toEqual([0, 1])
    appendFileSync(join(release, 'SHA256SUMS'), '\n')
    expect(documented(VERIFY)).not.toBe(0)
  })
})
