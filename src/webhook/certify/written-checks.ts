import {LIMITS} from '../../limits/limits.ts'
import type {ReceivedCall} from '../received-call.ts'
import {verdictInWords} from '../suite/expectations.ts'
import type {BehaviourCheck} from './check.ts'
import {cardOf, type Exam} from './exam.ts'
import {likePlain} from './form-checks.ts'

/** Of two, three and four bytes in UTF-8, and one of two code points. */
const WIDE = 'Caf\u00e9 \u30ab\u30d5\u30a7 \u{1f3e8} e\u0301'

/** How a call is written. */
export const writtenFormChecks: readonly BehaviourCheck[] = [
  {
    name: 'a Content-Type with a charset is taken as one without',
    rule: 'content-type',
    run: exam =>
      likePlain(
        exam,
        call => call,
        call => exam.send(call, {transport: 'with a charset'}),
      ),
  },
  ...(['in chunks of a byte', 'byte by byte', 'in chunks'] as const).map(
    (transport): BehaviourCheck => ({
      name: `characters of several bytes, written ${transport}, and again in one piece: the same call`,
      rule: 'transport',
      run: async exam => {
        const set = {'merchantData.name': WIDE, 'merchantData.city': WIDE.repeat(3), somethingNew: WIDE}
        const call = exam.call('chip', {amount: '10 EUR', set})
        const first = await exam.send(call, {transport})
        exam.expectSame(first, [await exam.send(exam.again(call)), await exam.send(call, {transport})])
        await exam.expectRoomIfShown(cardOf(call))
      },
    }),
  ),
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
  ...[20_000, LIMITS.call.bytes].map(
    (padTo): BehaviourCheck => ({
      name: `a body of ${padTo} bytes in chunks is decided`,
      rule: 'size',
      run: exam =>
        likePlain(
          exam,
          call => call,
          call => exam.send(call, {padTo, transport: 'in chunks'}),
        ),
    }),
  ),
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
      for (const signature of ['wrong', 'cut', 'empty'] as const)
        await refused({forgery: {signature}}, 'credentials')
      // A call that is known is no proof of who sends it.
      exam.expectOutcome(await exam.send(call), 'decided')
      for (const signature of ['wrong', 'missing'] as const)
        await refused({forgery: {signature}}, 'credentials')
      await refused({bytes, signed: Buffer.from(JSON.stringify(call))}, 'signature-bytes')
    },
  },
  {
    name: 'numbers may be written in every form of JSON',
    rule: 'amounts',
    run: async exam => {
      for (const number of ['10.00', '1e1', '1.0E+1', '1000e-2']) {
        await likePlain(
          exam,
          call => call,
          call =>
            exam.send(call, {
              bytes: Buffer.from(JSON.stringify(call).replaceAll('"amount":10,', `"amount":${number},`)),
            }),
        )
      }
    },
  },
]
