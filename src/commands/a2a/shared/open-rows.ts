import {hasEnded} from '../../../cli/batch-ends.ts'
import {isObject} from '../../../errors/is-object.ts'
import {fieldAt, numberAt, textAt} from '../../../output/fields.ts'
import type {Transfer} from './read-transfers.ts'
import {rowsMark} from './reference.ts'
import {plainDecimal} from './same-rows.ts'
import type {SentEarlier} from './sent-earlier.ts'
import type {BatchToSend} from './sent-elsewhere.ts'
import {lineOf} from './sent-texts.ts'

/** The rows that nothing has sent yet, as far as is known. */
export class OpenRows {
  readonly #transfers: readonly Transfer[]
  /** The places of each transfer without its text. */
  readonly #open: Map<string, number[]>
  readonly #marks: ReadonlyMap<string, readonly Transfer[]>
  /** For each currency the amounts, as a service may add them. */
  readonly #amounts = new Map<string, Set<string>>()

  constructor(batches: readonly BatchToSend[], known: readonly SentEarlier[]) {
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
    const isOne = numberAt(batch, 'transferItemCount') === 1
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

  /** The same of any row. */
  take(transfer: Transfer): number | undefined {
    return this.takeIf(transfer, () => true)
  }

  /** The rows that are still open, and are the transfer or all. */
  openRows(transfer?: Transfer): readonly {readonly row: number; readonly transfer: Transfer}[] {
    const places =
      transfer === undefined ? [...this.#open.values()].flat() : (this.#open.get(lineOf(transfer)) ?? [])
    return places.flatMap(at => {
      const open = this.#transfers[at]
      return open === undefined ? [] : {row: at + 1, transfer: open}
    })
  }
}

export const hasFailures = (batch: unknown): boolean =>
  !['COMPLETED', 'IN_PROGRESS'].includes(textAt(batch, 'status')) ||
  (numberAt(batch, 'failedTransferItems') ?? 0) > 0
