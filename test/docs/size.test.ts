// How much there is to read: docs/decisions/0042-which-pages-there-are.md.
import {expect, test} from 'vitest'
import {pages} from './pages.ts'

const docs = pages().filter(({path}) => /^docs\/[^/]+$/.test(path))
const words = (all: typeof docs): number => all.flatMap(({text}) => text.match(/\S+/g) ?? []).length
const named = (pattern: RegExp): typeof docs => docs.filter(({path}) => pattern.test(path))

test('there are at most 28 pages, with 38,000 words together and 600 on style', () => {
  expect(docs.length).toBeLessThanOrEqual(28)
  expect(words(docs)).toBeLessThanOrEqual(38_000)
  expect(words(named(/style\.md$/))).toBeLessThanOrEqual(600)
})

test('the webhook has at most six pages, that of its contract among them', () => {
  expect(named(/webhook/).length + 1).toBeLessThanOrEqual(6)
  expect(named(/webhook/).length).toBeGreaterThan(3)
})
