// What people say besides what they ask must not change what they get: neither the first result nor the answer above it.
import {beforeAll, expect, it} from 'vitest'
import {searched} from '../../src/cli/help/answering.ts'
import {answerTo, situationIn} from '../../src/cli/help/search.ts'
import type {SearchIndex} from '../../src/cli/help/search-index.ts'
import {DESK_HELD_OUT, DESK_TUNED} from '../docs/desk-questions.ts'
import {HELD_OUT, LATER, TUNED} from '../docs/fresh-questions.ts'
import {OTHER_WORDS, PLAIN_WORDS, THIRTY} from '../docs/questions.ts'

let index: SearchIndex
beforeAll(async () => {
  index = (await searched())()
})

const BEFORE = `hello,|hi,|hey there,|good morning,|sorry,|thank you,|please|can you tell me|could you please check|
  I want to know|I need to know|my customer says`
const AFTER = `please|, thanks|last week|last night|last month|yesterday|today|this morning|this week|two days ago|an hour ago|
  a few minutes ago|on monday|on friday evening|tonight|in october|just now|right now|at the moment|at the shop|
  in the supermarket|at a restaurant|at the airport|at work|for the last two weeks|since tuesday|in the evening|somehow|
  for no reason`
const partsOf = (texts: string): readonly string[] => texts.split(/\|\s*/)
const ADDITIONS: readonly ((question: string) => string)[] = [
  ...partsOf(BEFORE).map(text => (question: string) => `${text} ${question}`),
  ...partsOf(AFTER).map(text => (question: string) => `${question}${text.startsWith(',') ? '' : ' '}${text}`),
]

function answerOf(question: string): string {
  const words = question.split(' ')
  const {ranked, situation} = answerTo(words, index, situationIn(words))
  return `${ranked[0]?.entry.name}, for ${situation?.about}`
}

/** The additions of a question: each has other ones, so that all are tried with many. */
const some = (at: number, count: number) =>
  Array.from({length: count}, (_, next) => ADDITIONS[(at * count + next) % ADDITIONS.length] ?? String)

it('an addition to each question that is asked elsewhere', () => {
  const questions = [
    THIRTY,
    OTHER_WORDS,
    PLAIN_WORDS,
    TUNED,
    HELD_OUT,
    LATER,
    DESK_TUNED,
    DESK_HELD_OUT,
  ].flat()
  expect(questions.length).toBeGreaterThan(350)
  const changed = questions.flatMap(([question], at) => {
    const plain = answerOf(question)
    return some(at, 1)
      .map(add => add(question))
      .filter(added => answerOf(added) !== plain)
  })
  expect(changed).toEqual([])
})

it.each([
  'card declined',
  'PIN is blocked',
  'he lost his card',
  'card never arrived',
  'who changed the limit',
  'customer moved',
])('all additions to %s', question => {
  const plain = answerOf(question)
  expect(ADDITIONS.length).toBeGreaterThanOrEqual(40)
  expect(ADDITIONS.map(add => add(question)).filter(added => answerOf(added) !== plain)).toEqual([])
})

it.each([
  ['today', 'report shift'],
  ['yesterday', 'report shift'],
  ['what did I do today', 'report shift'],
])('a question about nothing else, %s, is not emptied', (question, name) => {
  expect(answerOf(question)).toContain(name)
})
