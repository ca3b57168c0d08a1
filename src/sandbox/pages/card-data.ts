import {redeemToken} from '../cards/control-token.ts'
import {cvv2Of, expiryText} from '../cards/payment-info.ts'
import {clockOffset} from '../clock.ts'
import type {PlainReply, PlainRequest} from '../plain-http.ts'
import {Problem} from '../problems.ts'
import type {Service} from '../service.ts'
import type {Card} from '../state/card.ts'
import {escapeHtml, page, readFormOrJson} from './html.ts'

/** What a phone posts the token to: the card's data as HTML. The token is used up. */
export async function cardDataPage(service: Service, request: PlainRequest): Promise<PlainReply> {
  const {token = ''} = readFormOrJson(request)
  try {
    const {card, number} = await service.store.transaction(async tx => {
      const now = service.now() + (await clockOffset(tx))
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
