import {findScenario} from '../../src/contract/scenarios.ts'
import type {WebhookBody} from '../../src/contract/types.ts'

/** A whole call of a scenario; `more` goes into its transaction data. */
export function callOf(name: string, id: string, more: object = {}): WebhookBody<'webhook.auth'> {
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
  return structuredClone(call) as WebhookBody<'webhook.auth'>
}
