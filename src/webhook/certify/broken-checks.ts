import {LIMITS} from '../../limits/limits.ts'
import {currencyCodes} from '../../money/exponents.ts'
import type {ReceivedCall} from '../received-call.ts'
import {verdictInWords} from '../suite/expectations.ts'
import type {Done} from '../suite/masked-call.ts'
import {inTurns, tooPrecise} from './amount-checks.ts'
import type {BehaviourCheck} from './check.ts'
import {type Edits, edited} from './edit-call.ts'
import {cardOf, type Exam} from './exam.ts'

const written = (call: ReceivedCall): string => JSON.stringify(call)

/** Bytes that look like a call, and are none. */
const BROKEN: readonly {readonly name: string; readonly bytes: (call: ReceivedCall) => Buffer}[] = [
  {name: 'a call with more text after it', bytes: call => Buffer.from(`${written(call)}garbage`)},
  {name: 'a call with a bracket after it', bytes: call => Buffer.from(`${written(call)}}`)},
  {name: 'two calls in one body', bytes: call => Buffer.from(written(call) + written(call))},
  {name: 'a call with text before it', bytes: call => Buffer.from(`x${written(call)}`)},
  {name: 'a call without its last bracket', bytes: call => Buffer.from(written(call).slice(0, -1))},
  {
    name: 'a call with NaN for a number',
    bytes: call =>
      Buffer.from(written({...call, padding: 0} as ReceivedCall).replace('"padding":0', '"padding":NaN')),
  },
  {name: 'a call in a list', bytes: call => Buffer.from(`[${written(call)}]`)},
  {
    name: 'a call with a byte that is not UTF-8',
    bytes: call => {
      const text = Buffer.from(written(edited(call, {'merchantData.name': 'Caf~'})))
      text[text.indexOf('~')] = 0xe9
      return text
    },
  },
  {name: 'a call in UTF-16', bytes: call => Buffer.from(written(call), 'utf16le')},
]

/** What makes a call none. */
const NOT_A_CALL: readonly {readonly name: string; readonly edits: Edits}[] = [
  ...[
    ...['metadata', 'metadata.id', 'customer', 'account', 'account.accountId', 'card', 'card.cardId'],
    ...['transactionData', 'transactionData.transactionType', 'merchantData'],
  ].map(path => ({name: `without ${path}`, edits: {[path]: undefined}})),
  ...['transactionAmount', 'billingAmount'].flatMap(name => [
    {name: `whose ${name} has no currency`, edits: {[`transactionData.${name}.currency`]: undefined}},
    {name: `whose ${name} has no amount`, edits: {[`transactionData.${name}.amount`]: undefined}},
  ]),
  {
    name: 'of a negative amount',
    edits: {
      'transactionData.transactionAmount.amount': -10,
      'transactionData.billingAmount.amount': -10,
    },
  },
  ...[12.340_000_1, 10.000_000_000_1].map(amount => ({
    name: `of EUR ${amount}`,
    edits: Object.fromEntries(
      ['transactionAmount', 'billingAmount', 'settlementAmount'].map(name => [
        `transactionData.${name}`,
        {amount, currency: 'EUR'},
      ]),
    ),
  })),
  ...['transactionAmount', 'billingAmount'].flatMap(name =>
    [-10, 10.005].map(amount => ({
      name: `whose ${name} alone is ${amount}`,
      edits: {[`transactionData.${name}`]: {amount, currency: 'EUR'}},
    })),
  ),
]

/** It is answered, and not approved. */
export function expectRefused(exam: Exam, done: Done): void {
  const {outcome, status} = done.verdict
  const isApproved = outcome === 'approved' || outcome === 'partial'
  const passed = !isApproved && status !== undefined
  exam.expect('decision', 'an answer that approves nothing', verdictInWords(done.verdict), passed, [done])
}

/** Bodies that are no calls. */
export const brokenChecks: readonly BehaviourCheck[] = [
  ...BROKEN.map(
    ({name, bytes}): BehaviourCheck => ({
      name: `${name} is not approved`,
      rule: 'broken-calls',
      run: async exam => {
        const call = exam.call('contactless', {amount: '10 EUR'})
        expectRefused(exam, await exam.sendBroken(call, bytes(call)))
        await exam.expectRoomIfShown(cardOf(call))
      },
    }),
  ),
  {
    name: 'a call without what it requires, or of an amount that is none, is not approved',
    rule: 'broken-calls',
    run: async exam => {
      const card = exam.card()
      for (const {edits} of NOT_A_CALL) {
        const call = edited(exam.call('contactless', {card, amount: '10 EUR'}), edits)
        expectRefused(exam, await exam.sendBroken(call, Buffer.from(written(call))))
      }
      await exam.expectRoomIfShown(card)
    },
  },
  {
    name: 'an amount with a decimal more than its currency has, in each of ISO 4217, is not approved',
    rule: 'broken-calls',
    run: exam =>
      inTurns(currencyCodes(), async currency => {
        const amount = {amount: tooPrecise(currency), currency}
        const set = {'transactionData.transactionAmount': amount, 'transactionData.billingAmount': amount}
        const call = edited(exam.call('contactless', {amount: `10 ${currency}`}), set)
        expectRefused(exam, await exam.sendBroken(call, Buffer.from(written(call))))
      }),
  },
  ...(['in chunks', 'with a charset'] as const).map(
    (transport): BehaviourCheck => ({
      name: `a body of more than ${LIMITS.call.bytes} bytes, sent ${transport}, gets an answer`,
      rule: 'broken-calls',
      run: async exam => {
        const call = exam.call('contactless', {amount: '10 EUR'})
        const text = written({...call, padding: 'x'.repeat(LIMITS.call.bytes)})
        expectRefused(exam, await exam.sendBroken(call, Buffer.from(text), {transport}))
        exam.expectOutcome(await exam.send(exam.call('contactless')), 'decided')
      },
    }),
  ),
]
