import {cardIdOf, type ReceivedCall} from '../received-call.ts'
import {amountIn, amountsOf, isAboutMoney, readMoney} from './amounts.ts'
import {durationOf, inside, type Place, type VelocitySpec} from './rule-file.ts'

/** Maximum number of cards, and of calls per card. The oldest are forgotten first, so that memory is bounded. */
const KEPT = 10_000

/** Counts or sums calls per card. */
export interface Velocity {
  /**
   * Remembers a call. Returns whether the card now exceeds the limit; undefined if that is unknown, because the call
   * has no card or no readable amount.
   */
  count(call: ReceivedCall, at: number): boolean | undefined
}

interface Card {
  readonly calls: {readonly at: number; readonly worth: bigint}[]
  total: bigint
}

/** Each result starts with its counts at zero. */
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
        // The most recently used card is last.
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
