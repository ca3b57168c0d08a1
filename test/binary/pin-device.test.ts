// docs/pin-device.md as it stands: a live profile, and openssl as the cardholder's device in a process of its own.
import {execFileSync} from 'node:child_process'
import {createPrivateKey} from 'node:crypto'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, onTestFinished, test} from 'vitest'
import {rsaOaepDecrypt} from '../../src/card-crypto/index.ts'
import {hasOpenssl} from '../card-crypto/openssl.ts'
import {blocksOf, pages} from '../docs/pages.ts'
import {bash, emptyHome, run} from '../helpers/binary.ts'
import {openService} from '../helpers/service.ts'

const page = pages().find(({path}) => path === 'docs/pin-device.md')
const blocks = page ? blocksOf(page) : []
const script = ['set -e -o pipefail', ...blocks.map(({code}) => code)].join('\n')

async function liveHome(): Promise<{home: string; requests: () => string}> {
  const service = await openService()
  onTestFinished(() => service.close())
  const home = await emptyHome()
  const add = ['profiles', 'add', 'prod', '--kind', 'live', '--base-url', service.url, '--auth', 'none']
  expect(await run(home, [...add, '--profile-audit-user', 'aino'])).toMatchObject({code: 0})
  return {home, requests: () => service.requests.map(({body}) => Buffer.from(body).toString()).join('\n')}
}

describe.skipIf(!hasOpenssl)('with openssl as the device', () => {
  test('the guide sets and views a PIN that cardctl never sees', async () => {
    const {home, requests} = await liveHome()
    const {code, stdout, stderr} = await bash(home, script)
    expect({code, stderr}).toMatchObject({code: 0})
    const [upToPin = '', ofCard = ''] = stdout.split(/^(?=\{$)/m)
    expect(upToPin.trimEnd().split('\n').at(-1)).toBe('8253')
    expect(Object.keys(JSON.parse(ofCard)).length).toBeGreaterThan(2)
    const fingerprint = /= ([0-9a-f]{64})$/m.exec(stdout)?.[1]
    expect(fingerprint).toBeDefined()
    expect(stderr).toContain(`device key SHA-256 ${fingerprint}`)
    expect(requests()).not.toContain('8253')
  })

  test('decrypts what openssl encrypts, with either MGF1 hash', async () => {
    const folder = await emptyHome()
    const key = join(folder, 'device.key')
    execFileSync('openssl', [
      'genpkey',
      '-quiet',
      '-algorithm',
      'RSA',
      '-pkeyopt',
      'rsa_keygen_bits:2048',
      '-out',
      key,
    ])
    const pem = readFileSync(key, 'utf8')
    const tzpk = Buffer.from('0123456789abcdeffedcba9876543210', 'hex')
    for (const mgf1 of ['sha256', 'sha1'] as const) {
      const options = ['rsa_padding_mode:oaep', 'rsa_oaep_md:sha256', `rsa_mgf1_md:${mgf1}`].flatMap(o => [
        '-pkeyopt',
        o,
      ])
      const enciphered = execFileSync('openssl', ['pkeyutl', '-encrypt', '-inkey', key, ...options], {
        input: tzpk,
      })
      const opened = rsaOaepDecrypt(createPrivateKey(pem), enciphered, {mgf1: 'either'})
      expect(opened.open()).toEqual(tzpk)
    }
  })

  test('a private key is refused where a public one belongs, and nothing is sent', async () => {
    const {home, requests} = await liveHome()
    const make = 'openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out device.key'
    const {code, stderr} = await bash(
      home,
      `${make}; cardctl pin view --control-id env:HOME --public-key device.key -p prod --yes`,
    )
    expect(code).not.toBe(0)
    expect(stderr).toContain('private')
    expect(existsSync(join(home, 'device.key'))).toBe(true)
    expect(requests()).toBe('')
  })
})
