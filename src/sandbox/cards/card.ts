import type {ResponseBody} from '../../contract/types.ts'
import type {Sealed} from '../seal.ts'
import type {Stored} from '../store/store.ts'

/** A card on the wire. Stored cards have the same values. */
type CardResponse = ResponseBody<'cards.get.v4'>
type Given<Field extends keyof CardResponse> = Exclude<CardResponse[Field], undefined>

/** With all fields required, even those that the contract makes optional. */
type Whole<Field extends keyof CardResponse> = Required<NonNullable<CardResponse[Field]>>

export type CardStatus = CardResponse['status']

/** D: generated at random, W: waits for the cardholder's choice, S: set. */
export type PinStatus = 'D' | 'W' | 'S'

export interface Expiration {
  readonly year: number
  readonly month: number
}

export type Address = Whole<'cardAddress'>
export type Embossing = Whole<'embossing'>
/** True blocks the region, or purchases on the internet. */
export type RegionBlocking = Whole<'regionAndEcommBlocking'>

/** Limits of one period. An amount of 0 and a count of 9999999 mean no limit. */
export type UsageLimit = NonNullable<CardResponse['usageLimits']>[number]
export type UsageLimitValue = UsageLimit['values'][number]

export interface Card extends Stored {
  readonly customerId: string
  readonly accountId: string
  readonly referenceNumber: string
  /** Digest of the card number, to find the card by it. */
  readonly numberDigest: string
  readonly number: Sealed
  readonly maskedCardNumber: string
  /** Null until a PIN was generated or set. */
  readonly pin: Sealed | null
  readonly pinStatus: PinStatus | null
  readonly pinAttempts: {readonly counter: number; readonly max: number}
  readonly template: string
  readonly productCode: string
  readonly cardRole: CardResponse['cardRole']
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
  readonly scheduledClosing: Given<'scheduledClosing'>
  readonly digitalLayoutCode: string | null
  readonly additionalValues: Given<'additionalValues'>
}

/** One physical or virtual card. A renewal makes another one. */
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
