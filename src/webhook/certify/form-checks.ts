import {isObject} from '../../errors/is-object.ts'
import {LIMITS} from '../../limits/limits.ts'
import {partOf, type ReceivedCall} from '../received-call.ts'
import {verdictInWords} from '../suite/expectations.ts'
import type {Done} from '../suite/masked-call.ts'
import {type BehaviourCheck, type CallChanges, cardOf, type Exam} from './exam.ts'

const PAYMENTS = [
  'contactless',
  'chip',
  'magnetic-stripe',
  'atm',
  'ecommerce',
  'wallet',
  'recurring',
] as const

/** What every endpoint does. */
export const basicChecks: readonly BehaviourCheck[] = [
  {
    name: 'POST /warm-up and POST /auth are there',
    rule: 'paths',
    run: async exam => {
      const {verdict} = await exam.send(exam.call('contactless'))
      exam.expect('status', 'no status 404 or 405', `status ${verdict.status}`, isThere(verdict.status))
      const {status} = (await exam.warmUp()).verdict
      exam.expect('status', 'no status 404 or 405', `status ${status}`, isThere(status))
    },
  },
  {
    name: 'payments of every kind get status 200 and a decision',
    rule: 'status',
    run: async exam => {
      for (const scenario of PAYMENTS) exam.expectOutcome(await exam.send(exam.call(scenario)), 'decided')
    },
  },
  {
    name: 'a warm-up gets status 200',
    rule: 'warm-up',
    run: async exam => exam.expectOutcome(await exam.warmUp(), 'ready'),
  },
]

const isThere = (status: number | undefined): boolean => status !== 404 && status !== 405

/** The same payment in another form: it is decided as the plain one, and holds as much. */
const likePlain = async (
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

/** Every object of a value with one more field. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore)
  if (!isObject(value)) return value
  const inner = Object.entries(value).map(([name, member]) => [name, withMore(member)] as const)
  return {...Object.fromEntries(inner), somethingNew: {a: [1, null, {b: 'new'}]}}
}

const NULL_FIELDS = {
  metadata: ['linkId'],
  card: ['expiration'],
  transactionData: [
    ...['cardEntryMode', 'cardholderPresent', 'cardPresent', 'merchantInitiated', 'replacementAmount'],
    ...['cashbackAmount', 'originalTransactionId', 'schemeTransactionLinkId', 'cardholderVerifications'],
    ...['transactionFees', 'transactionDateTime', 'authCode', 'authValidityInDays'],
    ...['retrievalReferenceNumber', 'partialApprovalCapable', 'settlementAmount'],
  ],
  merchantData: [
    ...['id', 'name', 'city', 'country', 'merchantZipCode', 'category', 'terminalId'],
    ...['acquirerId', 'acquirerCountry'],
  ],
} as const

const inPart = (
  call: ReceivedCall,
  part: string,
  fields: Readonly<Record<string, unknown>>,
): ReceivedCall => ({
  ...call,
  [part]: {...partOf(call, part), ...fields},
})

/** All optional fields that few calls have as null, or without a value. */
function withAll(call: ReceivedCall, value: null | undefined): ReceivedCall {
  const parts = Object.entries(NULL_FIELDS).map(
    ([part, names]) =>
      [part, {...partOf(call, part), ...Object.fromEntries(names.map(name => [name, value]))}] as const,
  )
  return {...call, ...Object.fromEntries(parts), token: value}
}

/** Fields and values that the contract doesn't list, and those that are missing. */
export const openFormChecks: readonly BehaviourCheck[] = [
  {
    name: 'unknown fields change no decision, at any depth',
    rule: 'unknown-fields',
    run: exam => likePlain(exam, call => withMore(call) as ReceivedCall),
  },
  {
    name: 'optional fields that are null are as good as absent',
    rule: 'null-fields',
    run: async exam => {
      const absent = await exam.send(withAll(exam.call('contactless', {amount: '10 EUR'}), undefined))
      const call = withAll(exam.call('contactless', {amount: '10 EUR'}), null)
      exam.expectSame(absent, [await exam.send(call)], 'the same decision as without them')
      await exam.expectRoom(cardOf(call))
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
      for (const fields of [
        {cardEntryMode: 'IMPLANT'},
        {cardholderVerifications: ['IRIS', 'PIN_VERIFIED_BY_CARD']},
        {transactionFees: [{feeType: 'NEW_FEE', feeAmount: {amount: 0.1, currency: 'EUR'}}]},
      ]) {
        const call = inPart(exam.call('contactless', {amount: '10 EUR'}), 'transactionData', fields)
        exam.expectOutcome(await exam.send(call), 'decided')
      }
      const call = exam.call('contactless', {amount: '10 EUR'})
      const other = inPart(call, 'metadata', {messageCategory: 'SOMETHING_NEW'})
      exam.expectOutcome(await exam.send(inPart(other, 'merchantData', {country: 'ZZZ'})), 'decided')
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
]

/** How a call is written. */
export const writtenFormChecks: readonly BehaviourCheck[] = [
  ...(['in chunks', 'byte by byte', 'headers in capitals'] as const).map(
    (transport): BehaviourCheck => ({
      name: `a call that is written ${transport} is decided`,
      rule: 'transport',
      run: exam =>
        likePlain(
          exam,
          call => call,
          call => exam.send(call, {transport}),
        ),
    }),
  ),
  {
    name: `a body of exactly ${LIMITS.call.bytes} bytes is decided`,
    rule: 'size',
    run: exam =>
      likePlain(
        exam,
        call => call,
        call => exam.send(call, {padTo: LIMITS.call.bytes}),
      ),
  },
  {
    name: 'signed bytes in any form are decided',
    rule: 'signature-bytes',
    needs: ['signature'],
    run: async exam => {
      for (const write of [
        (call: ReceivedCall) => JSON.stringify(call, undefined, 2),
        (call: ReceivedCall) => JSON.stringify(Object.fromEntries(Object.entries(call).toReversed())),
        (call: ReceivedCall) => JSON.stringify(call).replace('"metadata"', '"\\u006detadata"'),
      ]) {
        await likePlain(
          exam,
          call => call,
          call => exam.send(call, {bytes: Buffer.from(write(call))}),
        )
      }
    },
  },
  {
    name: 'a call whose bytes are not those that were signed is refused',
    rule: 'signature-bytes',
    needs: ['signature'],
    run: async exam => {
      const refused = async (settings: Parameters<Exam['send']>[1], rule: string) => {
        const done = await exam.send(call, settings)
        const {status} = done.verdict
        const isRefused = status === 401 || status === 403
        exam.expect('status', 'status 401 or 403', verdictInWords(done.verdict), isRefused, [done], rule)
      }
      const call = exam.call('contactless')
      const bytes = Buffer.from(`${JSON.stringify(call)} `)
      await refused({forgery: {signature: 'wrong'}}, 'credentials')
      await refused({bytes, signed: Buffer.from(JSON.stringify(call))}, 'signature-bytes')
    },
  },
]
