import {expect, test} from 'vitest'
import {AnswerDifferences, differenceWords} from '../../src/cli/answer-differences.ts'

test.each([
  ['/template', 'template is missing', '/template is missing'],
  ['/0/statusDate', '[0].statusDate must be text', '/*/statusDate must be text'],
  ['/items/12/a/3', 'items[12].a[3] must be text', '/items/*/a/* must be text'],
  ['', 'the status is 201, not 200', 'the status is 201, not 200'],
  ['/a', 'must be text', '/a: must be text'],
])('%s: %s is told as "%s"', (pointer, message, words) => {
  expect(differenceWords({pointer, message})).toBe(words)
})

test('a card number in the name of a member is masked, and a long name cut', () => {
  const words = differenceWords({pointer: '/totals/pan 4111 1111 1111 1111', message: 'must be a number'})
  expect(words).not.toContain('4111 1111 1111 1111')
  expect(words).toContain('/totals/pan')
  const long = differenceWords({pointer: `/${'x'.repeat(100_000)}`, message: 'must be a number'})
  expect(long.length).toBeLessThan(250)
})

test('the items of a list that differ alike are one place, with a count', () => {
  const differences = new AnswerDifferences()
  const cards = [0, 1, 2].map(at => ({pointer: `/${at}/template`, message: `[${at}].template is missing`}))
  differences.add(cards)
  differences.add([])
  expect(differences.words).toBe('1 of 2 answers differ from the contract: /*/template is missing (3 times).')
})
