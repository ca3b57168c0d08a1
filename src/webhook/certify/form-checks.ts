import {isObject} from '../../errors/is-object.ts'
import {partOf, type ReceivedCall} from '../received-call.ts'
import type {CardFacts} from '../send/scenario-call.ts'
import type {Done} from '../suite/masked-call.ts'
import {callFields} from './call-fields.ts'
import type {BehaviourCheck} from './check.ts'
import {type Edits, edited} from './edit-call.ts'
import {type CallChanges, cardOf, type Exam} from './exam.ts'
import {allInOtherCase} from './other-case.ts'

/** The same payment in another form: it is decided as the plain one, and holds as much. */
export const likePlain = async (
  exam: Exam,
  change: (call: ReceivedCall) => ReceivedCall,
  send: (call: ReceivedCall) => Promise<Done> = call => exam.send(call),
  changes: CallChanges = {amount: '10 EUR'},
): Promise<void> => {
  const known = await exam.send(exam.call('contactless', changes))
  const call = change(exam.call('contactless', changes))
  exam.expectSame(known, [await send(call)], 'the same decision as in its plain form')
  if (changes.card === undefined) await exam.expectRoom(cardOf(call))
}

/** The same call under ids of its own. */
const newIds = (exam: Exam, call: ReceivedCall): ReceivedCall => {
  const {metadata} = exam.call('wallet')
  return {...call, metadata: {...partOf(call, 'metadata'), ...(metadata as object)}}
}

/** Every object of a value with one more field. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore)
  if (!isObject(value)) return value
  const inner = Object.entries(value).map(([name, member]) => [name, withMore(member)] as const)
  return {...Object.fromEntries(inner), somethingNew: {a: [1, null, {b: 'new'}]}}
}

const inPart = (
  call: ReceivedCall,
  part: string,
  fields: Readonly<Record<string, unknown>>,
): ReceivedCall => ({
  ...call,
  [part]: {...partOf(call, part), ...fields},
})

/** A payment with all its optional parts. */
const FULL: Edits = {
  token: {id: '1', walletIdentifier: 'walleta'},
  'transactionData.transactionFees': [
    {feeType: 'FX_MARKUP', feeAmount: {amount: 0.1, currency: 'EUR'}},
    {feeType: null, feeAmount: null},
  ],
  'transactionData.cashbackAmount': {amount: 1, currency: 'EUR'},
  'transactionData.schemeTransactionLinkId': 'link-1',
  'transactionData.originalTransactionId': null,
}

const full = (exam: Exam, card: CardFacts): ReceivedCall =>
  exam.call('wallet', {card, amount: '10 EUR', set: FULL})

/** The same call in two forms: decided alike, and both hold as much. */
async function expectAlike(
  exam: Exam,
  forms: readonly ((call: ReceivedCall) => ReceivedCall)[],
  expected: string,
): Promise<void> {
  const card = exam.card()
  const plain = await exam.send(full(exam, card))
  for (const form of forms) {
    exam.expectSame(plain, [await exam.send(form(full(exam, card)))], expected)
  }
  await exam.expectRoomIfShown(card)
}

const NEARLY_KNOWN = [
  ...['Reversal', 'reversal', 'Credit', 'credit', 'Pin_Change', 'Balance_Inquiry', 'p2p_credit'],
  ...['incremental_authorization', 'REVERSAL '],
] as const

const TIMES = [
  ...['2026-06-15T11:00:00Z', '2026-06-15T11:00:00+05:30', '2026-06-15T11:00:00.123456789-11:00'],
  ...['2026-06-15t11:00:00z', '2016-12-31T23:59:60Z', '2024-02-29T00:00:00-00:00', '9999-12-31T23:59:59Z'],
] as const

/** Fields and values that the contract doesn't list, and those that are missing. */
export const openFormChecks: readonly BehaviourCheck[] = [
  {
    name: 'unknown fields change no decision, at any depth',
    rule: 'unknown-fields',
    run: exam =>
      expectAlike(exam, [call => withMore(call) as ReceivedCall], 'the same decision as in its plain form'),
  },
  {
    name: 'fields whose names differ from known ones only in case change no decision',
    rule: 'unknown-fields',
    run: exam =>
      expectAlike(
        exam,
        [false, true].map(first => call => allInOtherCase(call, first) as ReceivedCall),
        'the same decision as without them',
      ),
  },
  {
    name: 'optional fields that are null are as good as absent',
    rule: 'null-fields',
    run: async exam => {
      const {optional} = await callFields()
      const all = (value: null | undefined) => (call: ReceivedCall) =>
        edited(call, Object.fromEntries(optional.map(path => [path, value])))
      const each = optional.map(path => (call: ReceivedCall) => edited(call, {[path]: null}))
      await expectAlike(exam, [all(undefined), all(null), ...each], 'the same decision as without them')
    },
  },
  {
    name: 'a payment without transactionId is a transaction of its own',
    rule: 'other-ids',
    run: async exam => {
      const card = exam.card()
      for (const none of [null, undefined]) {
        const set = {'metadata.transactionId': none}
        await exam.approved(exam.call('chip', {card, amount: '10 EUR', set}))
      }
      await exam.expectRoom(card)
    },
  },
  ...(['transactionAmount', 'billingAmount'] as const).map(
    (name): BehaviourCheck => ({
      name: `${name} that is null: the other one counts`,
      rule: 'null-fields',
      run: exam => likePlain(exam, call => inPart(call, 'transactionData', {[name]: null})),
    }),
  ),
  {
    name: 'unknown values get a decision',
    rule: 'unknown-values',
    run: async exam => {
      const {texts} = await callFields()
      const call = exam.call('wallet', {amount: '10 EUR', set: FULL})
      for (const path of ['transactionData.cardholderVerifications[]', ...texts]) {
        const value = path.endsWith('Verifications[]') ? 'IRIS' : 'SOMETHING_NEW'
        exam.expectOutcome(await exam.sendOnly(edited(newIds(exam, call), {[path]: value})), 'decided')
      }
      const other = {'metadata.messageCategory': 'SOMETHING_NEW', 'merchantData.country': 'ZZZ'}
      exam.expectOutcome(await exam.send(edited(newIds(exam, call), other)), 'decided')
    },
  },
  {
    name: 'a call of an unknown type counts as a payment',
    rule: 'unknown-types',
    run: async exam => {
      const asUnknown = (call: ReceivedCall) =>
        inPart(call, 'transactionData', {transactionType: 'SOMETHING_NEW'})
      const much = {card: exam.card(), amount: '1000000 EUR', data: {partialApprovalCapable: false}}
      await likePlain(exam, asUnknown, undefined, much)
      await likePlain(exam, asUnknown)
    },
  },
  {
    name: 'a type that differs from a known one only in case is an unknown one',
    rule: 'unknown-types',
    run: async exam => {
      for (const transactionType of NEARLY_KNOWN) {
        await likePlain(exam, call => inPart(call, 'transactionData', {transactionType}))
      }
    },
  },
  {
    name: 'texts of any characters, and times in every form of RFC 3339, get a decision',
    rule: 'status',
    run: async exam => {
      for (const name of [
        'Caf\u0000',
        '\uffff\u{1f3e8}\u{10fffd}',
        '\u202e\u200f\u0007',
        '\\u0000\'";--',
        ' ',
      ]) {
        const set = {'merchantData.name': name, 'merchantData.city': name}
        exam.expectOutcome(await exam.sendOnly(exam.call('chip', {amount: '1 EUR', set})), 'decided')
      }
      for (const transactionDateTime of TIMES) {
        const call = exam.call('chip', {amount: '1 EUR', data: {transactionDateTime}})
        exam.expectOutcome(await exam.sendOnly(call), 'decided')
      }
    },
  },
]
