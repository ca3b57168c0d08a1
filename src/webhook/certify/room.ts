import {minorToText} from '../../money/amount.ts'
import {exponentOf} from '../../money/exponents.ts'
import type {Verdict} from '../send/caller.ts'
import type {CardFacts} from '../send/scenario-call.ts'

/** How much a card can pay, as an endpoint shows it by what it declines, in the smallest unit of a currency. */
export interface Room {
  /** What a new card can pay at once, and not a unit more. */
  readonly most: bigint
  /** The code of what is declined beyond. */
  readonly code: string
  /** Whether what is held counts: then the rest of it can be paid, and no more. */
  readonly counts: boolean
}

/** The currency in which a card is asked to pay, and that of its account. */
export interface Currencies {
  readonly asked: string
  readonly home: string
}

type Pay = (
  amount: bigint,
  card?: CardFacts,
) => Promise<Pick<Verdict, 'outcome' | 'code'> & {readonly card: CardFacts}>

/** In units of the currency: more than an endpoint lets a new card pay. */
const FIRST = 1n << 20n
/** In the smallest unit: with less than this, checks can pay nothing. */
const LEAST = 1000n

/**
 * Null if the endpoint approves whatever it is asked for, or next to nothing.
 *
 * @param guess what calls say the account has, which is often what the card can pay
 */
export async function findRoom(
  pay: Pay,
  {guess, first}: {readonly guess: bigint; readonly first: bigint},
): Promise<Room | null> {
  const beyond = await pay(first)
  if (beyond.outcome !== 'declined' || beyond.code === undefined) return null
  let [approved, declined] = [0n, first]
  let middle = guess
  while (declined - approved > 1n) {
    const {outcome} = await pay(middle)
    if (outcome !== 'approved' && outcome !== 'declined') return null
    if (outcome === 'approved') approved = middle
    else declined = middle
    middle = approved === guess && declined === first ? guess + 1n : (approved + declined) / 2n
  }
  if (approved < LEAST) return null
  const {card, outcome} = await pay(approved)
  const again = outcome === 'approved' ? await pay(approved, card) : undefined
  return {most: approved, code: beyond.code, counts: again?.outcome === 'declined'}
}

/** Beyond what a card can pay, in the smallest unit. */
export const firstOf = (currency: string): bigint => FIRST * unitOf(currency)

export const unitOf = (currency: string): bigint => 10n ** BigInt(exponentOf(currency))

export const inWords = (minor: bigint, currency: string): string =>
  `${minorToText(minor, exponentOf(currency))} ${currency}`

/**
 * How exactly the rest of a card is known. Of a payment in another currency than the account's, an endpoint may hold
 * either amount, and each conversion rounds.
 */
export const grainOf = ({asked, home}: Currencies, held: bigint): bigint =>
  asked === home || held === 0n ? 1n : unitOf(asked) > 10n ? unitOf(asked) : 10n
