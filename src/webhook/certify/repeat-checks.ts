import {partOf, type ReceivedCall} from '../received-call.ts'
import {type BehaviourCheck, cardOf, type Exam} from './exam.ts'

const TIMES = 20

const atOnce = async (exam: Exam): Promise<ReceivedCall> => {
  const call = exam.call('contactless', {amount: '10 EUR'})
  const [first, ...others] = await exam.sendAtOnce(call, TIMES)
  if (first) exam.expectSame(first, others, `${TIMES} times the same answer`)
  return call
}

/** The same id again: later, at once. */
export const repeatChecks: readonly BehaviourCheck[] = [
  {
    name: 'a call again, later: answer repeated',
    rule: 'repeats',
    run: async exam => {
      const call = exam.call('contactless', {amount: '10 EUR'})
      exam.expectSame(await exam.send(call), [await exam.send(exam.again(call))])
    },
  },
  {
    name: 'a call again, later: decided once',
    rule: 'repeats',
    run: async exam => {
      const call = exam.call('contactless', {amount: '10 EUR'})
      const first = await exam.approved(call)
      exam.expectSame(first, [await exam.send(exam.again(call)), await exam.send(exam.again(call))])
      await exam.expectRoom(cardOf(call))
    },
  },
  {
    name: 'a declined call again, when its card has money: answer repeated',
    rule: 'repeats',
    run: async exam => {
      const {done, call, held} = await exam.declined()
      for (const payment of held) await exam.send(exam.reversal(payment))
      exam.expectSame(done, [await exam.send(exam.again(call))])
    },
  },
  {
    name: 'a payment again, after its reversal: answer repeated, and nothing is held',
    rule: 'repeats',
    run: async exam => {
      const call = exam.call('contactless', {amount: '10 EUR'})
      const first = await exam.approved(call)
      exam.expectOutcome(await exam.send(exam.reversal(call)), 'approved')
      exam.expectSame(first, [await exam.send(exam.again(call))])
      await exam.expectRoom(cardOf(call))
    },
  },
  {
    name: `the same call ${TIMES} times at once: answer repeated`,
    rule: 'parallel-repeats',
    run: async exam => {
      await atOnce(exam)
    },
  },
  {
    name: `the same call ${TIMES} times at once: decided once`,
    rule: 'parallel-repeats',
    run: async exam => {
      const call = await atOnce(exam)
      await exam.approved(exam.again(call))
      await exam.expectRoom(cardOf(call))
    },
  },
]

/** Another call under the id of an earlier one. */
export const reusedIdChecks: readonly BehaviourCheck[] = [
  {
    name: 'another call with a known id: decided by its own content, or 409',
    rule: 'reused-ids',
    run: async exam => {
      const call = exam.call('chip', {amount: '10 EUR'})
      await exam.approved(call)
      const data = {partialApprovalCapable: false}
      const much = exam.call('chip', {amount: '1000000 EUR', data})
      const own = await exam.send(much)
      exam.expectOutcome(own, 'decided')
      const other = await exam.send(withIdOf(call, {...call, transactionData: much.transactionData}))
      if (other.verdict.status !== 409)
        exam.expectSame(own, [other], 'the decision of its own content, or 409')
      else exam.expect('same', 'the decision of its own content, or 409', 'status 409', true)
    },
  },
  {
    name: 'another call with a known id: its earlier hold stays',
    rule: 'reused-ids',
    needs: ['probe'],
    run: async exam => {
      const call = exam.call('chip', {amount: '10 EUR'})
      await exam.approved(call)
      const {transactionData} = exam.call('chip', {amount: '20 EUR'})
      const other = await exam.send(withIdOf(call, {...call, transactionData}))
      await exam.expectHeld(
        call,
        ...(other.verdict.outcome === 'approved' ? ['30 EUR', '20 EUR'] : ['10 EUR']),
      )
    },
  },
]

const withIdOf = (call: ReceivedCall, other: ReceivedCall): ReceivedCall => ({
  ...other,
  metadata: {...partOf(call, 'metadata')},
})

/** What outlives a restart. */
export const restartChecks: readonly BehaviourCheck[] = [
  {
    name: 'after a restart: answer repeated',
    rule: 'repeats-after-restart',
    needs: ['restart'],
    run: async exam => {
      const call = exam.call('contactless', {amount: '10 EUR'})
      const before = await exam.send(call)
      await exam.restart()
      exam.expectSame(before, [await exam.send(exam.again(call))], AS_BEFORE)
    },
  },
  {
    name: 'a declined call after a restart, when its card has money: answer repeated',
    rule: 'repeats-after-restart',
    needs: ['restart'],
    run: async exam => {
      const {done, call, held} = await exam.declined()
      await exam.restart()
      for (const payment of held) await exam.send(exam.reversal(payment))
      exam.expectSame(done, [await exam.send(exam.again(call))], AS_BEFORE)
    },
  },
  {
    name: 'after a restart: decided once, and a reversal releases the hold',
    rule: 'repeats-after-restart',
    needs: ['restart'],
    run: async exam => {
      const call = exam.call('chip', {amount: '10 EUR'})
      const other = exam.call('chip', {card: cardOf(call), amount: '20 EUR'})
      const before = await exam.approved(call)
      await exam.approved(other)
      await exam.restart()
      if (exam.seesHolds) await exam.expectHeld(call)
      exam.expectSame(before, [await exam.send(exam.again(call))], AS_BEFORE)
      exam.expectOutcome(await exam.send(exam.reversal(other)), 'approved')
      await exam.expectRoom(cardOf(call))
    },
  },
]

const AS_BEFORE = 'the same answer as before the restart'
