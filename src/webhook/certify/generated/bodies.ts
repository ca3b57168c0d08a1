import type * as FastCheck from 'fast-check'
import {expectRefused} from '../broken-checks.ts'
import {cardOf} from '../exam.ts'
import type {Property} from './property.ts'

/** A call whose text is no call any more. */
interface BrokenBody {
  /** How much of it is there, in thousandths; all of it if 1000. */
  readonly share: number
  readonly before: string
  readonly after: string
  /** Where a byte follows that is no UTF-8, in thousandths. */
  readonly bad: number | undefined
}

const NOT_WHITE = /[^ \t\r\n]/

/** A body that is not one whole call is answered, never approved, and holds nothing. */
export const brokenBodies = (fc: typeof FastCheck): Property<BrokenBody> => ({
  name: 'calls that are cut, or have text around them, or bytes that are not UTF-8: never approved',
  rule: 'broken-calls',
  runs: 30,
  arbitrary: fc
    .record({
      share: fc.oneof(fc.constant(1000), fc.integer({min: 0, max: 999})),
      before: fc.oneof({arbitrary: fc.constant(''), weight: 4}, fc.string({maxLength: 3})),
      after: fc.oneof(
        fc.constantFrom('', 'garbage', '}', ',', '{}', '\u0000', '//', 'null'),
        fc.string({maxLength: 4}),
      ),
      bad: fc.oneof({arbitrary: fc.constant(undefined), weight: 3}, fc.integer({min: 1, max: 999})),
    })
    .filter(
      ({share, before, after, bad}) => share < 1000 || NOT_WHITE.test(before + after) || bad !== undefined,
    ),
  run: async (exam, {share, before, after, bad}) => {
    const call = exam.call('contactless', {amount: '10 EUR'})
    const text = Buffer.from(JSON.stringify(call))
    const kept = text.subarray(0, Math.min(text.length - 1, Math.floor((text.length * share) / 1000)))
    const body = share === 1000 ? text : kept
    const at = bad === undefined ? body.length : Math.floor((body.length * bad) / 1000)
    const bytes = Buffer.concat([
      Buffer.from(before),
      body.subarray(0, at),
      Buffer.from(bad === undefined ? [] : [0xff]),
      body.subarray(at),
      Buffer.from(after),
    ])
    expectRefused(exam, await exam.sendBroken(call, bytes))
    await exam.glance(cardOf(call))
  },
  steps: ({share, before, after}) => [
    {
      raw: `${before}${share < 1000 ? '{"metadata":{"id":"1' : '{}'}${after}`,
      expect: {decision: {not: ['approved', 'partial', 'late', 'unreachable']}, rule: 'broken-calls'},
    },
  ],
})
