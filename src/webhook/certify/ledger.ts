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

/** A hold in the currency of the merchant and in that of the account: an endpoint may keep either. */
interface Hold {
  readonly card: string
  readonly asked: Minor
  readonly billed: Minor
}

/** What an endpoint that keeps holds has to hold, by the calls and answers so far. */
export class Ledger {
  readonly #holds = new Map<string, Hold>()
  /** Transactions of which the contract doesn't say what is held. */
  readonly #open = new Set<string>()
  /** Transactions with a call whose decision isn't known yet. */
  readonly #pending = new Set<string>()
  /** Calls that were decided, by their ids. */
  readonly #decided = new Map<string, ReceivedCall>()

  /** Counts a call and its answer. The same call again changes nothing. */
  count(call: ReceivedCall, verdict: Verdict): void {
    const [id, transaction, card] = [callIdOf(call), transactionOf(call), cardIdOf(call)]
    if (id === undefined || transaction === undefined || card === undefined) return
    const earlier = this.#decided.get(id)
    if (earlier && isDeepStrictEqual(untraced(earlier), untraced(call))) return
    const decision = plainDecisionOf(verdict)
    if (!decision) {
      if (!earlier) this.#pending.add(transaction)
      return
    }
    // A different call under a known id: what becomes of the two is left to the endpoint.
    if (earlier) {
      if (decision.outcome !== 'declined') this.#open.add(transaction)
      return
    }
    this.#decided.set(id, call)
    this.#pending.delete(transaction)
    const held = this.#holds.get(transaction)
    if (kindOf(call) === 'reversal') {
      if (held) this.#holds.set(transaction, reversed(held, call))
      else this.#open.add(transaction)
    } else if (kindOf(call) === 'payment' && decision.outcome !== 'declined') {
      const hold = holdOf(call, verdict)
      if (!hold) this.#open.add(transaction)
      else this.#holds.set(transaction, held ? sum(held, hold) : {...hold, card})
    }
  }

  /** What is held for the transaction of a call can't be known any more: calls came in an order of their own. */
  leaveOpen(call: ReceivedCall): void {
    const transaction = transactionOf(call)
    if (transaction !== undefined) this.#open.add(transaction)
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

  /** What is held on a card, in the smallest unit of its currency; undefined if that is open. */
  onCard(card: string): bigint | undefined {
    let held = 0n
    for (const [transaction, hold] of this.#holds) {
      if (hold.card !== card) continue
      if (this.#isUnsure(transaction)) return undefined
      held += hold.billed.minor
    }
    return held
  }
}

const transactionOf = (call: ReceivedCall): string | undefined =>
  textOf(partOf(call, 'metadata').transactionId)

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
