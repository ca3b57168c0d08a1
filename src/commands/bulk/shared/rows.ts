import type {Jobs, NewRow} from '../../../bulk/index.ts'
import type {RowSender} from '../../../cli/client/rows.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import {unreadableInput} from '../../../input/read-input.ts'
import {countRows, type RowsFound} from '../../../profiles/index.ts'
import type {Target} from '../../../profiles/target.ts'
import {type Row, RowProblems} from '../../../rows/problems.ts'
import {FoundRows} from './found-rows.ts'
import {inputMaker, resourceOf, type ToInput} from './input.ts'
import type {RowFile} from './open-rows.ts'

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
  const {source} = options
  const name = source === '-' ? 'stdin' : source
  const problems = new RowProblems({source: name})
  const found = new FoundRows(options.operation, options.target, options.store.journal)
  try {
    for await (const read of options.file.rows(problems)) {
      const values = withConstants(read.values, options.constants)
      const row = {...read, values}
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
  if (problems.count > 0) throw problems.toFailure()
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

async function inputOf(
  {row, line, values}: Row,
  {toInput, sender, check}: LoadOptions,
  problems: RowProblems,
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
