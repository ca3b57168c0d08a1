import type * as FastCheck from 'fast-check'
import type {ReceivedCall} from '../../received-call.ts'
import {callFields} from '../call-fields.ts'
import {edited} from '../edit-call.ts'
import {cardOf} from '../exam.ts'
import {otherCase, withOtherCase} from '../other-case.ts'
import type {Property} from './property.ts'

/** A payment in another form than usual: what is absent, unknown, or has a value that the contract doesn't list. */
interface OddCall {
  readonly scenario: string
  /** Optional fields that are absent; and the same call has them as null. */
  readonly absent: readonly string[]
  readonly values: readonly (readonly [path: string, value: string])[]
  /** Objects with a field that the contract doesn't know; the empty path is the call. */
  readonly unknown: readonly (readonly [path: string, value: unknown])[]
  /** Fields that are there a second time, with another value and a name that differs only in case. */
  readonly alike: readonly string[]
  /** Four digits. */
  readonly category: string | undefined
  /** In the smallest unit, with a member that the contract doesn't know. */
  readonly fees: readonly number[]
}

const SCENARIOS = ['contactless', 'chip', 'ecommerce', 'wallet', 'atm', 'account-funding'] as const

/** Where merchants may be treated unlike others: gambling, money, fuel, travel, and none. */
export const CATEGORIES = [
  ...['7995', '7801', '7802', '7800', '9406', '6051', '6010', '6011', '6012', '4829', '6211', '6540'],
  ...['5542', '5541', '5411', '5812', '5912', '5967', '5816', '5993', '7273', '7011', '3000', '3501'],
  ...['4111', '4511', '9311', '9399', '0742', '8999', '0000', '9999'],
] as const

const SURROGATES = 0x800
const FIRST_SURROGATE = 0xd800

/** Any character of Unicode. For its own `unit: 'binary'` fast-check makes a table of all, which takes over a second. */
const anyCharacter = (fc: typeof FastCheck) =>
  fc.nat(0x10ffff - SURROGATES).map(at => String.fromCodePoint(at < FIRST_SURROGATE ? at : at + SURROGATES))

/** Any payment in any form of the contract is decided, and what is unknown or null changes nothing. */
export async function oddCalls(fc: typeof FastCheck): Promise<Property<OddCall>> {
  const {optional, texts, objects, members} = await callFields()
  const text = fc.oneof(
    fc.string({unit: anyCharacter(fc), maxLength: 40}),
    fc.string({unit: 'grapheme', maxLength: 200}),
    fc.constantFrom(
      ...['', 'SOMETHING_NEW', 'null', '0', '\'"\\<>&;', 'a\nb\r\n\t', '../../etc/passwd', '__proto__'],
    ),
  )
  const all = [...members].flatMap(([path, names]) => names.map(name => (path ? `${path}.${name}` : name)))
  const unknown = fc.tuple(
    fc.constantFrom(...objects),
    fc.oneof(fc.string({maxLength: 5}), fc.jsonValue({maxDepth: 2})),
  )
  return {
    name: 'payments in any form of the contract: decided, and alike with null and with unknown fields',
    rule: 'unknown-fields',
    runs: 60,
    arbitrary: fc.record({
      scenario: fc.constantFrom(...SCENARIOS),
      absent: fc.uniqueArray(fc.constantFrom(...optional), {maxLength: 4}),
      values: fc.uniqueArray(fc.tuple(fc.constantFrom(...texts), text), {
        maxLength: 3,
        selector: ([path]) => path,
      }),
      unknown: fc.uniqueArray(unknown, {maxLength: 3, selector: ([path]) => path}),
      alike: fc.uniqueArray(fc.constantFrom(...all), {maxLength: 3}),
      category: fc.oneof(
        {arbitrary: fc.constant(undefined), weight: 2},
        fc.constantFrom(...CATEGORIES),
        fc.stringMatching(/^[0-9]{4}$/),
      ),
      fees: fc.array(fc.integer({min: 0, max: 500}), {maxLength: 2}),
    }),
    run: async (exam, odd) => {
      const plain = () => edited(exam.call(odd.scenario, {amount: '10 EUR'}), valuesOf(odd))
      const absent = Object.fromEntries(odd.absent.map(path => [path, undefined]))
      const first = edited(plain(), absent)
      const decided = await exam.send(first)
      const rule = ruleOf(odd)
      exam.expectDecided(decided, odd.category !== undefined && rule === 'holds' ? 'codes' : rule)
      await exam.glance(cardOf(first), {rule})
      if (odd.absent.length + odd.unknown.length + odd.alike.length === 0) return
      const call = withOtherCase(edited(plain(), moreOf(odd)), odd.alike)
      const other = await exam.send(call)
      const isUnknown = odd.unknown.length + odd.alike.length > 0
      const of = isUnknown ? 'unknown-fields' : 'null-fields'
      exam.expectSame(decided, [other], 'the same decision with null and unknown fields', of)
      await exam.glance(cardOf(call), {rule: of})
    },
    steps: odd => [
      {
        send: odd.scenario,
        amount: '10 EUR',
        card: 'new',
        expect: 'decided',
        set: {
          ...valuesOf(odd),
          ...moreOf(odd),
          ...Object.fromEntries(odd.alike.map(path => [otherCase(path), 'OTHER'])),
        },
      },
    ],
  }
}

/** What is broken if such a payment is decided or held wrongly. */
const ruleOf = ({values, fees, absent}: OddCall): string =>
  values.length > 0
    ? 'unknown-values'
    : fees.length > 0
      ? 'fees'
      : absent.length > 0
        ? 'null-fields'
        : 'holds'

const valuesOf = ({values, category, fees}: OddCall) => ({
  ...Object.fromEntries(values),
  ...(category !== undefined && {'merchantData.category': {code: category}}),
  ...(fees.length > 0 && {
    'transactionData.transactionFees': fees.map(fee => ({
      feeType: 'FX_MARKUP',
      feeAmount: {amount: fee / 100, currency: 'EUR'},
      somethingNew: fee,
    })),
  }),
})

const moreOf = ({absent, unknown}: Pick<OddCall, 'absent' | 'unknown'>): Readonly<ReceivedCall> =>
  Object.fromEntries([
    ...unknown.map(([path, value]) => [`${path}${path === '' ? '' : '.'}somethingNew`, value] as const),
    ...absent.map(path => [path, null] as const),
  ])
