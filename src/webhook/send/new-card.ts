import {createHash} from 'node:crypto'
import {type CardFacts, someCard} from './scenario-call.ts'

/** A made-up card that nobody has used before, of a customer and an account of their own. */
export function newCard(newId: () => string): CardFacts {
  const digest = createHash('sha256').update(newId()).digest()
  const id = String(100_000_000 + (digest.readUInt32BE() % 900_000_000))
  return {...someCard, customerId: id, accountId: id, cardId: id}
}
