import type {Reply} from '../../contract/types.ts'
import type {Sealed} from '../seal.ts'
import type {Stored} from '../store/store.ts'

/** A card on the wire; what is stored has the same values. */
type CardReply = Reply<'cards.get.v4'>
type Given<Member extends keyof CardReply> = Exclude<CardReply[Member], undefined>

export type CardStatus = CardReply['status']

/** D generated at random, W waiting for the cardholder's choice, S set. */
export type PinStatus = 'D' | 'W' | 'S'

export interface Expiration {
  readonly year: number
  readonly month: number
}

export interface Address {
  readonly address1: string | null
  readonly address2: string | null
  readonly address3: string | null
  readonly address4: string | null
  readonly city: string | null
  readonly region: string | null
  readonly zipCode: string | null
  /** ISO 3166-1 alpha-3. */
  readonly country: string | null
}

export interface Embossing {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly companyName: string | null
  readonly additionalField1: string | null
  readonly additionalField2: string | null
  readonly additionalField3: string | null
  readonly additionalField4: string | null
  readonly additionalField5: string | null
  readonly externalLayoutCode: string | null
  readonly manufacturer: string | null
  readonly physical: boolean
}

/** True blocks the region, or purchases on the internet. */
export interface RegionBlocking {
  readonly home: boolean
  readonly europe: boolean
  readonly africa: boolean
  readonly asia: boolean
  readonly oceania: boolean
  readonly northAmerica: boolean
  readonly southAmerica: boolean
  readonly ecomm: boolean
}

export interface Card extends Stored {
  readonly customerId: string
  readonly accountId: string
  readonly referenceNumber: string
  /** Digest of the card number, to find the card by it. */
  readonly numberDigest: string
  readonly number: Sealed
  readonly maskedCardNumber: string
  /** Null until one was generated or set. */
  readonly pin: Sealed | null
  readonly pinStatus: PinStatus | null
  readonly pinAttempts: {readonly counter: number; readonly max: number}
  readonly template: string
  readonly productCode: string
  readonly cardRole: CardReply['cardRole']
  readonly status: CardStatus
  /** Epoch milliseconds by the sandbox clock. */
  readonly statusDate: number
  readonly reason: string | null
  readonly expiration: Expiration
  readonly embossing: Embossing
  readonly cardAddress: Address | null
  readonly pinAddress: Address | null
  readonly cardDeliveryType: Given<'cardDeliveryType'>
  readonly pinDeliveryType: Given<'pinDeliveryType'>
  readonly segment: Given<'segment'>
  readonly usageLimits: UsageLimit[]
  readonly regionAndEcommBlocking: RegionBlocking
  readonly scheduledClosing: {readonly time: string; readonly type: string} | null
  readonly digitalLayoutCode: string | null
  readonly additionalValues: AdditionalValue[]
}

export interface AdditionalValue {
  readonly key: string
  readonly value: string
}

/** Limits of one period. */
export interface UsageLimit {
  readonly code: '24H' | 'DAILY' | 'WEEKLY' | 'MONTHLY'
  readonly values: UsageLimitValue[]
}

/** `singleAmount` and `sumAmount` 0 mean no limit; `count` 9999999 means none in effect. */
export interface UsageLimitValue {
  readonly code: 'ATM' | 'RETAIL' | 'ALL'
  readonly singleAmount?: number | null
  readonly count?: number | null
  readonly sumAmount?: number | null
}

/** The piece of plastic (or its virtual stand-in) that carries a card; a renewal makes another. */
export interface Plastic extends Stored {
  readonly cardId: string
  readonly sequenceNumber: number
  readonly status: 'ACTIVE' | 'INACTIVE' | 'CLOSED'
  readonly expiration: Expiration
  readonly createdDate: number
  readonly productionDate: number | null
  readonly productionType: string
  readonly embossing: Embossing
}
