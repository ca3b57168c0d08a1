import {sandboxNow} from '../clock.ts'
import type {Call} from '../handlers.ts'
import {escapeHtml, page, readFormOrJson} from '../html-page.ts'
import {REMEMBERED_MS} from '../pincontrol/operations.ts'
import type {PlainRequest, TextResponse} from '../plain-http.ts'
import {conflict, existing, gone, Problem} from '../problems.ts'
import {tokenDigest} from '../seal.ts'
import type {Service} from '../service.ts'
import type {Transaction} from '../store/store.ts'
import type {Card} from './card.ts'
import {cardOf} from './card.ts'
import {cvv2Of, expiryText} from './payment-info.ts'

/** Lifetime of a token for the card data page, by the sandbox clock. */
const TOKEN_MS = 30_000

/** Creates a token that shows the data of a card once, whatever the card's status. */
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

/** Uses a token. @returns its card. @throws Problem 404 unknown, 409 used, 410 expired. */
export async function redeemToken(tx: Transaction, token: string, now: number): Promise<Card> {
  const leave = existing(await tx.cardDataTokens.get(tokenDigest(token)), 'token')
  if (leave.used) throw conflict('token-used', 'The token has already been used.')
  if (now >= leave.expiresAt) throw gone('token-expired', 'The token has expired.')
  await tx.cardDataTokens.put({...leave, used: true})
  return cardOf(tx, leave.cardId)
}

/** Deletes old tokens. */
export async function forgetTokens(tx: Transaction, now: number): Promise<void> {
  const upTo = {member: 'expiresAt', value: now - REMEMBERED_MS} as const
  const old = await tx.cardDataTokens.list({upTo, limit: 50})
  await tx.cardDataTokens.deleteAll(old.map(({id}) => id))
}

/** The page that a phone posts a token to: the data of the card as HTML. Uses the token. */
export async function cardDataPage(service: Service, request: PlainRequest): Promise<TextResponse> {
  const {token = ''} = readFormOrJson(request)
  try {
    const {card, number} = await service.store.transaction(async tx => {
      const now = await sandboxNow(service, tx)
      const found = await redeemToken(tx, token, now)
      const sealer = await service.sealer(tx)
      return {card: found, number: sealer.open(found.number)}
    })
    return page(200, 'Card data', cardData(card, number.open()))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return page(error.status, 'Card data', `<p>${escapeHtml(error.message)}</p>`)
  }
}

function cardData(card: Card, number: string): string {
  const rows = [
    ['Number', number.replace(/(.{4})(?=.)/g, '$1 ')],
    ['Expires', expiryText(card.expiration)],
    ['CVV2', cvv2Of(card)],
    ['Holder', `${card.embossing.firstName ?? ''} ${card.embossing.lastName ?? ''}`.trim()],
  ]
  const list = rows
    .map(([term = '', value = '']) => `<dt>${term}</dt><dd>${escapeHtml(value)}</dd>`)
    .join('\n')
  return `<h1>Card data (sandbox)</h1>\n<dl>\n${list}\n</dl>`
}
