// What a user checks before an installation, with the commands of docs/installation.md.
import {execFileSync, spawnSync} from 'node:child_process'
import {appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}

const hasSsh = existsSync('/usr/bin/ssh-keygen')
let folder = ''
let release = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardctl-sums-'))
  release = join(folder, 'release')
  execFileSync('mkdir', [release])
  writeFileSync(join(release, 'cardctl_0.1.0_amd64.deb'), 'package')
  if (!hasSsh) return
  for (const name of ['key', 'other'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  writeFileSync(
    join(release, 'cardctl-signers'),
    `release@cardctl ${readFileSync(join(folder, 'key.pub'), 'utf8')}`,
  )
})
afterAll(() => rmSync(folder, {recursive: true, force: true}))

const sign = (key: string) =>
  execFileSync('node', ['tools/sign-release.ts', '--out', release, '--key', join(folder, key)])

/** The line of the guide that holds these words, run as it is. */
function documented(words: string): number | null {
  const guide = readFileSync('docs/installation.md', 'utf8')
  const line = guide.split('\n').find(each => each.includes(words)) ?? 'false'
  return spawnSync('sh', ['-c', line], {cwd: release}).status
}

const VERIFY = 'ssh-keygen -Y verify'
const COMPARE = 'sha256sum --check'

test.skipIf(!hasSsh)('the signature and the checksums match, and no longer do after a change', () => {
  sign('key')
  expect([documented(VERIFY), documented(COMPARE)]).toEqual([0, 0])
  appendFileSync(join(release, 'cardctl_0.1.0_amd64.deb'), '!')
  expect([documented(VERIFY), documented(COMPARE)]).toEqual([0, 1])
  appendFileSync(join(release, 'SHA256SUMS'), '\n')
  expect(documented(VERIFY)).not.toBe(0)
})

test.skipIf(!hasSsh)('a signature with another key is refused', () => {
  sign('other')
  expect(documented(VERIFY)).not.toBe(0)
})

test.skipIf(!hasSsh)('the bill of materials and the npm package are among what is signed', () => {
  sign('key')
  const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8')
  expect(sums).toContain(`  cardctl-${pjson.version}.cdx.json\n`)
  expect(sums).toContain(`  cardctl-${pjson.version}.tgz\n`)
  expect(sums).not.toContain('SHA256SUMS')
})
