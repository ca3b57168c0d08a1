import {Secret} from '../sensitive/secret.ts'
import {luhnDigit} from './accounts/payment-reference.ts'
import type {Address, Card, CardStatus, Embossing, PinStatus, Plastic} from './cards/card.ts'
import type {Sealer} from './seal.ts'

/** What differs between the demo cards. */
interface DemoCard {
  readonly id: string
  readonly customerId: string
  readonly accountId: string
  readonly name: readonly [first: string, last: string]
  /** A published test number; made up if absent. */
  readonly number?: string
  readonly status?: CardStatus
  readonly reason?: string
  readonly pin?: string
  readonly pinStatus?: PinStatus | null
  /** Wrong PIN tries, of 3. */
  readonly wrongTries?: number
  /** Its first plastic broke, so it has a second one. */
  readonly replacedPlastic?: true
  readonly virtual?: true
  readonly year?: number
}

const since = Date.UTC(2025, 0, 15, 9)

const aino = ['Aino', 'Virtanen'] as const
const erik = ['Erik', 'Lindqvist'] as const
const marja = ['Marja', 'Korhonen'] as const
const nora = ['Nora', 'Berg'] as const

/** Different statuses, so that filters of lists have an effect. */
const statusOfMany = (index: number): CardStatus =>
  index % 12 === 5 ? 'CARD_BLOCKED' : index % 12 === 11 ? 'CARD_CLOSED' : 'CARD_OK'

const demoCards: readonly DemoCard[] = [
  demo('3001', '1001', '2001', aino, {number: '4111111111111111', pin: '1234', pinStatus: 'S'}),
  demo('3002', '1001', '2002', aino, {
    number: '5555555555554444',
    status: 'CARD_BLOCKED',
    reason: 'Blocked by the cardholder',
  }),
  demo('3003', '1002', '2003', erik, {number: '4012888888881881', pinStatus: null, virtual: true}),
  demo('3004', '1001', '2002', aino, {number: '5105105105105100', pinStatus: 'W'}),
  demo('3005', '1002', '2004', erik, {
    number: '4000056655665556',
    status: 'CARD_LOST',
    reason: 'Reported lost',
  }),
  demo('3006', '1002', '2005', erik, {number: '2223003122003222', status: 'CARD_EXPIRED', year: 2024}),
  demo('3010', '1004', '2010', nora, {pin: '7391', pinStatus: 'S', wrongTries: 3}),
  demo('3011', '1004', '2011', nora, {status: 'CARD_STOLEN', reason: 'Stolen, replaced by card 3012'}),
  demo('3012', '1004', '2011', nora, {}),
  demo('3013', '1004', '2010', nora, {replacedPlastic: true}),
  ...Array.from({length: 35}, (_, index) =>
    demo(String(3101 + index), '1003', '2006', marja, {status: statusOfMany(index)}),
  ),
]

function demo(
  id: string,
  customerId: string,
  accountId: string,
  name: DemoCard['name'],
  more: Partial<DemoCard>,
): DemoCard {
  return {id, customerId, accountId, name, ...more}
}

export const homeAddress: Address = {
  address1: 'Mannerheimintie 1',
  address2: null,
  address3: null,
  address4: null,
  city: 'Helsinki',
  region: null,
  zipCode: '00100',
  country: 'FIN',
}

function embossingOf({name: [firstName, lastName], virtual}: DemoCard): Embossing {
  return {
    firstName,
    lastName,
    companyName: null,
    additionalField1: null,
    additionalField2: null,
    additionalField3: null,
    additionalField4: null,
    additionalField5: null,
    externalLayoutCode: null,
    manufacturer: virtual ? null : 'MANUFACTURER_1',
    physical: !virtual,
  }
}

/** A generated PIN. A card always gets the same one. */
const generatedPin = (id: string) => String(1000 + ((Number(id) * 7919) % 9000))

function cardOf(demo: DemoCard, sealer: Sealer): Card {
  const number = demo.number ?? testCardNumber(demo.id)
  const pinStatus = demo.pinStatus === undefined ? 'D' : demo.pinStatus
  const pin = pinStatus === 'D' ? generatedPin(demo.id) : demo.pin
  const address = demo.virtual ? null : homeAddress
  return {
    id: demo.id,
    customerId: demo.customerId,
    accountId: demo.accountId,
    referenceNumber: `90000000000${demo.id}`,
    numberDigest: sealer.digest(new Secret(number)),
    number: sealer.seal(new Secret(number)),
    maskedCardNumber: `${number.slice(0, 8)}____${number.slice(-4)}`,
    pin: pin === undefined ? null : sealer.seal(new Secret(pin)),
    pinStatus,
    pinAttempts: {counter: demo.wrongTries ?? 0, max: 3},
    template: demo.virtual ? 'VIRTUAL' : 'STANDARD',
    productCode: demo.virtual ? 'P200' : 'P100',
    cardRole: 'MAIN',
    status: demo.status ?? 'CARD_OK',
    statusDate: since,
    reason: demo.reason ?? null,
    expiration: {year: demo.year ?? 2029, month: 12},
    embossing: embossingOf(demo),
    cardAddress: address,
    pinAddress: address,
    cardDeliveryType: demo.virtual ? null : 'MAIL',
    pinDeliveryType: demo.virtual ? null : 'EPIN',
    segment: null,
    usageLimits: [
      {
        code: 'DAILY',
        values: [
          {code: 'ATM', singleAmount: 0, count: 9_999_999, sumAmount: 500},
          {code: 'RETAIL', singleAmount: 0, count: 9_999_999, sumAmount: 2000},
        ],
      },
    ],
    regionAndEcommBlocking: {
      home: false,
      europe: false,
      africa: true,
      asia: true,
      oceania: false,
      northAmerica: false,
      southAmerica: false,
      ecomm: false,
    },
    scheduledClosing: null,
    digitalLayoutCode: demo.virtual ? 'LAYOUT_1' : null,
    additionalValues: [],
  }
}

const GONE: ReadonlySet<CardStatus | undefined> = new Set(['CARD_EXPIRED', 'CARD_CLOSED', 'CARD_STOLEN'])

/** Plastic 7001 belongs to card 3001, and so on. The one that replaces it is 8001. */
function plasticsOf(demo: DemoCard): readonly Plastic[] {
  const isGone = demo.replacedPlastic || GONE.has(demo.status)
  const first: Plastic = {
    id: String(Number(demo.id) + 4000),
    cardId: demo.id,
    sequenceNumber: 1,
    status: isGone ? 'INACTIVE' : 'ACTIVE',
    expiration: {year: demo.year ?? 2029, month: 12},
    createdDate: since,
    productionDate: demo.virtual ? null : since,
    productionType: 'NEW',
    embossing: embossingOf(demo),
  }
  if (!demo.replacedPlastic) return [first]
  const id = String(Number(demo.id) + 5000)
  return [first, {...first, id, sequenceNumber: 2, status: 'ACTIVE', productionType: 'REPLACEMENT'}]
}

/** The demo cards and their plastics. */
export function makeDemoCards(sealer: Sealer): {cards: Card[]; plastics: Plastic[]} {
  return {
    cards: demoCards.map(demo => cardOf(demo, sealer)),
    plastics: demoCards.flatMap(plasticsOf),
  }
}

/**
 * A made-up card number of 16 digits with a Luhn check digit (ISO/IEC 7812-1). It starts with 9, which is reserved for
 * national standards bodies, so no issuer uses it.
 */
function testCardNumber(cardId: string): string {
  const payload = `999999${cardId.padStart(9, '0')}`
  return payload + luhnDigit([...payload].reverse().map(Number))
}
