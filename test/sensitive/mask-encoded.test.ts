import {describe, expect, it} from 'vitest'
import {maskSaid} from '../../src/sensitive/mask-encoded.ts'
import {redact} from '../../src/sensitive/redact.ts'

const PAN = '4111111111111111'
const each = (form: (code: number) => string) => [...PAN].map(sign => form(sign.charCodeAt(0))).join('')
const base64 = (text: string) => Buffer.from(text).toString('base64')

const forms: Readonly<Record<string, string>> = {
  percent: each(code => `%${code.toString(16)}`),
  'percent, twice': encodeURIComponent(each(code => `%${code.toString(16)}`)),
  'a form with spaces': encodeURIComponent('4111 1111 1111 1111'),
  'HTML in hexadecimal': each(code => `&#x${code.toString(16)};`),
  'HTML in decimal': each(code => `&#${code};`),
  'HTML of one digit': `&#52;${PAN.slice(1)}`,
  'escapes of JSON': each(code => `\\u00${code.toString(16)}`),
  base64: base64(PAN),
  'base64 for URLs': Buffer.from(`x${PAN}zz`).toString('base64url'),
  'base64, twice': base64(base64(PAN)),
  'base64 of JSON': base64(JSON.stringify({number: PAN})),
  'bytes in hexadecimal': each(code => code.toString(16)),
  'bytes of a record in hexadecimal': Buffer.from(`PAN=${PAN};`).toString('hex').toUpperCase(),
  'bytes of UTF-16 in hexadecimal': Buffer.from(PAN, 'utf16le').toString('hex'),
  'bytes of EBCDIC in hexadecimal': [...PAN].map(digit => `F${digit}`).join(''),
  'bytes in hexadecimal, behind half a byte': `a${each(code => code.toString(16))}`,
  'a list of bytes': [...PAN].map(digit => `3${digit}`).join(' '),
  'a list of bytes in the form of C': [...PAN].map(digit => `0x3${digit}`).join(', '),
  'a list of bytes in decimal': [...PAN].map(digit => 48 + Number(digit)).join(','),
}

describe('a card number that is encoded', () => {
  it.each(Object.keys(forms))('as %s is masked', name => {
    const text = `card ${forms[name]} was refused`
    const masked = maskSaid(text)
    expect(masked).not.toContain(forms[name])
    expect(masked).toMatch(/^card .*(?:(?:•.*){6}|\[masked\]).* was refused$/)
    expect(maskSaid(masked)).toBe(masked)
  })
})

it.each([
  [[...PAN].map(Number)],
  [[...PAN]],
  [[...Buffer.from(PAN)]],
  [[...Buffer.from(`{"number":"${PAN}"}`)]],
])('as a list of digits or bytes is masked: %s', list => {
  expect(redact({data: list}, {sensitive: []})).toEqual({data: list.map(() => '[masked]')})
  // What the contract knows is what it says.
  expect(redact({data: list}, {sensitive: [], typed: ['/data/*']})).toEqual({data: list})
})

it.each([
  [[4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]],
  [[...PAN, ...PAN].map(Number)],
  [[4111, 1111, 1111, 1111]],
  [Array.from({length: 24}, (_, hour) => hour)],
  [[...Buffer.from('the quick brown fox 12345')]],
])('leaves other lists as they are: %s', list => {
  expect(redact({data: list}, {sensitive: []})).toEqual({data: list})
})

describe('a value after the name of a secret', () => {
  it.each([
    ['{"pin":"1234","cvv2":"987"}', '{"pin":"[masked]","cvv2":"[masked]"}'],
    ['pin=1234&cvv=987', 'pin=[masked]&cvv=[masked]'],
    ['got {"pin": 1234, "id": 7}', 'got {"pin": [masked], "id": 7}'],
    ['{\\"pin\\":\\"1234\\"}', '{\\"pin\\":\\"[masked]\\"}'],
    ['{"card":{"pin":"1234"}}', '{"card":{"pin":"[masked]"}}'],
    ['{"cards":[{"cvv2":"987"}]}', '{"cards":[{"cvv2":"[masked]"}]}'],
    ['url=/pay?pin=1234&id=7', 'url=/pay?pin=[masked]&id=7'],
  ])('in %s is masked', (text, masked) => {
    expect(maskSaid(text)).toBe(masked)
    expect(redact({note: text}, {sensitive: []})).toEqual({note: masked})
  })
})

it('masks a value of any length to its end', () => {
  const token = 'Zq7'.repeat(100_000)
  for (const text of [`{"access_token":"${token}"}`, `access_token=${token}&x=1`, `{"pin":${token}}`])
    expect(maskSaid(text)).not.toContain('Zq7')
})

it('leaves what holds no secret as it is', () => {
  for (const text of [
    'https://api.example/v4/3001?auditUser=me&size=20',
    '100%25 of &#8364; 5',
    'eins=zwei, pin_status=blocked, {"pinStatus":"set","id":"3001"}',
    base64('the quick brown fox jumps over the lazy dog'),
    '0191f0a2-7c3e-4f6b-9a51-1f0f6c1d2e3f',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    Buffer.from('no jokes on zoo, jolly monkeys').toString('hex'),
    'F4 F1 F1 F1 F1 F1 F1 F1 F1 F1 F1 F1 F1 F1 F1 F2',
  ])
    expect(maskSaid(text)).toBe(text)
})
