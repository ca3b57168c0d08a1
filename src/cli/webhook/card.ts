import {Failure} from '../../errors/failure.ts'
import {listAt, numberAt, textAt} from '../../output/read-member.ts'

import type {CardFacts} from '../../webhook/index.ts'
import {isObject} from '../body.ts'
import type {Context} from '../context.ts'
import {type Client, openClient} from '../request.ts'

/**
 * Whose card a call is about: one of the profile's service, read and never changed, or one of nobody. A sandbox tells what
 * the account has, too; a service has no way to ask for it.
 *
 * @throws Failure USAGE for a card of another account, NOT_FOUND, and what else reading can end with.
 */
export async function cardFacts(
  context: Context,
  {card, account}: {readonly card?: string | undefined; readonly account?: string | undefined},
): Promise<CardFacts> {
  if (card === undefined && account === undefined) {
    // Door to the webhook room.
    return (await import('../../webhook/index.ts')).someCard
  }
  const client = await openClient(context, await context.target())
  try {
    const cardId = card ?? (await usableCard(client, account ?? ''))
    const found = await client.call({operation: 'cards.get.v4', path: {id: cardId}})
    const [id, customerId, accountId] = [
      textAt(found, 'id'),
      textAt(found, 'customerId'),
      textAt(found, 'accountId'),
    ]
    const [year, month] = [numberAt(found, 'expiration.year'), numberAt(found, 'expiration.month')]
    if (account !== undefined && accountId !== account) {
      throw new Failure('USAGE', {message: `Card ${cardId} belongs to another account than ${account}.`})
    }
    const available = client.target.kind === 'sandbox' ? await availableIn(client, accountId) : undefined
    const expiration = year === undefined || month === undefined ? undefined : {year, month}
    return {cardId: id, customerId, accountId, expiration, available}
  } finally {
    await client.close()
  }
}

async function usableCard(client: Client, accountId: string): Promise<string> {
  const cards = await client.call({operation: 'cards.listByAccount.v4', path: {accountId}})
  const usable = listAt({cards}, 'cards').find(card => textAt(card, 'status') === 'CARD_OK')
  if (usable) return textAt(usable, 'id')
  throw new Failure('NOT_FOUND', {message: `Account ${accountId} has no card that can be used.`})
}

/** In the account's first currency. */
async function availableIn(client: Client, id: string): Promise<CardFacts['available']> {
  const account = await client.call({operation: 'sandbox.state.get', path: {kind: 'account', id}})
  const [first] = listAt(account, 'balances')
  if (!isObject(first)) return undefined
  const {available: amount, currency} = first
  return typeof amount === 'number' && typeof currency === 'string' ? {amount, currency} : undefined
}
