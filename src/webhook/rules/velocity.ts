import {cardIdOf, type ReceivedCall} from '../received-call.ts'
import {amountIn, amountsOf, isAboutMoney, readMoney} from './amounts.ts'
import {durationOf, inside, type Place, type VelocitySpec} from './rule-file.ts'

/** Cards, and calls of each, that are remembered: the oldest are forgotten first, so that the memory stays bounded. */
const KEPT = 10_000

/** Counts calls by card, or sums them up. */
export interface Velocity {
  /**
   * Remembers a call. Gives whether the card is over the limit with it; undefined where that cannot be told, since the call
   * names no card or no amount that can be read.
   */
  count(call: ReceivedCall, at: number): boolean | undefined
}

interface Card {
  readonly calls: {readonly at: number; readonly worth: bigint}[]
  total: bigint
}

/** Each call of the result begins to count with nothing. */
export function compileVelocity({over, within}: VelocitySpec, place: Place): () => Velocity {
  const limit = typeof over === 'number' ? undefined : readMoney(over, inside(place, 'over'))
  const most = limit?.minor ?? BigInt(typeof over === 'number' ? over : 0)
  const worthOf = (call: ReceivedCall): bigint | undefined => {
    if (!limit) return 1n
    const amounts = amountsOf(call).map(amount => amountIn(amount, limit.currency))
    if (amounts.length === 0) return isAboutMoney(call) ? undefined : 0n
    if (amounts.includes(undefined)) return undefined
    return amounts.find(amount => typeof amount === 'bigint') ?? 0n
  }
  const duration = durationOf(within)
  if (duration === 0) place.report(`${place.pointer}/within`, 'within must be longer than 0')

  return () => {
    const cards = new Map<string, Card>()
    return {
      count: (call, at) => {
        const cardId = cardIdOf(call)
        if (cardId === undefined) return undefined
        const card = cards.get(cardId) ?? {calls: [], total: 0n}
        // The most recently used is last.
        cards.delete(cardId)
        cards.set(cardId, card)
        const [oldest] = cards.keys()
        if (oldest !== undefined && cards.size > KEPT) cards.delete(oldest)
        const read = worthOf(call)
        const worth = read ?? 0n
        card.calls.push({at, worth})
        card.total += worth
        forget(card, at - duration)
        return card.total > most || (read === undefined ? undefined : false)
      },
    }
  }
}

function forget(card: Card, until: number): void {
  for (let [first] = card.calls; first; [first] = card.calls) {
    if (first.at > until && card.calls.length <= KEPT) return
    card.calls.shift()
    card.total -= first.worth
  }
}
