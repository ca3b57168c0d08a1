import type {ReceivedCall} from '../received-call.ts'
import {type BehaviourCheck, cardOf, type Exam, NotChecked} from './exam.ts'

/** Amounts that floating point spoils, in currencies with 2, 0 and 3 decimals. */
const EXACT = ['12.34 EUR', '4.35 EUR', '0.29 EUR', '1251 JPY', '10.075 KWD', '12.345 KWD'] as const
const SPOILED = ['4.35 EUR', '0.29 EUR', '19.99 EUR', '1.15 EUR'] as const
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
  ...EXACT.map(
    (amount): BehaviourCheck => ({
      name: `${amount} is held, exactly`,
      rule: 'amounts',
      needs: ['probe'],
      run: async exam => {
        await exam.approved(exam.call('chip', {amount}))
      },
    }),
  ),
  {
    name: `${SPOILED.join(', ')} are held to the cent, as what the card can pay then shows`,
    rule: 'amounts',
    run: async exam => {
      const card = exam.card()
      for (const amount of SPOILED) await exam.approved(exam.call('chip', {card, amount}))
      await exam.expectRoom(card, {toTheCent: true})
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
  {
    name: 'an amount of zero holds nothing',
    rule: 'zero-amounts',
    run: exam => free(exam, ['verification'])(),
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
        return balanceIn(done.verdict.reply)
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
        if (currency !== 'EUR') return
        exam.expectOutcome(await exam.send(exam.reversal(first)), 'approved')
        await exam.expectRoom(cardOf(call))
      },
    }),
  ),
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

function balanceIn(reply: unknown): string {
  const {transactionData} = Object(reply) as {transactionData?: {availableAmount?: unknown}}
  const {amount, currency} = Object(transactionData?.availableAmount) as {
    amount?: unknown
    currency?: unknown
  }
  return `${amount} ${currency}`
}
