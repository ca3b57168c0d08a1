// What a person reads of an error that a service sends, whatever shape it has.
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type ErrorShape, errorText} from '../../src/http/error-text.ts'

const words = (value: unknown) => errorText({kind: 'json', value}, []).words

test.each<[string, unknown, string]>([
  [
    'a problem',
    {type: 'about:blank', title: 'Not allowed', status: 409, detail: 'It is closed.'},
    'Not allowed: It is closed.',
  ],
  [
    'sub-errors beside a message',
    {
      status: 'BAD_REQUEST',
      message: 'Validation error',
      subErrors: [{object: 'account', field: 'creditLimit', rejectedValue: -1, message: 'must be positive'}],
    },
    'Validation error; creditLimit: must be positive',
  ],
  [
    'a list of errors alone',
    {
      errors: [
        {code: 'E12', message: 'Too much'},
        {code: 'E13', message: 'Too late'},
      ],
    },
    'E12: Too much; E13: Too late',
  ],
  ['a list of texts', {message: 'No', errors: ['first', 'second']}, 'No; first; second'],
  ['a list and nothing around it', [{path: '/a', message: 'missing'}, 'and this'], '/a: missing; and this'],
  [
    'long lists',
    {message: 'No', violations: Array.from({length: 8}, (_, at) => `v${at}`)},
    'No; v0; v1; v2; v3; v4; and 3 more',
  ],
  [
    'names that nobody knows',
    {outcome: 'REJECTED', rule: 12, final: true},
    'outcome REJECTED, rule 12, final true',
  ],
  [
    'what is nested',
    {fault: {faultstring: 'Quota', detailCode: 'Q1'}},
    'fault: faultstring Quota, detailCode Q1',
  ],
  ['the same twice', {message: 'No', errors: ['No']}, 'No'],
  ['a text', 'no such card', 'no such card'],
])('%s is told', (_, body, told) => {
  expect(words(body)).toBe(told)
})

test.each<[unknown, string]>([
  [{code: 'card_locked', message: 'It is locked'}, 'It is locked (card_locked)'],
  [{error: {code: 'E7', message: 'No'}}, 'No (E7)'],
  [{errorCode: 712, errorMessage: 'No'}, 'No (712)'],
  [{errors: [{code: 'E1', field: 'a', message: 'No'}]}, 'a: No (E1)'],
  [{error: 'invalid_grant', error_description: 'It is over'}, 'It is over (invalid_grant)'],
  [{error: {type: 'card_error', message: 'No'}}, 'No (card_error)'],
  [{type: 'limit-exceeded', title: 'No'}, 'No (limit-exceeded)'],
  // The status is said anyway, an address is none, and nothing is said twice.
  [{code: 409, message: 'No'}, 'No'],
  [{type: 'https://errors.example/a', title: 'No'}, 'No'],
  [{code: 'E7', message: 'E7: No'}, 'E7: No'],
])("the service's own code is told: %j", (body, told) => {
  expect(words(body)).toBe(told)
})

test.each<[ErrorShape, unknown, string]>([
  [{code: '/x/nr', message: '/x/text'}, {x: {nr: 'A1', text: 'No'}}, 'No (A1)'],
  [
    {code: '/list/*/nr', message: '/list/*/text', field: '/list/*/at'},
    {list: [{nr: 1, text: 'No', at: 'a'}, {nr: 2, at: 'b'}, {nr: 3}]},
    'a: No (1); b (2); 3',
  ],
  [{code: '/nr', message: '/list/*'}, {nr: 'A1', list: ['No', 'Never']}, 'No (A1); Never (A1)'],
  [{code: '/nr'}, {message: 'No'}, 'No'],
])('the places that the profile names count: %j', (shape, body, told) => {
  expect(errorText({kind: 'json', value: body}, [], shape).words).toBe(told)
})

test.each([[{}], [[]], [null], [{a: {}}], [{errors: []}]])('%j says nothing', body => {
  expect(words(body)).toBeUndefined()
})

test('secrets stay masked, wherever they are quoted', () => {
  const secret = {
    message: 'No',
    subErrors: [
      {field: 'pan', message: 'bad number 4111111111111111'},
      {pin: '4711'},
      ['token', {password: 'hunter2'}],
    ],
    '4111111111111111': 'x',
  }
  for (const body of [secret, {outer: secret}, [secret], {a: 1, pin: '4711', list: [[secret]]}]) {
    expect(words(body)).not.toMatch(/4111111111111111|4711|hunter2/)
  }
})

test('any response is shown within its limits', () => {
  fc.assert(
    fc.property(fc.jsonValue({maxDepth: 8}), value => {
      expect((words(value) ?? '').length).toBeLessThanOrEqual(1002)
    }),
  )
  const deep: unknown = JSON.parse(`${'['.repeat(3000)}"x"${']'.repeat(3000)}`)
  expect((words(deep) ?? '').length).toBeLessThanOrEqual(1002)
})
