import {cardLimitOwner, limitsView} from '../authorisations/limits.ts'
import {localDateTime} from '../clock.ts'
import type {Transaction} from '../store/store.ts'
import type {Card, Plastic} from './card.ts'

/** A card in version 4: all but its secrets, with what is left of its limits. */
export async function cardV4(tx: Transaction, card: Card, now: number) {
  const {number: _number, numberDigest: _digest, pin: _pin, statusDate, ...shown} = card
  const account = await tx.accounts.get(card.accountId)
  const owner = cardLimitOwner(card, account?.currencies ?? [])
  return {
    ...shown,
    statusDate: localDateTime(statusDate),
    usageLimits: await limitsView(tx, card.usageLimits, owner, now),
  }
}

/** A card in version 3: two fields have other names, and there is no product code. */
export async function cardV3(tx: Transaction, card: Card, now: number) {
  const {maskedCardNumber, template, productCode: _productCode, ...same} = await cardV4(tx, card, now)
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
