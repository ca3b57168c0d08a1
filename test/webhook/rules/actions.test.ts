import fc from 'fast-check'
import {expect, test} from 'vitest'
import {checkAnswer} from '../../../src/contract/auth-answer.ts'
import {answerFault} from '../../../src/webhook/check-answer.ts'
import {callOf} from '../calls.ts'
import {deciding} from './calls.ts'

const reply = (code: string, more: object = {}) => ({
  kind: 'reply',
  reply: {transactionData: {authResponseCode: {code}, ...more}},
})
const part = (amount: number, currency = 'EUR') => reply('10', {partialApprovalAmount: {amount, currency}})

test.each([
  ['approve', reply('00')],
  ['{approve: true}', reply('00')],
  ['{decline: 51}', reply('51')],
  ['{decline: "05"}', reply('05')],
  ['{decline: not_sufficient_funds}', reply('NOT_SUFFICIENT_FUNDS')],
  ['no answer', {kind: 'none'}],
  ['{status: 503}', {kind: 'raw', status: 503, body: '{}'}],
  ['{partial: 30 EUR}', part(30)],
  ['{partial: 33.333%}', part(33.33)],
])('then: %s', async (then, answer) => {
  const decide = await deciding(`rules: [{name: all, then: ${then}}]`)
  expect(await decide('fuel')).toMatchObject({answer, by: 'rule all'})
})

test('a broken answer is no JSON, or JSON that is no answer of the contract', async () => {
  const bodyOf = async (what: string) => {
    const {answer} = await (await deciding(`rules: [{then: {broken: ${what}}}]`))('chip')
    const {kind, status, body} = answer as {kind: string; status: number; body: string}
    expect({kind, status}).toEqual({kind: 'raw', status: 200})
    return body
  }
  const json = await bodyOf('json')
  expect(() => JSON.parse(json)).toThrow(SyntaxError)
  expect(await answerFault(callOf('chip', 'a'), JSON.parse(await bodyOf('schema')))).toBeDefined()
})

test.each(['fuel', 'chip', 'foreign', 'balance-inquiry', 'reversal'])(
  'a broken amount is more than %s asked for',
  async scenario => {
    const call = callOf(scenario, 'a')
    const {answer} = await (await deciding('rules: [{then: {broken: amount}}]'))(scenario)
    const {body} = answer as {body: string}
    expect(await checkAnswer(JSON.parse(body)), 'it matches the contract').toEqual([])
    expect(await answerFault(call, JSON.parse(body))).toBeDefined()
  },
)

test.each([
  ['the merchant does not support partial approvals', 'chip', '50%', {}, '51'],
  ['the amount is in another currency', 'fuel', '50 NOK', {}, '51'],
  ['the part is zero', 'fuel', '0%', {}, '51'],
  ['the part covers the whole amount', 'fuel', '100 EUR', {}, '00'],
  ['the part covers the whole amount', 'chip', '250 EUR', {}, '00'],
  ['it is not a payment', 'refund', '50%', {}, '00'],
])('a partial approval where %s', async (because, scenario, partial, more, code) => {
  const {answer, said} = await (await deciding(`rules: [{then: {partial: ${partial}}}]`))(scenario, more)
  expect(answer).toEqual(reply(code))
  expect(said.at(-1)).toContain(`, because ${because}`)
})

test('a part is what the merchant can take, of either currency', async () => {
  const decide = await deciding('rules: [{then: {partial: 50 EUR}}]')
  const abroad = {
    transactionAmount: {amount: 2300, currency: 'NOK'},
    billingAmount: {amount: 199.5, currency: 'EUR'},
  }
  expect((await decide('fuel', abroad)).answer).toEqual(part(50))
})

test('whatever the share and the amount, a service accepts the answer', () =>
  fc.assert(
    fc.asyncProperty(
      fc.nat(10_000),
      fc.integer({min: 1, max: 99_999_999}),
      fc.constantFrom(['EUR', 2], ['JPY', 0], ['KWD', 3]),
      async (share, minor, [currency, exponent]) => {
        const amount = Number(`${minor}e-${exponent}`)
        const decide = await deciding(`rules: [{then: {partial: ${share / 100}%}}]`)
        const transactionAmount = {amount, currency}
        const {answer} = await decide('fuel', {transactionAmount})
        const {reply: body} = answer as {reply: {transactionData: Record<string, {amount: number}>}}
        expect(await answerFault(callOf('fuel', 'a', {transactionAmount}), body)).toBeUndefined()
        const wanted = Math.floor((minor * share) / 10_000)
        const got = body.transactionData.partialApprovalAmount?.amount
        if (got !== undefined) expect(got).toBe(Number(`${wanted}e-${exponent}`))
        else expect(wanted === 0 || wanted === minor).toBe(true)
      },
    ),
  ))

test('a delay is waited before the answer, fixed or at random', async () => {
  const fixed = await deciding('rules: [{then: {decline: 51, delay: 1.5s}}]')
  expect(await fixed('chip')).toMatchObject({slept: [1500], answer: reply('51')})
  const random = await deciding(
    'rules: [{then: {approve: true, delay: {min: 100ms, max: 2s}}}]',
    [0, 0.5, 0.999],
  )
  const waits = [await random('chip'), await random('chip'), await random('chip')].map(({slept}) => slept)
  expect(waits).toEqual([[100], [1050], [1998]])
})

test('a delay alone leaves the decision to what comes after the rules', async () => {
  const decide = await deciding('rules: [{then: {delay: 300ms}}, {then: approve}]')
  expect(await decide('chip')).toEqual({
    answer: undefined,
    by: undefined,
    said: ['rule 1: left to the next, after 300 ms'],
    slept: [300],
  })
})

test('the deadline ends a delay', async () => {
  const {decideBy} = await import('../../../src/webhook/rules/follow-rules.ts')
  const {rulesOf} = await import('./calls.ts')
  const {requestFor} = await import('../calls.ts')
  const decider = decideBy(await rulesOf('rules: [{then: {approve: true, delay: 9s}}]'), {
    random: () => 0,
    sleep: () => Promise.reject(new Error('aborted')),
  })
  await expect(decider.decide(requestFor(callOf('chip', 'a')))).rejects.toThrow('deadline')
})

test('chance matches as many as the share says', async () => {
  const decide = await deciding(
    'rules: [{when: {probability: 25%}, then: {decline: 51}}]',
    [0.1, 0.25, 0.9, 0.2499],
  )
  const taken = [await decide('chip'), await decide('chip'), await decide('chip'), await decide('chip')]
  expect(taken.map(({answer}) => answer !== undefined)).toEqual([true, false, false, true])
  expect(taken[1]?.said).toEqual(['rule 1: skipped by probability'])
})

test('a check shows what chance decides, and what happens otherwise', async () => {
  const {createPreview} = await import('../../../src/webhook/rules/index.ts')
  const {rulesOf} = await import('./calls.ts')
  const rules = await rulesOf(`rules:
  - {name: hiccup, when: {probability: 1%}, then: no answer}
  - {name: cash, when: {mcc: 6011}, then: {decline: 61}}
`)
  const preview = createPreview(rules)
  const chance = {rule: 'hiccup', decision: 'no answer', probability: 0.01}
  expect(preview(callOf('atm', 'a'), 0)).toEqual({
    ...chance,
    otherwise: {rule: 'cash', decision: 'decline 61'},
  })
  const row = {scenario: 'chip', ...preview(callOf('chip', 'b'), 0)}
  expect(row).toMatchObject({...chance, otherwise: {}})
})

test('the steps say which rule decided, and why the earlier ones did not', async () => {
  const decide = await deciding(`rules:
  - {name: big ATM, when: {mcc: 6011, amount: {over: 200, currency: EUR}}, then: {decline: 61}}
  - {when: {country: NOR}, then: {decline: 62}}
  - {when: {transactionData.authCode: "1", kind: payment}, then: {decline: 62}}
  - {when: {time: {from: "22:00", to: "06:00"}}, then: {decline: 62}}
  - {when: {velocity: {over: 3, within: 1h}}, then: {decline: 65}}
  - {name: the rest, then: {decline: 57, delay: 20ms}}
`)
  expect(await decide('contactless', {authCode: 'x4111111111111111'})).toMatchObject({
    by: 'rule the rest',
    said: [
      'big ATM: mcc is 5814',
      'rule 2: country is FIN',
      'rule 3: transactionData.authCode is x411111••••••1111',
      'rule 4: not at this time',
      'rule 5: the velocity is within the limit',
      'the rest: decline 57, after 20 ms',
    ],
  })
  expect((await decide('atm')).said[0]).toBe('big ATM: amount is 100 EUR')
  expect((await decide('balance-inquiry', {transactionAmount: null})).said[0]).toMatch(
    /^big ATM: mcc is|amount is absent/,
  )
})

test('of many rules that do not match only the first are named', async () => {
  const others = '  - {when: {country: SWE}, then: approve}\n'.repeat(40)
  const {said} = await (await deciding(`rules:\n${others}`))('chip')
  expect(said).toHaveLength(11)
  expect(said.at(-1)).toBe('30 more rules do not match')
})

test('a card number in the name of a rule is masked wherever the rule is named', async () => {
  const decide = await deciding('rules: [{name: of 4111111111111111, then: {approve: true}}]')
  expect((await decide('chip')).by).toBe('rule of 411111••••••1111')
})
