import {callFingerprint} from '../call-fingerprint.ts'
import {partOf, type ReceivedCall} from '../received-call.ts'
import {verdictInWords} from '../suite/expectations.ts'
import type {Done} from '../suite/masked-call.ts'
import {type BehaviourCheck, NotChecked} from './check.ts'
import {type Edits, edited} from './edit-call.ts'
import {cardOf, type Exam} from './exam.ts'
import {inWords} from './room.ts'

const TIMES = 20
/** Of calls at once that an endpoint may mix up, but does not each time. */
const ROUNDS = 8

const isDecision = (outcome: string): boolean => ['approved', 'declined', 'partial'].includes(outcome)

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
    name: 'calls of every kind again, after a payment: answer repeated',
    rule: 'repeats',
    run: async exam => {
      const card = exam.card()
      const call = exam.call('hotel', {card, amount: '100 EUR'})
      await exam.approved(call)
      const calls = [
        exam.call('balance-inquiry', {card}),
        exam.call('refund', {card, amount: '1 EUR'}),
        exam.call('pin-change', {card}),
        exam.call('verification', {card}),
        exam.call('hotel-increment', {of: call, amount: '50 EUR'}),
        exam.reversal(call, {amount: '30.25 EUR'}),
      ]
      const before: Done[] = []
      for (const each of calls) before.push(await exam.send(each))
      await exam.approved(exam.call('chip', {card, amount: '10 EUR'}))
      for (const first of before) {
        exam.expectSame(first, [await exam.send(exam.again(first.call as ReceivedCall))])
      }
      await exam.expectRoomIfShown(card, {mayHaveMore: true})
    },
  },
  {
    name: 'a part that was approved, again, after a payment of another card: answer repeated, and only it is held',
    rule: 'repeats',
    run: async exam => {
      const {most} = await exam.knownRoom()
      const call = exam.call('fuel', {
        amount: inWords(2n * most, 'EUR'),
        data: {partialApprovalCapable: true},
      })
      const first = await exam.send(call)
      if (first.verdict.outcome !== 'partial') throw new NotChecked('the endpoint approved no part')
      await exam.send(exam.call('chip', {amount: '10 EUR'}))
      exam.expectSame(first, [await exam.send(exam.again(call))])
      await exam.expectRoom(cardOf(call))
    },
  },
  {
    name: 'a call that says an old time, again, later: decided once',
    rule: 'repeats',
    run: async exam => {
      const data = {transactionDateTime: '2020-02-29T23:59:59Z'}
      const call = exam.call('contactless', {amount: '10 EUR', data})
      const first = await exam.approved(call)
      await exam.send(exam.call('contactless', {amount: '1 EUR'}))
      exam.expectSame(first, [await exam.send(exam.again(call))])
      await exam.expectRoom(cardOf(call))
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

/** Fields in which another call under the id of an earlier one differs. */
const DIFFERENT: readonly Edits[] = [
  {'merchantData.name': 'Casino', 'merchantData.id': '000000000000999'},
  {'merchantData.category': {code: '7995'}},
  {'merchantData.country': 'SWE'},
  {'customer.customerId': '4711'},
  {'account.accountId': '4712'},
  {'account.availableAmount': {amount: 0, currency: 'EUR'}},
  {'card.expiration': {year: 2029, month: 1}},
  {token: {id: '77', walletIdentifier: 'walletb'}},
  {'metadata.transactionId': 't_another'},
  {'metadata.linkId': 't_another'},
  {'transactionData.transactionDateTime': '2020-02-29T23:59:59Z'},
  {'transactionData.cardEntryMode': 'MAGNETIC_STRIPE'},
  {'transactionData.transactionType': 'ATM'},
  {'transactionData.settlementAmount': {amount: 11, currency: 'EUR'}},
  {
    'transactionData.transactionFees': [
      {feeType: 'FX_MARKUP', feeAmount: {amount: 1, currency: 'EUR'}},
      {feeType: 'ATM_FEE', feeAmount: {amount: 2, currency: 'EUR'}},
    ],
  },
  {'transactionData.cardholderVerifications': ['PIN_VERIFIED_ONLINE', 'SOMETHING_ELSE']},
  {'transactionData.partialApprovalCapable': null, 'transactionData.authCode': '999999'},
]

const fee = (amount: number, currency: string, feeType: string) => ({
  'transactionData.transactionFees': [{feeType, feeAmount: {amount, currency}}],
})

/** Fields deep inside, of which the earlier call has other values. */
const DEEPER: readonly {readonly name: string; readonly first: Edits; readonly other: Edits}[] = [
  {name: 'the amount of a fee', first: fee(1, 'EUR', 'FX_MARKUP'), other: fee(1.01, 'EUR', 'FX_MARKUP')},
  {name: 'the currency of a fee', first: fee(1, 'EUR', 'FX_MARKUP'), other: fee(1, 'SEK', 'FX_MARKUP')},
  {name: 'the type of a fee', first: fee(1, 'EUR', 'FX_MARKUP'), other: fee(1, 'EUR', 'ATM_FEE')},
  {
    name: 'the cash of a purchase',
    first: {'transactionData.cashbackAmount': {amount: 5, currency: 'EUR'}},
    other: {'transactionData.cashbackAmount': {amount: 5.01, currency: 'EUR'}},
  },
  {
    name: 'the amount of settlement',
    first: {'transactionData.settlementAmount': {amount: 10, currency: 'EUR'}},
    other: {'transactionData.settlementAmount': {amount: 10, currency: 'SEK'}},
  },
  {
    name: 'the month of expiry',
    first: {'card.expiration': {year: 2030, month: 11}},
    other: {'card.expiration': {year: 2030, month: 12}},
  },
  {
    name: 'the description of a category',
    first: {'merchantData.category': {code: '5814', description: 'Coffee'}},
    other: {'merchantData.category': {code: '5814', description: 'Tea'}},
  },
  {
    name: 'the wallet of a token',
    first: {token: {id: '77', walletIdentifier: 'walleta'}},
    other: {token: {id: '77', walletIdentifier: 'walletb'}},
  },
  {
    name: 'the second verification of the cardholder',
    first: {'transactionData.cardholderVerifications': ['PIN_VERIFIED_ONLINE', 'SIGNATURE']},
    other: {'transactionData.cardholderVerifications': ['PIN_VERIFIED_ONLINE', 'SOMETHING_ELSE']},
  },
]

/**
 * Sends another call under the id of an approved one, on a card that has nothing left by now. It has to be declined: an
 * approval would be the earlier answer. Then it repeats the first call.
 *
 * @param first what the approved call has that other calls don't.
 */
export async function expectOwnDecision(exam: Exam, edits: Edits, first: Edits = {}): Promise<void> {
  const {most} = await exam.knownRoom()
  const card = exam.card()
  const data = {partialApprovalCapable: false}
  const call = exam.call('chip', {card, amount: '10 EUR', data, set: first})
  const done = await exam.approved(call)
  await exam.approved(exam.call('chip', {card, amount: inWords(most - 1000n, 'EUR'), data}))
  const different = edited(exam.again(call), edits)
  if (callFingerprint(different) === callFingerprint(call)) return
  const other = await exam.sendOnly(different)
  const {outcome, status} = other.verdict
  const isOwn = outcome === 'declined' || status === 409
  const got = verdictInWords(other.verdict)
  exam.expect('decision', 'declined for lack of funds, or status 409', got, isOwn, [other])
  exam.expectSame(done, [await exam.sendOnly(exam.again(call))])
  await exam.expectHeldIfSeen(call)
}

/** Another call under the id of an earlier one. */
export const reusedIdChecks: readonly BehaviourCheck[] = [
  ...DIFFERENT.map(
    (edits): BehaviourCheck => ({
      name: `another call with a known id, which differs in ${Object.keys(edits).join(' and ')}`,
      rule: 'reused-ids',
      run: exam => expectOwnDecision(exam, edits),
    }),
  ),
  ...DEEPER.map(
    ({name, first, other}): BehaviourCheck => ({
      name: `another call with a known id, which differs in ${name}`,
      rule: 'reused-ids',
      run: exam => expectOwnDecision(exam, other, first),
    }),
  ),
  {
    name: 'another call with the same id at the same time: decided by its own content, or 409',
    rule: 'reused-ids',
    run: async exam => {
      const plain = await exam.send(exam.call('balance-inquiry'))
      if (plain.verdict.outcome !== 'approved')
        throw new NotChecked('it needs an endpoint that approves balance inquiries')
      for (let round = 0; round < ROUNDS; round++) {
        const payment = exam.call('chip', {amount: '10 EUR'})
        const inquiry = withIdOf(payment, exam.call('balance-inquiry'))
        const calls = round % 2 === 0 ? [payment, inquiry] : [inquiry, payment]
        for (const done of await exam.sendTogether(calls, {inAnyOrder: true})) {
          const {outcome, status} = done.verdict
          // The answer to a payment is none to a balance inquiry, which needs a balance.
          const isOwn = status === 409 || isDecision(outcome)
          exam.expect('decision', 'its own decision, or 409', verdictInWords(done.verdict), isOwn, [done])
        }
      }
    },
  },
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
      await exam.expectHeldIfSeen(call)
      exam.expectSame(before, [await exam.send(exam.again(call))], AS_BEFORE)
      exam.expectOutcome(await exam.send(exam.reversal(other)), 'approved')
      await exam.expectRoom(cardOf(call))
    },
  },
  {
    name: 'after a restart: what a reversal released is not held again, and what it left is',
    rule: 'repeats-after-restart',
    needs: ['restart'],
    run: async exam => {
      const card = exam.card()
      const [whole, part] = ['10 EUR', '100 EUR'].map(amount => exam.call('hotel', {card, amount}))
      if (!whole || !part) return
      for (const call of [whole, part]) await exam.approved(call)
      exam.expectOutcome(await exam.send(exam.reversal(whole)), 'approved')
      exam.expectOutcome(await exam.send(exam.reversal(part, {left: '60.29 EUR'})), 'approved')
      await exam.restart()
      await exam.expectRoom(card)
      for (const call of [whole, part]) await exam.expectHeldIfSeen(call)
    },
  },
  {
    name: 'a part that was approved, after a restart: only it is held',
    rule: 'repeats-after-restart',
    needs: ['restart'],
    run: async exam => {
      const {most} = await exam.knownRoom()
      const data = {partialApprovalCapable: true}
      const call = exam.call('fuel', {amount: inWords(2n * most, 'EUR'), data})
      const before = await exam.send(call)
      if (before.verdict.outcome !== 'partial') throw new NotChecked('the endpoint approved no part')
      exam.expectOutcome(await exam.send(exam.reversal(call, {amount: '25 EUR'})), 'approved')
      await exam.restart()
      exam.expectSame(before, [await exam.send(exam.again(call))], AS_BEFORE)
      await exam.expectRoom(cardOf(call))
    },
  },
  {
    name: 'a reversal, an increment, a refund and a balance inquiry again, after a restart: decided once',
    rule: 'repeats-after-restart',
    needs: ['restart'],
    run: async exam => {
      const card = exam.card()
      const call = exam.call('hotel', {card, amount: '100 EUR'})
      await exam.approved(call)
      const calls = [
        exam.call('hotel-increment', {of: call, amount: '50 EUR'}),
        exam.reversal(call, {amount: '30.25 EUR'}),
        exam.call('refund', {amount: '1 EUR'}),
        exam.call('balance-inquiry', {card}),
        exam.reversal(exam.call('chip', {card, amount: '5 EUR'})),
      ]
      const before = []
      for (const each of calls) before.push(await exam.send(each))
      await exam.restart()
      for (const [at, each] of calls.entries()) {
        const first = before[at]
        if (first) exam.expectSame(first, [await exam.send(exam.again(each))], AS_BEFORE)
      }
      await exam.expectRoom(card)
      await exam.expectHeldIfSeen(call)
    },
  },
]

const AS_BEFORE = 'the same answer as before the restart'
