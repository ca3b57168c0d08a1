import {
  constants,
  createCipheriv,
  createDecipheriv,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import {deflateRawSync} from 'node:zlib'
import fc from 'fast-check'
import {beforeAll, describe, expect, test} from 'vitest'
import {
  decryptCardNumber,
  decryptJwe,
  encryptCardNumber,
  encryptJwe,
  generateRsaPair,
  type RsaPair,
  Secret,
} from '../../src/card-crypto/index.ts'
import {codePoint} from '../helpers/code-point.ts'
import {failureOfAsync} from './failure-of.ts'

const PAN = '4111111111111111'
const OAEP = {padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256'}
let pair: RsaPair
let find: (kid: string | undefined) => KeyObject | undefined
beforeAll(async () => {
  pair = await generateRsaPair()
  find = kid => (kid === 'k1' ? pair.privateKey : undefined)
})

const encrypt = (pan: string): Promise<string> =>
  encryptCardNumber(new Secret(pan), {publicKey: pair.publicKey, kid: 'k1'})

interface HandMade {
  oaepHash?: 'sha1' | 'sha256'
  keyBytes?: 16 | 32
  deflated?: boolean
  publicKey?: KeyObject
}

/** A JWE put together from node:crypto alone (RFC 7516, 5.1), with any header, and sound but for what is asked. */
function handMade(header: object, payload: string, how: HandMade = {}): string {
  const {oaepHash = 'sha256', keyBytes = 32, publicKey = pair.publicKey} = how
  const protectedHeader = Buffer.from(JSON.stringify(header)).toString('base64url')
  const key = randomBytes(keyBytes)
  const nonce = randomBytes(12)
  const cipher = createCipheriv(keyBytes === 16 ? 'aes-128-gcm' : 'aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(protectedHeader))
  const plain = how.deflated ? deflateRawSync(payload) : Buffer.from(payload)
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()])
  const wrapped = publicEncrypt({key: publicKey, ...OAEP, oaepHash}, key)
  return [
    protectedHeader,
    ...[wrapped, nonce, ciphertext, cipher.getAuthTag()].map(part => part.toString('base64url')),
  ].join('.')
}
const BODY = JSON.stringify({cardNumber: PAN})
const HEADER = {alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'k1'}

describe('the card number travels', () => {
  test('and comes back', async () => {
    expect((await decryptCardNumber(await encrypt(PAN), find)).open()).toBe(PAN)
  })

  test('in a form that node:crypto alone can open by RFC 7516', async () => {
    const [header = '', ...parts] = (await encrypt(PAN)).split('.')
    const [key = Buffer.alloc(0), nonce = key, ciphertext = key, tag = key] = parts.map(part =>
      Buffer.from(part, 'base64url'),
    )
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual(HEADER)
    const contentKey = privateDecrypt({key: pair.privateKey, ...OAEP}, key)
    const decipher = createDecipheriv('aes-256-gcm', contentKey, nonce)
      .setAAD(Buffer.from(header))
      .setAuthTag(tag)
    const body = Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString()
    expect(JSON.parse(body)).toEqual({cardNumber: PAN})
  })

  test('from a sender that is not this code', async () => {
    const token = handMade(HEADER, JSON.stringify({cardNumber: PAN, extra: 1}))
    expect((await decryptCardNumber(token, find)).open()).toBe(PAN)
  })

  test('any payload, the empty one too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({maxLength: 200}), async payload => {
        const token = await encryptJwe(payload, {publicKey: pair.publicKey, kid: 'k1'})
        expect(new Uint8Array((await decryptJwe(token, find)).open())).toEqual(payload)
      }),
      {numRuns: 20},
    )
  })
})

describe('refused before or while opening, always typed', () => {
  const cases: readonly [string, () => string][] = [
    ['another key id', () => handMade({...HEADER, kid: 'k2'}, BODY)],
    ['no key id', () => handMade({alg: HEADER.alg, enc: HEADER.enc}, BODY)],
    ['OAEP with SHA-1', () => handMade({...HEADER, alg: 'RSA-OAEP'}, BODY, {oaepHash: 'sha1'})],
    ['a direct key', () => handMade({...HEADER, alg: 'dir'}, BODY)],
    ['no algorithm', () => handMade({...HEADER, alg: 'none'}, BODY)],
    ['another content cipher', () => handMade({...HEADER, enc: 'A128GCM'}, BODY, {keyBytes: 16})],
    ['compression', () => handMade({...HEADER, zip: 'DEF'}, BODY, {deflated: true})],
    ['a critical extension', () => handMade({...HEADER, crit: ['exp'], exp: 1}, BODY)],
    [
      'the key of somebody else',
      () => handMade(HEADER, BODY, {publicKey: generateKeyPairSync('rsa', {modulusLength: 2048}).publicKey}),
    ],
    ['text that is no JSON', () => handMade(HEADER, 'canary')],
    ['no card number', () => handMade(HEADER, '{"cardnumber":"1"}')],
    ['a card number that is a number', () => handMade(HEADER, '{"cardNumber":4111111111111111}')],
    ['null', () => handMade(HEADER, 'null')],
    ['nothing', () => ''],
    ['too few parts', () => 'a.b.c.d'],
    ['a megabyte', () => `${'a'.repeat(1_000_000)}.a.a.a.a`],
  ]
  test.each(cases)('%s', async (_, token) => {
    const failure = await failureOfAsync(() => decryptCardNumber(token(), find))
    expect(failure.code).toBe('CIPHERTEXT_INVALID')
    expect(failure.message).not.toContain('canary')
  })

  test('any part changed', async () => {
    const token = await encrypt(PAN)
    await fc.assert(
      fc.asyncProperty(fc.nat(4), fc.nat(), fc.constantFrom('A', 'z', '0', '_'), async (which, where, by) => {
        const parts = token.split('.')
        const part = parts[which] ?? ''
        // The last character of a part may hold bits that don't count; any other one counts.
        const at = where % (part.length - 1)
        fc.pre(part[at] !== by)
        parts[which] = part.slice(0, at) + by + part.slice(at + 1)
        const failure = await failureOfAsync(() => decryptJwe(parts.join('.'), () => pair.privateKey))
        expect(failure.code).toBe('CIPHERTEXT_INVALID')
      }),
      {numRuns: 60},
    )
  })

  test('garbage, five parts or not', async () => {
    const part = fc.base64String().map(text => text.replace(/[+/=]/g, '_'))
    const token = fc.oneof(
      fc.string({unit: codePoint}),
      fc.array(part, {minLength: 5, maxLength: 5}).map(parts => parts.join('.')),
    )
    await fc.assert(
      fc.asyncProperty(token, async text => {
        expect((await failureOfAsync(() => decryptJwe(text, () => pair.privateKey))).code).toBe(
          'CIPHERTEXT_INVALID',
        )
      }),
    )
  })

  test('a key that is too short or of another kind, when enciphering', async () => {
    const small = await generateRsaPair('v2')
    const {publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
    for (const key of [small.publicKey, publicKey]) {
      const failure = await failureOfAsync(() => encryptCardNumber(PAN, {publicKey: key, kid: 'k1'}))
      expect(failure.code).toBe('KEY_INVALID')
    }
  })
})
