import type {BehaviourCheck, Exam} from './exam.ts'

const TIMES = 20

const atOnce = async (exam: Exam, amount: string) => {
  const call = exam.call('contactless', {amount})
  const [first, ...others] = await exam.sendAtOnce(call, TIMES)
  if (first) exam.expectSame(first, others, `${TIMES} times the same answer`)
  return {call, first}
}

/** The same id again: at once, later, after a restart. */
export const repeatChecks: readonly BehaviourCheck[] = [
  {
    name: `the same call ${TIMES} times at once: answer repeated`,
    rule: 'Repeats',
    run: async exam => {
      await atOnce(exam, '10 EUR')
    },
  },
  {
    name: `the same call ${TIMES} times at once: decided once`,
    rule: 'Repeats',
    needs: ['probe'],
    run: async exam => {
      const {call} = await atOnce(exam, '10 EUR')
      await exam.approved(exam.again(call))
      await exam.expectHolds(call, '10 EUR')
    },
  },
  {
    name: 'a call again, later: decided once',
    rule: 'Repeats',
    needs: ['probe'],
    run: async exam => {
      const call = exam.call('contactless', {amount: '10 EUR'})
      const first = await exam.approved(call)
      exam.expectSame(first, [await exam.send(exam.again(call)), await exam.send(exam.again(call))])
      await exam.expectHolds(call, '10 EUR')
    },
  },
  {
    name: 'a declined call again, when its card has money: answer repeated',
    rule: 'Repeats',
    run: async exam => {
      const {done, call, held} = await exam.declined()
      for (const payment of held) await release(exam, payment)
      exam.expectSame(done, [await exam.send(exam.again(call))])
    },
  },
  {
    name: 'after a restart: answer repeated',
    rule: 'Repeats',
    needs: ['restart'],
    run: async exam => {
      const call = exam.call('contactless', {amount: '10 EUR'})
      const before = await exam.send(call)
      await exam.restart()
      exam.expectSame(before, [await exam.send(exam.again(call))], 'the same answer as before the restart')
    },
  },
  {
    name: 'a declined call after a restart, when its card has money: answer repeated',
    rule: 'Repeats',
    needs: ['restart'],
    run: async exam => {
      const {done, call, held} = await exam.declined()
      await exam.restart()
      for (const payment of held) await release(exam, payment)
      exam.expectSame(done, [await exam.send(exam.again(call))], 'the same answer as before the restart')
    },
  },
  {
    name: 'after a restart: decided once',
    rule: 'Repeats',
    needs: ['restart', 'probe'],
    run: async exam => {
      const call = exam.call('contactless', {amount: '10 EUR'})
      const before = await exam.approved(call)
      await exam.restart()
      await exam.expectHolds(call, '10 EUR')
      exam.expectSame(before, [await exam.send(exam.again(call))], 'the same answer as before the restart')
      await exam.expectHolds(call, '10 EUR')
    },
  },
  {
    name: 'after a restart: a reversal releases the hold',
    rule: 'Reversals',
    needs: ['restart', 'probe'],
    run: async exam => {
      const call = exam.call('chip', {amount: '10 EUR'})
      await exam.approved(call)
      await exam.restart()
      exam.expectOutcome(await release(exam, call), 'approved')
      await exam.expectHolds(call)
    },
  },
  {
    name: 'another call with a known id: its earlier hold stays',
    rule: 'Reused id',
    needs: ['probe'],
    run: async exam => {
      const call = exam.call('chip', {amount: '10 EUR'})
      await exam.approved(call)
      const amount = {amount: 20, currency: 'EUR'}
      const data = {transactionAmount: amount, billingAmount: amount, settlementAmount: amount}
      const {transactionData, ...rest} = call
      const other = await exam.send({...rest, transactionData: {...(transactionData as object), ...data}})
      if (other.verdict.outcome === 'approved') await exam.expectTotal(call, '20 EUR', '30 EUR')
      else await exam.expectTotal(call, '10 EUR')
    },
  },
]

/** Reverses a payment, whole. */
export const release = async (exam: Exam, payment: Parameters<Exam['send']>[0]) => {
  const {transactionAmount, billingAmount, settlementAmount} = payment.transactionData as Readonly<
    Record<string, unknown>
  >
  return exam.send(
    exam.call('reversal', {
      card: cardOf(payment),
      of: payment,
      data: {transactionAmount, billingAmount, settlementAmount},
    }),
  )
}

/** The card of a call, for the next call. */
export function cardOf(call: Parameters<Exam['send']>[0]): ReturnType<Exam['card']> {
  const {card, account, customer} = call as {
    readonly card: {cardId: string; expiration: {year: number; month: number}}
    readonly account: {accountId: string; availableAmount: {amount: number; currency: string}}
    readonly customer: {customerId: string}
  }
  return {...customer, ...card, accountId: account.accountId, available: account.availableAmount}
}
