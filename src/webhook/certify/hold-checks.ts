import {type BehaviourCheck, NotChecked} from './exam.ts'
import {cardOf, release} from './repeat-checks.ts'

const EXACT = ['12.34 EUR', '1251 JPY', '12.345 KWD'] as const
const FREE = [
  ['Zero amounts', 'a verification', 'verification'],
  ['Credits', 'a refund', 'refund'],
  ['Balance inquiries', 'a balance inquiry', 'balance-inquiry'],
] as const

/** What an endpoint holds, as its probe says. */
const checks: readonly Omit<BehaviourCheck, 'needs'>[] = [
  ...EXACT.map(amount => ({
    name: `${amount} is held, exactly`,
    rule: 'Amounts',
    run: async (exam: Parameters<BehaviourCheck['run']>[0]) => {
      const call = exam.call('chip', {amount})
      await exam.approved(call)
      await exam.expectHolds(call, amount)
    },
  })),
  {
    name: 'a partial approval holds its part',
    rule: 'Partial approval',
    run: async exam => {
      const card = exam.card()
      await exam.approved(exam.call('chip', {card, amount: '4000 EUR'}))
      const call = exam.call('fuel', {card, amount: '4000 EUR', data: {partialApprovalCapable: true}})
      const {verdict} = await exam.send(call)
      const {outcome, part} = verdict
      if (outcome !== 'partial' || !part) throw new NotChecked('the endpoint approved no part')
      exam.expect('decision', 'partial', `partial ${part.amount} ${part.currency}`, true)
      await exam.expectHolds(call, `${part.amount} ${part.currency}`)
    },
  },
  {
    name: 'an increment raises the hold',
    rule: 'Increments',
    run: async exam => {
      const call = exam.call('hotel', {amount: '100 EUR'})
      await exam.approved(call)
      await exam.approved(exam.call('hotel-increment', {card: cardOf(call), of: call, amount: '50 EUR'}))
      await exam.expectTotal(call, '150 EUR')
    },
  },
  {
    name: 'a declined increment leaves the hold',
    rule: 'Increments',
    run: async exam => {
      const call = exam.call('hotel', {amount: '100 EUR'})
      await exam.approved(call)
      const data = {partialApprovalCapable: false}
      const increment = exam.call('hotel-increment', {
        card: cardOf(call),
        of: call,
        amount: '900000 EUR',
        data,
      })
      const {verdict} = await exam.send(increment)
      if (verdict.outcome !== 'declined') throw new NotChecked('the endpoint declined no increment')
      await exam.expectTotal(call, '100 EUR')
    },
  },
  {
    name: 'a reversal in part lowers the hold to what remains',
    rule: 'Reversals',
    run: async exam => {
      const call = exam.call('chip', {amount: '100 EUR'})
      await exam.approved(call)
      const data = {...amountsOf(100), replacementAmount: {amount: 60, currency: 'EUR'}}
      const part = exam.call('reversal', {card: cardOf(call), of: call, data})
      exam.expectOutcome(await exam.send(part), 'approved')
      await exam.expectTotal(call, '60 EUR')
      exam.expectOutcome(await exam.send(exam.again(part)), 'approved')
      await exam.expectTotal(call, '60 EUR')
    },
  },
  {
    name: 'a repeated reversal releases once',
    rule: 'Reversals',
    run: async exam => {
      const call = exam.call('hotel', {amount: '100 EUR'})
      const card = cardOf(call)
      await exam.approved(call)
      await exam.approved(exam.call('hotel-increment', {card, of: call, amount: '50 EUR'}))
      const reversal = exam.call('reversal', {card, of: call, data: amountsOf(50)})
      exam.expectOutcome(await exam.send(reversal), 'approved')
      await exam.expectTotal(call, '100 EUR')
      await exam.sendAtOnce(reversal, 5)
      await exam.expectTotal(call, '100 EUR')
    },
  },
  {
    name: 'a reversal releases no more than is held',
    rule: 'Reversals',
    run: async exam => {
      const card = exam.card()
      const [call, other] = [
        exam.call('chip', {card, amount: '100 EUR'}),
        exam.call('chip', {card, amount: '50 EUR'}),
      ]
      await exam.approved(call)
      await exam.approved(other)
      exam.expectOutcome(await release(exam, call), 'approved')
      exam.expectOutcome(await release(exam, call), 'approved')
      await exam.expectHolds(call)
      await exam.expectHolds(other, '50 EUR')
    },
  },
  ...FREE.map(([rule, what, scenario]) => ({
    name: `${what} holds nothing`,
    rule,
    run: async (exam: Parameters<BehaviourCheck['run']>[0]) => {
      const call = exam.call(scenario)
      exam.expectOutcome(await exam.send(call), 'approved', 'declined')
      await exam.expectHolds(call)
    },
  })),
]

const amountsOf = (amount: number) => {
  const money = {amount, currency: 'EUR'}
  return {transactionAmount: money, billingAmount: money, settlementAmount: money}
}

export const holdChecks: readonly BehaviourCheck[] = checks.map(check => ({...check, needs: ['probe']}))
