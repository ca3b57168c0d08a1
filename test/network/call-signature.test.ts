import {execFileSync, spawnSync} from 'node:child_process'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type CallSignature, signatureFault, signatureHeaders} from '../../src/network/call-signature.ts'
import {SIGNATURE_DEFAULTS, signedProblem} from '../../src/network/signature-defaults.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {codePoint} from '../helpers/code-point.ts'

const NOW = Date.UTC(2026, 5, 15, 12)
const SECONDS = String(NOW / 1000)
const body = Buffer.from('{"metadata":{"id":"a"}}\n')

const signatureOf = (more: Partial<CallSignature> = {}): CallSignature => ({
  ...SIGNATURE_DEFAULTS,
  keys: [new Secret('the key')],
  ...more,
})
const kindOf = (headers: Record<string, string>, bytes: Buffer, signature: CallSignature, now = NOW) =>
  signatureFault(headers, bytes, signature, now)?.kind

describe('the published test cases of HMAC-SHA-256 (RFC 4231)', () => {
  test.each([
    [
      'Jefe',
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    ['\x0b'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  ])('key %j', (key, text, expected) => {
    const signature = signatureOf({keys: [new Secret(key)], signed: '{body}'})
    expect(signatureHeaders(Buffer.from(text), signature, NOW)).toEqual({'x-signature': expected})
    const base64 = {...signature, encoding: 'base64'} as const
    expect(signatureHeaders(Buffer.from(text), base64, NOW)).toEqual({
      'x-signature': Buffer.from(expected, 'hex').toString('base64'),
    })
  })
})

/** Whether a program is installed here. */
const has = (program: string) => spawnSync(program, ['--help']).error === undefined

describe('other programs sign the same', () => {
  const signed = Buffer.concat([Buffer.from(`${SECONDS}.`), body])
  const own = signatureHeaders(body, signatureOf(), NOW)['x-signature']

  test.skipIf(!has('openssl'))('openssl', () => {
    const printed = execFileSync('openssl', ['dgst', '-sha256', '-hmac', 'the key'], {input: signed})
    expect(String(printed).trim().split(' ').at(-1)).toBe(own)
  })

  test.skipIf(!has('python3'))('python', () => {
    const program =
      'import hmac, sys; print(hmac.new(b"the key", sys.stdin.buffer.read(), "sha256").hexdigest())'
    expect(String(execFileSync('python3', ['-c', program], {input: signed})).trim()).toBe(own)
  })
})

const anyName = fc.stringMatching(/^x-[a-z]{1,10}$/)
const anySignature = fc.record({
  keys: fc.array(
    fc.string({minLength: 1}).map(key => new Secret(key)),
    {minLength: 1, maxLength: 3},
  ),
  header: anyName,
  timestampHeader: anyName.map(name => `${name}-time`),
  signed: fc.constantFrom('{timestamp}.{body}', '{body}', 'v0:{timestamp}:{body}', '{body}{timestamp}'),
  encoding: fc.constantFrom('hex' as const, 'base64' as const),
  prefix: fc.constantFrom('', 'sha256=', 'v1='),
  toleranceMs: fc.integer({min: 1000, max: 86_400_000}),
})
const anyBody = fc.uint8Array({maxLength: 200}).map(bytes => Buffer.from(bytes))

test('what is signed is valid, by any of the keys, in any form, for any bytes', () => {
  fc.assert(
    fc.property(anySignature, anyBody, fc.nat(), (signature, bytes, at) => {
      for (const key of signature.keys) {
        const headers = signatureHeaders(bytes, {...signature, keys: [key]}, at * 1000)
        expect(signatureFault(headers, bytes, signature, at * 1000)).toBeUndefined()
      }
    }),
  )
})

test('no changed byte, key or time is valid', () => {
  fc.assert(
    fc.property(anySignature, anyBody, fc.nat(), fc.nat({max: 7}), (signature, bytes, at, bit) => {
      const headers = signatureHeaders(bytes, signature, NOW)
      const more = Buffer.concat([bytes, Buffer.from(' ')])
      expect(kindOf(headers, more, signature)).toBe('wrong')
      if (bytes.length > 0) {
        const other = Buffer.from(bytes)
        other[at % bytes.length] = (other[at % bytes.length] ?? 0) ^ (1 << bit)
        expect(kindOf(headers, other, signature)).toBe('wrong')
      }
      const stranger = {...signature, keys: [new Secret(`${signature.keys[0]?.open()}x`)]}
      const isOther = !signature.keys.slice(1).some(key => key.open() === stranger.keys[0]?.open())
      if (isOther) expect(kindOf(headers, bytes, stranger)).toBe('wrong')
      if (signature.signed.includes('{timestamp}')) {
        const later = {...headers, [signature.timestampHeader]: String(NOW / 1000 + 1)}
        expect(kindOf(later, bytes, signature)).toBe('wrong')
      }
    }),
  )
})

test('no header makes the check fail, whatever is in it', () => {
  const texts = fc.oneof(fc.string(), fc.string({unit: codePoint}), fc.array(fc.string()))
  fc.assert(
    fc.property(texts, texts, anySignature, (given, time, signature) => {
      const headers = {[signature.header]: given, [signature.timestampHeader]: time}
      expect(['missing', 'wrong']).toContain(signatureFault(headers, body, signature, NOW)?.kind)
    }),
  )
})

test('a time may differ by the tolerance and no more, either way', () => {
  const signature = signatureOf({toleranceMs: 60_000})
  const headers = signatureHeaders(body, signature, NOW)
  const after = (ms: number) => signatureFault(headers, body, signature, NOW + ms)?.message
  expect(after(60_000)).toBeUndefined()
  expect(after(-60_000)).toBeUndefined()
  expect(after(61_000)).toBe('the signature is too old: 61 s, more than the tolerance of 60 s')
  expect(after(-61_000)).toBe('the signature is from the future: 61 s, more than the tolerance of 60 s')
})

test('what is missing, and what has another form, is said', () => {
  const signature = signatureOf({prefix: 'sha256='})
  const headers = signatureHeaders(body, signature, NOW)
  const fault = (more: Record<string, string | undefined>) =>
    signatureFault({...headers, ...more}, body, signature, NOW)?.message
  expect(fault({})).toBeUndefined()
  expect(fault({'x-signature': undefined})).toBe('the signature is missing (header x-signature)')
  expect(fault({'x-signature-timestamp': undefined})).toBe(
    'the time of the signature is missing (header x-signature-timestamp)',
  )
  expect(fault({'x-signature-timestamp': '2026-06-15'})).toBe(
    'the time of the signature is not in seconds since 1970 (header x-signature-timestamp)',
  )
  expect(fault({'x-signature': 'abc'})).toBe(
    'the signature is not sha256= and SHA-256 in hexadecimal digits (header x-signature)',
  )
  expect(fault({'x-signature': `sha256=${'0'.repeat(64)}`})).toBe(
    'the signature is wrong: another key, or another body or time',
  )
  expect(fault({'x-signature': `sha256=${'0'.repeat(64)}, ${headers['x-signature']}`})).toBeUndefined()
})

test('what is signed has the body once and no unknown placeholder', () => {
  expect(signedProblem('{timestamp}.{body}')).toBeUndefined()
  expect(signedProblem('{timestamp}')).toBe('must have {body} once')
  expect(signedProblem('{body}{body}')).toBe('must have {body} once')
  expect(signedProblem('{path}.{body}')).toBe('may have {timestamp} and {body}, and no other placeholder')
})
