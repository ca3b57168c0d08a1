import {setTimeout as delay} from 'node:timers/promises'
import type * as FastCheck from 'fast-check'
import type {Drop} from '../../endpoint.ts'
import type {ReceivedCall} from '../../received-call.ts'
import type {StepSpec} from '../../suite/suite-file.ts'
import {type CallChanges, cardOf, type Exam} from '../exam.ts'
import {amountText, minorAmounts} from './amounts.ts'
import type {Property} from './property.ts'

/** What happens on a card. `of` counts the payments so far. */
type Act =
  | {
      readonly act: 'pay' | 'pay twice at once' | 'pay thrice with one id' | 'pay and reverse at once'
      readonly minor: number
    }
  /** Its answer is lost, or comes too late, and it is sent again. */
  | {readonly act: 'pay and lose the answer'; readonly minor: number; readonly how: Lost}
  | {readonly act: 'decline'}
  | {readonly act: 'free'; readonly scenario: string}
  | {readonly act: 'repeat' | 'repeat at once' | 'reverse'; readonly of: number}
  | {readonly act: 'increment' | 'reverse some' | 'leave'; readonly of: number; readonly minor: number}

type Lost = Drop | 'late'
const LOST: readonly Lost[] = ['in the request', 'before the answer', 'in the answer', 'late']

/** No answer comes within this, and an endpoint may notice a little later that nobody took its answer. */
const [TOO_SOON_MS, NOTICED_MS] = [1, 20]

const FREE = [
  'verification',
  'balance-inquiry',
  'pin-change',
  'refund',
  'original-credit',
  'p2p-credit',
] as const
const CREDITS = /refund|credit/
const NO_PART = {partialApprovalCapable: false}
const TOO_MUCH = '1000000 EUR'

/** Payments of one card, and what becomes of them, in any order: every answer is valid, and the right sum is held. */
export const anySequence = (fc: typeof FastCheck): Property<readonly Act[]> => {
  const minor = minorAmounts(fc, 10_000)
  const of = fc.nat({max: 3})
  return {
    name: 'payments, repeats, increments and reversals of a card in any order: the right sum is held',
    rule: 'holds',
    runs: 45,
    arbitrary: fc
      .tuple(
        minor,
        fc.array(
          fc.oneof(
            fc.record({
              act: fc.constantFrom(
                'pay',
                'pay twice at once',
                'pay thrice with one id',
                'pay and reverse at once',
              ),
              minor,
            }),
            fc.record({
              act: fc.constant('pay and lose the answer' as const),
              minor,
              how: fc.constantFrom(...LOST),
            }),
            fc.record({act: fc.constant('decline' as const)}),
            fc.record({act: fc.constant('free' as const), scenario: fc.constantFrom(...FREE)}),
            fc.record({act: fc.constantFrom('repeat', 'repeat at once', 'reverse'), of}),
            fc.record({act: fc.constantFrom('increment', 'reverse some', 'leave'), of, minor}),
          ),
          {maxLength: 6},
        ),
      )
      .map(([first, acts]) => [{act: 'pay' as const, minor: first}, ...(acts as readonly Act[])]),
    run: runActs,
    steps: stepsOf,
  }
}

async function runActs(exam: Exam, acts: readonly Act[]): Promise<void> {
  const card = exam.card()
  const payments: ReceivedCall[] = []
  const pay = (minor: number, changes: CallChanges = {}) =>
    exam.call('hotel', {card, amount: amountText(minor, 'EUR'), data: NO_PART, ...changes})
  for (const act of acts) {
    const earlier = 'of' in act ? payments[act.of % payments.length] : undefined
    switch (act.act) {
      case 'pay': {
        const call = pay(act.minor)
        payments.push(call)
        exam.expectOutcome(await exam.send(call), 'approved', 'declined')
        break
      }
      case 'pay twice at once': {
        const calls = [pay(act.minor), pay(act.minor)]
        payments.push(...calls)
        for (const done of await exam.sendTogether(calls)) exam.expectOutcome(done, 'approved', 'declined')
        break
      }
      case 'pay thrice with one id': {
        const call = pay(act.minor)
        payments.push(call)
        const [first, ...others] = await exam.sendAtOnce(call, 3)
        if (first) exam.expectSame(first, others, 'the same answer as the first', 'repeats')
        break
      }
      case 'pay and lose the answer': {
        const call = pay(act.minor)
        payments.push(call)
        await exam.send(call, act.how === 'late' ? {withinMs: TOO_SOON_MS} : {drop: act.how})
        await delay(NOTICED_MS)
        const again = await exam.send(exam.again(call))
        exam.expectOutcome(again, 'approved', 'declined')
        exam.expectSame(again, [await exam.send(exam.again(call))], 'the same answer again', 'repeats')
        break
      }
      case 'pay and reverse at once': {
        const call = pay(act.minor, {card: exam.card()})
        const [paid, reversed] = await exam.sendTogether([call, exam.reversal(call)])
        if (paid) exam.expectOutcome(paid, 'approved', 'declined')
        if (reversed) exam.expectOutcome(reversed, 'approved')
        break
      }
      case 'decline':
        exam.expectOutcome(await exam.send(pay(1, {amount: TOO_MUCH})), 'approved', 'declined')
        break
      case 'free':
        exam.expectOutcome(await exam.send(exam.call(act.scenario, {card})), 'approved', 'declined')
        break
      case 'repeat':
        if (earlier) exam.expectRepeated(earlier, [await exam.send(exam.again(earlier))])
        break
      case 'repeat at once':
        if (earlier) exam.expectRepeated(earlier, await exam.sendAtOnce(earlier, 3))
        break
      case 'increment':
        if (earlier) {
          const changes = {of: earlier, amount: amountText(act.minor, 'EUR'), data: NO_PART}
          exam.expectOutcome(await exam.send(exam.call('hotel-increment', changes)), 'approved', 'declined')
        }
        break
      default:
        if (earlier) exam.expectOutcome(await exam.send(exam.reversal(earlier, partOf(act))), 'approved')
    }
  }
  const isCredited = acts.some(act => act.act === 'free' && CREDITS.test(act.scenario))
  const [first] = payments
  if (first) await exam.expectRoom(cardOf(first), {mayHaveMore: isCredited})
}

function partOf(act: Extract<Act, {readonly of: number}>): {amount?: string; left?: string} {
  if (!('minor' in act)) return {}
  const amount = amountText(act.minor, 'EUR')
  return act.act === 'leave' ? {left: amount} : {amount}
}

/** As steps of a suite whose `card` is `new`. */
function stepsOf(acts: readonly Act[]): readonly StepSpec[] {
  let payments = 0
  const pay = (minor: number, more: StepSpec = {}): StepSpec => ({
    name: `pay ${payments++}`,
    send: 'hotel',
    amount: amountText(minor, 'EUR'),
    set: {'transactionData.partialApprovalCapable': false},
    ...more,
  })
  return acts.flatMap((act): readonly StepSpec[] => {
    const earlier = 'of' in act ? `pay ${act.of % payments}` : ''
    switch (act.act) {
      case 'pay':
        return [pay(act.minor)]
      case 'pay twice at once':
        return [pay(act.minor), pay(act.minor)]
      case 'pay thrice with one id':
        return [{...pay(act.minor), times: 3, parallel: true}]
      case 'pay and lose the answer': {
        const paid = pay(act.minor, act.how === 'late' ? {} : {drop: act.how})
        return [paid, {repeat: paid.name ?? '', expect: 'decided'}]
      }
      case 'pay and reverse at once': {
        const paid = {
          send: 'hotel',
          amount: amountText(act.minor, 'EUR'),
          card: 'new',
          name: 'reversed',
        } as const
        return [paid, {reverse: paid.name}]
      }
      case 'decline':
        return [{send: 'hotel', amount: TOO_MUCH}]
      case 'free':
        return [{send: act.scenario}]
      case 'repeat':
        return [{repeat: earlier}]
      case 'repeat at once':
        return [{repeat: earlier, times: 3, parallel: true}]
      case 'increment':
        return [{increment: earlier, amount: amountText(act.minor, 'EUR')}]
      case 'leave':
        return [{reverse: earlier, remaining: amountText(act.minor, 'EUR')}]
      case 'reverse some': {
        const money = {amount: act.minor / 100, currency: 'EUR'}
        return [
          {
            reverse: earlier,
            set: {'transactionData.transactionAmount': money, 'transactionData.billingAmount': money},
          },
        ]
      }
      default:
        return [{reverse: earlier}]
    }
  })
}
