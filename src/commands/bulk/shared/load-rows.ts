import {isDeepStrictEqual} from 'node:util'
import type {Jobs, NewRow} from '../../../bulk/index.ts'
import {overCeiling} from '../../../cli/ceiling.ts'
import type {RowSender} from '../../../cli/client/rows.ts'
import {largeChanges, ownerOf, setsFields} from '../../../cli/former-values.ts'
import {SheetFaults} from '../../../cli/sheet/sheet-faults.ts'
import {clearedIn, irreversibleIn, unexpectedIn} from '../../../contract/marked-values.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import {resourceWords, touchedBy} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {unreadableInput} from '../../../input/read-input.ts'
import type {Journal} from '../../../journal/index.ts'
import {countRows, type RowsFound, type SetRow} from '../../../profiles/index.ts'
import type {Target} from '../../../profiles/target.ts'
import type {RowProblem} from '../../../rows/problem-groups.ts'
import {type ProblemSink, type Row, RowProblems} from '../../../rows/problems.ts'
import type {RowFile} from './open-rows.ts'
import {inputMaker, resourceOf, type ToInput} from './row-input.ts'

export interface LoadOptions {
  readonly store: Jobs
  readonly job: string
  readonly operation: Operation
  readonly source: string
  /** Values for rows that don't have their own. */
  readonly constants: Readonly<Record<string, string>>
  readonly toInput: ToInput
  readonly sender: RowSender
  readonly target: Pick<Target, 'ceiling'>
  readonly file: RowFile
  /** Whether to check each row against the contract before sending any. */
  readonly check: boolean
  /** Rows of one resource don't wait for each other, and never will. */
  readonly unordered: boolean
  /** Number of rows that the file must have: `--rows`. */
  readonly expected: number | undefined
  /** Whether a file without rows is accepted. */
  readonly allowEmpty: boolean
}

const PAGE = 500

/**
 * Reads all rows into the job, and checks each.
 *
 * @throws Failure INPUT_INVALID, which lists bad rows by number.
 */
export async function loadRows(options: LoadOptions): Promise<RowsFound> {
  const {store, job} = options
  let page: NewRow[] = []
  const found = await readJobRows(options, async row => {
    page.push(row)
    if (page.length < PAGE) return
    await store.addRows(job, page)
    page = []
  })
  await store.addRows(job, page)
  return found
}

/**
 * Reads all rows of the file, checks each and hands it to `take`.
 *
 * @throws Failure INPUT_INVALID, which lists bad rows by number.
 */
export async function readJobRows(
  options: LoadOptions,
  take: (row: NewRow) => void | Promise<void>,
): Promise<RowsFound> {
  const {source, file} = options
  const name = source === '-' ? 'stdin' : source
  const faults = file.faults ?? new SheetFaults({source: name, isAsked: true})
  const problems = new RowProblems({source: name})
  const found = new FoundRows(options.operation, options.target, options.store.journal)
  try {
    for await (const read of file.rows(problems)) {
      const values = withConstants(read.values, options.constants)
      const row = {...read, values}
      if (file.isOpen) {
        await inputOf(row, options, {add: one => ofFilled(one, row, file) && problems.add(one)})
        continue
      }
      const input = await inputOf(row, options, problems)
      found.add(read.row, input)
      await take({
        ...row,
        resource: input && !options.unordered ? resourceOf(options.operation, input) : undefined,
      })
    }
  } catch (error) {
    throw unreadableInput(name, error)
  }
  faults.try(() => problems.throwIfAny(), undefined)
  faults.throwIfAny()
  const {rows} = found
  if (options.expected !== undefined && rows !== options.expected) {
    throw new Failure('INPUT_INVALID', {
      message: `${name} has ${countRows(rows)}, not ${options.expected} as --rows says.`,
      hint: 'Nothing was sent. If the file is whole, pass its number of rows.',
      effect: 'none',
      data: {rows, expected: options.expected},
    })
  }
  if (rows === 0 && !options.allowEmpty && options.expected !== 0) {
    throw new Failure('INPUT_INVALID', {
      message: `${name} holds no row.`,
      hint: 'If that may happen, pass --allow-empty.',
      effect: 'none',
    })
  }
  return found.found
}

/** The same check for the remaining rows of a job, because another person may have read and confirmed them. */
export async function precheckLeft(
  store: Jobs,
  job: string,
  operation: Operation,
  target: Pick<Target, 'ceiling'>,
): Promise<RowsFound> {
  const toInput = await inputMaker(operation, (await store.get(job)).settings.map)
  const found = new FoundRows(operation, target, store.journal)
  for await (const {row, values} of store.results(job, ['waiting', 'sent', 'again'])) {
    try {
      found.add(row, await toInput(values))
    } catch (error) {
      // A row that is no valid request isn't sent.
      if (!(error instanceof Failure)) throw error
      found.add(row, undefined)
    }
  }
  return found.found
}

/** A row's own values win; an empty value counts as missing. */
function withConstants(values: Row['values'], constants: Readonly<Record<string, string>>): Row['values'] {
  const missing = Object.entries(constants).filter(
    ([name]) => values[name] === undefined || values[name] === '',
  )
  return missing.length === 0 ? values : {...values, ...Object.fromEntries(missing)}
}

/** Whether a problem is of a value that the row has: what it lacks may be in a column that isn't known yet. */
const ofFilled = ({message}: RowProblem, {values}: Row, {map}: RowFile): boolean =>
  Object.entries(values).some(
    ([name, value]) =>
      value !== '' &&
      value !== undefined &&
      message.startsWith(`${(map[name] ?? name).replace(/^\w+:/, '')} `),
  )

async function inputOf(
  {row, line, values}: Row,
  {toInput, sender, check}: LoadOptions,
  problems: ProblemSink,
): Promise<AnyInput | undefined> {
  try {
    const input = await toInput(values)
    if (check) await sender.checked(input)
    return input
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const lines = error.details.data?.lines
    // Its hint names the flag that sets what a row may not.
    const own = error.code === 'USAGE' ? `${error.message} ${error.hint}` : error.message
    for (const message of Array.isArray(lines) ? lines : [own]) {
      problems.add({row, line, message: String(message)})
    }
    return undefined
  }
}

/** The journal is asked for what was sent before only for this many rows. */
const MOST_COMPARED = 10_000

/** Counts what in the rows of a job needs a confirmation. */
export class FoundRows {
  readonly #operation: Operation
  readonly #target: Pick<Target, 'ceiling'>
  readonly #journal: Journal
  readonly #irreversible = new Map<string, number>()
  readonly #hazards = new Map<string, number>()
  readonly #cleared = new Map<string, number>()
  #rows = 0
  readonly #fields = new Set<string>()
  readonly #owners = new Set<string>()
  #first: SetRow | undefined
  #last: SetRow | undefined
  #over: RowsFound['over']
  #changes: RowsFound['changes']
  /** What rows set, by field and owner, with the first row that did. */
  readonly #set = new Map<string, {readonly row: number; readonly value: unknown}>()
  #differing: RowsFound['differing']

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
    for (const warning of unexpectedIn(operation, input)) count(this.#hazards, warning)
    for (const {warning} of clearedIn(operation, input)) count(this.#cleared, warning)
    const over = overCeiling(this.#target, operation, input)
    if (over !== undefined)
      this.#over = {rows: (this.#over?.rows ?? 0) + 1, first: this.#over?.first ?? `row ${row}, ${over}`}
    if (this.#rows > MOST_COMPARED) return
    this.#note(row, input)
    const [change] = largeChanges(this.#journal, {operation, input})
    if (change === undefined) return
    const {rows, first} = this.#changes ?? {rows: 0, first: `Row ${row}, ${change}`}
    this.#changes = {rows: rows + 1, of: this.#rows, first}
  }

  #note(row: number, input: AnyInput): void {
    const owner = ownerOf(this.#operation, {resources: touchedBy(this.#operation, input)})
    if (!setsFields(this.#operation) || owner === undefined || !isObject(input.body)) return
    this.#owners.add(owner)
    // Fields of an imported operation may be hidden ones.
    if (this.#operation.form === undefined) this.#last = {owner, body: input.body}
    this.#first ??= this.#last
    for (const name of Object.keys(input.body)) this.#fields.add(name)
    this.#compare(row, owner, input.body)
  }

  #compare(row: number, owner: string, body: Readonly<Record<string, unknown>>): void {
    let differs: string | undefined
    for (const [name, value] of Object.entries(body)) {
      const key = `${owner} ${name}`
      const earlier = this.#set.get(key)
      if (earlier === undefined) this.#set.set(key, {row, value})
      else if (!isDeepStrictEqual(earlier.value, value))
        differs ??= `rows ${earlier.row} and ${row} set ${name} of ${resourceWords(owner)}`
    }
    if (differs === undefined) return
    const {rows, first} = this.#differing ?? {rows: 0, first: differs}
    this.#differing = {rows: rows + 1, first}
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
      cleared: this.#cleared,
      over: this.#over,
      differing: this.#differing,
      changes,
      sets: this.#sets,
    }
  }
}

function count(map: Map<string, number>, name: string): void {
  map.set(name, (map.get(name) ?? 0) + 1)
}
