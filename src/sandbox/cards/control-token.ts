import type {Call} from '../call.ts'
import {conflict, gone, notFound} from '../problems.ts'
import {tokenDigest} from '../seal.ts'
import type {Card} from '../state/card.ts'
import type {Transaction} from '../store/store.ts'
import {cardOf} from './find-cards.ts'

/** How long a token for the card data page lives, by the sandbox clock. */
const TOKEN_MS = 30_000
const REMEMBERED_MS = 24 * 60 * 60 * 1000

/** Leave to see a card's data once. The card's status doesn't matter. */
export async function controlToken({tx, now, random, service}: Call, cardId: string) {
  await cardOf(tx, cardId)
  const token = random(24).toString('base64url')
  await tx.cardDataTokens.put({id: tokenDigest(token), cardId, expiresAt: now + TOKEN_MS, used: false})
  await forgetTokens(tx, now)
  return {
    token,
    cardDataUrl: `${service.baseUrl}/pages/card-data`,
    cardDataFrameUrl: `${service.baseUrl}/pages/card-data-frame`,
  }
}

/** The card a token is for, and uses the token up. @throws Problem 404 unknown, 409 used, 410 expired. */
export async function redeemToken(tx: Transaction, token: string, now: number): Promise<Card> {
  const leave = await tx.cardDataTokens.get(tokenDigest(token))
  if (leave === undefined) throw notFound('token')
  if (leave.used) throw conflict('token-used', 'The token was used already.')
  if (now >= leave.expiresAt) throw gone('token-expired', 'The token has expired.')
  await tx.cardDataTokens.put({...leave, used: true})
  return cardOf(tx, leave.cardId)
}

async function forgetTokens(tx: Transaction, now: number): Promise<void> {
  const upTo = {member: 'expiresAt', value: now - REMEMBERED_MS} as const
  for (const {id} of await tx.cardDataTokens.list({upTo, limit: 50})) await tx.cardDataTokens.delete(id)
}
