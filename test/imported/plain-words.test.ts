import fc from 'fast-check'
import {expect, it} from 'vitest'
import {plainWords} from '../../src/imported/document/plain-words.ts'

it.each([
  ['<p>Returns a list of <code>charge</code> objects.</p>', 'Returns a list of charge objects.'],
  ['One.<br/>Two.<ul><li>a</li><li>b</li></ul>', 'One.\nTwo.\n- a\n\n- b'],
  [
    'See <a href="https://docs.example/x?a=1&amp;b=2">the guide</a> &mdash; or not &amp;lt;',
    'See the guide — or not &lt;',
  ],
  ['Add <<{base}/cards#_limits, limits>> and <<other>>.', 'Add limits and other.'],
  [
    'Use link:https://a.example/b[the client, window="_blank"] or https://c.example/d[this].',
    'Use the client or this.',
  ],
  ['[cols="1,2"]\n|===\n| a | b\n|===\nEnd', '| a | b\nEnd'],
  [
    'Put <id> below <path>, 1 < 2 and [a link](https://x.example/y)',
    'Put <id> below <path>, 1 < 2 and [a link](https://x.example/y)',
  ],
  ['# Title\n\n`code` and **bold** &#39;quoted&#39;', "# Title\n\n`code` and **bold** 'quoted'"],
])('%j reads as %j', (text, words) => {
  expect(plainWords(text)).toBe(words)
})

it('leaves text without marks as it is, whatever it holds', () => {
  const text = fc
    .string()
    .filter(one => !/[<&[|]/.test(one) && one === one.trim() && !/[ \t]\n|\n{3}/.test(one))
  fc.assert(
    fc.property(text, one => {
      expect(plainWords(one)).toBe(one)
    }),
  )
})

it('takes no long time for a text that never closes what it opens', () => {
  for (const piece of ['<<', '<a ', '<!--', 'https://', 'link:', '&#', '\n[cols', '[']) {
    const long = piece.repeat(200_000 / piece.length)
    expect(plainWords(long).length).toBeLessThanOrEqual(long.length)
  }
})
