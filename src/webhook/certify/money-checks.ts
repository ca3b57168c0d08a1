import type {ReceivedCall} from '../received-call.ts'
import {balanceIn} from './balance.ts'
import {type BehaviourCheck, NotChecked} from './check.ts'
import {cardOf, type Exam} from './exam.ts'
import {inWords} from './room.ts'

/** Scenarios of every type that takes money from the account. */
const PAYMENTS = [
  ['RETAIL', 'chip'],
  ['ATM', 'atm'],
  ['UNIQUE', 'gambling'],
  ['CASH_DISBURSEMENT', 'cash-advance'],
  ['P2P_DEBIT', 'p2p-debit'],
  ['CASHBACK', 'cashback'],
  ['AFT', 'account-funding'],
] as const
const CREDITS = ['refund', 'original-credit', 'p2p-credit'] as const
const PIN = ['pin-change', 'pin-unblock'] as const
const NO_PART = {partialApprovalCapable: false}

/** Calls of one card that hold nothing: each is decided, and then the card can pay all that it has. */
const free = (exam: Exam, scenarios: readonly string[]) => async () => {
  const card = exam.card()
  for (const scenario of scenarios) {
    exam.expectOutcome(await exam.send(exam.call(scenario, {card})), 'approved', 'declined')
  }
  await exam.expectRoom(card, {mayHaveMore: true})
}

/** What payments, and calls that are none, hold. */
export const moneyChecks: readonly BehaviourCheck[] = [
  {
    name: 'an approved payment holds its amount',
    rule: 'holds',
    run: async exam => {
      const call = exam.call('chip', {amount: '10 EUR'})
      await exam.approved(call)
      await exam.expectRoom(cardOf(call))
    },
  },
  ...PAYMENTS.map(
    ([type, scenario]): BehaviourCheck => ({
      name: `an approved payment of type ${type} holds its amount`,
      rule: 'holds',
      run: async exam => {
        const card = exam.card()
        await exam.approved(exam.call(scenario, {card, amount: '20 EUR', data: NO_PART}))
        await exam.expectRoom(card)
      },
    }),
  ),
  {
    name: 'fees are not part of what is held',
    rule: 'fees',
    run: async exam => {
      const card = exam.card()
      for (const [amount, fee] of [
        ['100 EUR', 2.5],
        ['12.34 EUR', 0.01],
      ] as const) {
        const transactionFees = [
          {feeType: 'FX_MARKUP', feeAmount: {amount: fee, currency: 'EUR'}},
          {feeType: 'ATM_FEE', feeAmount: {amount: 1, currency: 'EUR'}},
        ]
        await exam.approved(exam.call('contactless', {card, amount, data: {...NO_PART, transactionFees}}))
      }
      await exam.expectRoom(card)
    },
  },
  {
    name: 'a hold does not end because the call says an old time, or no validity',
    rule: 'expiry',
    run: async exam => {
      const card = exam.card()
      for (const data of [
        {transactionDateTime: '2020-02-29T23:59:59Z'},
        {transactionDateTime: '2020-02-29T23:59:59Z', authValidityInDays: 1},
        {authValidityInDays: null},
        // In milliseconds, more than 31 and more than 32 bits.
        ...[25, 30, 50, 366].map(authValidityInDays => ({authValidityInDays})),
        {authValidityInDays: undefined, transactionDateTime: null},
      ]) {
        await exam.approved(exam.call('chip', {card, amount: '10 EUR', data}))
      }
      await exam.expectRoom(card)
    },
  },
  {
    name: 'a declined call holds nothing',
    rule: 'declines',
    run: async exam => {
      const card = exam.card()
      const call = exam.call('chip', {card, amount: '1000000 EUR', data: NO_PART})
      const {verdict} = await exam.send(call)
      if (verdict.outcome !== 'declined') throw new NotChecked('the endpoint declined none')
      await exam.expectRoom(card)
    },
  },
  ...PAYMENTS.map(
    ([type, scenario]): BehaviourCheck => ({
      name: `a declined call of type ${type} holds nothing`,
      rule: 'declines',
      run: async exam => {
        const card = exam.card()
        let declined = 0
        for (const amount of ['700 EUR', '3000 EUR', '1000000 EUR']) {
          const {verdict} = await exam.send(exam.call(scenario, {card, amount, data: NO_PART}))
          if (verdict.outcome === 'declined') declined++
        }
        if (declined === 0) throw new NotChecked('the endpoint declined none')
        await exam.expectRoom(card)
      },
    }),
  ),
  {
    name: 'an amount of zero holds nothing',
    rule: 'zero-amounts',
    run: exam => free(exam, ['verification'])(),
  },
  {
    name: 'a payment without any amount is decided, and holds nothing',
    rule: 'zero-amounts',
    run: async exam => {
      const card = exam.card()
      for (const none of [undefined, null]) {
        const data = {transactionAmount: none, billingAmount: none, settlementAmount: none}
        exam.expectOutcome(await exam.send(exam.call('verification', {card, data})), 'approved', 'declined')
      }
      await exam.expectRoom(card)
    },
  },
  ...CREDITS.map(
    (scenario): BehaviourCheck => ({
      name: `a credit holds nothing: ${scenario}`,
      rule: 'credits',
      run: exam => free(exam, [scenario])(),
    }),
  ),
  {
    name: 'a change of the PIN holds nothing',
    rule: 'pin-changes',
    run: exam => free(exam, PIN)(),
  },
  {
    name: 'an approved balance inquiry has the balance, and holds nothing',
    rule: 'balance-inquiries',
    run: exam => free(exam, ['balance-inquiry'])(),
  },
  ...([0, undefined] as const).map(
    (available): BehaviourCheck => ({
      name: `a balance inquiry of an account whose availableAmount is ${available === 0 ? 'zero' : 'absent'}`,
      rule: 'balance-inquiries',
      run: async exam => {
        const amount = available === 0 ? {amount: 0, currency: 'EUR'} : available
        for (const set of [
          {'account.availableAmount': amount},
          {'account.availableAmount': amount, 'transactionData.transactionAmount': null},
        ]) {
          exam.expectOutcome(await exam.send(exam.call('balance-inquiry', {set})), 'approved', 'declined')
        }
      },
    }),
  ),
]

/** What an account has, and parts of what is asked for. */
export const balanceChecks: readonly BehaviourCheck[] = [
  {
    name: 'the balance is what it was, after a decline and after a payment and its reversal',
    rule: 'balances',
    run: async exam => {
      const card = exam.card()
      const ask = async () => {
        const done = await exam.send(exam.call('balance-inquiry', {card}))
        if (done.verdict.outcome !== 'approved') {
          throw new NotChecked('it needs an endpoint that approves balance inquiries')
        }
        return `${balanceIn(done.verdict)}`
      }
      const before = await ask()
      const after = async (what: string) => {
        const now = await ask()
        exam.expect('balance', `${before} after ${what}, as before`, now, now === before)
      }
      const payment = exam.call('chip', {card, amount: '10 EUR'})
      await exam.approved(payment)
      exam.expectOutcome(await exam.send(exam.reversal(payment)), 'approved')
      await after('a reversed payment')
      const much = await exam.send(exam.call('chip', {card, amount: '1000000 EUR', data: NO_PART}))
      if (much.verdict.outcome === 'declined') await after('a decline')
    },
  },
  ...([false, null, undefined] as const).map(
    (capable): BehaviourCheck => ({
      name: `no part where partialApprovalCapable is ${capable === undefined ? 'absent' : capable}`,
      rule: 'partial-capability',
      run: async exam => {
        const {call} = await muchOf(exam, 'EUR', {partialApprovalCapable: capable})
        exam.expectOutcome(await exam.send(call), 'approved', 'declined')
      },
    }),
  ),
  ...(['EUR', 'JPY', 'KWD'] as const).map(
    (currency): BehaviourCheck => ({
      name: `a part in ${currency} is of the right size, and only it is held`,
      rule: 'partial-amounts',
      run: async exam => {
        const {call, first} = await muchOf(exam, currency, {partialApprovalCapable: true})
        const done = await exam.send(call)
        exam.expectOutcome(done, 'decided')
        if (done.verdict.outcome !== 'partial') throw new NotChecked('the endpoint approved no part')
        exam.expectOutcome(await exam.send(exam.reversal(first)), 'approved')
        await exam.expectRoom(cardOf(call))
      },
    }),
  ),
  {
    name: 'a part is exact, with whatever cents are left',
    rule: 'partial-amounts',
    run: async exam => {
      const {most} = await exam.knownRoom()
      for (const left of [30n, 29n, 110n, 435n, 1999n, 10_007n]) {
        const card = exam.card()
        const data = {partialApprovalCapable: false}
        await exam.approved(exam.call('chip', {card, amount: inWords(most - left, 'EUR'), data}))
        const more = {card, amount: inWords(left + 100n, 'EUR'), data: {partialApprovalCapable: true}}
        const done = await exam.send(exam.call('fuel', more))
        exam.expectOutcome(done, 'partial', 'declined')
        if (done.verdict.outcome !== 'partial') throw new NotChecked('the endpoint approved no part')
      }
    },
  },
  {
    name: 'a part of a payment that is settled in another currency is in one of its own',
    rule: 'partial-amounts',
    run: async exam => {
      const settlementAmount = {amount: 4321.09, currency: 'USD'}
      const {call} = await muchOf(exam, 'EUR', {partialApprovalCapable: true, settlementAmount})
      const done = await exam.send(call)
      exam.expectOutcome(done, 'decided')
      if (done.verdict.outcome !== 'partial') throw new NotChecked('the endpoint approved no part')
    },
  },
  {
    name: 'no part of nothing: with exactly nothing left, a call is declined',
    rule: 'partial-amounts',
    run: async exam => {
      const {most} = await exam.knownRoom()
      const card = exam.card()
      await exam.approved(exam.call('chip', {card, amount: inWords(most, 'EUR'), data: NO_PART}))
      for (const amount of ['0.01 EUR', '10 EUR']) {
        const call = exam.call('fuel', {card, amount, data: {partialApprovalCapable: true}})
        exam.expectOutcome(await exam.send(call), 'declined')
      }
    },
  },
]

/** A call that asks for more than its card has left. */
async function muchOf(
  exam: Exam,
  currency: string,
  data: Readonly<Record<string, unknown>>,
): Promise<{readonly first: ReceivedCall; readonly call: ReceivedCall}> {
  const [card, amount] = [exam.card(`5000 ${currency}`), `4000 ${currency}`]
  const first = exam.call('chip', {card, amount, data: NO_PART})
  await exam.send(first)
  return {first, call: exam.call('fuel', {card, amount, data})}
}
