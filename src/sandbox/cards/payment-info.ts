import {importPublicKey, rsaOaepEncrypt} from '../../card-crypto/index.ts'
import type {Call} from '../handlers.ts'
import {refuseOnFailure} from '../problems.ts'
import type {Card, Expiration} from './card.ts'
import {cardOf} from './card.ts'

type Field = 'fullCardNumber' | 'expirationDate' | 'cvv2'

interface PaymentInfoRequest {
  readonly encryptionKey: string
  readonly fields: readonly Field[]
}

/** The requested fields, each encrypted with the caller's key. */
export async function paymentInfo(
  call: Call,
  id: string,
  {encryptionKey, fields}: PaymentInfoRequest,
): Promise<Partial<Record<Field, string>>> {
  const card = await cardOf(call.tx, id)
  const key = refuseOnFailure('invalid-encryption-key', () => importPublicKey(encryptionKey, {use: 'v3'}))
  const sealer = await call.sealer()
  const clear: Record<Field, () => string> = {
    fullCardNumber: () => sealer.open(card.number).open(),
    expirationDate: () => expiryText(card.expiration),
    cvv2: () => cvv2Of(card),
  }
  const encrypt = (field: Field) => {
    const text = Buffer.from(clear[field](), 'ascii')
    return rsaOaepEncrypt(key, text, {random: call.random}).toString('base64')
  }
  return Object.fromEntries(fields.map(field => [field, encrypt(field)]))
}

/** MM/YY, as printed on a card. */
export function expiryText({year, month}: Expiration): string {
  return `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`
}

/** Derived from the id, so it is always the same and never stored. No card network would accept it. */
export function cvv2Of({id}: Pick<Card, 'id'>): string {
  return String((Number(id) * 7919 + 13) % 1000).padStart(3, '0')
}
