import type {ResponseBody} from '../../contract/types.ts'
import {type Clock, cardLimitOwner, limitsView} from '../authorisations/limits.ts'
import {localDateTime} from '../clock.ts'
import type {Call} from '../handlers.ts'
import {existing} from '../problems.ts'
import type {Sealed} from '../seal.ts'
import type {Stored, Transaction} from '../store/store.ts'

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

/** Default page size. */
const DEFAULT_SIZE = 30

interface Page {
  readonly page?: number
  readonly size?: number
}

/** @throws Problem 404 */
export async function cardOf(tx: Transaction, id: string): Promise<Card> {
  return existing(await tx.cards.get(id), 'card')
}

/** @throws Problem 404 */
export async function cardByReference(tx: Transaction, referenceNumber: string): Promise<Card> {
  const [card] = await tx.cards.list({where: {referenceNumber}, limit: 1})
  return existing(card, 'card')
}

/** One page of the cards of a customer. @throws Problem 404 */
export async function cardsOfCustomer({tx}: Call, customerId: string, page: Page): Promise<readonly Card[]> {
  existing(await tx.customers.get(customerId), 'customer')
  return tx.cards.list({where: {customerId}, ...window(page)})
}

/** One page of the cards of an account. @throws Problem 404 */
export async function cardsOfAccount({tx}: Call, accountId: string, page: Page): Promise<readonly Card[]> {
  existing(await tx.accounts.get(accountId), 'account')
  return tx.cards.list({where: {accountId}, ...window(page)})
}

function window({page = 0, size = DEFAULT_SIZE}: Page) {
  return {limit: size, offset: page * size}
}

/** A card in version 4: all but its secrets, with what is left of its limits. */
export async function cardV4(tx: Transaction, card: Card, clock: Clock) {
  const {number: _number, numberDigest: _digest, pin: _pin, statusDate, ...shown} = card
  const account = await tx.accounts.get(card.accountId)
  const owner = cardLimitOwner(card, account?.currencies ?? [])
  return {
    ...shown,
    statusDate: localDateTime(statusDate),
    usageLimits: await limitsView(tx, card.usageLimits, owner, clock),
  }
}

/** A card in version 3: two fields have other names, and there is no product code. */
export async function cardV3(tx: Transaction, card: Card, clock: Clock) {
  const {maskedCardNumber, template, productCode: _productCode, ...same} = await cardV4(tx, card, clock)
  return {...same, truncatedCardNumber: maskedCardNumber, cardTemplate: template}
}

/** A card in a list. */
export function summaryV4(card: Card) {
  const {companyName, firstName, lastName} = card.embossing
  return {
    customerId: card.customerId,
    id: card.id,
    template: card.template,
    accountId: card.accountId,
    cardRole: card.cardRole,
    status: card.status,
    maskedCardNumber: card.maskedCardNumber,
    statusDate: localDateTime(card.statusDate),
    productCode: card.productCode,
    embossing: {companyName, firstName, lastName},
  }
}

export function summaryV3(card: Card) {
  const {maskedCardNumber, template, productCode: _productCode, ...same} = summaryV4(card)
  return {...same, truncatedCardNumber: maskedCardNumber, cardTemplate: template}
}

export function plasticView(plastic: Plastic) {
  const {createdDate, productionDate, ...same} = plastic
  return {
    ...same,
    createdDate: localDateTime(createdDate),
    productionDate: productionDate === null ? null : localDateTime(productionDate),
  }
}
