// A release that was downloaded is checked before anything is said of it. ssh-keygen signs, as the publisher does.
import {execFileSync} from 'node:child_process'
import {createHash, createPrivateKey, generateKeyPairSync, sign} from 'node:crypto'
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
import fc from 'fast-check'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {releaseFile, upgradeSteps} from '../../src/cli/installation.ts'
import {sshKeysIn, sshSigner} from '../../src/commands/upgrade/shared/ssh-signature.ts'
import {verifiedRelease} from '../../src/commands/upgrade/shared/verified-release.ts'
import {openHome} from '../helpers/cli.ts'
import {failureOf} from '../journal/fixtures.ts'

const hasKeygen = existsSync('/usr/bin/ssh-keygen')
const NAMESPACE = 'cardctl-release'
const SYSTEM = {platform: 'linux', arch: 'x64'} as const
const TARBALL = {kind: 'tarball', folder: '/opt/cardctl-0.1.0-linux-x64'} as const

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardctl-release-'))
})
afterEach(() => rmSync(folder, {recursive: true, force: true}))

const at = (name: string): string => join(folder, name)
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')
const keygen = (...argv: readonly string[]) => execFileSync('ssh-keygen', ['-q', ...argv], {stdio: 'pipe'})

function makeKey(name: string): void {
  keygen('-t', 'ed25519', '-N', '', '-C', 'release', '-f', at(name))
}

/** The files of a release of this version, signed with a key. */
function release(version: string, {key = 'key', namespace = NAMESPACE} = {}): void {
  const files = [`cardctl-${version}.tgz`, `cardctl-${version}-linux-x64.tar.gz`]
  for (const file of files) writeFileSync(at(file), `the bytes of ${file}`)
  writeFileSync(at('SHA256SUMS'), files.map(file => `${sha256(readFileSync(at(file)))}  ${file}\n`).join(''))
  rmSync(at('SHA256SUMS.sig'), {force: true})
  keygen('-Y', 'sign', '-n', namespace, '-f', at(key), at('SHA256SUMS'))
}

const check = (installation: Parameters<typeof releaseFile>[0] = TARBALL) =>
  verifiedRelease(
    {folder, signers: at('signers'), running: '0.9.1'},
    version => releaseFile(installation, SYSTEM, version) ?? '',
    new AbortController().signal,
  )

const refusal = async (): Promise<string> => {
  try {
    return `accepted ${(await check()).version}`
  } catch (error) {
    return failureOf(() => {
      throw error
    }).message.replaceAll(folder, '')
  }
}

describe.skipIf(!hasKeygen)('a downloaded release', () => {
  beforeEach(() => {
    makeKey('key')
    makeKey('other')
    writeFileSync(at('signers'), `# ours\nrelease@cardctl ${readFileSync(at('key.pub'), 'utf8')}`)
  })

  it.each([
    ['0.10.0', 'newer'],
    ['0.9.1', 'same'],
    ['0.9.0', 'older'],
  ])('%s is %s than 0.9.1', async (version, age) => {
    release(version)
    expect(await check()).toEqual({version, age, file: at(`cardctl-${version}-linux-x64.tar.gz`)})
    const steps = upgradeSteps(TARBALL, SYSTEM, await check())
    expect(steps[0]?.command).toBe(`tar -xzf ${at(`cardctl-${version}-linux-x64.tar.gz`)} -C /opt`)
  })

  it('is believed with the public key alone, as it stands in its file', async () => {
    release('0.10.0')
    copyFileSync(at('key.pub'), at('signers'))
    expect(await check()).toMatchObject({version: '0.10.0'})
  })

  it('says nothing of its version where anything is not as it was signed', async () => {
    release('0.10.0', {key: 'other'})
    const unsigned = '/SHA256SUMS was not signed by a key in /signers.'
    expect(await refusal()).toBe(unsigned)
    release('0.10.0', {namespace: 'file'})
    expect(await refusal()).toBe(unsigned)
    release('0.10.0')
    appendFileSync(at('SHA256SUMS'), '\n')
    expect(await refusal()).toBe(unsigned)
    release('0.10.0')
    appendFileSync(at('cardctl-0.10.0-linux-x64.tar.gz'), '!')
    expect(await refusal()).toBe('/cardctl-0.10.0-linux-x64.tar.gz is not the file that was signed.')
    rmSync(at('cardctl-0.10.0-linux-x64.tar.gz'))
    expect(await refusal()).toContain('/cardctl-0.10.0-linux-x64.tar.gz')
    release('0.10.0')
    writeFileSync(at('SHA256SUMS.sig'), 'nothing')
    expect(await refusal()).toBe(unsigned)
    writeFileSync(at('signers'), 'release@cardctl ssh-rsa AAAA')
    expect(await refusal()).toBe('/signers has no Ed25519 key of SSH.')
  })

  it('needs the file of this installation', async () => {
    release('0.10.0')
    await expect(check({kind: 'deb', folder: '/usr/lib/cardctl'})).rejects.toThrow(
      'The release has no cardctl_0.10.0_amd64.deb',
    )
  })

  it('has a signature of which no byte can be changed', () => {
    release('0.10.0')
    const keys = sshKeysIn(readFileSync(at('signers'), 'utf8'))
    const message = readFileSync(at('SHA256SUMS'))
    const armored = readFileSync(at('SHA256SUMS.sig'), 'utf8')
    const bytes = Buffer.from(armored.split('\n').slice(1, -2).join(''), 'base64')
    const armor = (changed: Buffer): string =>
      `-----BEGIN SSH SIGNATURE-----\n${changed.toString('base64')}\n-----END SSH SIGNATURE-----\n`
    expect(sshSigner(message, armor(bytes), {namespace: NAMESPACE, keys})).toBe(keys[0])
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({min: 1, max: 255}), (place, by) => {
        const changed = Buffer.from(bytes)
        changed[place] = (changed[place] ?? 0) ^ by
        expect(sshSigner(message, armor(changed), {namespace: NAMESPACE, keys})).toBeUndefined()
        const short = bytes.subarray(0, place)
        expect(sshSigner(message, armor(short), {namespace: NAMESPACE, keys})).toBeUndefined()
      }),
    )
  })

  it('upgrades no clone', async () => {
    release('0.10.0')
    const home = await openHome()
    try {
      const {code, stderr} = await home.run(['upgrade', '--release', folder, '--signers', at('signers')])
      expect([code, stderr]).toEqual([2, expect.stringContaining('it is a clone')])
      expect((await home.run(['upgrade', '--release', folder])).stderr).toContain('--signers')
    } finally {
      await home.remove()
    }
  })
})

// As PROTOCOL.u2f of OpenSSH says: no machine of a test has such a key.
it('verifies what a security key signed, with its flags and counter', () => {
  const {publicKey, privateKey} = generateKeyPairSync('ed25519')
  const text = (bytes: Buffer | string): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(Buffer.byteLength(bytes))
    return Buffer.concat([length, Buffer.from(bytes)])
  }
  const type = 'sk-ssh-ed25519@openssh.com'
  const point = Buffer.from(publicKey.export({format: 'jwk'}).x ?? '', 'base64url')
  const key = Buffer.concat([text(type), text(point), text('ssh:')])
  const [namespace, reserved, hash] = [text(NAMESPACE), text(''), text('sha512')]
  const digest = createHash('sha512').update('sums').digest()
  const signed = Buffer.concat([Buffer.from('SSHSIG'), namespace, reserved, hash, text(digest)])
  const once = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
  const touched = Buffer.from([1, 0, 0, 0, 7])
  const bytes = sign(
    null,
    Buffer.concat([once('ssh:'), touched, once(signed)]),
    createPrivateKey(privateKey.export({type: 'pkcs8', format: 'pem'})),
  )
  const blob = (counter: Buffer) =>
    Buffer.concat([
      Buffer.from('SSHSIG\0\0\0\x01'),
      text(key),
      namespace,
      reserved,
      hash,
      text(Buffer.concat([text(type), text(bytes), counter])),
    ]).toString('base64')
  const keys = sshKeysIn(`release@cardctl ${type} ${key.toString('base64')} desk`)
  const signer = (counter: Buffer) =>
    sshSigner(
      Buffer.from('sums'),
      `-----BEGIN SSH SIGNATURE-----\n${blob(counter)}\n-----END SSH SIGNATURE-----`,
      {namespace: NAMESPACE, keys},
    )
  expect(signer(touched)).toBe(keys[0])
  expect(signer(Buffer.from([1, 0, 0, 0, 8]))).toBeUndefined()
})
