import type * as FastCheck from 'fast-check'
import {minorToText} from '../../../money/amount.ts'
import {exponentOf} from '../../../money/exponents.ts'
import type {Property} from './property.ts'

/** With 0, 2 and 3 decimals. */
const CURRENCIES = ['EUR', 'USD', 'GBP', 'NOK', 'JPY', 'KRW', 'KWD', 'BHD', 'IQD', 'LYD'] as const

/** In the smallest unit: those that floating point spoils come first. */
export const minorAmounts = (fc: typeof FastCheck, most: number): FastCheck.Arbitrary<number> =>
  fc.oneof(fc.constantFrom(435, 29, 10_075, 1, 110, 1005, 1999, 57), fc.integer({min: 1, max: most}))

export const amountText = (minor: number, currency: string): string =>
  `${minorToText(BigInt(minor), exponentOf(currency))} ${currency}`

/** Any amount that its currency can have is decided; where holds are seen, it is held exactly. */
export const anyAmounts = (
  fc: typeof FastCheck,
): Property<{readonly minor: number; readonly currency: string}> => ({
  name: 'amounts of any size in currencies with 0, 2 and 3 decimals: decided',
  rule: 'amounts',
  runs: 40,
  arbitrary: fc.record({minor: minorAmounts(fc, 90_000), currency: fc.constantFrom(...CURRENCIES)}),
  run: async (exam, {minor, currency}) => {
    exam.expectOutcome(await exam.send(exam.call('chip', {amount: amountText(minor, currency)})), 'decided')
  },
  steps: ({minor, currency}) => [
    {send: 'chip', amount: amountText(minor, currency), card: 'new', expect: 'decided'},
  ],
})
