import {largeChanges} from '../../../cli/amount-changes.ts'
import {overCeiling} from '../../../cli/ceiling.ts'
import {ownerOf, setsFields} from '../../../cli/former-values.ts'
import {hazardsIn, irreversibleIn} from '../../../contract/marked-values.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import {touchedBy} from '../../../contract/resource.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {Journal} from '../../../journal/index.ts'
import type {RowsFound, SetRow} from '../../../profiles/index.ts'
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
  readonly #fields = new Set<string>()
  readonly #owners = new Set<string>()
  #first: SetRow | undefined
  #last: SetRow | undefined
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
    this.#note(input)
    const [change] = largeChanges(this.#journal, {operation, input})
    if (change === undefined) return
    const {rows, first} = this.#changes ?? {rows: 0, first: `Row ${row}, ${change}`}
    this.#changes = {rows: rows + 1, of: this.#rows, first}
  }

  #note(input: AnyInput): void {
    const owner = ownerOf(this.#operation, {resources: touchedBy(this.#operation, input)})
    if (!setsFields(this.#operation) || owner === undefined || !isObject(input.body)) return
    this.#owners.add(owner)
    // Fields of an imported operation may be hidden ones.
    if (this.#operation.form === undefined) this.#last = {owner, body: input.body}
    this.#first ??= this.#last
    for (const name of Object.keys(input.body)) this.#fields.add(name)
  }

  /** What the rows set: "name of 1 account, 300 times" tells a column that has the wrong ids. */
  get #sets(): RowsFound['sets'] {
    const [first] = this.#owners
    if (first === undefined || this.#rows > MOST_COMPARED) return undefined
    const rows = [this.#first, this.#last].filter(row => row !== undefined)
    return {
      fields: [...this.#fields],
      kind: first.slice(0, first.indexOf(':')),
      things: this.#owners.size,
      ends: this.#rows === 1 ? rows.slice(0, 1) : rows,
    }
  }

  get found(): RowsFound {
    const changes = this.#changes && {...this.#changes, of: Math.min(this.#rows, MOST_COMPARED)}
    return {
      rows: this.#rows,
      irreversible: this.#irreversible,
      hazards: this.#hazards,
      over: this.#over,
      changes,
      sets: this.#sets,
    }
  }
}

function count(map: Map<string, number>, name: string): void {
  map.set(name, (map.get(name) ?? 0) + 1)
}
