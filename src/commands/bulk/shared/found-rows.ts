import {largeChanges} from '../../../cli/amount-changes.ts'
import {overCeiling} from '../../../cli/ceiling.ts'
import {hazardsIn, irreversibleIn} from '../../../contract/marked-values.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import type {Journal} from '../../../journal/index.ts'
import type {RowsFound} from '../../../profiles/index.ts'
import type {Target} from '../../../profiles/target.ts'

/** The journal is asked for what was sent before only for this many rows. */
const MOST_COMPARED = 10_000

/** Counts what in the rows of a job needs a confirmation. */
export class FoundRows {
  readonly #operation: Operation
  readonly #target: Pick<Target, 'ceiling'>
  readonly #journal: Journal
  readonly #irreversible = new Map<string, number>()
  readonly #hazards = new Map<string, number>()
  #rows = 0
  #over: RowsFound['over']
  #changes: RowsFound['changes']

  constructor(operation: Operation, target: Pick<Target, 'ceiling'>, journal: Journal) {
    this.#operation = operation
    this.#target = target
    this.#journal = journal
  }

  get rows(): number {
    return this.#rows
  }

  /** @param input undefined if the row is no valid request, and so isn't sent. */
  add(row: number, input: AnyInput | undefined): void {
    this.#rows++
    if (input === undefined) return
    const operation = this.#operation
    for (const {value} of irreversibleIn(operation, input)) count(this.#irreversible, value)
    for (const warning of hazardsIn(operation, input)) count(this.#hazards, warning)
    const over = overCeiling(this.#target, operation, input)
    if (over !== undefined)
      this.#over = {rows: (this.#over?.rows ?? 0) + 1, first: this.#over?.first ?? `row ${row}, ${over}`}
    if (this.#rows > MOST_COMPARED) return
    const [change] = largeChanges(this.#journal, {operation, input})
    if (change === undefined) return
    const {rows, first} = this.#changes ?? {rows: 0, first: `Row ${row}, ${change}`}
    this.#changes = {rows: rows + 1, of: this.#rows, first}
  }

  get found(): RowsFound {
    const changes = this.#changes && {...this.#changes, of: Math.min(this.#rows, MOST_COMPARED)}
    return {
      rows: this.#rows,
      irreversible: this.#irreversible,
      hazards: this.#hazards,
      over: this.#over,
      changes,
    }
  }
}

function count(map: Map<string, number>, name: string): void {
  map.set(name, (map.get(name) ?? 0) + 1)
}
