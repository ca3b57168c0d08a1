import {localDateTime} from '../clock.ts'
import type {Card, Plastic} from '../state/card.ts'

/** A card as the newer version shows it: everything but what is secret. */
export function cardV4(card: Card) {
  const {number: _number, numberDigest: _digest, pin: _pin, statusDate, ...shown} = card
  return {...shown, statusDate: localDateTime(statusDate)}
}

/** The older version: two other names, and no product code. */
export function cardV3(card: Card) {
  const {maskedCardNumber, template, productCode: _productCode, ...same} = cardV4(card)
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
