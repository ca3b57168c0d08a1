import {minorToText} from '../../money/amount.ts'
import {convert} from '../../money/example-rates.ts'
import {exponentOf} from '../../money/exponents.ts'
import {
  callIdOf,
  kindOf,
  type Minor,
  minorOf,
  partOf,
  type ReceivedCall,
  readAmount,
  textOf,
} from '../received-call.ts'
import type {Verdict} from '../send/caller.ts'

/**
 * What the account of a suite has, as the service would say it in the next call: approved payments hold money, reversals
 * release it, a clearing posts it.
 */
export class Balance {
  readonly #currency: string
  #minor: bigint
  /** Held amounts by the id of their transaction, in the currency of the account. */
  readonly #holds = new Map<string, bigint>()
  /** Ids of calls that count already: a repeated call holds nothing more. */
  readonly #counted = new Set<string>()

  constructor({minor, currency}: Minor) {
    this.#minor = minor
    this.#currency = currency
  }

  /** As calls have it. Below zero it is zero: nothing is available. */
  get available(): {readonly amount: number; readonly currency: string} {
    const minor = this.#minor < 0n ? 0n : this.#minor
    return {amount: Number(minorToText(minor, exponentOf(this.#currency))), currency: this.#currency}
  }

  /** Whether the account has the amount of a call. */
  covers(call: ReceivedCall): boolean {
    const {billingAmount, transactionAmount} = partOf(call, 'transactionData')
    return (this.#own(billingAmount ?? transactionAmount) ?? 0n) <= this.#minor
  }

  /** Counts a call and its answer. */
  count(call: ReceivedCall, {outcome, part}: Verdict): void {
    const id = callIdOf(call)
    const transaction = textOf(partOf(call, 'metadata').transactionId)
    if (id === undefined || transaction === undefined || this.#counted.has(id)) return
    const data = partOf(call, 'transactionData')
    const kind = kindOf(call)
    if (kind === 'reversal') {
      this.#counted.add(id)
      this.#settle(transaction, this.#own(data.replacementAmount) ?? 0n)
    } else if (kind === 'payment' && (outcome === 'approved' || outcome === 'partial')) {
      this.#counted.add(id)
      const amount =
        outcome === 'partial' ? this.#own(part) : this.#own(data.billingAmount ?? data.transactionAmount)
      this.#settle(transaction, this.#held(transaction) + (amount ?? 0n))
    }
  }

  /** A payment is cleared: this amount is posted, or the held one. */
  clear(transaction: string, posted: Minor | undefined): void {
    const amount = posted && convert(posted.minor, posted.currency, this.#currency)
    if (amount !== undefined) this.#settle(transaction, amount)
    this.#holds.delete(transaction)
  }

  #held(transaction: string): bigint {
    return this.#holds.get(transaction) ?? 0n
  }

  #settle(transaction: string, held: bigint): void {
    this.#minor += this.#held(transaction) - held
    this.#holds.set(transaction, held)
  }

  /** An amount in the currency of the account; undefined if it can't be read or has no rate. */
  #own(value: unknown): bigint | undefined {
    const read = readAmount(value)
    const minor = read && minorOf(read)
    return minor && convert(minor.minor, minor.currency, this.#currency)
  }
}
