import {randomUUID} from 'node:crypto'
import type {AuthCall} from '../../contract/auth-call.ts'
import {findScenario, scenarios} from '../../contract/scenarios.ts'
import {Failure} from '../../errors/failure.ts'
import {nearestName} from '../../errors/nearest-name.ts'
import {scenarioCall as buildCall, type CardFacts, someCard} from '../send/scenario-call.ts'

export type {AuthCall}

/** The names of all scenarios: `contactless`, `fuel`, `hotel`, `hotel-increment`, `reversal` … */
export const scenarioNames: readonly string[] = Object.keys(scenarios)

/** What a call has instead of its scenario's own values. */
export interface CallSettings {
  /** Decimal text, with the decimals of the currency: `12.50`. */
  readonly amount?: string
  /** ISO 4217. A currency other than the account's is billed at made-up rates. */
  readonly currency?: string
  /** `metadata.id`; a new one by default. Pass the same id to send the same call again. */
  readonly id?: string
  /** The transaction that this call increments or reverses: `metadata.transactionId` of an earlier one. */
  readonly transactionId?: string
  /** Card, account and customer; card 3001 of account 2001 with EUR 5,000 by default. */
  readonly card?: Partial<CardFacts>
  /** When the transaction took place, ms since 1970; now by default. */
  readonly at?: number
}

/**
 * A complete call of a scenario, with new ids.
 *
 * @throws Failure INPUT_INVALID for an unknown scenario, and for an amount that its currency can't have.
 */
export function scenarioCall(name: string, settings: CallSettings = {}): AuthCall {
  const scenario = findScenario(name)
  if (scenario === undefined) {
    const meant = nearestName(name, scenarioNames)
    throw new Failure('INPUT_INVALID', {
      message: `Unknown scenario.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
      hint: `The scenarios are ${scenarioNames.join(', ')}.`,
    })
  }
  const {id, card, at, ...rest} = settings
  const call = buildCall({
    scenario,
    ...rest,
    card: {...someCard, ...card},
    now: () => at ?? Date.now(),
    newId: randomUUID,
    random: Math.random,
  })
  return structuredClone(id === undefined ? call : {...call, metadata: {...call.metadata, id}})
}
