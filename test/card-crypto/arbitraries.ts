import fc from 'fast-check'

export const pin = fc.stringMatching(/^[0-9]{4,12}$/)
export const pan = fc.stringMatching(/^[0-9]{13,19}$/)
export const bytes = (size: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({minLength: size, maxLength: size}).map(array => Buffer.from(array))
/** Never one whose parts are equal: the chance is nil, and the code under test would rightly refuse. */
export const tdesKey = fc.oneof(bytes(16), bytes(24)).filter(key => {
  const parts = [0, 8, 16].map(at =>
    key
      .subarray(at, at + 8)
      .map(byte => byte & 0xfe)
      .join(),
  )
  return parts[0] !== parts[1] && (parts[2] === '' || parts[1] !== parts[2])
})
export const aesKey = fc.oneof(bytes(16), bytes(24), bytes(32))
