import {describe, expect, test} from 'vitest'
import {maskSaid} from '../../src/sensitive/mask-encoded.ts'
import {maskText} from '../../src/sensitive/mask-text.ts'

const PEM = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----'

describe('credentials that others quote', () => {
  test.each([
    ['Authorization: Basic YWlubzpzZXNhbQ== refused', 'Authorization: Basic [masked] refused'],
    ['bearer 9f8e7d6c5b4a', 'bearer [masked]'],
    ['Bearer abcdefghijklmnopqrstuvwxyz', 'Bearer [masked]'],
    ['Bearer Bearer 9f8e7d6c5b4a', 'Bearer Bearer [masked]'],
    ['Bearer 9f8e7d6c=="x', 'Bearer [masked]="x'],
    ['got eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0. here', 'got [masked] here'],
    ['enc eyJhbGciOiJSU0EifQ.a-b_c.d.e.f', 'enc [masked]'],
    [`key ${PEM} end`, 'key [masked] end'],
    [PEM.replace('-----END PRIVATE KEY-----', 'cut off'), '[masked]'],
    ['to https://aino:s3same@api.example/v4 failed', 'to https://[masked]@api.example/v4 failed'],
    ['https://aino:p@ss@api.example/', 'https://[masked]@api.example/'],
    ['card 4111111111111111', 'card 411111••••••1111'],
  ])('%s', (text, masked) => {
    expect(maskText(text)).toBe(masked)
    expect(maskText(masked)).toBe(masked)
  })
})

test('a token of any length', () => {
  expect(maskText(`Bearer ${'a1'.repeat(8_000_000)} x`)).toBe('Bearer [masked] x')
})

describe("the service's own words stay", () => {
  test.each([
    'Basic authentication is required',
    'Bearer token missing',
    'mail aino@api.example',
    'see https://api.example/v4/3001?size=30#top',
    '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
    'eyJ is how a token begins',
  ])('%s', text => {
    expect(maskText(text)).toBe(text)
  })
})

describe('a command to paste says which variable it needs', () => {
  const line = (auth: string, names: readonly string[]) =>
    `CARDCTL_AUTH=${auth} ${names.map(name => `${name}="\${${name}:?}"`).join(' ')} cardctl bulk resume j_1`

  test.each(['bearer', 'basic', 'header'])('%s', auth => {
    for (const names of [['CARDCTL_SECRET'], ['CARDCTL_USERNAME', 'CARDCTL_SECRET'], ['CARDCTL_TOKEN']]) {
      const text = line(auth, names)
      expect(maskText(text)).toBe(text)
      expect(maskSaid(text)).toBe(text)
    }
  })

  test.each([
    ['bearer CARDCTL_S3CRET', 'bearer [masked]'],
    [`bearer ABC_123="\${ABC_123:?}"`, `bearer [masked]="\${ABC_123:?}"`],
    ['bearer CARDCTL_SECRET="hunter2-canary"', 'bearer [masked]="hunter2-canary"'],
  ])('%s is none', (text, masked) => {
    expect(maskText(text)).toBe(masked)
  })
})

test('a megabyte of the worst text ends', () => {
  for (const unit of ['eyJ-', 'a://', 'Bearer ', '-----BEGIN PRIVATE KEY-----', 'a-', 'eyJa.']) {
    expect(typeof maskText(unit.repeat(Math.ceil(1_000_000 / unit.length)))).toBe('string')
  }
})
