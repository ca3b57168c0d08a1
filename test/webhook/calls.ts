import type {AuthCall} from '../../src/contract/auth-call.ts'
import {findScenario} from '../../src/contract/scenarios.ts'
import type {DecisionRequest} from '../../src/webhook/decide.ts'
import {summaryOf} from '../../src/webhook/summary.ts'

/** A whole call of a scenario; `more` goes into its transaction data. */
export function callOf(name: string, id: string, more: object = {}): AuthCall {
  const scenario = findScenario(name)
  if (!scenario) throw new Error(`There is no scenario ${name}.`)
  const {messageCategory, transactionData, merchantData} = scenario
  const call = {
    metadata: {id, messageCategory},
    customer: {customerId: '1001'},
    account: {accountId: '2001', availableAmount: {amount: 4987.5, currency: 'EUR'}},
    card: {cardId: '3001', expiration: {year: 2029, month: 12}},
    transactionData: {
      ...transactionData,
      transactionAmount: {amount: name === 'verification' ? 0 : 100, currency: 'EUR'},
      transactionFees: null,
      ...more,
    },
    merchantData,
  }
  return structuredClone(call) as AuthCall
}

/** A call as deciders get it. */
export function requestFor(call: AuthCall, more: Partial<DecisionRequest> = {}): DecisionRequest {
  return {
    event: 'e_1',
    at: Date.UTC(2026, 5, 15, 12),
    summary: summaryOf(call, 2000),
    call,
    bytes: Buffer.from(JSON.stringify(call)),
    headers: {},
    signal: new AbortController().signal,
    note: () => {},
    ...more,
  }
}
