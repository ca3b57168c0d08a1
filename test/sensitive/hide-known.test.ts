import fc from 'fast-check'
import {expect, test} from 'vitest'
import {hideIn, hideKnown} from '../../src/sensitive/hide-known.ts'

const secret = fc.string({unit: 'binary', minLength: 6, maxLength: 40})

test('what is known is gone from any text, whatever characters it is of', () => {
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

test('nothing else changes, and what is too short to be told from chance stays', () => {
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
