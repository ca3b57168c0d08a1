import fc from 'fast-check'
import {expect, test} from 'vitest'
import {hideIn, hideKnown} from '../../src/sensitive/hide-known.ts'
import {codePoint} from '../helpers/code-point.ts'
import {runs} from '../helpers/whole.ts'

const secret = fc.string({unit: codePoint, minLength: 6, maxLength: 40})

test('known secrets are removed from any text, whatever their characters', () => {
  fc.assert(
    fc.property(fc.array(secret, {minLength: 1, maxLength: 3}), fc.array(fc.string()), (secrets, around) => {
      const hide = hideKnown(secrets)
      const text = hide([...around, ...secrets, ...around].join(' '))
      for (const each of secrets) expect(text.split('[masked]').some(part => part.includes(each))).toBe(false)
    }),
  )
})

test('a longer secret is hidden whole where a shorter one is its beginning', () => {
  expect(hideKnown(['token-1', 'token-1-and-more'])('a token-1-and-more b token-1 c')).toBe(
    'a [masked] b [masked] c',
  )
})

test('nothing else changes, and a secret too short to be distinguished from chance stays', () => {
  expect(hideKnown([])('same')).toBe('same')
  expect(hideKnown(['12345', ''])('code 12345')).toBe('code 12345')
})

test('in JSON, names and nested strings too', () => {
  const hide = hideKnown(['hunter2hunter2'])
  expect(hideIn({hunter2hunter2: ['a', {b: 'x hunter2hunter2'}], c: 1, d: null}, hide)).toEqual({
    '[masked]': ['a', {b: 'x [masked]'}],
    c: 1,
    d: null,
  })
})

const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  raw: text => text,
  percent: encodeURIComponent,
  'percent in lower case': text => encodeURIComponent(text).replace(/%../g, found => found.toLowerCase()),
  'every byte in percent': text => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
  form: text => new URLSearchParams({'': text}).toString().slice(1),
  json: text => JSON.stringify(text).slice(1, -1),
  'json with slashes': text => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'every unit in json': text =>
    text.replace(/./gs, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'html by name': text =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&apos;'),
  'html by names of all': text =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('+', '&plus;')
      .replaceAll('/', '&sol;')
      .replaceAll('=', '&equals;'),
  'html in decimal': text => text.replace(/./gsu, found => `&#${found.codePointAt(0)};`),
  'html in hex': text => text.replace(/./gsu, found => `&#x${found.codePointAt(0)?.toString(16)};`),
}

const told = fc
  .string({
    unit: fc.oneof(fc.constantFrom(...'+/=~&%"\'<>\\ a1é€😀'), fc.string({minLength: 1, maxLength: 1})),
    minLength: 6,
  })
  .filter(text => text.trim().length >= 6)
const encoding = fc.constantFrom(...Object.keys(ENCODINGS))
const encoded = (text: string, ...names: readonly string[]): string =>
  names.reduce((each, name) => ENCODINGS[name]?.(each) ?? each, text)

test('whatever a text was put through on its way back', () => {
  fc.assert(
    fc.property(told, encoding, encoding, (secret, first, second) => {
      const quoted = encoded(secret, first, second)
      const hidden = hideKnown([secret])(`client ${quoted} is unknown`)
      expect(hidden).toContain('[masked]')
      // What stays of a last escape that means itself.
      expect(hidden.replace('[masked]', '').length).toBeLessThan('client  is unknown'.length + 60)
      expect(hidden).not.toContain(quoted)
    }),
    {numRuns: runs(2000)},
  )
})

test('in base64, alone or behind a user, and that encoded once more', () => {
  const form = fc.constantFrom('base64', 'base64url')
  fc.assert(
    fc.property(
      told,
      fc.string({unit: fc.constantFrom(...'abc'), maxLength: 5}),
      form,
      encoding,
      (secret, user, as, over) => {
        const quoted = encoded(Buffer.from(`${user}:${secret}`).toString(as as BufferEncoding), over)
        expect(hideKnown([secret])(`got ${quoted} as header`)).toBe('got [masked] as header')
        expect(hideKnown([secret])(encoded(Buffer.from(secret).toString(as as BufferEncoding), over))).toBe(
          '[masked]',
        )
      },
    ),
    {numRuns: runs(1000)},
  )
})

test('other text keeps its escapes', () => {
  const text = 'a%20b &amp; \\u0041 \\n 100% <b> dG9rZW4tdG9rZW4='
  expect(hideKnown(['hunter2hunter2'])(text)).toBe(text)
  expect(hideKnown(['hunter2hunter2'])(`${text} hunter2hunter%32 ${text}`)).toBe(`${text} [masked] ${text}`)
})

test('in JSON, numbers too', () => {
  expect(hideIn({a: 12345678, b: 1}, hideKnown(['12345678']))).toEqual({a: '[masked]', b: 1})
})

test('a secret as long as a whole file is removed, from its first character to its last', () => {
  const long = Array.from({length: 9_000}, (_, at) => `${at}-*x`).join('')
  expect(long.length).toBeGreaterThan(40_000)
  expect(hideKnown([long])(`a ${long} b`)).toMatch(/^a (?:\[masked\])+ b$/)
})
