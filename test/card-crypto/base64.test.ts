import fc from 'fast-check'
import {expect, test} from 'vitest'
import {decodeBase64} from '../../src/card-crypto/index.ts'

test('decodes whatever was encoded, also wrapped at 64 columns', () => {
  fc.assert(
    fc.property(fc.uint8Array({minLength: 1, maxLength: 300}), bytes => {
      const text = Buffer.from(bytes).toString('base64')
      expect(decodeBase64(text)).toEqual(Buffer.from(bytes))
      expect(decodeBase64(` ${text.replace(/.{64}/g, '$&\r\n')}\n`)).toEqual(Buffer.from(bytes))
    }),
  )
})

test.each([
  '',
  ' ',
  'A',
  'AA',
  'AAA',
  'AA=',
  'AA==A',
  'AB==',
  'A A=',
  '-_==',
  'AAAA!',
  'ÄAAA',
  '='.repeat(4),
  'A'.repeat(100_000),
])('%j is refused', text => {
  expect(decodeBase64(text)).toBeUndefined()
})
