import {partOf} from '../received-call.ts'
import {type BehaviourCheck, NotChecked} from './check.ts'
import {edited} from './edit-call.ts'
import {incremented, paid} from './reversal-checks.ts'
import {inWords} from './room.ts'

const MANY = 20
/** Of calls at once that an endpoint may mix up, but does not each time. */
const ROUNDS = 12

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
    name: 'two increments that differ only in their id both raise the hold',
    rule: 'increments',
    run: async exam => {
      const {call, card} = await paid(exam, '100 EUR', 'hotel')
      const data = {partialApprovalCapable: false}
      const increment = exam.call('hotel-increment', {of: call, amount: '50 EUR', data})
      await exam.approved(increment)
      const {id} = partOf(exam.call('chip'), 'metadata')
      await exam.approved(edited(increment, {'metadata.id': id}))
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

/** Increments that come at once, or are approved in part. */
export const manyIncrementChecks: readonly BehaviourCheck[] = [
  {
    name: `${MANY} increments at once all raise the hold`,
    rule: 'increments',
    run: async exam => {
      const {call, card} = await paid(exam, '10 EUR', 'hotel')
      const data = {partialApprovalCapable: false}
      const calls = Array.from({length: MANY}, () =>
        exam.call('hotel-increment', {of: call, amount: '1.01 EUR', data}),
      )
      for (const done of await exam.sendTogether(calls)) exam.expectOutcome(done, 'approved', 'declined')
      await exam.expectRoom(card)
    },
  },
  {
    name: 'reversals in part and increments of one transaction at once all count',
    rule: 'released-amounts',
    run: async exam => {
      const card = exam.card()
      const data = {partialApprovalCapable: false}
      for (let round = 0; round < ROUNDS; round++) {
        const call = exam.call('hotel', {card, amount: '100 EUR', data})
        await exam.approved(call)
        const calls = [
          exam.reversal(call, {amount: '10.01 EUR'}),
          exam.call('hotel-increment', {of: call, amount: '5.05 EUR', data}),
          exam.reversal(call, {amount: '20.02 EUR'}),
          exam.call('hotel-increment', {of: call, amount: '1.10 EUR', data}),
        ]
        await exam.sendTogether(calls, {inAnyOrder: true})
      }
      await exam.expectRoom(card)
    },
  },
  {
    name: 'an increment in another currency adds no number of that currency to the hold',
    rule: 'increments',
    run: async exam => {
      const {most} = await exam.knownRoom()
      const card = exam.card()
      const data = {partialApprovalCapable: false}
      const call = exam.call('hotel', {card, amount: inWords(most / 10n, 'EUR'), data})
      await exam.approved(call)
      // As a number, most of what the card can pay; as money, less than a thousandth of it.
      const amount = inWords((most * 8n) / 10n, 'IDR')
      const {verdict} = await exam.send(exam.call('hotel-increment', {of: call, amount, data}))
      if (verdict.outcome !== 'approved') throw new NotChecked('the endpoint approved no such increment')
      const half = exam.call('chip', {card, amount: inWords(most / 2n, 'EUR'), data})
      exam.expectOutcome(await exam.send(half), 'approved')
    },
  },
  {
    name: 'the approved part of an increment raises the hold',
    rule: 'increments',
    run: async exam => {
      const {most} = await exam.knownRoom()
      const card = exam.card()
      const [paidMinor, asked] = [(most * 3n) / 5n, (most * 4n) / 5n]
      const call = exam.call('hotel', {card, amount: inWords(paidMinor, 'EUR')})
      await exam.approved(call)
      const data = {partialApprovalCapable: true}
      const increment = exam.call('hotel-increment', {of: call, amount: inWords(asked, 'EUR'), data})
      const {verdict} = await exam.send(increment)
      if (verdict.outcome !== 'partial') throw new NotChecked('the endpoint approved no part of an increment')
      exam.expectOutcome(await exam.send(exam.reversal(call, {amount: '10.01 EUR'})), 'approved')
      await exam.expectRoom(card)
    },
  },
]
