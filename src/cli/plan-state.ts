import type {AnyInput, Operation} from '../contract/operation.ts'
import {touchedBy} from '../contract/resource.ts'
import {Failure} from '../errors/failure.ts'
import type {Journal} from '../journal/index.ts'
import {maskText} from '../sensitive/mask-text.ts'
import type {KeptPlan, PlanRow, SeenRequest} from './kept-plan.ts'
import {changesNothing, type Fields, fieldsSeen, fieldsSetBy, lastSent, type ReadState} from './seen-state.ts'

/** Reads at the same time. */
const READERS = 8

/** What is known of the service while a plan is made, as if its earlier rows had been sent. */
export class PlanState {
  readonly #operation: Operation
  readonly #journal: Journal
  readonly #read: ReadState | undefined
  readonly #states = new Map<string, Promise<{readonly body: unknown} | {readonly missing: string}>>()
  /** What earlier rows of the plan set, by what they change. */
  readonly #set = new Map<string, Fields>()
  readonly #seen: SeenRequest[] = []
  readonly #unchanged: PlanRow[] = []
  readonly #refused: (PlanRow & {readonly reason: string})[] = []

  constructor(operation: Operation, journal: Journal, read: ReadState | undefined) {
    this.#operation = operation
    this.#journal = journal
    this.#read = read
  }

  get found(): Pick<KeptPlan, 'seen' | 'unchanged' | 'refused'> {
    return {seen: this.#seen, unchanged: this.#unchanged, refused: this.#refused}
  }

  /** Reads what these requests change, several at a time. `add` then has it. @throws Failure that of a read */
  async readAll(inputs: readonly AnyInput[], done: (count: number) => void): Promise<void> {
    if (this.#read === undefined) return
    const open = [...new Map(inputs.map(input => [keyOf(input), input])).values()]
    let next = 0
    let count = 0
    const work = async (): Promise<void> => {
      for (let input = open[next++]; input !== undefined; input = open[next++]) {
        await this.#state(input)
        done(++count)
      }
    }
    await Promise.all(Array.from({length: READERS}, work))
  }

  /** @returns whether the plan will send it. @throws Failure that of a read */
  async add(input: AnyInput, place: Pick<PlanRow, 'row' | 'line'>): Promise<boolean> {
    const row: PlanRow = {...place, resource: nameOf(this.#operation, input)}
    if (this.#read === undefined) {
      const {before, last} = lastSent(this.#journal, this.#operation, input)
      const from = Object.keys(before).length > 0 ? 'journal' : 'nothing'
      this.#seen.push({...row, from, before: {...before, ...this.#earlier(input)}, last})
      this.#note(input)
      return true
    }
    const state = await this.#state(input)
    if ('missing' in state) {
      this.#refused.push({...row, reason: state.missing})
      return false
    }
    const before = {...fieldsSeen(state.body, input), ...this.#earlier(input)}
    if (changesNothing(input, before)) {
      this.#unchanged.push(row)
      return false
    }
    const from = Object.keys(before).length > 0 ? 'service' : 'nothing'
    this.#seen.push({...row, from, before})
    this.#note(input)
    return true
  }

  /** Of the fields of a request, those that earlier rows set. */
  #earlier(input: AnyInput): Fields {
    const set = this.#set.get(keyOf(input)) ?? {}
    const names = Object.keys(fieldsSetBy(input)).filter(name => Object.hasOwn(set, name))
    return Object.fromEntries(names.map(name => [name, set[name]]))
  }

  #note(input: AnyInput): void {
    this.#set.set(keyOf(input), {...this.#set.get(keyOf(input)), ...fieldsSetBy(input)})
  }

  #state(input: AnyInput) {
    const key = keyOf(input)
    const known = this.#states.get(key) ?? this.#readOne(input)
    this.#states.set(key, known)
    return known
  }

  async #readOne(input: AnyInput): Promise<{readonly body: unknown} | {readonly missing: string}> {
    try {
      return {body: await this.#read?.(input)}
    } catch (error) {
      if (error instanceof Failure && error.code === 'NOT_FOUND') return {missing: maskText(error.message)}
      throw error
    }
  }
}

const keyOf = ({path}: AnyInput): string => JSON.stringify(Object.entries(path).sort())

/** What a request changes, as messages name it. An imported document doesn't say of what kind it is. */
function nameOf(operation: Operation, input: AnyInput): string | undefined {
  const [touched] = touchedBy(operation, input)
  if (touched !== undefined) return touched
  const hidden = operation.hiddenPath ?? []
  const ids = Object.entries(input.path).filter(([name]) => !hidden.includes(name))
  return ids.length === 0 ? undefined : maskText(ids.map(([, id]) => id).join('/'))
}
