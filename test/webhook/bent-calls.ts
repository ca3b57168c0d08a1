// A call as services send it that has some details in another way than the contract says. To add a case, add a line.
import {approveAll, type Decider, firstDecision} from '../../src/webhook/index.ts'
import {callOf, requestFor} from './calls.ts'

export type Json = Record<string, unknown>
type Bend = (call: Json) => void

/** A purchase of EUR 500 at a café in Finland. */
export const purchase = (id = 'a'): Json =>
  callOf('chip', id, {transactionAmount: {amount: 500, currency: 'EUR'}}) as unknown as Json

function placeOf(call: Json, path: string): [Json, string] {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  return [steps.reduce((place, step) => place[step] as Json, call), last]
}

export const set =
  (path: string, value: unknown): Bend =>
  call => {
    const [place, name] = placeOf(call, path)
    place[name] = value
  }

export const without =
  (path: string): Bend =>
  call => {
    const [place, name] = placeOf(call, path)
    delete place[name]
  }

const amounts = (transactionAmount: unknown): Bend =>
  set('transactionData.transactionAmount', transactionAmount)
export const euros = (amount: unknown): Bend => amounts({amount, currency: 'EUR'})

/** What rules make of the purchase as the contract has it: the code that goes out, 00 by whoever comes after the rules. */
export const rules = {
  limit: ['{when: {amount: {over: 200, currency: EUR}}, then: {decline: "61"}}', '61'],
  exact: ['{when: {amount: [10 EUR, 500.00 EUR]}, then: {decline: "51"}}', '51'],
  number: ['{when: {transactionData.transactionAmount.amount: {over: 200}}, then: {decline: "61"}}', '61'],
  small: ['{when: {amount: {under: 1000, currency: EUR}}, then: approve}, {then: {decline: "57"}}', '00'],
  part: ['{then: {partial: 50 EUR}}', '51'],
  cash: ['{when: {mcc: 6011}, then: {decline: "57"}}', '00'],
  vet: ['{when: {mcc: "0742"}, then: {decline: "57"}}', '00'],
  home: ['{when: {country: FIN}, then: approve}, {then: {decline: "62"}}', '00'],
  abroad: ['{when: {country: [USA, RUS]}, then: {decline: "62"}}', '00'],
  credit: ['{when: {kind: credit}, then: {decline: "57"}}', '00'],
  often: ['{when: {velocity: {over: 0, within: 1h}}, then: {decline: "65"}}', '65'],
  sum: ['{when: {velocity: {over: 400 EUR, within: 1h}}, then: {decline: "61"}}', '61'],
  wallet: ['{when: {token.walletIdentifier: PAY}, then: {decline: "57"}}', '00'],
  balance: ['{when: {account.availableAmount: {under: 5, currency: EUR}}, then: {decline: "51"}}', '00'],
} as const

export type Codes = Partial<Record<keyof typeof rules, string>>

export const AMOUNT = '/transactionData/transactionAmount'
/** No rule can tell what it is about. */
const noAmount: Codes = {limit: '05', exact: '05', number: '05', small: '57', part: '51', sum: '05'}

/** What differs, how, where the contract says something else, and the codes that are not those of the purchase. */
export const cases: readonly (readonly [string, Bend, readonly string[], Codes])[] = [
  ['a numeric account', set('account.accountId', 2001), ['/account/accountId'], {}],
  ['a numeric card', set('card.cardId', 3001), ['/card/cardId'], {}],
  ['a UUID card', set('card.cardId', '3f2a9c1e-7d54-4f5e-9a44-2c1d9a7b3f10'), ['/card/cardId'], {}],
  ['no card', without('card'), ['/card'], {often: '05', sum: '05'}],
  [
    'a card of which digits are lost',
    set('card.cardId', 2 ** 60),
    ['/card/cardId'],
    {often: '05', sum: '05'},
  ],
  ['a card that is a text', set('card', '3001'), ['/card'], {often: '05', sum: '05'}],
  ['no customer', without('customer'), ['/customer'], {}],
  ['no account', without('account'), ['/account'], {balance: '05'}],
  ['no balance', set('account.availableAmount', null), ['/account/availableAmount'], {balance: '05'}],
  [
    'a balance as text',
    set('account.availableAmount', {amount: '4.99', currency: 'EUR'}),
    ['/account/availableAmount/amount'],
    {balance: '51'},
  ],
  ['a numeric id', set('metadata.id', 42), ['/metadata/id'], {}],
  ['no id', without('metadata.id'), ['/metadata/id'], {}],
  ['no metadata', without('metadata'), ['/metadata'], {}],
  ['metadata of a list', set('metadata', []), ['/metadata'], {}],
  ['an amount as text', euros('500.00'), [`${AMOUNT}/amount`], {}],
  ['an amount as text without decimals', euros('500'), [`${AMOUNT}/amount`], {}],
  [
    'a small amount as text',
    euros('20.00'),
    [`${AMOUNT}/amount`],
    {limit: '00', exact: '00', number: '00', part: '00', sum: '00'},
  ],
  ['an amount with a comma', euros('500,00'), [`${AMOUNT}/amount`], noAmount],
  ['an amount with groups', euros('1,500.00'), [`${AMOUNT}/amount`], noAmount],
  ['an amount with its currency', euros('EUR 500'), [`${AMOUNT}/amount`], noAmount],
  ['an amount with an exponent, as text', euros('5e2'), [`${AMOUNT}/amount`], noAmount],
  ['an amount with more decimals', euros('200.0001'), [`${AMOUNT}/amount`], {exact: '00', sum: '00'}],
  [
    'an amount of many digits',
    euros('98765432109876543210.12'),
    [`${AMOUNT}/amount`],
    {exact: '00', number: '05', small: '57'},
  ],
  ['an amount below zero', euros(-500), [`${AMOUNT}/amount`], {...noAmount, number: '00'}],
  ['an amount that is none', euros(null), [`${AMOUNT}/amount`], noAmount],
  [
    'an amount without a currency',
    amounts({amount: 500}),
    [`${AMOUNT}/currency`],
    {...noAmount, number: '61'},
  ],
  [
    'a currency in small letters',
    amounts({amount: 500, currency: 'eur'}),
    [`${AMOUNT}/currency`],
    {...noAmount, number: '61'},
  ],
  [
    'a numeric currency',
    amounts({amount: 500, currency: '978'}),
    [`${AMOUNT}/currency`],
    {...noAmount, number: '61'},
  ],
  ['an amount as a plain number', amounts(500), [AMOUNT], noAmount],
  ['no amount', amounts(null), [], noAmount],
  [
    'a billed amount beside one that cannot be read',
    call => {
      amounts('500 EUR')(call)
      set('transactionData.billingAmount', {amount: 11, currency: 'EUR'})(call)
    },
    [AMOUNT],
    noAmount,
  ],
  [
    'no type',
    without('transactionData.transactionType'),
    ['/transactionData/transactionType'],
    {credit: '05'},
  ],
  [
    'a numeric type',
    set('transactionData.transactionType', 0),
    ['/transactionData/transactionType'],
    {credit: '05'},
  ],
  ['a type that nobody knows', set('transactionData.transactionType', 'TELEPATHY'), [], {}],
  ['no transaction', set('transactionData', null), ['/transactionData'], {...noAmount, credit: '05'}],
  [
    'no merchant',
    set('merchantData', null),
    ['/merchantData'],
    {cash: '05', vet: '05', home: '62', abroad: '05'},
  ],
  ['a numeric MCC', set('merchantData.category.code', 6011), ['/merchantData/category/code'], {cash: '57'}],
  [
    'a numeric MCC without its zeros',
    set('merchantData.category.code', 742),
    ['/merchantData/category/code'],
    {vet: '57'},
  ],
  ['an MCC in words', set('merchantData.category.code', 'ATM'), [], {cash: '05', vet: '05'}],
  [
    'a category as text',
    set('merchantData.category', '6011'),
    ['/merchantData/category'],
    {cash: '05', vet: '05'},
  ],
  ['a country of two letters', set('merchantData.country', 'FI'), [], {home: '62', abroad: '05'}],
  [
    'a numeric country',
    set('merchantData.country', 246),
    ['/merchantData/country'],
    {home: '62', abroad: '05'},
  ],
  ['a token that is a text', set('token', 'PAY'), ['/token'], {wallet: '05'}],
  ['no token', set('token', null), [], {}],
  [
    'a date as a number',
    set('transactionData.transactionDateTime', 1781524800000),
    ['/transactionData/transactionDateTime'],
    {},
  ],
  ['a date with an offset', set('transactionData.transactionDateTime', '2026-06-15 12:00:00+02'), [], {}],
  ['an expiry as text', set('card.expiration', '12/29'), ['/card/expiration'], {}],
  ['yes and no as text', set('transactionData.cardPresent', 'Y'), ['/transactionData/cardPresent'], {}],
  [
    'nothing at all',
    call => {
      for (const name of Object.keys(call)) delete call[name]
    },
    ['/metadata', '/card'],
    {
      ...noAmount,
      cash: '05',
      vet: '05',
      home: '62',
      abroad: '05',
      credit: '05',
      often: '05',
      balance: '05',
    },
  ],
]

export const bent = (bend: Bend): Json => {
  const call = purchase()
  bend(call)
  return call
}

/** The code that goes out, and why where that was in doubt. */
export async function codeBy(
  decider: Decider,
  call: Json,
): Promise<{code: string; because: string | undefined}> {
  const decision = await firstDecision([decider, approveAll]).decide(requestFor(call as never))
  if (decision?.answer.kind !== 'reply') throw new Error('That is no answer.')
  const {code} = decision.answer.reply.transactionData.authResponseCode
  return {code, because: decision.because}
}

export const surroundings = {random: () => 0, sleep: async () => undefined}
