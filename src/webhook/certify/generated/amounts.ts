import type * as FastCheck from 'fast-check'
import {currencyCodes} from '../../../money/exponents.ts'
import type {ReceivedCall} from '../../received-call.ts'
import {cardOf} from '../exam.ts'
import {inWords, unitOf} from '../room.ts'
import type {Property} from './property.ts'

/** 15 digits: the longest that every number of JSON holds exactly. */
const MOST = 999_999_999_999_999

/** In the smallest unit: those that floating point spoils come first. */
export const minorAmounts = (fc: typeof FastCheck, most: number): FastCheck.Arbitrary<number> =>
  fc.oneof(fc.constantFrom(435, 29, 10_075, 1, 110, 1005, 1999, 57), fc.integer({min: 1, max: most}))

export const amountText = (minor: number, currency: string): string => inWords(BigInt(minor), currency)

/** An amount of some size in EUR, in a currency with other decimals: about as much as its number says. */
export function rescaled(minor: number, currency: string): number {
  const unit = Number(unitOf(currency))
  return unit >= 100 ? minor * (unit / 100) + (minor % (unit / 100)) : Math.ceil((minor * unit) / 100)
}

interface AnyAmount {
  readonly minor: number
  readonly currency: string
  readonly home: string | undefined
}

/** Any amount that its currency can have is decided, and held exactly if it is approved. */
export const anyAmounts = (fc: typeof FastCheck): Property<AnyAmount> => {
  const currencies = fc.oneof(
    fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF', 'UGX', 'TND'),
    fc.constantFrom(...currencyCodes()),
  )
  return {
    name: 'amounts of any size in any currency: decided, and held exactly',
    rule: 'amounts',
    runs: 60,
    arbitrary: fc.record({
      minor: fc.oneof(
        {arbitrary: minorAmounts(fc, 90_000), weight: 2},
        fc.integer({min: 1, max: MOST}),
        fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 32 + 100, 2 ** 32 + 435, 2 ** 40 + 29, MOST),
      ),
      currency: currencies,
      home: fc.oneof({arbitrary: fc.constant(undefined), weight: 3}, fc.constantFrom('EUR', 'USD', 'JPY')),
    }),
    run: async (exam, {minor, currency, home}) => {
      const card = exam.card(`5000 ${home ?? currency}`)
      const call = exam.call('chip', {card, amount: amountText(minor, currency)})
      if (billedOf(call) > MOST) return
      exam.expectOutcome(await exam.send(call), 'approved', 'declined')
      // The room of a currency takes some calls to find.
      if (ASKED.has(currency) && home === undefined) await exam.glance(cardOf(call))
    },
    steps: ({minor, currency}) => [
      {send: 'chip', amount: amountText(minor, currency), card: 'new', expect: 'decided'},
    ],
    available: ({currency, home}) => `5000 ${home ?? currency}`,
  }
}

const ASKED: ReadonlySet<string> = new Set(['EUR', 'JPY', 'KWD', 'CLF', 'UGX', 'TND'])

function billedOf({transactionData}: ReceivedCall): number {
  const {amount, currency} = (transactionData as {billingAmount: {amount: number; currency: string}})
    .billingAmount
  return amount * Number(unitOf(currency))
}
