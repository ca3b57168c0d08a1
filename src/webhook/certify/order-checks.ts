import type {BehaviourCheck} from './exam.ts'
import {cardOf, release} from './repeat-checks.ts'

const CURRENCIES = ['EUR', 'JPY', 'KWD'] as const

/** What answers have to be in any order, with unknown fields, and when money runs out. */
export const orderChecks: readonly BehaviourCheck[] = [
  {
    name: 'unknown fields change no decision',
    rule: 'Unknown fields and values',
    run: async exam => {
      const known = await exam.send(exam.call('contactless', {amount: '10 EUR'}))
      const call = exam.call('contactless', {amount: '10 EUR', data: {somethingNew: {a: [1, null]}}})
      const other = await exam.send({...call, somethingElse: 'new'})
      exam.expectSame(known, [other], 'the same decision as without them')
    },
  },
  {
    name: 'a reversal gets 00: late, repeated, or of nothing known',
    rule: 'Reversals',
    run: async exam => {
      const payment = exam.call('chip', {amount: '10 EUR'})
      exam.expectOutcome(await exam.send(payment), 'decided')
      exam.expectOutcome(await release(exam, payment), 'approved')
      exam.expectOutcome(await release(exam, payment), 'approved')
      exam.expectOutcome(await exam.send(exam.call('reversal', {amount: '10 EUR'})), 'approved')
    },
  },
  {
    name: 'wrong order: reversal, increment, then the payment',
    rule: 'Reversals',
    run: async exam => {
      const payment = exam.call('hotel', {amount: '10 EUR'})
      const card = cardOf(payment)
      exam.expectOutcome(await release(exam, payment), 'approved')
      const increment = exam.call('hotel-increment', {amount: '5 EUR', card, of: payment})
      exam.expectOutcome(await exam.send(increment), 'decided')
      const first = await exam.send(payment)
      exam.expectSame(first, [await exam.send(exam.again(payment))])
    },
  },
  ...CURRENCIES.map(
    (currency): BehaviourCheck => ({
      name: `more than there is, in ${currency}: a part only where it is allowed, and of the right size`,
      rule: 'Partial approval',
      run: async exam => {
        const card = exam.card(`5000 ${currency}`)
        const amount = `4000 ${currency}`
        const first = await exam.send(exam.call('chip', {card, amount}))
        exam.expectOutcome(first, 'decided')
        const ask = (partialApprovalCapable: boolean) =>
          exam.send(exam.call('fuel', {card, amount, data: {partialApprovalCapable}}))
        exam.expectOutcome(await ask(false), 'approved', 'declined')
        exam.expectOutcome(await ask(true), 'decided')
      },
    }),
  ),
]
