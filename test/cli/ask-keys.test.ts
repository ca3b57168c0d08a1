import {expect, test} from 'vitest'
import {
  type AskState,
  type Numbered,
  press,
  refused,
  stillShown,
} from '../../src/commands/webhook/shared/ask-keys.ts'
import {askView} from '../../src/commands/webhook/shared/ask-view.ts'
import {callOf, requestFor} from '../webhook/calls.ts'

const waits = (number: number, scenario: string): Numbered => {
  const {event: _, bytes: __, signal: ___, note: ____, ...pending} = requestFor(callOf(scenario, `${number}`))
  return {number, question: {...pending, event: `e_${number}`, until: pending.at + 2000}}
}
const fuel = waits(1, 'fuel')
const coffee = waits(2, 'contactless')
const both = [fuel, coffee]

/** Presses keys one after the other; gives the last state and every answer. */
function typed(keys: readonly string[], waiting: readonly Numbered[] = both) {
  let state: AskState = {shown: fuel.question.event}
  const answers: unknown[] = []
  for (const key of keys) {
    const result = press(key, state, waiting)
    state = result.state
    if (result.answer) answers.push([result.answer.question.event, result.answer.choice])
  }
  return {state, answers}
}

test('a part that may be meant in thousands is typed again, unless only one reading is a part', () => {
  const {question} = fuel
  const large = {...fuel, question: {...question, summary: {...question.summary, amount: 9000}}}
  const keys = ['p', ...'6.000', '\r']
  expect(typed(keys, [large]).answers).toEqual([])
  expect(typed(keys, [large]).state.entry?.fate).toBe('refused')
  expect(typed(keys, [fuel]).answers).toEqual([['e_1', {partial: {amount: 6, currency: 'EUR'}}]])
})

test.each([
  [['a'], [['e_1', {approve: true}]]],
  [['d', '\r'], [['e_1', {decline: '51'}]]],
  [['d', '0', '5', '\r'], [['e_1', {decline: '05'}]]],
  [['d', '0', '6', '\u007f', '5', '\n'], [['e_1', {decline: '05'}]]],
  [['d', '\u007f', '\u007f', '\r'], []],
  [['d', '\u001b', '\r', 'a'], [['e_1', {approve: true}]]],
  [['p', '3', '0', '.', '5', '\r'], [['e_1', {partial: {amount: 30.5, currency: 'EUR'}}]]],
  [['p', '\r'], []],
  [['p', '.', '\r'], []],
  [['2', 'a'], [['e_2', {approve: true}]]],
  // Nobody could take a part of a coffee, and in an amount a digit is no choice.
  [['2', 'p', '1', 'a'], [['e_1', {approve: true}]]],
  [['p', '2', '\r'], [['e_1', {partial: {amount: 2, currency: 'EUR'}}]]],
  [['x', '9', ' ', '\r'], []],
])('keys %j', (keys, answers) => {
  expect(typed(keys).answers).toEqual(answers)
})

test('keys for a call that is gone never act on the next, until Enter or Esc', () => {
  const {state} = typed(['d', '6', '2'])
  const next = stillShown(state, [coffee])
  expect(next).toMatchObject({shown: undefined, entry: {fate: 'gone'}})
  for (const key of ['a', 'd', '2', 'p']) expect(press(key, next, [coffee])).toEqual({state: next})
  for (const key of ['\r', '\u001b']) expect(press(key, next, [coffee])).toEqual({state: {shown: 'e_2'}})
  // Gone between two looks: the key is for nobody.
  expect(press('\r', state, [coffee]).answer).toBeUndefined()
  expect(press('a', {shown: fuel.question.event}, [coffee])).toEqual({state: {shown: 'e_2'}})
  expect(stillShown(state, [])).toMatchObject({entry: {fate: 'gone'}})
})

test('an impossible amount is typed again: its digits select no other call', () => {
  const sent = typed(['p', '5', '0', '0', '\r'])
  expect(sent.answers).toEqual([['e_1', {partial: {amount: 500, currency: 'EUR'}}]])
  expect(press('2', sent.state, both), 'while it is looked at').toEqual({state: sent.state})
  let state = refused(sent.state, 'e_1')
  for (const key of ['2', '5']) state = press(key, state, both).state
  expect(state).toMatchObject({shown: 'e_1', entry: {text: '25'}})
  const {answer} = press('\r', state, both)
  expect(answer).toMatchObject({question: {event: 'e_1'}, choice: {partial: {amount: 25}}})
  expect(refused({shown: 'e_2'}, 'e_1')).toEqual({shown: 'e_2'})
})

test('an invalid amount also stays in its entry', () => {
  const {state, answers} = typed(['p', '1', '.', '.', '\r', '2'])
  expect({state, answers}).toMatchObject({state: {shown: 'e_1', entry: {text: '2'}}, answers: []})
})

test('after an answer, keys act on the next call', () => {
  const {state} = typed(['d', '\r'])
  expect(stillShown(state, [coffee])).toEqual({shown: 'e_2'})
})

const text = (view: Parameters<typeof askView>[0], now: number, width = 99) =>
  [askView(view, now, width)]
    .flat(2)
    .map(span => (typeof span === 'object' && 'text' in span ? span.text : span))
    .join('')

test('the line says how much time is left, what it is about, and which keys there are', () => {
  const {summary, at, until} = fuel.question
  const view = {...summary, at, until, number: 1, partial: true, others: [] as number[]}
  expect(text(view, at + 560)).toBe(' 1.4 s  Fuel pump  EUR 100.00  a approve  d decline  p part  ')
  expect(text({...view, partial: false, kind: 'refund', others: [3, 2]}, at)).toBe(
    ' 2.0 s  [1] Fuel pump  EUR 100.00  refund  a approve  d decline  2 3 other  ',
  )
  expect(text({...view, reusedId: 'e_0'}, at)).toContain('EUR 100.00  ID ALREADY USED  a approve')
  expect(text({...view, merchant: 'A'.repeat(100)}, at)).toContain(`  ${'A'.repeat(23)}…  EUR`)
  expect(text({...view, entry: {kind: 'partial', text: '30'}}, until + 5)).toBe(
    ' 0.0 s  Fuel pump  EUR 100.00  part, EUR 30_  Enter, or Esc to go back',
  )
})

test('a long name leaves room for the keys on a terminal of 80 columns', () => {
  const {summary, at, until} = fuel.question
  const long = {...summary, merchant: 'The Very Long Name of a Shop', amount: 12_400.5, currency: 'NOK'}
  const view = {...long, at, until, number: 1, partial: true, others: [2]}
  expect(text(view, at, 79)).toBe(
    ' 2.0 s  [1] The Very L…  NOK 12\u202f400.50  a approve  d decline  p part  2 other  ',
  )
  expect(text({...view, merchant: '東京百貨店新宿本店'}, at, 79)).toContain('  2 other  ')
  expect(text(view, at, 40)).toContain('[1] The Ver…  NOK')
})
