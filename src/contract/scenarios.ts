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

const inPerson = {
  cardholderPresent: true,
  cardPresent: true,
  merchantInitiated: false,
  partialApprovalCapable: false,
}
const remote = {
  cardholderPresent: false,
  cardPresent: false,
  merchantInitiated: false,
  partialApprovalCapable: false,
}

const INITIAL = 'INITIAL_AUTHORIZATION'

/** The scenarios that developers of card programmes meet, by name. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  contactless: {
    summary: 'Coffee, paid contactless',
    messageCategory: INITIAL,
    transactionData: {
      ...inPerson,
      transactionType: 'RETAIL',
      cardEntryMode: 'CHIP_CONTACTLESS',
      cardholderVerifications: ['NO_VERIFICATION'],
    },
    merchantData: coffee,
    example: {amount: 4.2, currency: 'EUR'},
  },
  chip: {
    summary: 'Coffee, chip and PIN',
    messageCategory: INITIAL,
    transactionData: {
      ...inPerson,
      transactionType: 'RETAIL',
      cardEntryMode: 'CHIP',
      cardholderVerifications: ['PIN_VERIFIED_BY_CARD'],
    },
    merchantData: coffee,
    example: {amount: 7.8, currency: 'EUR'},
  },
  'magnetic-stripe': {
    summary: 'Coffee, the stripe read and signed for',
    messageCategory: INITIAL,
    transactionData: {
      ...inPerson,
      transactionType: 'RETAIL',
      cardEntryMode: 'MAGNETIC_STRIPE',
      cardholderVerifications: ['SIGNATURE'],
    },
    merchantData: coffee,
    example: {amount: 7.8, currency: 'EUR'},
  },
  atm: {
    summary: 'Cash from a machine, the PIN checked by the issuer',
    messageCategory: INITIAL,
    transactionData: {
      ...inPerson,
      transactionType: 'ATM',
      cardEntryMode: 'CHIP',
      cardholderVerifications: ['PIN_VERIFIED_BY_ISSUER'],
    },
    merchantData: cashMachine,
    example: {amount: 100, currency: 'EUR'},
  },
  'cash-advance': {
    summary: 'Cash at the counter of a bank',
    messageCategory: INITIAL,
    transactionData: {
      ...inPerson,
      transactionType: 'CASH_DISBURSEMENT',
      cardEntryMode: 'CHIP',
      cardholderVerifications: ['PIN_VERIFIED_BY_CARD'],
    },
    merchantData: bank,
    example: {amount: 300, currency: 'EUR'},
  },
  ecommerce: {
    summary: 'An online purchase with 3-D Secure',
    messageCategory: INITIAL,
    transactionData: {
      ...remote,
      cardholderPresent: true,
      transactionType: 'RETAIL',
      cardEntryMode: 'ECOMMERCE',
      cardholderVerifications: ['THREE_DS'],
    },
    merchantData: shop,
    example: {amount: 89.9, currency: 'EUR'},
  },
  'mail-order': {
    summary: 'An order by telephone, the number keyed in',
    messageCategory: INITIAL,
    transactionData: {
      ...remote,
      transactionType: 'RETAIL',
      cardEntryMode: 'MANUAL_ENTRY',
      cardholderVerifications: ['NO_VERIFICATION'],
    },
    merchantData: shop,
    example: {amount: 35, currency: 'EUR'},
  },
  wallet: {
    summary: 'Coffee, paid with a phone',
    messageCategory: INITIAL,
    transactionData: {
      ...inPerson,
      transactionType: 'RETAIL',
      cardEntryMode: 'WALLET_CONTACTLESS',
      cardholderVerifications: ['WALLET', 'BIOMETRIC'],
    },
    merchantData: coffee,
    token: {id: '1', walletIdentifier: 'walleta'},
    example: {amount: 4.2, currency: 'EUR'},
  },
  'wallet-ecommerce': {
    summary: 'An online purchase, paid with a wallet',
    messageCategory: INITIAL,
    transactionData: {
      ...remote,
      cardholderPresent: true,
      transactionType: 'RETAIL',
      cardEntryMode: 'WALLET_ECOMMERCE',
      cardholderVerifications: ['WALLET', 'BIOMETRIC'],
    },
    merchantData: shop,
    token: {id: '1', walletIdentifier: 'walleta'},
    example: {amount: 89.9, currency: 'EUR'},
  },
  hotel: {
    summary: 'A hold for a hotel room, to be raised later',
    messageCategory: INITIAL,
    transactionData: {
      ...inPerson,
      transactionType: 'RETAIL',
      cardEntryMode: 'CHIP',
      cardholderVerifications: ['PIN_VERIFIED_BY_CARD'],
      authValidityInDays: 7,
    },
    merchantData: hotel,
    example: {amount: 2400, currency: 'NOK'},
  },
  'hotel-increment': {
    summary: 'The hold for the hotel room is raised',
    messageCategory: 'INCREMENTAL_AUTHORIZATION',
    transactionData: {
      ...remote,
      merchantInitiated: true,
      transactionType: 'RETAIL',
      cardEntryMode: 'CREDENTIALS_ON_FILE',
      cardholderVerifications: ['NO_VERIFICATION'],
      authValidityInDays: 7,
    },
    merchantData: hotel,
    example: {amount: 600, currency: 'NOK'},
  },
  fuel: {
    summary: 'A fuel pump that can take a part of the amount',
    messageCategory: INITIAL,
    transactionData: {
      ...inPerson,
      partialApprovalCapable: true,
      transactionType: 'RETAIL',
      cardEntryMode: 'CHIP',
      cardholderVerifications: ['PIN_VERIFIED_BY_CARD'],
    },
    merchantData: fuelPump,
    example: {amount: 120, currency: 'EUR'},
  },
  foreign: {
    summary: 'A purchase abroad, with a markup fee',
    messageCategory: INITIAL,
    transactionData: {
      ...inPerson,
      transactionType: 'RETAIL',
      cardEntryMode: 'CHIP_CONTACTLESS',
      cardholderVerifications: ['NO_VERIFICATION'],
      transactionFees: [{feeType: 'FX_MARKUP', feeAmount: null}],
    },
    merchantData: hotel,
    example: {amount: 349, currency: 'NOK'},
    percent: {fee: 2},
  },
  recurring: {
    summary: 'The monthly charge of a subscription',
    messageCategory: INITIAL,
    transactionData: {
      ...remote,
      merchantInitiated: true,
      transactionType: 'RETAIL',
      cardEntryMode: 'CREDENTIALS_ON_FILE',
      cardholderVerifications: ['NO_VERIFICATION'],
    },
    merchantData: subscription,
    example: {amount: 10.99, currency: 'EUR'},
  },
  cashback: {
    summary: 'Groceries with cash back',
    messageCategory: INITIAL,
    transactionData: {
      ...inPerson,
      transactionType: 'CASHBACK',
      cardEntryMode: 'CHIP',
      cardholderVerifications: ['PIN_VERIFIED_BY_CARD'],
    },
    merchantData: coffee,
    example: {amount: 62.35, currency: 'EUR'},
    percent: {cashback: 40},
  },
  gambling: {
    summary: 'Casino chips, treated like cash',
    messageCategory: INITIAL,
    transactionData: {
      ...inPerson,
      transactionType: 'UNIQUE',
      cardEntryMode: 'CHIP',
      cardholderVerifications: ['PIN_VERIFIED_BY_CARD'],
    },
    merchantData: casino,
    example: {amount: 200, currency: 'EUR'},
  },
  verification: {
    summary: 'An account is verified with an amount of zero',
    messageCategory: INITIAL,
    transactionData: {
      ...remote,
      transactionType: 'RETAIL',
      cardEntryMode: 'ECOMMERCE',
      cardholderVerifications: ['NO_VERIFICATION'],
    },
    merchantData: subscription,
    example: {amount: 0, currency: 'EUR'},
  },
  'balance-inquiry': {
    summary: 'The balance is asked for at a machine',
    messageCategory: 'BALANCE_INQUIRY',
    transactionData: {
      ...inPerson,
      transactionType: 'BALANCE_INQUIRY',
      cardEntryMode: 'CHIP',
      cardholderVerifications: ['PIN_VERIFIED_BY_ISSUER'],
    },
    merchantData: cashMachine,
    example: {amount: 0, currency: 'EUR'},
  },
  'pin-change': {
    summary: 'The PIN is changed at a machine',
    messageCategory: 'PIN_MANAGEMENT',
    transactionData: {
      ...inPerson,
      transactionType: 'PIN_CHANGE',
      cardEntryMode: 'CHIP',
      cardholderVerifications: ['PIN_VERIFIED_BY_ISSUER'],
    },
    merchantData: cashMachine,
    example: {amount: 0, currency: 'EUR'},
  },
  'pin-unblock': {
    summary: 'The tries of the PIN are unblocked at a machine',
    messageCategory: 'PIN_MANAGEMENT',
    transactionData: {
      ...inPerson,
      transactionType: 'PIN_UNBLOCK',
      cardEntryMode: 'CHIP',
      cardholderVerifications: [],
    },
    merchantData: cashMachine,
    example: {amount: 0, currency: 'EUR'},
  },
  refund: {
    summary: 'A shop gives money back',
    messageCategory: INITIAL,
    transactionData: {
      ...remote,
      transactionType: 'CREDIT',
      cardEntryMode: 'ECOMMERCE',
      cardholderVerifications: ['NO_VERIFICATION'],
    },
    merchantData: shop,
    example: {amount: 89.9, currency: 'EUR'},
  },
  'account-funding': {
    summary: 'A wallet is filled from the card',
    messageCategory: INITIAL,
    transactionData: {
      ...remote,
      transactionType: 'AFT',
      cardEntryMode: 'CREDENTIALS_ON_FILE',
      cardholderVerifications: ['THREE_DS'],
    },
    merchantData: moneyTransfer,
    example: {amount: 50, currency: 'EUR'},
  },
  'original-credit': {
    summary: 'Money is paid out to the card',
    messageCategory: INITIAL,
    transactionData: {
      ...remote,
      transactionType: 'ORIGINAL_CREDIT',
      cardEntryMode: 'CREDENTIALS_ON_FILE',
      cardholderVerifications: ['NO_VERIFICATION'],
    },
    merchantData: moneyTransfer,
    example: {amount: 50, currency: 'EUR'},
  },
  'p2p-debit': {
    summary: 'Money goes to another person',
    messageCategory: INITIAL,
    transactionData: {
      ...remote,
      transactionType: 'P2P_DEBIT',
      cardEntryMode: 'CREDENTIALS_ON_FILE',
      cardholderVerifications: ['NO_VERIFICATION'],
    },
    merchantData: moneyTransfer,
    example: {amount: 25, currency: 'EUR'},
  },
  'p2p-credit': {
    summary: 'Money comes from another person',
    messageCategory: INITIAL,
    transactionData: {
      ...remote,
      transactionType: 'P2P_CREDIT',
      cardEntryMode: 'CREDENTIALS_ON_FILE',
      cardholderVerifications: ['NO_VERIFICATION'],
    },
    merchantData: moneyTransfer,
    example: {amount: 25, currency: 'EUR'},
  },
  reversal: {
    summary: 'A purchase is reversed whole',
    messageCategory: INITIAL,
    transactionData: {
      ...inPerson,
      transactionType: 'REVERSAL',
      cardEntryMode: 'CHIP_CONTACTLESS',
      cardholderVerifications: ['NO_VERIFICATION'],
    },
    merchantData: coffee,
    example: {amount: 4.2, currency: 'EUR'},
  },
  'partial-reversal': {
    summary: 'A hold is lowered to what was used',
    messageCategory: INITIAL,
    transactionData: {
      ...inPerson,
      transactionType: 'REVERSAL',
      cardEntryMode: 'CHIP',
      cardholderVerifications: ['NO_VERIFICATION'],
    },
    merchantData: fuelPump,
    example: {amount: 120, currency: 'EUR'},
    percent: {replacement: 60},
  },
}

/** The scenario with this name, if any. */
export function findScenario(name: string): Scenario | undefined {
  return Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
}
