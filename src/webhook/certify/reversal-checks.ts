import {partOf} from '../received-call.ts'
import {SIZES} from './amount-checks.ts'
import {type BehaviourCheck, NotChecked} from './check.ts'
import {edited} from './edit-call.ts'
import {cardOf, type Exam} from './exam.ts'
import {inWords} from './room.ts'

/** A payment of a new card that was approved. */
export const paid = async (exam: Exam, amount = '100 EUR', scenario = 'chip') => {
  const call = exam.call(scenario, {amount})
  await exam.approved(call)
  return {call, card: cardOf(call)}
}

export const incremented = async (exam: Exam) => {
  const {call, card} = await paid(exam, '100 EUR', 'hotel')
  const done = await exam.send(exam.call('hotel-increment', {of: call, amount: '50 EUR'}))
  if (done.verdict.outcome !== 'approved') throw new NotChecked('the endpoint approved no increment')
  return {call, card}
}

/** What happens to a hold of EUR 100. */
const PARTS: readonly {
  readonly name: string
  readonly acts: readonly (readonly [what: 'raise' | 'lower', amount: string | undefined, left?: string])[]
}[] = [
  {name: 'to an amount with odd cents', acts: [['lower', undefined, '4.35 EUR']]},
  {name: 'to one cent', acts: [['lower', undefined, '0.01 EUR']]},
  {name: 'to nothing, by a smaller amount', acts: [['lower', '40 EUR', '0 EUR']]},
  {
    name: 'after an increment',
    acts: [
      ['raise', '50 EUR'],
      ['lower', '100 EUR', '60.29 EUR'],
    ],
  },
  {
    name: 'after an increment, to nothing',
    acts: [
      ['raise', '50 EUR'],
      ['lower', '100 EUR', '0 EUR'],
    ],
  },
  {name: 'but not above what is held', acts: [['lower', '10 EUR', '150 EUR']]},
  {
    name: 'twice',
    acts: [
      ['lower', undefined, '80.10 EUR'],
      ['lower', undefined, '19.99 EUR'],
    ],
  },
]

/** More than 32 bits hold, in EUR: what a narrower number takes for little, or for less than nothing. */
const HUGE = [3_000_000_000n, ...SIZES.filter(size => size >= 2n ** 31n)].map(size => inWords(size, 'EUR'))

/** What reversals do to what is held. */
export const reversalChecks: readonly BehaviourCheck[] = [
  {
    name: 'a reversal gets 00: late, again, of nothing known, before its payment',
    rule: 'reversals',
    // What is held is looked at by the checks below.
    run: async exam => {
      const payment = exam.call('hotel', {amount: '10 EUR'})
      exam.expectOutcome(await exam.sendOnly(payment), 'decided')
      exam.expectOutcome(await exam.sendOnly(exam.reversal(payment)), 'approved')
      exam.expectOutcome(await exam.sendOnly(exam.reversal(payment)), 'approved')
      exam.expectOutcome(await exam.sendOnly(exam.call('reversal', {amount: '10 EUR'})), 'approved')
      const old = edited(exam.reversal(payment), {
        'transactionData.transactionDateTime': '2020-02-29T23:59:59Z',
      })
      exam.expectOutcome(await exam.sendOnly(old), 'approved')
      const much = exam.call('hotel', {amount: '1000000 EUR', data: {partialApprovalCapable: false}})
      exam.expectOutcome(await exam.sendOnly(much), 'decided')
      exam.expectOutcome(await exam.sendOnly(exam.reversal(much)), 'approved')
      const later = exam.call('hotel', {amount: '10 EUR'})
      exam.expectOutcome(await exam.sendOnly(exam.reversal(later)), 'approved')
      const increment = exam.call('hotel-increment', {amount: '5 EUR', of: later})
      exam.expectOutcome(await exam.sendOnly(increment), 'decided')
      exam.expectOutcome(await exam.sendOnly(later), 'decided')
    },
  },
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
  ...PARTS.map(
    ({name, acts}): BehaviourCheck => ({
      name: `a reversal in part lowers the hold: ${name}`,
      rule: 'partial-reversals',
      run: async exam => {
        const {call, card} = await paid(exam, '100 EUR', 'hotel')
        for (const [what, amount, left] of acts) {
          if (what === 'raise') {
            const data = {partialApprovalCapable: false}
            await exam.approved(exam.call('hotel-increment', {of: call, amount, data}))
          } else exam.expectOutcome(await exam.send(exam.reversal(call, {amount, left})), 'approved')
        }
        await exam.expectRoom(card)
      },
    }),
  ),
  {
    name: 'a reversal in part lowers the hold of a partial approval',
    rule: 'partial-reversals',
    run: async exam => {
      const {most} = await exam.knownRoom()
      const card = exam.card()
      const call = exam.call('hotel', {
        card,
        amount: inWords(2n * most, 'EUR'),
        data: {partialApprovalCapable: true},
      })
      const {verdict} = await exam.send(call)
      if (verdict.outcome !== 'partial') throw new NotChecked('the endpoint approved no part')
      exam.expectOutcome(await exam.send(exam.reversal(call, {left: '25.37 EUR'})), 'approved')
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
  ...['50 EUR', '100 EUR'].map(
    (amount): BehaviourCheck => ({
      name: `a reversal releases no more than is held, and nothing of another payment of ${amount}`,
      rule: 'reversals-at-most',
      run: async exam => {
        const {call, card} = await paid(exam)
        const other = exam.call('chip', {card, amount})
        await exam.approved(other)
        for (let times = 0; times < 2; times++) {
          exam.expectOutcome(await exam.send(exam.reversal(call)), 'approved')
          await exam.expectHeldIfSeen(other)
        }
        await exam.expectRoom(card)
      },
    }),
  ),
  {
    name: 'a reversal of a transaction that is not known, and like a payment in all else, releases nothing',
    rule: 'reversals-at-most',
    run: async exam => {
      const {call, card} = await paid(exam)
      const unknown = edited(exam.reversal(call), {
        'metadata.transactionId': partOf(exam.call('chip'), 'metadata').transactionId,
        merchantData: partOf(call, 'merchantData'),
        transactionData: {...partOf(call, 'transactionData'), transactionType: 'REVERSAL'},
      })
      exam.expectOutcome(await exam.send(unknown), 'approved')
      await exam.expectHeldIfSeen(call)
      await exam.expectRoom(card)
    },
  },
  ...(['amount', 'left'] as const).map(
    (what): BehaviourCheck => ({
      name:
        what === 'amount'
          ? 'reversals of up to 15 digits release what is held, and no more'
          : 'reversals that leave up to 15 digits leave what is held, and no more',
      rule: what === 'amount' ? 'reversals-at-most' : 'partial-reversals',
      run: async exam => {
        for (const much of HUGE) {
          const {call, card} = await paid(exam)
          const other = exam.call('chip', {card, amount: '50 EUR'})
          await exam.approved(other)
          exam.expectOutcome(await exam.send(exam.reversal(call, {[what]: much})), 'approved')
          await exam.expectHeldIfSeen(other)
          await exam.expectRoom(card)
        }
      },
    }),
  ),
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
