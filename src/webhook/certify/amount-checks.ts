import {currencyCodes, exponentOf} from '../../money/exponents.ts'
import {type BehaviourCheck, NotChecked} from './check.ts'
import {cardOf, type Exam} from './exam.ts'
import {inWords} from './room.ts'

/** Amounts that floating point spoils, in currencies with 2, 0, 3 and 4 decimals. */
const SPOILED = [
  ['4.35 EUR', '0.29 EUR', '19.99 EUR', '1.15 EUR', '12.34 EUR'],
  // Their sums, too.
  ['1054.60 EUR', '1048.70 EUR', '411.76 EUR', '463.72 EUR'],
  ['1129.64 EUR', '951.33 EUR', '1132.47 EUR', '586.61 EUR'],
  ['1251 JPY', '29 JPY'],
  ['1257 UGX', '1 UGX'],
  ['10.075 KWD', '12.345 KWD', '1.005 KWD'],
  ['1.255 TND', '0.001 TND'],
  ['0.0435 CLF', '1.2345 CLF'],
] as const

/** In the smallest unit: the least, those that 32 bits lose, and the longest that every number of JSON holds exactly. */
export const SIZES = [
  1n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n + 100n,
  2n ** 40n + 1n,
  2n ** 49n - 1n,
  999_999_999_999_999n,
] as const

/** How many calls of one check are sent at the same time. */
const AT_ONCE = 10

/** Some at a time. */
export async function inTurns<Item>(
  items: readonly Item[],
  each: (item: Item) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    await Promise.all(items.slice(at, at + AT_ONCE).map(each))
  }
}

/** Amounts of every currency and size. */
export const amountChecks: readonly BehaviourCheck[] = [
  {
    name: 'an amount in each currency of ISO 4217, with all of its decimals, gets a decision',
    rule: 'amounts',
    run: exam =>
      inTurns(currencyCodes(), async currency => {
        const amount = inWords(12_345n, currency)
        exam.expectOutcome(await exam.sendOnly(exam.call('chip', {amount})), 'approved', 'declined')
      }),
  },
  {
    name: 'amounts of one smallest unit to 15 digits get a decision',
    rule: 'amounts',
    run: exam =>
      inTurns(
        SIZES.flatMap(size => ['EUR', 'JPY', 'KWD'].map(currency => inWords(size, currency))),
        async amount => exam.expectOutcome(await sendOf(exam, amount), 'approved', 'declined'),
      ),
  },
  {
    name: 'a large amount that is approved is held whole, as what the card can pay then shows',
    rule: 'amounts',
    run: async exam => {
      await exam.knownRoom()
      for (const size of SIZES.slice(1)) {
        const done = await sendOf(exam, inWords(size, 'EUR'))
        exam.expectOutcome(done, 'approved', 'declined')
        if (done.verdict.outcome === 'approved') await exam.expectRoom(cardOf(done.call as never))
      }
    },
  },
  ...SPOILED.map((amounts): BehaviourCheck => {
    const [, currency = ''] = amounts[0].split(' ')
    return {
      name: `${amounts.join(', ')} are held exactly`,
      rule: 'amounts',
      run: async exam => {
        const card = exam.card(`5000 ${currency}`)
        let approved = 0
        for (const amount of amounts) {
          const {verdict} = await exam.send(exam.call('chip', {card, amount}))
          if (verdict.outcome === 'approved') approved++
        }
        if (approved === 0) throw new NotChecked(`the endpoint approved nothing in ${currency}`)
        await exam.expectRoom(card)
      },
    }
  }),
]

const sendOf = (exam: Exam, amount: string) =>
  exam.send(exam.call('chip', {amount, data: {partialApprovalCapable: false}}))

/** A text like `12.345`: with as many decimals as a currency has, and one more. */
export const tooPrecise = (currency: string): number => Number(`1.${'0'.repeat(exponentOf(currency))}5`)
