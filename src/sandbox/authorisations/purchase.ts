import {findScenario, type Scenario} from '../../contract/scenarios.ts'
import type {Input} from '../../contract/types.ts'
import {inCurrency} from '../../money/exponents.ts'
import {minorOf} from '../amounts.ts'
import {badRequest} from '../problems.ts'

export type AuthoriseRequest = Input<'sandbox.authorisations.create'>['body']
type TransactionData = Scenario['transactionData']

/** A purchase to decide: a scenario, with the overrides of the request. */
export interface Purchase {
  readonly cardId: string
  readonly scenario: string | null
  readonly messageCategory: string
  /** In the currency of the purchase, minor units. */
  readonly minor: bigint
  readonly currency: string
  readonly data: TransactionData
  /** Amounts in the data that are a percentage of the amount. */
  readonly percent: Scenario['percent']
  readonly merchant: Scenario['merchantData']
  readonly token: Scenario['token'] | undefined
  readonly wrongPin: boolean
  /** Of an earlier authorisation, to raise its hold or to give money back. */
  readonly transactionId: string | undefined
}

const DEFAULT_SCENARIO = 'contactless'
const ECOMMERCE = new Set(['ECOMMERCE', 'WALLET_ECOMMERCE', 'CREDENTIALS_ON_FILE'])
const CASH = new Set(['ATM', 'CASH_DISBURSEMENT'])
const CREDITS = new Set(['CREDIT', 'ORIGINAL_CREDIT', 'P2P_CREDIT'])
const INQUIRIES = new Set(['BALANCE_INQUIRY', 'PIN_MANAGEMENT', 'PIN_CHANGE', 'PIN_UNBLOCK'])

/** @throws Problem 400 for an unknown scenario, a reversal, or an amount with too many decimals. */
export function readPurchase(request: AuthoriseRequest): Purchase {
  const name = request.scenario ?? DEFAULT_SCENARIO
  const scenario = findScenario(name)
  if (scenario === undefined) throw badRequest('scenario-unknown', '/scenario: unknown scenario.')
  const data = {...scenario.transactionData, ...request.transactionData}
  if (data.transactionType === 'REVERSAL') {
    throw badRequest(
      'reversal',
      '/scenario: a reversal needs an authorisation. Use sandbox authorizations reverse ID.',
    )
  }
  const {messageCategory = scenario.messageCategory} = request
  const {currency = scenario.example.currency} = request
  const {amount = Number(inCurrency(scenario.example.amount, currency))} = request
  const raises = request.transactionId !== undefined && directionOf({...data, messageCategory}) === 'out'
  return {
    cardId: request.cardId,
    scenario: request.scenario ?? null,
    messageCategory: request.messageCategory ?? (raises ? 'INCREMENTAL_AUTHORIZATION' : messageCategory),
    minor: minorOf(amount, currency, '/amount'),
    currency,
    data,
    percent: scenario.percent,
    merchant: {...scenario.merchantData, ...request.merchant},
    token: request.token ? {id: '1', walletIdentifier: '', ...request.token} : scenario.token,
    wrongPin: request.wrongPin ?? false,
    transactionId: request.transactionId,
  }
}

export const isEcommerce = ({data}: Purchase) => ECOMMERCE.has(data.cardEntryMode ?? '')
export const isCashType = (transactionType: string) => CASH.has(transactionType)
export const isCash = ({data}: Purchase) => isCashType(data.transactionType)

/** The direction of the money, seen from the account. Inquiries and PIN management move none. */
export function directionOf({
  messageCategory,
  transactionType,
}: {
  readonly messageCategory: string
  readonly transactionType: string
}): 'out' | 'in' | 'none' {
  if (INQUIRIES.has(messageCategory) || INQUIRIES.has(transactionType)) return 'none'
  return CREDITS.has(transactionType) ? 'in' : 'out'
}

/** Whether it takes money. Credits, inquiries, PIN management and amounts of zero don't. */
export const takesMoney = ({messageCategory, data: {transactionType}, minor}: Purchase): boolean =>
  minor > 0n && directionOf({messageCategory, transactionType}) === 'out'

/** Whether the issuer checks the PIN. */
export function usesPin({wrongPin, data}: Purchase): boolean {
  return wrongPin || (data.cardholderVerifications ?? []).includes('PIN_VERIFIED_BY_ISSUER')
}
