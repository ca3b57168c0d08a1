import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createJudge} from '../../../src/webhook/rules/judge.ts'
import {matchesGlob} from '../../../src/webhook/rules/values.ts'
import {callOf} from '../calls.ts'
import {rulesOf} from './calls.ts'

const NOON = Date.UTC(2026, 5, 15, 12)

const takes = async (when: string, call = callOf('chip', 'a'), at = NOON) => {
  const rules = await rulesOf(`rules: [{when: {${when}}, then: approve}]`)
  return createJudge(rules, () => 0).judge(call, at).rule !== undefined
}

test.each([
  ['', true],
  ['transactionData.cardPresent: true', true],
  ['transactionData.cardPresent: false', false],
  ['card.cardId: 3001', true],
  ['card.expiration.year: {max: 2028}', false],
  ['card.expiration: {not: null}', true],
  ['card.cardId: {min: 3000, under: 3002}', true],
  ['merchantData.name: {min: 1}', false],
  ['transactionData.cardholderVerifications: PIN_VERIFIED_BY_CARD', true],
  ['transactionData.cardholderVerifications: {not: [PIN_VERIFIED_BY_CARD, THREE_DS]}', false],
  ['transactionData.transactionFees: null', true],
  ['category: INITIAL*', true],
  ['kind: [payment, credit]', true],
  ['type: RETAIL, entryMode: CHIP, country: FIN, merchant: "Kahvila ?ino"', true],
  ['account.availableAmount: {under: 5000, currency: EUR}', true],
  ['account.availableAmount: {under: 5000, currency: NOK}', false],
  ['account.availableAmount: 4987.50 EUR', true],
])('%s', async (when, expected) => {
  expect(await takes(when)).toBe(expected)
})

test('a field of lists of objects is met by any of them', async () => {
  const fees = [
    {feeType: 'ATM', feeAmount: {amount: 1, currency: 'EUR'}},
    {feeType: 'MARKUP', feeAmount: {amount: 2.5, currency: 'EUR'}},
  ]
  const call = callOf('foreign', 'a', {transactionFees: fees})
  expect(await takes('transactionData.transactionFees.feeType: MARKUP', call)).toBe(true)
  expect(await takes('transactionData.transactionFees.feeAmount: {over: 2, currency: EUR}', call)).toBe(true)
  expect(await takes('transactionData.transactionFees.feeAmount: {over: 3, currency: EUR}', call)).toBe(false)
})

test('an amount is looked for in the currency that is named: asked, billed or settled', async () => {
  const call = callOf('foreign', 'a', {
    transactionAmount: {amount: 2300, currency: 'NOK'},
    billingAmount: {amount: 199.5, currency: 'EUR'},
  })
  expect(await takes('amount: {over: 199, currency: EUR}', call)).toBe(true)
  expect(await takes('amount: {over: 2299.99, currency: NOK}', call)).toBe(true)
  expect(await takes('amount: {over: 1, currency: SEK}', call)).toBe(false)
  expect(await takes('amount: [1 SEK, 199.50 EUR]', call)).toBe(true)
})

test('amounts are compared exactly, where doubles are not', async () => {
  const call = callOf('chip', 'a', {transactionAmount: {amount: 0.3, currency: 'EUR'}})
  expect(await takes(`amount: {over: ${0.1 + 0.2 - 0.00000000000000004}, currency: EUR}`, call)).toBe(false)
  expect(await takes('amount: 0.30 EUR', call)).toBe(true)
})

// More digits than the currency has, or than anybody pays: no limit lets it slip past.
test.each([
  [200.001, true],
  [300.005, true],
  [1e15, true],
  [1e21, true],
  [199.999, false],
])('an amount of %d, which euros cannot have, over 200: %s', async (amount, expected) => {
  const call = callOf('chip', 'a', {transactionAmount: {amount, currency: 'EUR'}})
  expect(await takes('amount: {over: 200, currency: EUR}', call)).toBe(expected)
})

test.each([
  ['from: "22:00", to: "06:00", days: [mon]', '2026-06-15T21:59:59Z', false],
  ['from: "22:00", to: "06:00", days: [mon]', '2026-06-15T22:00:00Z', true],
  ['from: "22:00", to: "06:00", days: [mon]', '2026-06-16T05:59:59Z', true],
  ['from: "22:00", to: "06:00", days: [mon]', '2026-06-16T06:00:00Z', false],
  ['from: "22:00", to: "06:00", days: [mon]', '2026-06-15T05:00:00Z', false],
  ['from: "22:00", to: "06:00", zone: Europe/Helsinki', '2026-06-15T19:00:00Z', true],
  ['from: "22:00", to: "06:00", zone: Europe/Helsinki', '2026-01-15T19:59:00Z', false],
  ['days: [sat, sun], zone: America/New_York', '2026-06-15T03:00:00Z', true],
  ['days: [sat, sun]', '2026-06-15T03:00:00Z', false],
  ['from: "00:00", to: "00:00"', '2026-06-15T03:00:00Z', true],
])('time: {%s} at %s', async (time, at, expected) => {
  expect(await takes(`time: {${time}}`, callOf('chip', 'a'), Date.parse(at))).toBe(expected)
})

test('patterns match as the regular expression of the same meaning', () => {
  const letters = fc.string({unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8})
  fc.assert(
    fc.property(letters, letters, (text, pattern) => {
      const expression = pattern.replaceAll('*', '[^]*').replaceAll('?', '[^]')
      expect(matchesGlob(text, pattern)).toBe(new RegExp(`^${expression}$`).test(text))
    }),
    {numRuns: 2000},
  )
})

test('a pattern of many stars is quick on a long text', () => {
  expect(matchesGlob('a'.repeat(60_000), '*a*a*a*a*a*a*a*b')).toBe(false)
})
