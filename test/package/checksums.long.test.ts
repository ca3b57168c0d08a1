// The two steps of a release, and what a user checks before an installation, with the commands of docs/installation.md.
import {execFileSync, spawnSync} from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {verifiedRelease} from '../../src/commands/upgrade/shared/verified-release.ts'

const NPM_PACKAGE = `cardctl-${pjson.version}.tgz`
const hasTools = ['ssh-keygen', 'openssl', 'jq'].every(name => existsSync(`/usr/bin/${name}`))
const ATTESTATION = () => join(release, `cardctl-${pjson.version}.intoto.jsonl`)
const hasLibrary = existsSync('/usr/lib/python3/dist-packages/securesystemslib')

const VERIFY_ENVELOPE = `
import base64, json, sys
from cryptography.hazmat.primitives import serialization as s
from securesystemslib.signer import SSlibKey, Signature
envelope = json.load(open(sys.argv[1]))
payload, kind = base64.b64decode(envelope['payload']), envelope['payloadType']
public = s.load_pem_public_key(open(sys.argv[2], 'rb').read()).public_bytes(s.Encoding.Raw, s.PublicFormat.Raw).hex()
first = envelope['signatures'][0]
key = SSlibKey(first['keyid'], 'ed25519', 'ed25519', {'public': public})
signature = Signature(first['keyid'], base64.b64decode(first['sig']).hex())
key.verify_signature(signature, b'DSSEv1 %d %b %d %b' % (len(kind), kind.encode(), len(payload), payload))
`
let folder = ''
let release = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardctl-sums-'))
  release = join(folder, 'release')
  if (!hasTools) return
  for (const name of ['key', 'other']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
    openssl('genpkey', '-algorithm', 'ed25519', '-out', pem(name))
    openssl('pkey', '-in', pem(name), '-pubout', '-out', `${pem(name)}.pub`)
  }
  // Nobody else may read what this builder makes.
  const published = 'CARDCTL_REPOSITORY=$2/cardctl.git CARDCTL_HOMEPAGE=$2 CARDCTL_BUGS=$2/bugs'
  step(
    `umask 077 && ${published} exec node tools/make-release.ts --platform npm --out "$1"`,
    release,
    'https://home.example',
  )
  sign()
})
afterAll(() => rmSync(folder, {recursive: true, force: true}))

const pem = (name: string): string => join(folder, `${name}.pem`)
const openssl = (...argv: readonly string[]) => execFileSync('openssl', argv)
const step = (line: string, ...argv: readonly string[]) => execFileSync('sh', ['-c', line, 'sh', ...argv])

function sign(): void {
  const line = 'exec node tools/sign-release.ts --out "$1" --key "$2" --provenance-key "$3" 2>&1'
  step(line, release, join(folder, 'key'), pem('key'))
}

function expectSigner(key: string): void {
  const publicKey = readFileSync(join(folder, `${key}.pub`), 'utf8')
  writeFileSync(join(release, 'cardctl-signers'), `release@cardctl ${publicKey}`)
  copyFileSync(`${pem(key)}.pub`, join(release, 'cardctl-provenance.pem'))
}

/** The lines of the guide from the one that holds these words to the end of its block, run as they are. */
function documented(words: string): number | null {
  const guide = readFileSync('docs/installation.md', 'utf8')
  const [line = 'false'] = guide.slice(guide.lastIndexOf('\n', guide.indexOf(words)) + 1).split('```')
  return spawnSync('sh', ['-ec', guide.includes(words) ? line : 'false'], {cwd: release}).status
}

const COMPARE = 'sha256sum --check'
const PROVENANCE = 'jq -r .payload'
/** Ends with COMPARE. */
const VERIFY = 'ssh-keygen -Y verify'

describe.skipIf(!hasTools)('a signed release', () => {
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
    const manifest = JSON.parse(execFileSync('tar', archive, {encoding: 'utf8'}))
    expect(manifest).not.toHaveProperty('scripts')
    // Those of this publisher.
    expect(manifest).toMatchObject({
      homepage: 'https://home.example',
      repository: {type: 'git', url: 'https://home.example/cardctl.git'},
      bugs: {url: 'https://home.example/bugs'},
    })
  })

  test('says of which commit its files were made', () => {
    const {subject, predicateType, predicate} = JSON.parse(
      readFileSync(join(release, `cardctl-${pjson.version}.provenance.json`), 'utf8'),
    )
    expect(subject.map(({name}: {name: string}) => name)).toEqual(
      [NPM_PACKAGE, `cardctl-${pjson.version}.cdx.json`].sort(),
    )
    expect(predicateType).toBe('https://slsa.dev/provenance/v1')
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {encoding: 'utf8'}).trim()
    expect(predicate.buildDefinition.resolvedDependencies).toContainEqual({
      name: 'the sources',
      digest: {gitCommit: commit},
    })
  })

  // Debian's library for in-toto, which knows nothing of ours.
  test.skipIf(!hasLibrary)('has a provenance that another program verifies', () => {
    const verifies = (key: string): boolean =>
      spawnSync('/usr/bin/python3', ['-c', VERIFY_ENVELOPE, ATTESTATION(), `${pem(key)}.pub`]).status === 0
    expect([verifies('key'), verifies('other')]).toEqual([true, false])
  })

  test('is what cardctl upgrade believes', async () => {
    const verified = () =>
      verifiedRelease(
        {folder: release, signers: join(release, 'cardctl-signers'), running: '0.0.1'},
        version => `cardctl-${version}.tgz`,
        new AbortController().signal,
      )
    expectSigner('other')
    await expect(verified()).rejects.toThrow('was not signed')
    expectSigner('key')
    expect(await verified()).toEqual({version: pjson.version, age: 'newer', file: join(release, NPM_PACKAGE)})
  })

  test('matches its signatures and checksums, and no longer after a change', () => {
    expectSigner('other')
    expect(documented(VERIFY)).not.toBe(0)
    expect(documented(PROVENANCE)).not.toBe(0)
    expectSigner('key')
    expect([documented(VERIFY), documented(PROVENANCE)]).toEqual([0, 0])
    const statement = readFileSync(ATTESTATION(), 'utf8')
    const {payload, ...rest} = JSON.parse(statement)
    const forged = Buffer.from(Buffer.from(payload, 'base64').toString().replace(NPM_PACKAGE, 'other.tgz'))
    writeFileSync(ATTESTATION(), JSON.stringify({...rest, payload: forged.toString('base64')}))
    expect(documented(PROVENANCE)).not.toBe(0)
    writeFileSync(ATTESTATION(), statement)
    appendFileSync(join(release, NPM_PACKAGE), '!')
    expect([documented(VERIFY), documented(COMPARE), documented(PROVENANCE)]).toEqual([1, 1, 1])
    // Nor is it signed again.
    expect(sign).toThrow()
    appendFileSync(join(release, 'SHA256SUMS'), '\n')
    expect(documented(VERIFY)).not.toBe(0)
  })
})
