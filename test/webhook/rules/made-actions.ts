// Answers made at random, each with what it means for a call in plain words.
import fc from 'fast-check'
import {expect} from 'vitest'
import schema from '../../../docs/webhook-rules.schema.json' with {type: 'json'}
import type {Decisions} from '../../../src/webhook/rules/rule-file.ts'
import {currencies, decimal, type Fact, roundCents} from './made-conditions.ts'

export interface MadeAction {
  readonly spec: unknown
  /** What goes out; undefined where the decision is left to others. */
  answer(fact: Fact): unknown
  /** How long is waited before, ms. */
  wait?(fact: Fact): number
}

const {properties: then} = schema.properties.rules.items.properties.then
const brokenAnswers = then.broken.enum

const reply = (code: string, more: object = {}) => ({
  kind: 'reply',
  reply: {transactionData: {authResponseCode: {code}, ...more}},
})

const part = ({cents, currency, capable}: Fact, most: number) => {
  if (most >= cents) return reply('00')
  if (!capable || most === 0) return reply('51')
  return reply('10', {partialApprovalAmount: {amount: decimal(most), currency}})
}

const code = fc.constantFrom('05', '51', '61', 'SYSTEM_ERROR')

/** The decisions, by their names. */
const made: Readonly<Record<keyof Decisions, fc.Arbitrary<MadeAction>>> = {
  approve: fc.constant({spec: {approve: true}, answer: () => reply('00')}),
  decline: fc.oneof(
    code.map(text => ({spec: {decline: text}, answer: () => reply(text)})),
    fc.constant({spec: {decline: 62}, answer: () => reply('62')}),
  ),
  status: fc.integer({min: 200, max: 599}).map(status => ({
    spec: {status},
    answer: () => ({kind: 'raw', status, body: '{}'}),
  })),
  broken: fc.constantFrom(...brokenAnswers).map(broken => ({
    spec: {broken},
    answer: () => ({kind: 'raw', status: 200, body: expect.any(String)}),
  })),
  partial: fc.oneof(
    fc.oneof(fc.nat(10_000), fc.constant(10_000)).map(share => ({
      spec: {partial: `${share / 100}%`},
      answer: (fact: Fact) => part(fact, Math.floor((fact.cents * share) / 10_000)),
    })),
    fc
      .tuple(fc.oneof(fc.nat(500), fc.constantFrom(...roundCents)), fc.constantFrom(...currencies))
      .map(([cents, currency]) => ({
        spec: {partial: `${decimal(cents).toFixed(2)} ${currency}`},
        answer: (fact: Fact) => (fact.currency === currency ? part(fact, cents) : reply('51')),
      })),
  ),
}

const decision: fc.Arbitrary<MadeAction> = fc.oneof(
  ...Object.values(made),
  fc.constant({spec: {}, answer: () => undefined}),
)

const delay = fc.oneof(
  fc.nat(3000).map(ms => ({spec: `${ms}ms`, wait: () => ms})),
  fc.tuple(fc.nat(1000), fc.nat(1000)).map(([min, more]) => ({
    spec: {min: `${min}ms`, max: `${min + more}ms`},
    wait: ({dice}: Fact) => Math.round(min + dice * more),
  })),
)

export const actions: fc.Arbitrary<MadeAction> = fc.oneof(
  fc.constant({spec: 'approve', answer: () => reply('00')}),
  fc.constant({spec: 'no answer', answer: () => ({kind: 'none'})}),
  fc
    .tuple(decision, fc.option(delay, {nil: undefined}))
    .filter(([{spec}, wait]) => wait !== undefined || Object.keys(spec as object).length > 0)
    .map(([{spec, answer}, waited]) => ({
      spec: {...(spec as object), ...(waited && {delay: waited.spec})},
      answer,
      ...(waited && {wait: waited.wait}),
    })),
)
