import type {WebhookBody} from './types.ts'

type AuthCall = WebhookBody<'webhook.auth'>

/** What a purchase is like, without card, account, amount and time: those are filled in by whoever tries it. */
export interface Scenario {
  readonly summary: string
  readonly messageCategory: string
  readonly transactionData: AuthCall['transactionData']
  readonly merchantData: AuthCall['merchantData']
  readonly token?: {readonly id: string; readonly walletIdentifier: string}
}

const helsinki = {
  city: 'Helsinki',
  country: 'FIN',
  merchantZipCode: '00100',
  acquirerId: '400001',
  acquirerCountry: 'FIN',
}

const coffee = {
  ...helsinki,
  id: '000000000000101',
  name: 'Kahvila Aino',
  category: {code: '5814', description: 'Fast food restaurants'},
  terminalId: '10000101',
}
const cashMachine = {
  ...helsinki,
  id: '000000000000102',
  name: 'ATM Helsinki',
  category: {code: '6011', description: 'Cash machines'},
  terminalId: '10000102',
}
const shop = {
  ...helsinki,
  id: '000000000000103',
  name: 'Verkkokauppa Esimerkki',
  category: {code: '5732', description: 'Electronics'},
  terminalId: '10000103',
}
const subscription = {
  ...helsinki,
  id: '000000000000104',
  name: 'Musiikki Esimerkki',
  category: {code: '5815', description: 'Digital media'},
  terminalId: '10000104',
}
const hotel = {
  id: '000000000000105',
  name: 'Hotel Oslo',
  city: 'Oslo',
  country: 'NOR',
  merchantZipCode: '0150',
  category: {code: '7011', description: 'Hotels'},
  terminalId: '10000105',
  acquirerId: '400002',
  acquirerCountry: 'NOR',
}
const fuelPump = {
  ...helsinki,
  id: '000000000000106',
  name: 'Fuel pump',
  category: {code: '5542', description: 'Automated fuel dispensers'},
  terminalId: '10000106',
}
const moneyTransfer = {
  ...helsinki,
  id: '000000000000107',
  name: 'Lompakko Esimerkki',
  category: {code: '4829', description: 'Money transfer'},
  terminalId: '10000107',
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

/** The library: what developers of issuing programmes meet, by name. */
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
  },
}

/** The scenario of a name; undefined for none. */
export function findScenario(name: string): Scenario | undefined {
  return Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
}
