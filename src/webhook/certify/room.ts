import type {Verdict} from '../send/caller.ts'
import type {CardFacts} from '../send/scenario-call.ts'

/** How much a card can pay, as an endpoint shows it by what it declines. */
export interface Room {
  /** What a new card can pay at once, and not a cent more. In EUR cents. */
  readonly most: bigint
  /** The code of what is declined beyond. */
  readonly code: string
  /** Whether what is held counts: then the rest of it can be paid, and no more. */
  readonly counts: boolean
}

type Pay = (
  amount: bigint,
  card?: CardFacts,
) => Promise<Pick<Verdict, 'outcome' | 'code'> & {readonly card: CardFacts}>

/** In EUR cents, as all amounts here. */
const FIRST = 100n << 20n
/** With less than this, checks can pay nothing. */
const LEAST = 1000n

/** Null if the endpoint approves whatever it is asked for, or next to nothing. */
export async function findRoom(pay: Pay): Promise<Room | null> {
  const beyond = await pay(FIRST)
  if (beyond.outcome !== 'declined' || beyond.code === undefined) return null
  let [approved, declined] = [0n, FIRST]
  while (declined - approved > 1n) {
    const middle = (approved + declined) / 2n
    const {outcome} = await pay(middle)
    if (outcome !== 'approved' && outcome !== 'declined') return null
    if (outcome === 'approved') approved = middle
    else declined = middle
  }
  if (approved < LEAST) return null
  const {card, outcome} = await pay(approved)
  const again = outcome === 'approved' ? await pay(approved, card) : undefined
  return {most: approved, code: beyond.code, counts: again?.outcome === 'declined'}
}
