import {expect, test} from 'vitest'
import {differenceWords, ResponseDifferences} from '../../src/cli/effects.ts'

const difference = (pointer: string, problem: string, subject = 'it') => ({
  pointer,
  message: `${subject} ${problem}`,
  problem,
})

test.each([
  ['/template', 'template', 'is missing', '/template is missing'],
  ['/0/statusDate', '[0].statusDate', 'must be text', '/*/statusDate must be text'],
  ['/items/12/a/3', 'items[12].a[3]', 'must be text', '/items/*/a/* must be text'],
  ['', 'the status', 'is 201, not 200', 'the status is 201, not 200'],
  ['/a', 'another name', 'must be text', '/a must be text'],
])('%s: %s %s is shown as "%s"', (pointer, subject, problem, words) => {
  expect(differenceWords(difference(pointer, problem, subject))).toBe(words)
})

test('a card number in the name of a field is masked, and a long name cut', () => {
  const words = differenceWords(difference('/totals/pan 4111 1111 1111 1111', 'must be a number'))
  expect(words).not.toContain('4111 1111 1111 1111')
  expect(words).toContain('/totals/pan')
  const long = differenceWords(difference(`/${'x'.repeat(100_000)}`, 'must be a number'))
  expect(long.length).toBeLessThan(250)
})

test('the items of a list that differ alike are one place, with a count', () => {
  const differences = new ResponseDifferences()
  const cards = [0, 1, 2].map(at => difference(`/${at}/template`, 'is missing', `[${at}].template`))
  differences.add({differences: cards, isForeign: false})
  differences.add({differences: [], isForeign: false})
  expect(differences.words).toBe(
    '1 of 2 responses differ from the contract: /*/template is missing (3 times).',
  )
})
