import {createHash} from 'node:crypto'
import {partOf} from '../received-call.ts'
import type {BehaviourCheck} from './check.ts'
import {type Edits, edited} from './edit-call.ts'
import {paid} from './reversal-checks.ts'

/** Where a reversal can name another transaction. */
const ELSEWHERE = [
  'transactionData.originalTransactionId',
  'metadata.linkId',
  'transactionData.schemeTransactionLinkId',
] as const

const UUID = '0a000000-0000-4000-8000-00000000000a'

/** Two ids that some code takes for one. */
interface Alike {
  readonly name: string
  /** @param id a UUID that no call has had. */
  pair(id: string): readonly [one: string, other: string]
}

const ending = (name: string, one: string, other: string): Alike => ({
  name,
  pair: id => [id + one, id + other],
})

/** 21 digits of its own, without a zero in front. */
const digitsOf = (id: string): string =>
  `1${String(createHash('sha256').update(id).digest().readBigUInt64BE()).padStart(20, '0')}`

/** The shapes that a column or a parser turns into a value of its own. */
const SHAPES: readonly Alike[] = [
  {name: 'in case, in the shape of a UUID', pair: id => [id.toLowerCase(), id.toUpperCase()]},
  {name: 'in digits that a number of 64 bits loses', pair: id => [`${digitsOf(id)}1`, `${digitsOf(id)}2`]},
  {name: 'in zeros in front', pair: id => [digitsOf(id), `00${digitsOf(id)}`]},
  {
    name: 'in how a number is written',
    pair: id => [`${digitsOf(id).slice(0, 12)}00`, `${digitsOf(id).slice(0, 12)}e2`],
  },
  {name: 'in zeros behind a decimal point', pair: id => [`${digitsOf(id)}.5`, `${digitsOf(id)}.50`]},
]

const ALIKE: readonly Alike[] = [
  ending('in case', 'aBc', 'abC'),
  ending('by a character at the end', '1', '10'),
  ending('by a space at the end', 'x', 'x '),
  // With the 36 of a UUID before them, ids of 65 and of 255 characters.
  ending('after 64 characters', `${'0'.repeat(28)}1`, `${'0'.repeat(28)}2`),
  ending('after 254 characters', `${'0'.repeat(218)}1`, `${'0'.repeat(218)}2`),
  ending('after 254 characters that are not ASCII', `${'\u00e5'.repeat(218)}1`, `${'\u00e5'.repeat(218)}2`),
  ending('in how Unicode writes them', 'caf\u00e9', 'cafe\u0301'),
  ...SHAPES,
]

/** Of cards, accounts and customers, which are digits. */
const DIGITS = SHAPES.filter(({pair}) => pair(UUID).every(id => /^\d+$/.test(id)))

/** Payments that name the transaction of another one, and are none of it. */
const OTHERS: readonly {readonly name: string; set(transactionId: string): Edits}[] = [
  {
    name: 'a payment with linkId and originalTransactionId of another one is a transaction of its own',
    set: id => ({'metadata.linkId': id, 'transactionData.originalTransactionId': id}),
  },
  {
    name: 'a payment without transactionId, whose linkId is the transactionId of another one, is one of its own',
    set: id => ({'metadata.transactionId': null, 'metadata.linkId': id}),
  },
]

/** What code takes for something else, if it keeps calls as members of an object or as text. */
const WORDS = ['constructor', '__proto__', 'toString', 'None', 'null', 'undefined', 'true', '0', 'NaN', '-1']

const UNCHANGING: Edits = {
  customer: {customerId: '900000001'},
  account: {accountId: '900000002', availableAmount: {amount: 5000, currency: 'EUR'}},
  card: {cardId: '900000003', expiration: {year: 2030, month: 12}},
  'transactionData.transactionDateTime': '2026-01-02T03:04:05Z',
  'transactionData.retrievalReferenceNumber': '600203040506',
  'transactionData.authCode': '123456',
}

/** Which hold a reversal is about, and which payment it leaves alone. */
export const whichHoldChecks: readonly BehaviourCheck[] = [
  ...(['SEK', 'JPY', 'USD'] as const).map(
    (currency): BehaviourCheck => ({
      name: `a payment in ${currency} that is billed in EUR: its reversal releases it`,
      rule: 'released-amounts',
      run: async exam => {
        const card = exam.card()
        const call = exam.call('chip', {card, amount: `700 ${currency}`})
        await exam.approved(call)
        await exam.glance(card, {currency, rule: 'holds'})
        exam.expectOutcome(await exam.send(exam.reversal(call)), 'approved')
        await exam.expectRoom(card, {currency})
      },
    }),
  ),
  ...ELSEWHERE.map(
    (field): BehaviourCheck => ({
      name: `a reversal whose ${field} is that of another payment`,
      rule: 'other-ids',
      run: async exam => {
        const {call, card} = await paid(exam)
        const other = exam.call('chip', {card, amount: '50 EUR'})
        await exam.approved(other)
        for (const id of [String(partOf(other, 'metadata').transactionId), 'of-the-network']) {
          const reversal = edited(exam.reversal(call, {amount: '20 EUR'}), {[field]: id})
          exam.expectOutcome(await exam.send(reversal), 'approved')
        }
        await exam.expectRoom(card)
      },
    }),
  ),
  ...OTHERS.map(
    ({name, set}): BehaviourCheck => ({
      name,
      rule: 'other-ids',
      run: async exam => {
        const {call, card} = await paid(exam)
        const edits = set(String(partOf(call, 'metadata').transactionId))
        await exam.approved(exam.call('chip', {card, amount: '50 EUR', set: edits}))
        exam.expectOutcome(await exam.send(exam.reversal(call, {amount: '120 EUR'})), 'approved')
        await exam.expectRoom(card)
      },
    }),
  ),
  ...ALIKE.map(
    ({name, pair}): BehaviourCheck => ({
      name: `ids that differ ${name} are different ids`,
      rule: 'exact-ids',
      run: async exam => {
        const card = exam.card()
        const of = (field: string, id: string) =>
          exam.call('chip', {card, amount: '20 EUR', set: {[field]: id}})
        const [one, other] = pair(String(partOf(of('metadata.linkId', ''), 'metadata').id))
        const first = of('metadata.transactionId', one)
        await exam.approved(first)
        await exam.approved(of('metadata.transactionId', other))
        exam.expectOutcome(await exam.send(exam.reversal(first, {amount: '30 EUR'})), 'approved')
        // Those ids are no plain words, which a probe gets.
        if (!exam.seesHolds || /^[\w-]*$/.test(one + other)) {
          for (const id of [one, other]) {
            const done = await exam.send(of('metadata.id', id))
            exam.expectOutcome(done, 'approved', 'declined')
          }
        }
        await exam.expectRoom(card)
      },
    }),
  ),
  ...DIGITS.map(
    ({name, pair}): BehaviourCheck => ({
      name: `cards whose ids, accounts and customers differ ${name} have holds of their own`,
      rule: 'exact-ids',
      run: async exam => {
        const cards = pair(String(partOf(exam.call('chip'), 'metadata').id)).map(id => ({
          ...exam.card(),
          ...{cardId: id, accountId: id, customerId: id},
        }))
        for (const card of cards) await exam.approved(exam.call('chip', {card, amount: '100 EUR'}))
        for (const card of cards) await exam.expectRoom(card)
      },
    }),
  ),
  {
    name: 'ids that are words of programming languages are ids like others',
    rule: 'exact-ids',
    run: async exam => {
      for (const id of WORDS) {
        // The same in every run: an endpoint may know these calls from an earlier one.
        const set = {...UNCHANGING, metadata: {id, messageCategory: 'INITIAL_AUTHORIZATION'}}
        const call = exam.call('chip', {amount: '10 EUR', set})
        exam.expectOutcome(await exam.sendOnly(call), 'approved', 'declined')
      }
    },
  },
  {
    name: 'two payments of one transaction both hold, and one more after its whole reversal',
    rule: 'holds',
    run: async exam => {
      const {call, card} = await paid(exam)
      const {transactionId} = partOf(call, 'metadata')
      const again = () =>
        exam.call('chip', {card, amount: '40 EUR', set: {'metadata.transactionId': transactionId}})
      await exam.approved(again())
      await exam.glance(card)
      exam.expectOutcome(await exam.send(exam.reversal(call, {amount: '140 EUR'})), 'approved')
      await exam.approved(again())
      await exam.expectRoom(card)
    },
  },
  {
    name: 'payments that differ only in their ids are each held',
    rule: 'holds',
    run: async exam => {
      const {call, card} = await paid(exam)
      const {id, transactionId} = partOf(exam.call('chip'), 'metadata')
      await exam.approved(edited(call, {'metadata.id': id, 'metadata.transactionId': transactionId}))
      await exam.expectRoom(card)
    },
  },
  {
    name: 'a credit with the transactionId of a payment leaves its hold',
    rule: 'credits',
    run: async exam => {
      const {call, card} = await paid(exam)
      const {transactionId} = partOf(call, 'metadata')
      const set = {'metadata.transactionId': transactionId}
      const credit = exam.call('refund', {card, amount: '30 EUR', set})
      exam.expectOutcome(await exam.send(credit), 'approved', 'declined')
      await exam.expectRoom(card, {mayHaveMore: true})
    },
  },
  ...([undefined, '30 EUR'] as const).map(
    (left): BehaviourCheck => ({
      name: `a payment after its reversal ${left === undefined ? '' : 'in part '}is held whole`,
      rule: 'early-reversals',
      run: async exam => {
        // The same payment of another card shows that the endpoint approves it otherwise.
        await exam.approved(exam.call('hotel', {amount: '100 EUR'}))
        const card = exam.card()
        const call = exam.call('hotel', {card, amount: '100 EUR'})
        exam.expectOutcome(await exam.send(exam.reversal(call, {left})), 'approved')
        exam.expectOutcome(await exam.send(call), 'approved')
        await exam.expectRoom(card)
      },
    }),
  ),
]
