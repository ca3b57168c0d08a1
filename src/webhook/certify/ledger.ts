import {isDeepStrictEqual} from 'node:util'
import {
  callIdOf,
  cardIdOf,
  kindOf,
  type Minor,
  minorOf,
  partOf,
  type ReceivedCall,
  readAmount,
  textOf,
} from '../received-call.ts'
import {plainDecisionOf} from '../recording/changed-decision.ts'
import type {Verdict} from '../send/caller.ts'
import type {Currencies} from './room.ts'

/** A hold in the currency of the merchant and in that of the account: an endpoint may keep either. */
interface Hold {
  readonly card: string
  readonly asked: Minor
  readonly billed: Minor
}

/** What an endpoint that keeps holds has to hold, by the calls and answers so far. */
export class Ledger {
  readonly #holds = new Map<string, Hold>()
  /** Transactions of which the contract doesn't say what is held, and their cards. */
  readonly #open = new Map<string, string | undefined>()
  /** Transactions with a call whose decision isn't known yet, and their cards. */
  readonly #pending = new Map<string, string>()
  /** Calls that were decided, by their ids. */
  readonly #decided = new Map<string, ReceivedCall>()

  /**
   * Counts a call and its answer. The same call again changes nothing, and neither does one of which only a part was sent.
   */
  count(call: ReceivedCall, verdict: Verdict, isWhole = true): void {
    const [id, transaction, card] = [callIdOf(call), transactionOf(call), cardIdOf(call)]
    if (!isWhole || id === undefined || transaction === undefined || card === undefined) return
    const earlier = this.#decided.get(id)
    if (earlier && isDeepStrictEqual(untraced(earlier), untraced(call))) return
    const decision = plainDecisionOf(verdict)
    if (!decision) {
      const isRefused = verdict.status !== undefined && verdict.status !== DECISION
      if (!earlier && !isRefused) this.#pending.set(transaction, card)
      return
    }
    // A different call under a known id: what becomes of the two is left to the endpoint.
    if (earlier) {
      if (decision.outcome !== 'declined') this.#open.set(transaction, card)
      return
    }
    this.#decided.set(id, call)
    this.#pending.delete(transaction)
    const held = this.#holds.get(transaction)
    if (kindOf(call) === 'reversal') {
      if (held) this.#reverse(transaction, held, call)
    } else if (kindOf(call) === 'payment' && decision.outcome !== 'declined' && hasAmount(call)) {
      const hold = holdOf(call, verdict)
      if (!hold || (held && (held.card !== card || isOtherMoney(held, hold))))
        this.#open.set(transaction, card)
      else this.#holds.set(transaction, held ? sum(held, hold) : {...hold, card})
    }
  }

  #reverse(transaction: string, held: Hold, call: ReceivedCall): void {
    const isForeign = held.asked.currency !== held.billed.currency
    // How much of the other amount remains is not said.
    if (isForeign && partOf(call, 'transactionData').replacementAmount != null)
      this.#open.set(transaction, held.card)
    else this.#holds.set(transaction, reversed(held, call))
  }

  /** What is held for the transaction of a call can't be known any more: calls came in an order of their own. */
  leaveOpen(call: ReceivedCall): void {
    const transaction = transactionOf(call)
    if (transaction !== undefined) this.#open.set(transaction, cardIdOf(call))
  }

  /** Whether another call had its id before: what is held for that id says nothing of this call. */
  isOther(call: ReceivedCall): boolean {
    const earlier = this.#decided.get(callIdOf(call) ?? '')
    return earlier !== undefined && !isDeepStrictEqual(untraced(earlier), untraced(call))
  }

  /** What has to be held for the transaction of a call: one of these; undefined if that is open. */
  expected(call: ReceivedCall): readonly Minor[] | undefined {
    const transaction = transactionOf(call)
    if (transaction === undefined || this.#isUnsure(transaction)) return undefined
    const hold = this.#holds.get(transaction)
    if (!hold) return [{minor: 0n, currency: ''}]
    return hold.asked.currency === hold.billed.currency ? [hold.asked] : [hold.asked, hold.billed]
  }

  #isUnsure(transaction: string): boolean {
    return this.#open.has(transaction) || this.#pending.has(transaction)
  }

  /** What of an account is held, in the smallest unit of its currency; undefined if that is open. */
  onAccount(card: string): bigint | undefined {
    return this.#sum(card, ({billed}) => billed.minor)
  }

  /** What of a card is held in a currency, for an account in another or the same; undefined if that is open. */
  onCard(card: string, {asked, home}: Currencies): bigint | undefined {
    return this.#sum(card, hold => {
      const isOther = hold.asked.currency !== asked || hold.billed.currency !== home
      return isOther && hold.asked.minor > 0n ? undefined : hold.asked.minor
    })
  }

  #sum(card: string, of: (hold: Hold) => bigint | undefined): bigint | undefined {
    if ([...this.#pending.values(), ...this.#open.values()].includes(card)) return undefined
    let held = 0n
    for (const [transaction, hold] of this.#holds) {
      if (hold.card !== card) continue
      const more = this.#isUnsure(transaction) ? undefined : of(hold)
      if (more === undefined) return undefined
      held += more
    }
    return held
  }
}

/** With any other status, the call was not decided. */
const DECISION = 200

const hasAmount = (call: ReceivedCall): boolean => {
  const {transactionAmount, billingAmount} = partOf(call, 'transactionData')
  return transactionAmount != null || billingAmount != null
}

/** A call without it is a transaction of its own. */
const transactionOf = (call: ReceivedCall): string | undefined =>
  textOf(partOf(call, 'metadata').transactionId) ?? callIdOf(call)

const untraced = (call: ReceivedCall): ReceivedCall => ({
  ...call,
  metadata: {...partOf(call, 'metadata'), traceId: null},
})

function holdOf(call: ReceivedCall, {part}: Verdict): Omit<Hold, 'card'> | undefined {
  const {transactionAmount, billingAmount} = partOf(call, 'transactionData')
  const [asked, billed] = [
    minor(transactionAmount ?? billingAmount),
    minor(billingAmount ?? transactionAmount),
  ]
  if (!part) return asked && billed && {asked, billed}
  const held = minor(part)
  // A part in one currency says nothing exact of the other.
  return held && asked?.currency === billed?.currency ? {asked: held, billed: held} : undefined
}

const isOtherMoney = (held: Hold, more: Omit<Hold, 'card'>): boolean =>
  held.asked.currency !== more.asked.currency || held.billed.currency !== more.billed.currency

const sum = (held: Hold, more: Omit<Hold, 'card'>): Hold => ({
  ...held,
  asked: plus(held.asked, more.asked.minor),
  billed: plus(held.billed, more.billed.minor),
})

const plus = ({minor: before, currency}: Minor, change: bigint): Minor => {
  const after = before + change
  return {minor: after < 0n ? 0n : after, currency}
}

function reversed(held: Hold, call: ReceivedCall): Hold {
  const {transactionAmount, billingAmount, replacementAmount} = partOf(call, 'transactionData')
  const left = minor(replacementAmount)
  const lowered = (hold: Minor, amount: Minor | undefined): Minor =>
    left
      ? plus(hold, left.minor < hold.minor ? left.minor - hold.minor : 0n)
      : plus(hold, -(amount?.minor ?? hold.minor))
  return {
    ...held,
    asked: lowered(held.asked, minor(transactionAmount ?? billingAmount)),
    billed: lowered(held.billed, minor(billingAmount ?? transactionAmount)),
  }
}

function minor(value: unknown): Minor | undefined {
  const read = readAmount(value)
  return read && minorOf(read)
}
