import {isDeepStrictEqual} from 'node:util'
import type {Job, JobRow, Jobs, RowState} from '../../../bulk/index.ts'
import type {Context} from '../../../cli/context.ts'
import {formerValues, ownerOf, setsFields} from '../../../cli/former-values.ts'
import {newestWrite} from '../../../cli/seen-state.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import {resourceWords, touchedBy} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {countRows} from '../../../profiles/index.ts'
import {maskWithin} from '../../../sensitive/mask-text.ts'
import {operationOfJob} from './operation.ts'
import {inputMaker} from './row-input.ts'

const CHANGED = 'CHANGED_SINCE'

/** Asked just before a row is sent. @throws Failure if it is not to be sent now */
export type RowJudge = (row: JobRow, input: AnyInput) => void | Promise<void>

type RowsOf = Pick<Job, 'id' | 'createdAt'>

/**
 * Why a row of a job would undo a newer change: what it sets was changed from here since the job was made, by another
 * command. In words; undefined if nothing is known of one.
 *
 * @param evenEqual also where all that the row sets was set to the same: the row failed, so that was done in its place.
 */
function newerWrite(
  journal: Journal,
  operation: Operation,
  input: AnyInput,
  {id, createdAt}: RowsOf,
  evenEqual = false,
): string | undefined {
  const resources = touchedBy(operation, input)
  const owner = ownerOf(operation, {resources})
  if (owner === undefined) return undefined
  const isNewer = ({begunAt, job}: RequestRecord): boolean =>
    begunAt >= createdAt && job !== id && journal.requests.forgotten(begunAt) === undefined
  const what = resourceWords(owner)
  if (!setsFields(operation)) {
    const newest = newestWrite(journal, operation, input, id)
    if (newest === undefined || newest.operation !== operation.id || !isNewer(newest)) return undefined
    return `${what} was changed from here since the job was made, by request ${newest.id}.`
  }
  const body = isObject(input.body) ? input.body : {}
  const newer = function* (): Generator<RequestRecord, void, undefined> {
    for (const one of journal.requests.iterate({resources: [owner], since: createdAt}))
      if (isNewer(one)) yield one
  }
  const change = {operation: operation.id, resources}
  const {known, uncertain} = formerValues(journal, change, Object.keys(body), newer)
  for (const [name, {value, from}] of known) {
    if (isDeepStrictEqual(value, body[name])) continue
    return operation.personal
      ? `${name} of ${what} was changed from here since the job was made, by request ${from.id}.`
      : `${name} of ${what} was set to ${shown(value)} by request ${from.id} since the job was made; the row says ${shown(body[name])}.`
  }
  for (const [name, {id: request}] of uncertain)
    return `${name} of ${what} may have been changed from here since the job was made, by request ${request}.`
  const [first] = known.values()
  if (evenEqual && first !== undefined && known.size === Object.keys(body).length)
    return `what the row sets of ${what} was set from here since the job was made, by request ${first.from.id}.`
  return undefined
}

const MOST_SHOWN = 60
const shown = (value: unknown): string => maskWithin(JSON.stringify(value) ?? 'missing', MOST_SHOWN)

/**
 * Holds back the rows of a job that would undo newer changes.
 *
 * @param agreed rows that a person sends all the same.
 * @param failed rows that failed before, of which also an equal newer change is one.
 */
export const newerJudge =
  (
    {journal}: Jobs,
    operation: Operation,
    job: RowsOf,
    {agreed, failed}: Pick<FailedBefore, 'failed'> & {readonly agreed: ReadonlySet<number>},
  ): RowJudge =>
  ({row}, input) => {
    const message = agreed.has(row) ? undefined : newerWrite(journal, operation, input, job, failed.has(row))
    if (message !== undefined) throw new Failure(CHANGED, {message, effect: 'none'})
  }

interface FailedBefore {
  readonly failed: ReadonlySet<number>
  /** Those of them that were held back, so that who sends failed rows again knows of them. */
  readonly told: ReadonlySet<number>
}

export const NONE_FAILED: FailedBefore = {failed: new Set(), told: new Set()}

/** The rows that failed. */
export async function failedBefore(store: Jobs, job: string): Promise<FailedBefore> {
  const [failed, told] = [new Set<number>(), new Set<number>()]
  for await (const {row, code} of store.ends(job, ['failed'])) {
    failed.add(row)
    if (code === CHANGED) told.add(row)
  }
  return {failed, told}
}

/** The states of the rows that a job has given up when it was cancelled. */
export const UNSENT = ['waiting', 'again', 'held'] as const satisfies readonly RowState[]

/** Whether other commands have made a row needless since the job was made, or it would undo what they changed. */
async function replacedJudge(
  context: Context,
  {journal}: Jobs,
  job: Job,
): Promise<(values: JobRow['values']) => Promise<boolean>> {
  try {
    const operation = await operationOfJob(context, job)
    const toInput = await inputMaker(operation, job.settings.map)
    return async values => {
      try {
        return newerWrite(journal, operation, await toInput(values), job, true) !== undefined
      } catch (error) {
        return noFailure(error)
      }
    }
  } catch (error) {
    // An imported operation that is gone.
    return async () => noFailure(error)
  }
}

/** A row that is no valid request was not replaced. */
function noFailure(error: unknown): false {
  if (error instanceof Failure) return false
  throw error
}

/** Whether other commands have replaced every row in these states: none is to be sent. */
export async function areAllReplaced(
  context: Context,
  store: Jobs,
  job: Job,
  states: readonly RowState[],
): Promise<boolean> {
  const isReplaced = await replacedJudge(context, store, job)
  for await (const {values} of store.results(job.id, states)) if (!(await isReplaced(values))) return false
  return true
}

/** The rows in these states that other commands have replaced, and how many are left. */
export async function replacedRows(
  context: Context,
  store: Jobs,
  job: Job,
  states: readonly RowState[],
): Promise<{readonly replaced: ReadonlySet<number>; readonly left: number}> {
  const isReplaced = await replacedJudge(context, store, job)
  const replaced = new Set<number>()
  let left = 0
  for await (const {row, values} of store.results(job.id, states)) {
    if (await isReplaced(values)) replaced.add(row)
    else left++
  }
  return {replaced, left}
}

const MOST_LISTED = 20

/** Asks a person whether rows that would undo newer changes are sent. @returns those that are, besides `agreed` */
export async function askNewer(
  {interactive, flags, printer, prompter}: Context,
  store: Jobs,
  operation: Operation,
  job: Job,
  {told: agreed, failed}: FailedBefore,
): Promise<ReadonlySet<number>> {
  if (!interactive || flags.yes || operation.effect === 'read') return agreed
  const toInput = await inputMaker(operation, job.settings.map)
  const found: {readonly row: number; readonly message: string}[] = []
  for await (const {row, values} of store.results(job.id, ['waiting', 'sent', 'again', 'held'])) {
    if (agreed.has(row)) continue
    try {
      const message = newerWrite(store.journal, operation, await toInput(values), job, failed.has(row))
      if (message !== undefined) found.push({row, message})
    } catch (error) {
      // A row that is no valid request isn't sent.
      if (!(error instanceof Failure)) throw error
    }
  }
  if (found.length === 0) return agreed
  const more = found.length - MOST_LISTED
  printer.question(
    ...found.slice(0, MOST_LISTED).map(({row, message}) => `Row ${row}: ${message}`),
    ...(more > 0 ? [`… and ${countRows(more)} more`] : []),
  )
  const choice = await prompter.choose(
    `${countRows(found.length)} would undo changes that are newer than the job. What about these rows?`,
    [
      {value: 'leave', name: 'Leave them out, and send the others'},
      {value: 'send', name: 'Send them as well'},
    ],
  )
  return choice === 'send' ? new Set([...agreed, ...found.map(({row}) => row)]) : agreed
}

/** Lists the rows that a run held back, whatever it ended with, and how they are sent all the same. */
export async function sayingHeld<T>(
  context: Context,
  store: Jobs,
  job: Pick<Job, 'id'>,
  run: () => Promise<T>,
): Promise<T> {
  let done: T
  try {
    done = await run()
  } catch (error) {
    // Why the run ended matters more than a list that can't be read.
    await sayHeld(context, store, job).catch(() => undefined)
    throw error
  }
  await sayHeld(context, store, job)
  return done
}

async function sayHeld({printer, commandLine}: Context, store: Jobs, {id}: Pick<Job, 'id'>): Promise<void> {
  const lines: string[] = []
  let count = 0
  let again = 0
  for await (const {row, state, code, message} of store.ends(id, ['failed', 'unknown'])) {
    if (code !== CHANGED) continue
    if (state === 'failed') again++
    const open = state === 'failed' ? '' : ' It was sent before the change, and its effect is unknown.'
    if (++count <= MOST_LISTED) lines.push(`  Row ${row}: ${message ?? ''}${open}`)
  }
  if (count === 0) return
  printer.warn(`${countRows(count)} not sent, because of newer changes from here:`)
  printer.note(
    ...lines,
    ...(count > MOST_LISTED ? [`  … and ${countRows(count - MOST_LISTED)} more`] : []),
    ...(again > 0
      ? [`  To send them all the same: ${commandLine('bulk', 'resume', {value: id}, '--retry-failed')}`]
      : []),
  )
}
