import type * as FastCheck from 'fast-check'
import type {Drop} from '../../endpoint.ts'
import {amountText, minorAmounts, rescaled} from './amounts.ts'

/** What a payment differs in from a plain one. */
interface Form {
  /** Of a scenario, by which it has its type. */
  readonly scenario: (typeof PAYMENTS)[number]
  /** Fees in the smallest unit; none if 0. */
  readonly fee: number
  /** Whether its other ids are those of an earlier payment. */
  readonly isLinked: boolean
  readonly isOld: boolean
}

/** What happens on a card. `of` counts the payments so far. */
export type Act =
  | {
      readonly act: 'pay' | 'pay twice at once' | 'pay thrice with one id' | 'pay and reverse at once'
      readonly minor: number
      readonly form: Form
    }
  /** Its answer is lost, or comes too late, and it is sent again. */
  | {
      readonly act: 'pay and lose the answer'
      readonly minor: number
      readonly how: Lost
      readonly isAgain: boolean
      readonly form: Form
    }
  /** Two payments whose ids differ only a little; then the first is reversed, and more. */
  | {readonly act: 'pay alike'; readonly minor: number; readonly ids: (typeof ALIKE)[number]}
  /** For more than is left: in part, if the merchant takes parts. */
  | {readonly act: 'ask too much'; readonly isPart: boolean; readonly form: Form}
  | {readonly act: 'reverse before the payment'; readonly minor: number}
  | {readonly act: 'free'; readonly scenario: (typeof FREE)[number]; readonly isBare: boolean}
  | {readonly act: 'repeat' | 'repeat at once'; readonly of: number}
  | {readonly act: 'another call with the id'; readonly of: number; readonly field: (typeof FIELDS)[number]}
  | {readonly act: 'reverse'; readonly of: number; readonly isLinked: boolean}
  /** For more than is left: in part, if the merchant takes parts. */
  | {readonly act: 'raise too much'; readonly of: number; readonly isPart: boolean}
  | {
      readonly act: 'raise' | 'raise at once' | 'reverse some' | 'leave'
      readonly of: number
      readonly minor: number
      readonly isLinked: boolean
    }

export type Lost = Drop | 'late'
const LOST: readonly Lost[] = [
  ...(['in the request', 'before the last chunk', 'before its length'] as const),
  ...(['before the answer', 'in the answer', 'late'] as const),
]

const PAYMENTS = [
  ...(['hotel', 'chip', 'atm', 'gambling', 'cash-advance'] as const),
  ...(['p2p-debit', 'cashback', 'account-funding', 'mail-order'] as const),
] as const

const FREE = [
  ...(['verification', 'balance-inquiry', 'balance-inquiry', 'pin-change', 'pin-unblock'] as const),
  ...(['refund', 'original-credit', 'p2p-credit'] as const),
] as const

/** Ends of ids: in case, in a character or a space at the end, in how Unicode writes them. */
const ALIKE = [
  ['b', 'B'],
  ['1', '10'],
  ['b', 'b '],
  ['\u00e9', 'e\u0301'],
] as const

export const FIELDS = [
  ...(['merchantData.name', 'merchantData.category.code', 'customer.customerId'] as const),
  ...(['account.accountId', 'metadata.linkId', 'transactionData.authCode'] as const),
] as const

/** The currency of the payments and that of the account. Those of one currency come first: they are simpler. */
const CURRENCIES = [
  ...(['EUR EUR', 'EUR EUR', 'EUR EUR', 'JPY JPY', 'KWD KWD', 'TND TND', 'CLF CLF', 'UGX UGX'] as const),
  ...(['SEK EUR', 'JPY EUR', 'USD EUR'] as const),
] as const

export interface Sequence {
  readonly currencies: (typeof CURRENCIES)[number]
  readonly acts: readonly Act[]
}

export const askedOf = ({currencies}: Sequence): string => currencies.slice(0, 3)
export const homeOf = ({currencies}: Sequence): string => currencies.slice(4)

/** An amount of an act. */
export const amountIn = (minor: number, currency: string): string =>
  amountText(minor === 0 ? 0 : rescaled(minor, currency), currency)

export function anySequences(fc: typeof FastCheck): FastCheck.Arbitrary<Sequence> {
  const minor = fc.oneof({arbitrary: minorAmounts(fc, 10_000), weight: 4}, fc.integer({min: 1, max: 120_000}))
  const of = fc.nat({max: 3})
  const isLinked = fc.boolean()
  const form: FastCheck.Arbitrary<Form> = fc.record({
    scenario: fc.constantFrom(...PAYMENTS),
    fee: fc.oneof({arbitrary: fc.constant(0), weight: 3}, fc.integer({min: 1, max: 999})),
    isLinked,
    isOld: fc.boolean(),
  })
  const one = <const Name extends string>(...names: Name[]) => fc.constantFrom(...names)
  const acts: FastCheck.Arbitrary<Act> = fc.oneof(
    {
      arbitrary: fc.record({
        act: one('pay', 'pay twice at once', 'pay thrice with one id', 'pay and reverse at once'),
        minor,
        form,
      }),
      weight: 2,
    },
    fc.record({
      act: one('pay and lose the answer'),
      minor,
      how: fc.constantFrom(...LOST),
      isAgain: fc.boolean(),
      form,
    }),
    fc.record({act: one('pay alike'), minor, ids: fc.constantFrom(...ALIKE)}),
    fc.record({act: one('ask too much'), isPart: fc.boolean(), form}),
    fc.record({act: one('reverse before the payment'), minor}),
    fc.record({act: one('free'), scenario: fc.constantFrom(...FREE), isBare: fc.boolean()}),
    fc.record({act: one('repeat', 'repeat at once'), of}),
    fc.record({act: one('another call with the id'), of, field: fc.constantFrom(...FIELDS)}),
    fc.record({act: one('reverse'), of, isLinked}),
    fc.record({act: one('raise too much'), of, isPart: fc.boolean()}),
    {
      arbitrary: fc.record({
        act: one('raise', 'raise at once', 'reverse some', 'leave'),
        of,
        minor: fc.oneof({arbitrary: minor, weight: 3}, fc.constant(0)),
        isLinked,
      }),
      weight: 3,
    },
  )
  return fc
    .tuple(fc.constantFrom(...CURRENCIES), minor, form, fc.array(acts, {maxLength: 6}))
    .map(([currencies, first, firstForm, more]) => ({
      currencies,
      acts: [{act: 'pay' as const, minor: first, form: firstForm}, ...more],
    }))
}
