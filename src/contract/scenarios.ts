import {
  bank,
  cashMachine,
  casino,
  coffee,
  fuelPump,
  hotel,
  moneyTransfer,
  shop,
  subscription,
} from './scenario-merchants.ts'
import type {WebhookBody} from './types.ts'

type AuthCall = WebhookBody<'webhook.auth'>

/** A purchase without card, account, amount and time, which the caller fills in. */
export interface Scenario {
  readonly summary: string
  readonly messageCategory: string
  readonly transactionData: AuthCall['transactionData']
  readonly merchantData: AuthCall['merchantData']
  readonly token?: {readonly id: string; readonly walletIdentifier: string}
  /** A plausible amount. */
  readonly example: {readonly amount: number; readonly currency: string}
  /** Other amounts, in percent of the whole. */
  readonly percent?: {readonly cashback?: number; readonly replacement?: number; readonly fee?: number}
}

type Transaction = AuthCall['transactionData']

/** The first message about a transaction with card and cardholder there, or neither. */
const initial =
  (isPresent: boolean) =>
  (
    transactionType: string,
    cardEntryMode: string,
    cardholderVerifications: string[],
    more: Partial<Transaction> = {},
  ): Pick<Scenario, 'messageCategory' | 'transactionData'> => ({
    messageCategory: 'INITIAL_AUTHORIZATION',
    transactionData: {
      cardholderPresent: isPresent,
      cardPresent: isPresent,
      merchantInitiated: false,
      partialApprovalCapable: false,
      transactionType,
      cardEntryMode,
      cardholderVerifications,
      ...more,
    },
  })
const inPerson = initial(true)
const remote = initial(false)

const walletToken = {id: '1', walletIdentifier: 'walleta'}

/** The scenarios that developers of card programmes meet, by name. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  contactless: {
    summary: 'Coffee, paid contactless',
    ...inPerson('RETAIL', 'CHIP_CONTACTLESS', ['NO_VERIFICATION']),
    merchantData: coffee,
    example: {amount: 4.2, currency: 'EUR'},
  },
  chip: {
    summary: 'Coffee, chip and PIN',
    ...inPerson('RETAIL', 'CHIP', ['PIN_VERIFIED_BY_CARD']),
    merchantData: coffee,
    example: {amount: 7.8, currency: 'EUR'},
  },
  'magnetic-stripe': {
    summary: 'Coffee, the stripe read and signed for',
    ...inPerson('RETAIL', 'MAGNETIC_STRIPE', ['SIGNATURE']),
    merchantData: coffee,
    example: {amount: 7.8, currency: 'EUR'},
  },
  atm: {
    summary: 'Cash from a machine, the PIN checked by the issuer',
    ...inPerson('ATM', 'CHIP', ['PIN_VERIFIED_BY_ISSUER']),
    merchantData: cashMachine,
    example: {amount: 100, currency: 'EUR'},
  },
  'cash-advance': {
    summary: 'Cash at the counter of a bank',
    ...inPerson('CASH_DISBURSEMENT', 'CHIP', ['PIN_VERIFIED_BY_CARD']),
    merchantData: bank,
    example: {amount: 300, currency: 'EUR'},
  },
  ecommerce: {
    summary: 'An online purchase with 3-D Secure',
    ...remote('RETAIL', 'ECOMMERCE', ['THREE_DS'], {cardholderPresent: true}),
    merchantData: shop,
    example: {amount: 89.9, currency: 'EUR'},
  },
  'mail-order': {
    summary: 'An order by telephone, the number keyed in',
    ...remote('RETAIL', 'MANUAL_ENTRY', ['NO_VERIFICATION']),
    merchantData: shop,
    example: {amount: 35, currency: 'EUR'},
  },
  wallet: {
    summary: 'Coffee, paid with a phone',
    ...inPerson('RETAIL', 'WALLET_CONTACTLESS', ['WALLET', 'BIOMETRIC']),
    merchantData: coffee,
    token: walletToken,
    example: {amount: 4.2, currency: 'EUR'},
  },
  'wallet-ecommerce': {
    summary: 'An online purchase, paid with a wallet',
    ...remote('RETAIL', 'WALLET_ECOMMERCE', ['WALLET', 'BIOMETRIC'], {cardholderPresent: true}),
    merchantData: shop,
    token: walletToken,
    example: {amount: 89.9, currency: 'EUR'},
  },
  hotel: {
    summary: 'A hold for a hotel room, to be raised later',
    ...inPerson('RETAIL', 'CHIP', ['PIN_VERIFIED_BY_CARD'], {authValidityInDays: 7}),
    merchantData: hotel,
    example: {amount: 2400, currency: 'NOK'},
  },
  'hotel-increment': {
    summary: 'The hold for the hotel room is raised',
    ...remote('RETAIL', 'CREDENTIALS_ON_FILE', ['NO_VERIFICATION'], {
      merchantInitiated: true,
      authValidityInDays: 7,
    }),
    messageCategory: 'INCREMENTAL_AUTHORIZATION',
    merchantData: hotel,
    example: {amount: 600, currency: 'NOK'},
  },
  fuel: {
    summary: 'A fuel pump that can take a part of the amount',
    ...inPerson('RETAIL', 'CHIP', ['PIN_VERIFIED_BY_CARD'], {partialApprovalCapable: true}),
    merchantData: fuelPump,
    example: {amount: 120, currency: 'EUR'},
  },
  foreign: {
    summary: 'A purchase abroad, with a markup fee',
    ...inPerson('RETAIL', 'CHIP_CONTACTLESS', ['NO_VERIFICATION'], {
      transactionFees: [{feeType: 'FX_MARKUP', feeAmount: null}],
    }),
    merchantData: hotel,
    example: {amount: 349, currency: 'NOK'},
    percent: {fee: 2},
  },
  recurring: {
    summary: 'The monthly charge of a subscription',
    ...remote('RETAIL', 'CREDENTIALS_ON_FILE', ['NO_VERIFICATION'], {merchantInitiated: true}),
    merchantData: subscription,
    example: {amount: 10.99, currency: 'EUR'},
  },
  cashback: {
    summary: 'Groceries with cash back',
    ...inPerson('CASHBACK', 'CHIP', ['PIN_VERIFIED_BY_CARD']),
    merchantData: coffee,
    example: {amount: 62.35, currency: 'EUR'},
    percent: {cashback: 40},
  },
  gambling: {
    summary: 'Casino chips, treated like cash',
    ...inPerson('UNIQUE', 'CHIP', ['PIN_VERIFIED_BY_CARD']),
    merchantData: casino,
    example: {amount: 200, currency: 'EUR'},
  },
  verification: {
    summary: 'An account is verified with an amount of zero',
    ...remote('RETAIL', 'ECOMMERCE', ['NO_VERIFICATION']),
    merchantData: subscription,
    example: {amount: 0, currency: 'EUR'},
  },
  'balance-inquiry': {
    summary: 'The balance is asked for at a machine',
    ...inPerson('BALANCE_INQUIRY', 'CHIP', ['PIN_VERIFIED_BY_ISSUER']),
    messageCategory: 'BALANCE_INQUIRY',
    merchantData: cashMachine,
    example: {amount: 0, currency: 'EUR'},
  },
  'pin-change': {
    summary: 'The PIN is changed at a machine',
    ...inPerson('PIN_CHANGE', 'CHIP', ['PIN_VERIFIED_BY_ISSUER']),
    messageCategory: 'PIN_MANAGEMENT',
    merchantData: cashMachine,
    example: {amount: 0, currency: 'EUR'},
  },
  'pin-unblock': {
    summary: 'The tries of the PIN are unblocked at a machine',
    ...inPerson('PIN_UNBLOCK', 'CHIP', []),
    messageCategory: 'PIN_MANAGEMENT',
    merchantData: cashMachine,
    example: {amount: 0, currency: 'EUR'},
  },
  refund: {
    summary: 'A shop gives money back',
    ...remote('CREDIT', 'ECOMMERCE', ['NO_VERIFICATION']),
    merchantData: shop,
    example: {amount: 89.9, currency: 'EUR'},
  },
  'account-funding': {
    summary: 'A wallet is filled from the card',
    ...remote('AFT', 'CREDENTIALS_ON_FILE', ['THREE_DS']),
    merchantData: moneyTransfer,
    example: {amount: 50, currency: 'EUR'},
  },
  'original-credit': {
    summary: 'Money is paid out to the card',
    ...remote('ORIGINAL_CREDIT', 'CREDENTIALS_ON_FILE', ['NO_VERIFICATION']),
    merchantData: moneyTransfer,
    example: {amount: 50, currency: 'EUR'},
  },
  'p2p-debit': {
    summary: 'Money goes to another person',
    ...remote('P2P_DEBIT', 'CREDENTIALS_ON_FILE', ['NO_VERIFICATION']),
    merchantData: moneyTransfer,
    example: {amount: 25, currency: 'EUR'},
  },
  'p2p-credit': {
    summary: 'Money comes from another person',
    ...remote('P2P_CREDIT', 'CREDENTIALS_ON_FILE', ['NO_VERIFICATION']),
    merchantData: moneyTransfer,
    example: {amount: 25, currency: 'EUR'},
  },
  reversal: {
    summary: 'A purchase is reversed whole',
    ...inPerson('REVERSAL', 'CHIP_CONTACTLESS', ['NO_VERIFICATION']),
    merchantData: coffee,
    example: {amount: 4.2, currency: 'EUR'},
  },
  'partial-reversal': {
    summary: 'A hold is lowered to what was used',
    ...inPerson('REVERSAL', 'CHIP', ['NO_VERIFICATION']),
    merchantData: fuelPump,
    example: {amount: 120, currency: 'EUR'},
    percent: {replacement: 60},
  },
}

/** A day at a till, as weights of scenarios: mostly payments, few refunds. */
export const usualMix: Readonly<Record<string, number>> = {
  contactless: 40,
  chip: 12,
  ecommerce: 20,
  wallet: 12,
  recurring: 4,
  atm: 4,
  fuel: 2,
  foreign: 2,
  refund: 2,
  reversal: 1,
  verification: 1,
}

/** The scenario with this name, if any. */
export function findScenario(name: string): Scenario | undefined {
  return Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
}
