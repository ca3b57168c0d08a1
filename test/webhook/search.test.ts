import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parseSearch} from '../../src/webhook/search.ts'
import {exchangeOf, type Sample} from './page/sample-calls.ts'

const isFound = (text: string, sample: Sample = {}): boolean =>
  parseSearch(text).isMatch(exchangeOf(1, sample))

describe('a search', () => {
  test.each<[string, Sample]>([
    ['mcc:5814', {}],
    ['mcc:5800-5899', {}],
    ['mcc:5411,5814', {}],
    ['card:3001', {}],
    ['merchant:aino', {}],
    ['merchant:"kahvila aino"', {}],
    ['"kahvila aino"', {}],
    ['>4', {}],
    ['>=4.20', {}],
    ['<4.21', {}],
    ['amount:4.20', {}],
    ['amount:>4 currency:eur', {}],
    ['code:51', {code: '51'}],
    ['code:51', {code: 'NOT_SUFFICIENT_FUNDS'}],
    ['code:not_sufficient_funds', {code: '51'}],
    ['code:57,51 outcome:declined', {code: '51'}],
    ['outcome:late', {late: true}],
    ['late', {late: true}],
    ['-late', {}],
    ['-code:51', {code: '57'}],
    ['took:>1s', {ms: 1500}],
    ['took:<=1500ms', {ms: 1500}],
    ['id:call-1', {}],
    ['id:E_1', {}],
    ['by:approve', {}],
    ['kind:payment', {}],
    ['OUTCOME:Approved', {}],
  ])('%s finds a call with %j', (text, sample) => {
    expect(parseSearch(text).fault).toBeUndefined()
    expect(isFound(text, sample)).toBe(true)
  })

  test.each<[string, Sample]>([
    ['mcc:5411', {}],
    ['mcc:3000-3299', {}],
    ['card:300', {}],
    ['"aino kahvila"', {}],
    ['>4.20', {}],
    ['amount:4', {}],
    ['currency:NOK', {}],
    ['code:51', {code: '57'}],
    ['code:51', {late: true}],
    ['outcome:approved', {code: '10', scenario: 'fuel'}],
    ['-kahvila', {}],
    ['-amount:>4', {}],
    ['took:>2s', {ms: 2000}],
    ['id:call', {}],
    ['kind:credit', {}],
  ])('%s does not find a call with %j', (text, sample) => {
    expect(isFound(text, sample)).toBe(false)
  })

  test.each([
    ['mc:5411', 'there is no field mc; the fields are merchant, mcc,'],
    ['mcc:abc', 'mcc takes four digits'],
    ['mcc:', 'mcc takes four digits'],
    ['code:ZZ', 'code takes a response code'],
    ['outcome:aproved', 'outcome is one of approved,'],
    ['>many', 'amount takes a number'],
    ['took:>3h', 'took takes a number'],
    ['currency:euro', 'currency takes three letters'],
    ['constructor:1', 'there is no field constructor'],
  ])('%s is a mistake that is explained, and asks for nothing', (text, fault) => {
    expect(parseSearch(text).fault).toContain(fault)
    expect(isFound(`kahvila ${text}`)).toBe(true)
  })

  test('takes any text, and a term with a minus finds what the term does not', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        const {isMatch} = parseSearch(text)
        expect(typeof isMatch(exchangeOf(1))).toBe('boolean')
      }),
    )
    const word = fc.stringMatching(/^[a-z0-9]{1,4}$/)
    fc.assert(fc.property(word, each => isFound(each) !== isFound(`-${each}`)))
  })

  test('compares amounts as numbers do', () => {
    const cents = fc.integer({min: 1, max: 100_000})
    fc.assert(
      fc.property(cents, cents, (call, limit) => {
        const amount = call / 100
        expect(isFound(`>${limit / 100}`, {amount})).toBe(call > limit)
        expect(isFound(`<=${limit / 100}`, {amount})).toBe(call <= limit)
      }),
    )
  })
})
