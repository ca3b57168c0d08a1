import {type AuthCall, buildAuthCall, type CallFacts, partsOf} from '../../contract/auth-call.ts'
import type {Scenario} from '../../contract/scenarios.ts'
import {Failure} from '../../errors/failure.ts'
import {minorToText, parseAmount} from '../../money/amount.ts'
import {convert} from '../../money/example-rates.ts'
import {exponentOf, inCurrency} from '../../money/exponents.ts'

/** The card and its holder. */
export type CardFacts = Pick<CallFacts, 'customerId' | 'accountId' | 'cardId' | 'expiration' | 'available'>

export interface ScenarioSettings {
  readonly scenario: Scenario
  readonly card: CardFacts
  /** Decimal text; the scenario's own by default. */
  readonly amount?: string | undefined
  /** ISO 4217; the scenario's own by default. */
  readonly currency?: string | undefined
  /** The id of an earlier call that this one increments or reverses. */
  readonly transactionId?: string | undefined
  /** Milliseconds since 1970. */
  now(): number
  newId(): string
  /** In [0, 1). */
  random(): number
}

/** A made-up card, for calls without a card of a profile. */
export const someCard: CardFacts = {
  customerId: '1001',
  accountId: '2001',
  cardId: '3001',
  expiration: {year: 2030, month: 12},
  available: {amount: 5000, currency: 'EUR'},
}

/** So many made-up cards in turn, each of its own customer and account. */
export function madeUpCards(count: number): () => CardFacts {
  let calls = 0
  return () => {
    const card = calls++ % count
    return {
      ...someCard,
      customerId: String(1001 + card),
      accountId: String(2001 + card),
      cardId: String(3001 + card),
    }
  }
}

/**
 * A complete call of a scenario. It is billed in the currency of the available amount, at made-up rates, or without
 * conversion if that currency is unknown.
 *
 * @throws Failure INPUT_INVALID for an amount that its currency can't have.
 */
export function scenarioCall(settings: ScenarioSettings): AuthCall {
  const {scenario, card, newId, random, transactionId = newId()} = settings
  const {currency = scenario.example.currency} = settings
  const {minor} = parseAmount(settings.amount ?? inCurrency(scenario.example.amount, currency), currency)
  if (minor < 0n) {
    throw new Failure('INPUT_INVALID', {
      message: 'The amount is negative.',
      hint: 'The scenario decides the direction: see refund, reversal and original-credit.',
    })
  }
  const asked = {minor, currency}
  const home = card.available?.currency ?? currency
  const billed = convert(minor, currency, home)
  const billing = billed === undefined ? asked : {minor: billed, currency: home}
  return buildAuthCall(
    {...scenario, transactionData: transactionDataOf(scenario, {asked, billing, transactionId})},
    {
      ...card,
      transactionId,
      transactionAmount: wire(asked),
      billingAmount: wire(billing),
      now: settings.now(),
      newId,
      digits: count => Array.from({length: count}, () => Math.floor(random() * 10)).join(''),
    },
  )
}

interface Money {
  readonly minor: bigint
  readonly currency: string
}

/** The fields that depend on the amount and on the earlier call. */
function transactionDataOf(
  scenario: Scenario,
  {transactionId, ...amounts}: {asked: Money; billing: Money; transactionId: string},
): AuthCall['transactionData'] {
  const {transactionData} = scenario
  return {
    ...transactionData,
    ...(transactionData.transactionType === 'REVERSAL' && {originalTransactionId: transactionId}),
    ...partsOf(scenario, (of, percent) => part(amounts[of], percent)),
  }
}

const part = ({minor, currency}: Money, percent: number) =>
  wire({minor: (minor * BigInt(percent)) / 100n, currency})

const wire = ({minor, currency}: Money) => ({
  amount: Number(minorToText(minor, exponentOf(currency))),
  currency,
})
