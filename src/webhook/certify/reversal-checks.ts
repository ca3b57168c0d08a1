import {type BehaviourCheck, cardOf, type Exam, NotChecked} from './exam.ts'

/** A payment of a new card that was approved. */
const paid = async (exam: Exam, amount = '100 EUR', scenario = 'chip') => {
  const call = exam.call(scenario, {amount})
  await exam.approved(call)
  return {call, card: cardOf(call)}
}

const incremented = async (exam: Exam) => {
  const {call, card} = await paid(exam, '100 EUR', 'hotel')
  const done = await exam.send(exam.call('hotel-increment', {of: call, amount: '50 EUR'}))
  if (done.verdict.outcome !== 'approved') throw new NotChecked('the endpoint approved no increment')
  return {call, card}
}

/** What reversals do to what is held. */
export const reversalChecks: readonly BehaviourCheck[] = [
  {
    name: 'a reversal releases its amount',
    rule: 'released-amounts',
    run: async exam => {
      const {call, card} = await paid(exam)
      exam.expectOutcome(await exam.send(exam.reversal(call, {amount: '30 EUR'})), 'approved')
      await exam.expectRoom(card)
    },
  },
  {
    name: 'a reversal in part lowers the hold to what remains',
    rule: 'partial-reversals',
    run: async exam => {
      const {call, card} = await paid(exam)
      exam.expectOutcome(await exam.send(exam.reversal(call, {left: '60 EUR'})), 'approved')
      await exam.expectRoom(card)
    },
  },
  {
    name: 'a reversal releases no more than is held, and nothing of other payments',
    rule: 'reversals-at-most',
    run: async exam => {
      const {call, card} = await paid(exam)
      const other = exam.call('chip', {card, amount: '50 EUR'})
      await exam.approved(other)
      for (let times = 0; times < 2; times++) {
        exam.expectOutcome(await exam.send(exam.reversal(call)), 'approved')
        if (exam.seesHolds) await exam.expectHeld(other)
      }
      await exam.expectRoom(card)
    },
  },
  {
    name: 'a reversal of nothing known, or of more than is held, brings no money',
    rule: 'reversals-credit-nothing',
    run: async exam => {
      const {call, card} = await paid(exam)
      exam.expectOutcome(await exam.send(exam.reversal(call, {amount: '500 EUR'})), 'approved')
      exam.expectOutcome(await exam.send(exam.call('reversal', {card, amount: '500 EUR'})), 'approved')
      await exam.expectRoom(card)
    },
  },
  {
    name: 'a reversal gets 00: late, again, of nothing known, before its payment',
    rule: 'reversals',
    run: async exam => {
      const payment = exam.call('hotel', {amount: '10 EUR'})
      exam.expectOutcome(await exam.send(payment), 'decided')
      exam.expectOutcome(await exam.send(exam.reversal(payment)), 'approved')
      exam.expectOutcome(await exam.send(exam.reversal(payment)), 'approved')
      exam.expectOutcome(await exam.send(exam.call('reversal', {amount: '10 EUR'})), 'approved')
      const later = exam.call('hotel', {amount: '10 EUR'})
      exam.expectOutcome(await exam.send(exam.reversal(later)), 'approved')
      const increment = exam.call('hotel-increment', {amount: '5 EUR', of: later})
      exam.expectOutcome(await exam.send(increment), 'decided')
      exam.expectOutcome(await exam.send(later), 'decided')
    },
  },
]

/** What increments do to what is held. */
export const incrementChecks: readonly BehaviourCheck[] = [
  {
    name: 'an increment raises the hold',
    rule: 'increments',
    run: async exam => {
      const {card} = await incremented(exam)
      await exam.expectRoom(card)
    },
  },
  {
    name: 'a declined increment leaves the hold',
    rule: 'declined-increments',
    run: async exam => {
      const {call, card} = await paid(exam, '100 EUR', 'hotel')
      const data = {partialApprovalCapable: false}
      const increment = exam.call('hotel-increment', {of: call, amount: '900000 EUR', data})
      const {verdict} = await exam.send(increment)
      if (verdict.outcome !== 'declined') throw new NotChecked('the endpoint declined no increment')
      await exam.expectRoom(card)
    },
  },
]

/** A reversal that comes again. */
export const repeatedReversalChecks: readonly BehaviourCheck[] = [
  {
    name: 'a repeated reversal releases once',
    rule: 'reversals-once',
    run: async exam => {
      const {call, card} = await incremented(exam)
      const reversal = exam.reversal(call, {amount: '50 EUR'})
      exam.expectOutcome(await exam.send(reversal), 'approved')
      await exam.sendAtOnce(reversal, 5)
      await exam.expectRoom(card)
    },
  },
]
