import {hasEnded} from '../../../cli/batch-ends.ts'
import {isObject} from '../../../errors/is-object.ts'
import {fieldAt, numberAt, textAt} from '../../../output/fields.ts'
import type {Transfer} from './read-transfers.ts'
import {rowsMark} from './reference.ts'
import {plainDecimal} from './same-rows.ts'
import {pairOf, type SentEarlier} from './sent-earlier.ts'
import type {BatchToSend} from './sent-elsewhere.ts'
import {lineOf} from './sent-texts.ts'

/** The rows that nothing has sent yet, as far as is known. */
export class OpenRows {
  readonly #isRetry: boolean
  readonly #transfers: readonly Transfer[]
  /** The places of each transfer without its text. */
  readonly #open: Map<string, number[]>
  readonly #marks: ReadonlyMap<string, readonly Transfer[]>
  /** For each currency the amounts, as a service may add them. */
  readonly #amounts = new Map<string, Set<string>>()
  /** What was sent between two accounts, and is none of the rows. */
  readonly #spare = new Map<string, Omit<SentEarlier, 'row'>[]>()

  /** @param isRetry whether other amounts between the same accounts count too */
  constructor(batches: readonly BatchToSend[], known: readonly SentEarlier[], isRetry: boolean) {
    this.#isRetry = isRetry
    this.#transfers = batches.flatMap(({transfers}) => transfers)
    this.#marks = new Map(batches.map(({transfers}) => [rowsMark(transfers), transfers]))
    const sent = new Set(known.map(({row}) => row))
    const open = [...this.#transfers.entries()].filter(([at]) => !sent.has(at + 1))
    this.#open = new Map(
      [...Map.groupBy(open, ([, transfer]) => lineOf(transfer))].map(([line, some]) => [
        line,
        some.map(([at]) => at),
      ]),
    )
    for (const [, {amount, currency}] of open) {
      const amounts = this.#amounts.get(currency) ?? new Set()
      this.#amounts.set(currency, amounts.add(plainDecimal(amount)))
    }
  }

  some(test: (transfer: Transfer) => boolean): boolean {
    return [...this.#open.values()].flat().some(at => this.#is(at, test))
  }

  /** The line of a row by its number. */
  lineAt(row: number): string {
    const transfer = this.#transfers[row - 1]
    return transfer === undefined ? '' : lineOf(transfer)
  }

  #is(at: number, test: (transfer: Transfer) => boolean): boolean {
    const transfer = this.#transfers[at]
    return transfer !== undefined && test(transfer)
  }

  get areFound(): boolean {
    return this.#open.size === 0
  }

  /** The transfers of the batch with this digest. */
  withMark(mark: string | undefined): readonly Transfer[] | undefined {
    return mark === undefined ? undefined : this.#marks.get(mark)
  }

  /** Whether the transfers of a batch are worth reading: by its sums, it may have one of the rows. */
  mayShare(batch: unknown): boolean {
    const totals = fieldAt(batch, 'totalAmount')
    // Nobody knows what a service adds up of transfers that failed, or are not booked yet.
    if (!isObject(totals) || !hasEnded(batch) || hasFailures(batch)) return true
    const isOne = !this.#isRetry && numberAt(batch, 'transferItemCount') === 1
    return Object.entries(totals).some(([currency, sum]) => {
      const amounts = this.#amounts.get(currency)
      return amounts !== undefined && (!isOne || amounts.has(plainDecimal(sum)))
    })
  }

  /** @returns the number of the row that a transfer at the service stands for, which is no longer open then. */
  takeIf(transfer: Transfer, test: (transfer: Transfer) => boolean): number | undefined {
    const line = lineOf(transfer)
    const places = this.#open.get(line) ?? []
    const at = places.find(one => this.#is(one, test))
    if (at === undefined) return undefined
    places.splice(places.indexOf(at), 1)
    if (places.length === 0) this.#open.delete(line)
    return at + 1
  }

  /** The same of any row. What is none of them may be another amount of one. */
  take(transfer: Transfer, sent: Omit<SentEarlier, 'row'>): number | undefined {
    const row = this.takeIf(transfer, () => true)
    if (row !== undefined) return row
    const pair = pairOf(transfer)
    this.#spare.set(pair, [...(this.#spare.get(pair) ?? []), sent])
    return undefined
  }

  /** The rows that are left and may have been sent with another amount. */
  otherwise(): readonly SentEarlier[] {
    return [...this.#open.values()].flat().flatMap(at => {
      const transfer = this.#transfers[at]
      const sent = transfer && this.#spare.get(pairOf(transfer))?.shift()
      return sent === undefined ? [] : {...sent, row: at + 1, isOther: true as const}
    })
  }
}

export const hasFailures = (batch: unknown): boolean =>
  !['COMPLETED', 'IN_PROGRESS'].includes(textAt(batch, 'status')) ||
  (numberAt(batch, 'failedTransferItems') ?? 0) > 0
