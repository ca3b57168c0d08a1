import {execFileSync, spawnSync} from 'node:child_process'
import fc from 'fast-check'
import {Webhook} from 'standardwebhooks'
import {describe, expect, test} from 'vitest'
import {type CallSignature, signatureFault, signatureHeaders} from '../../src/network/call-signature.ts'
import {
  keyProblem,
  SIGNATURE_DEFAULTS,
  SIGNATURE_PRESETS,
  signedProblem,
} from '../../src/network/signature-defaults.ts'
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
  idHeader: anyName.map(name => `${name}-id`),
  keyEncoding: fc.constant('text' as const),
  signed: fc.constantFrom(
    ...['{timestamp}.{body}', '{body}', 'v0:{timestamp}:{body}', '{body}{timestamp}', '{id}.{body}'],
  ),
  encoding: fc.constantFrom('hex' as const, 'base64' as const),
  prefix: fc.constantFrom('', 'sha256=', 'v1=', 'v1,'),
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
  expect(signedProblem('{path}.{body}')).toBe(
    'may have {id}, {timestamp} and {body}, and no other placeholder',
  )
})

describe('Standard Webhooks', () => {
  const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const standard = (...keys: string[]): CallSignature => ({
    ...SIGNATURE_PRESETS['standard-webhooks'],
    keys: keys.map(each => new Secret(each)),
  })

  // The vector of the tests of standard-webhooks/libraries.
  test('the published signature is valid', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const fault = (more: Record<string, string>) =>
      signatureFault(
        {...headers, ...more},
        Buffer.from('{"test": 2432232314}'),
        standard(key),
        1_614_265_330_000,
      )
    expect(fault({})).toBeUndefined()
    expect(fault({'webhook-id': 'msg_other'})?.kind).toBe('wrong')
    expect(fault({'webhook-id': ''})?.message).toBe('the id of the message is missing (header webhook-id)')
    const others =
      'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg=='
    expect(fault({'webhook-signature': `${others} ${headers['webhook-signature']} v1,abc`})).toBeUndefined()
    expect(fault({'webhook-signature': others})?.kind).toBe('wrong')
  })

  const anyKey = fc
    .uint8Array({minLength: 24, maxLength: 64})
    .map(bytes => `whsec_${Buffer.from(bytes).toString('base64')}`)

  test('its own library takes what is signed here, while keys are changed too, and nothing changed', () => {
    fc.assert(
      fc.property(fc.json(), anyKey, anyKey, (text, first, second) => {
        const bytes = Buffer.from(text)
        const now = Date.now()
        const headers = {...signatureHeaders(bytes, standard(first), now)}
        const others = signatureHeaders(bytes, standard(second), now)
        expect(new Webhook(first).verify(text, headers)).toEqual(JSON.parse(text))
        expect(() => new Webhook(first).verify(`${text} `, headers)).toThrow('No matching signature')
        expect(signatureFault(others, bytes, standard(first, second), now)).toBeUndefined()
        headers['webhook-signature'] += ` ${others['webhook-signature']}`
        for (const each of [first, second])
          expect(() => new Webhook(each).verify(text, headers)).not.toThrow()
      }),
    )
  })

  test('what its library signs is valid here', () => {
    fc.assert(
      fc.property(fc.json(), anyKey, fc.uuid(), (text, each, id) => {
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(NOW / 1000),
          'webhook-signature': new Webhook(each).sign(id, new Date(NOW), text),
        }
        expect(signatureFault(headers, Buffer.from(text), standard(each), NOW)).toBeUndefined()
      }),
    )
  })

  test('the same body has the same id each time, and another body another one', () => {
    const id = (text: string, now = NOW) =>
      signatureHeaders(Buffer.from(text), standard(key), now)['webhook-id']
    expect(id('a')).toBe(id('a', NOW + 60_000))
    expect(id('a')).not.toBe(id('b'))
    expect(id('a')).toMatch(/^msg_[0-9a-f]{32}$/)
  })

  test.each(['', 'whsec_', 'the key of a person', 'whsec_c2hvcnQ=', `whsec_${'A'.repeat(92)}`])(
    'the key %j is refused: it is not Base64, or too short or long to be safe',
    each => {
      expect(keyProblem(each, standard())).toMatch(/^must be 24 to 64 bytes in Base64/)
      expect(() => signatureHeaders(body, standard(each), NOW)).toThrow(RangeError)
    },
  )
})
