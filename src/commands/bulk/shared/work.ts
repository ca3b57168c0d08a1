import {
  EQUAL_REFUSALS,
  type Job,
  type JobRow,
  type Jobs,
  keyedRowKey,
  type RowCounts,
  rowKey,
  runJob,
  type Stop,
} from '../../../bulk/index.ts'
import {auditEntry} from '../../../cli/audit-entries.ts'
import type {RowSender} from '../../../cli/client/rows.ts'
import type {Context} from '../../../cli/context.ts'
import {credentialHint} from '../../../cli/credential-hint.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import {type OpenPace, paceOf} from '../../../cli/pace.ts'
import {tidyJournal} from '../../../cli/retention.ts'
import {type AnyInput, takesKey} from '../../../contract/operation.ts'
import {Advice, advice, type Hint} from '../../../errors/advice.ts'
import {type BlameWords, blameWords, PUT_RIGHT, whenOf, wordsFor} from '../../../errors/blame.ts'
import {Failure} from '../../../errors/failure.ts'
import {firstError} from '../../../errors/first-error.ts'
import {codeOfSignal, enderOf} from '../../../errors/interruption.ts'
import {type ErrorCode, errorRegistry} from '../../../errors/registry.ts'
import {keptWords} from '../../../files/named-output.ts'
import {brokenRun, sayCutOff} from './broken-run.ts'
import type {bulkFlags} from './flags.ts'
import {DEFAULT_CONCURRENCY} from './limits.ts'
import type {RowJudge} from './newer-writes.ts'
import {OwnRows} from './own-rows.ts'
import {resumeLine} from './planned-job.ts'
import {jobBoard} from './progress.ts'
import {ResultsFile, writeFailedRows} from './results.ts'
import {inputMaker} from './row-input.ts'
import {sendRow} from './send-row.ts'
import {
  type BulkSummary,
  countsWithRows,
  isContinued,
  isRetry,
  type NextCondition,
  nextWords,
  summaryOf,
  toNext,
} from './summary.ts'
import {isShared} from './with-jobs.ts'

export type WorkFlags = Omit<FlagValues<typeof bulkFlags>, 'audit-user' | 'strict' | 'confirm'> & {
  readonly planned?: PlannedRows | undefined
  /** Asked as `PlannedRows.judge` is, of rows that are no plan. */
  readonly judge?: RowJudge | undefined
  readonly 'retry-failed'?: boolean | undefined
}

/** Rows of a plan, which are kept as requests. */
export interface PlannedRows {
  inputOf(values: JobRow['values']): AnyInput
  /** Asked just before a row is sent. @throws Failure PLAN_STALE if what it changes is no longer as the plan saw it */
  judge: RowJudge
}

/** Sends the remaining rows of a job and returns its outcome. */
export async function workOn(
  context: Context,
  store: Jobs,
  job: Job,
  sender: RowSender,
  flags: WorkFlags,
): Promise<BulkSummary> {
  const {id, settings} = job
  const {operation} = sender
  const {planned} = flags
  const toInput = planned?.inputOf ?? (await inputMaker(operation, settings.map))
  const {signal, now} = context.surroundings
  const timeIn = (ms: number): string => context.when(now() + ms)
  const {name: profile} = await context.service.chosen()
  const progress = await context.printer.progress('rows')
  // What other workers have sent is on its way.
  const board = jobBoard(job, await store.reasons(id), {isFollowed: isShared({job: id})})
  using audit = await context.stores.audit()
  // If the audit trail can't be written, send nothing.
  audit.ready()
  if (operation.effect !== 'read') store.journal.noteTrail(audit.publicKey)
  const results = flags.results === undefined ? undefined : new ResultsFile(flags.results, context)
  const asTheyEnd = flags['as-they-end'] ? results : undefined
  await asTheyEnd?.begin(store.ends(id, ['done', 'failed', 'unknown', 'held']))
  const {words: pace, open} = await paceOf(context, store.journal, {
    rate: flags.rate,
    of: `bulk job ${id}`,
    maxPauseMs: flags['max-pause'],
  })
  const ifCutOff = resumeLine(context.commandLine, {job: id, jobKey: settings.jobKey, source: job.source})
  const own = new OwnRows()
  let opened: OpenPace | undefined
  let stop: Stop | undefined
  let seen: RowCounts | undefined
  let broken: {readonly error: unknown} | undefined
  // A second signal ends the process wherever it is.
  const notCutOff = context.surroundings.atExit(() => sayCutOff(context, store, job, seen))
  using _cutOff = {[Symbol.dispose]: notCutOff}
  try {
    opened = await open()
    const {pacer} = opened
    const first = await store.counts(id)
    const showProgress = (found: RowCounts): void => {
      const counts = isShared({job: id}) ? own.on(first, found) : found
      seen = counts
      const note = () => (signal.aborted ? 'stopping' : context.printer.waitingFor)
      progress.update({...board.state(counts, note), pace: pacer && pace, ifCutOff})
    }
    // Slow responses must not look like nothing happens.
    showProgress(first)
    // A second signal ends the process at once.
    signal.addEventListener('abort', progress.say, {once: true})
    const isRepeatable = operation.effect === 'read' || sender.honoured
    store.journal.store.expectManyWrites()
    stop = await runJob({
      rows: store.rows({
        job: id,
        isRepeatable,
        isUnordered: settings.unordered ?? false,
        ended: requests =>
          audit.append(
            requests.map(({id, start, end}) =>
              auditEntry(context, profile, start, {id, ...end}, store.journal),
            ),
          ),
        written: (rows, taken) => {
          board.ended(rows)
          own.ended(rows, taken)
          asTheyEnd?.append(rows)
        },
      }),
      concurrency: flags.concurrency ?? DEFAULT_CONCURRENCY,
      isRepeatable,
      keepGoing: flags['keep-going'],
      maxFailures: flags['max-failures'],
      pacer,
      signal,
      prepare: async one => {
        const {row, key: known, values} = one
        await asTheyEnd?.room()
        const input = await toInput(values)
        const ownKey = (): string =>
          settings.jobKey === undefined ? rowKey(id, row, values) : keyedRowKey(settings.jobKey, row, values)
        const key = takesKey(operation) ? (known ?? ownKey()) : undefined
        const request = await sender.checked(input, key)
        await (planned?.judge ?? flags.judge)?.(one, input)
        own.takes(row)
        const start = operation.effect === 'read' ? undefined : request.start({job: id, part: `row ${row}`})
        return {start, send: admit => own.sends(row, () => sendRow(sender, request, admit, timeIn))}
      },
      progress: showProgress,
    })
  } catch (error) {
    broken = {error: firstError(error)}
  }
  // What a worker has seen of a shared job may be old.
  if (isShared({job: id}) && broken === undefined)
    await Promise.resolve(store.counts(id)).then(
      counts => progress.update(board.state(counts)),
      () => undefined,
    )
  progress.stop()
  signal.removeEventListener('abort', progress.say)
  // What fails now is no worse than what ended the run.
  try {
    await opened?.close()
    if (broken === undefined || !isShared({job: id})) await store.leave(id)
  } catch (error) {
    broken ??= {error}
  }
  if (broken !== undefined) {
    const {error} = broken
    if (!(error instanceof Failure)) throw error
    throw await brokenRun(context, store, job, {error, seen, own, isHonoured: sender.honoured})
  }
  tidyJournal(context, store.journal)
  const unwrittenResults = await failureOf(async () =>
    asTheyEnd ? asTheyEnd.done() : results?.write(store.ends(id)),
  )
  const rowsFile = flags['failed-rows']
  let hasRows = false
  const unwrittenRows = await failureOf(async () => {
    if (rowsFile !== undefined) hasRows = await writeFailedRows(store, id, rowsFile)
  })
  const unwritten = [unwrittenResults, unwrittenRows].filter(failure => failure !== undefined)
  const summary = await summaryOf(context, store, await store.get(id))
  if (isShared({job: id}))
    context.printer.fact(own.words(summary), {code: 'WORKER_ENDS', job: id, ...own.facts})
  const kept = context.commandLine('bulk', 'results', {value: id})
  const [failure, ...others] = unwritten.map(({message}) => message)
  if (failure !== undefined && summary.done === summary.rows && stop === undefined) {
    throw new Failure('OUTPUT_UNWRITABLE', {
      message: `All ${summary.rows} rows are done, but ${[failure, ...others].join(' ')}`,
      hint: advice`See: ${kept}`,
      effect: 'done',
      data: {...summary},
    })
  }
  for (const {message} of unwritten) context.printer.warn(`${message} The results are in: ${kept}`)
  if (rowsFile !== undefined && !hasRows && unwrittenRows === undefined)
    context.printer.warn(`${keptWords(rowsFile)} ${wordsOfKept(context, summary)}`)
  // A program reads the result also where rows failed.
  const isForProgram = context.outputOptions.format !== 'table' && flags.results !== '-'
  if (summary.done !== summary.rows && isForProgram) await context.printer.data(summary)
  const maxFailures = flags['max-failures']
  // What is there may be of an earlier run.
  const failedRows = hasRows ? rowsFile : undefined
  const end = {stop, isHonoured: sender.honoured, maxFailures, failedRows, isRetried: flags['retry-failed']}
  await refuseUnlessDone(store, summary, end, context)
  return summary
}

/** Where the rows are that a file with other content doesn't have. */
function wordsOfKept({commandLine}: Context, {job, failed}: BulkSummary): string {
  if (failed === 0) return 'No row failed.'
  const list = commandLine('bulk', 'results', {value: job}, '--state', 'failed')
  return `To write the rows that failed, name another file. To see them: ${list}`
}

/** A failure to write results must not hide the outcome of the rows. */
async function failureOf(work: () => Promise<unknown>): Promise<Failure | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof Failure && error.code === 'OUTPUT_UNWRITABLE') return error
    throw error
  }
}

interface RunEnd {
  /** The run has sent rows again that had failed. */
  readonly isRetried?: boolean | undefined
  readonly stop?: Stop | undefined
  readonly isHonoured?: boolean
  readonly maxFailures?: number | undefined
  /** The file that has the rows that failed. */
  readonly failedRows?: string | undefined
}

/**
 * @throws Failure that says how far the job came, why it stopped, and how to continue. If every row failed in the same
 *   way, it has the code of the rows.
 */
export async function refuseUnlessDone(
  store: Jobs,
  found: BulkSummary,
  {stop, isHonoured, maxFailures, failedRows, isRetried}: RunEnd,
  context: Context,
): Promise<void> {
  const {surroundings} = context
  const {rows, done} = found
  if (done === rows) return
  const summary = {...found, ...conditionAfter(stop, found), ...(isRetried && afterRetry(context, found))}
  // Of a run that sent rows, what an earlier one left open is unknown too. Otherwise the effect is that of its own rows.
  const effect = summary.open > 0 && context.effects.hasSent ? 'unknown' : undefined
  const data = {...summary, stopped: typeof stop === 'object' ? (stop.isAtEnd ? undefined : stop.why) : stop}
  const counts = `${await countsWithRows(store, summary)}.`
  const corrected =
    summary.failed > 0 && failedRows !== undefined && failedRows !== '-'
      ? `The rows that failed are in ${failedRows}: correct them, and send that file as a job of its own. `
      : ''
  const next = `${nextWords(context, summary, isHonoured)}${corrected}`
  const last = toNext(summary) ?? advice``
  if (typeof stop === 'object') {
    const {why, cause} = stop
    const {status} = cause.details
    const words = why === 'refusals' ? ` because ${EQUAL_REFUSALS} rows one after another ended alike` : ''
    const ends = stop.isAtEnd ? 'The last rows to be sent ended alike' : `The run stopped${words}`
    // The row that is named below, so that it is told once.
    const [most] = summary.reasons ?? []
    const example = why === 'refusals' && most?.code === cause.code ? most.example.message : undefined
    // What a single request may do next is no advice for a job.
    const first: Hint = cause.details.effect === 'unknown' ? foreignHint(summary, cause) : cause.advice
    // Words after a command would look like a part of it.
    const endsWithCommand = first instanceof Advice && first.commands.length > 0
    throw new Failure(cause.code, {
      message: `${ends}: ${sentence(example ?? cause.message)} ${counts}`,
      hint: endsWithCommand ? advice`${next}${first}` : advice`${first} ${next}`,
      status,
      retryAfter: why === 'pause' ? cause.details.retryAfter : undefined,
      effect,
      data,
    })
  }
  const reason = await hintOf(context, summary)
  const alike = stop === undefined || stop === 'failures' ? await commonFailure(store, summary) : undefined
  if (alike !== undefined) {
    throw new Failure(alike, {
      message: `Every row${summary.waiting > 0 ? ' that was tried' : ''} failed with ${alike}: ${counts}`,
      // The command for this job helps more than the one of the code.
      hint:
        reason !== undefined || isRetry(summary.next)
          ? advice`${next}${reason ?? corrected} ${last}`
          : errorRegistry[alike].hint instanceof Advice
            ? advice`${next}${last}`
            : `${corrected}${errorRegistry[alike].hint ?? ''}`,
      effect,
      data,
    })
  }
  const [code, why] = reasonToStop({stop, maxFailures}, summary, surroundings.signal)
  const list = context.commandLine('bulk', 'results', {value: summary.job}, '--state', 'failed')
  const again =
    stop === 'failures'
      ? advice`It stops again after ${maxFailures ?? 0} further failures, unless --max-failures says otherwise. ${summary.failed > 0 ? advice`Those that failed: ${list} ` : ''}`
      : reason !== undefined && stop !== 'interrupted'
        ? advice`${reason} `
        : ''
  throw new Failure(code, {message: `${why}${counts}`, hint: advice`${next}${again}${last}`, effect, data})
}

/** What failed again the same way is looked at, and not only sent once more. */
function afterRetry(context: Context, {job, next}: BulkSummary): Partial<BulkSummary> {
  if (!isRetry(next)) return {}
  return {
    next: context.commandLine('bulk', 'results', {value: job}, '--state', 'failed'),
    nextWhen: undefined,
  }
}

/** What ended the run says best when to go on. */
function conditionAfter(stop: Stop | undefined, {paused, next, clockAheadMs}: BulkSummary): NextCondition {
  if (clockAheadMs !== undefined || paused !== undefined || !isContinued(next)) return {}
  if (stop === 'interrupted') return {nextWhen: undefined}
  if (stop === 'failures') return {nextWhen: 'when the reasons are known'}
  if (typeof stop !== 'object') return {}
  const {code, details} = stop.cause
  return {nextWhen: whenOf(code, details.blame) ?? PUT_RIGHT}
}

/** Who answered in place of the service. */
function foreignHint({done}: BulkSummary, {details: {blame}}: Failure): Hint {
  if (done > 0 && (blame === 'page' || blame === 'content')) return FOREIGN_NOW
  return (blame && wordsFor(blame).hint) ?? errorRegistry.ANSWER_INVALID.hint
}

/** What to do about what most rows met. */
async function hintOf(context: Context, {reasons, job}: BulkSummary): Promise<Hint | undefined> {
  if (reasons?.[0]?.code === 'UNAUTHENTICATED') return credentialHint(context)
  const words = whoFails(reasons)
  // What others find out about a row of a shared job is recorded for all of its workers.
  if (words !== blameWords['error inside'] || !isShared({job})) return words?.hint
  const found = ['--row', {value: 'ROW'}, '--found', 'effect', '--because', {value: 'REASON'}] as const
  return advice`Ask the people of the service what the error means, and whether such a request has an effect. If they can't put it right, record what they say of each row, effect or no-effect: ${context.commandLine('bulk', 'resolve', {value: job}, ...found)}`
}

const FOREIGN_NOW =
  'Earlier rows got responses of the service. First find out what answers now: the service, or a proxy or a login page.'

/**
 * The code of every row of the job, if none is done and all have the same one. Rows that wait for one that can be sent
 * again, because they change the same thing, would meet the same.
 */
async function commonFailure(
  store: Jobs,
  {job, rows, done, failed, again, unknown}: BulkSummary,
): Promise<ErrorCode | undefined> {
  const tried = failed + again + unknown
  if (tried === 0 || (tried !== rows && done + failed + unknown > 0)) return undefined
  let common: string | undefined
  for await (const {code} of store.ends(job, ['failed', 'again', 'unknown'])) {
    if (code === undefined || (common !== undefined && code !== common)) return undefined
    common = code
  }
  return common !== undefined && isErrorCode(common) ? common : undefined
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorRegistry, code)

function reasonToStop(
  {stop, maxFailures}: Pick<RunEnd, 'maxFailures'> & {readonly stop: Exclude<Stop, object> | undefined},
  {reasons, open}: BulkSummary,
  {reason}: AbortSignal,
): [ErrorCode, string] {
  if (stop === 'interrupted')
    return [
      codeOfSignal(reason),
      `${enderOf(reason)} ended the run${open === 0 ? ' after the rows on their way had ended' : ''}: `,
    ]
  if (stop === 'down')
    return ['SERVICE_DOWN', `${(whoFails(reasons) ?? blameWords.service).now}, so the run stopped: `]
  return [
    'PARTLY_DONE',
    stop === 'failures' ? `The run stopped at the limit of --max-failures (${maxFailures}): ` : '',
  ]
}

/** Who keeps rows from being carried out, by what most of them met. */
function whoFails([most]: NonNullable<BulkSummary['reasons']> = []): BlameWords | undefined {
  const {code = '', blame} = most ?? {}
  return blame === undefined ? OF_CODE[code] : wordsFor(blame)
}

/** Of rows that were recorded without a blame. */
const OF_CODE: Readonly<Record<string, BlameWords>> = {
  CONNECTION_FAILED: blameWords.network,
  EFFECT_UNKNOWN: blameWords.service,
  SERVICE_FAULT: blameWords.service,
  TIMED_OUT: blameWords.slow,
  TLS_FAILED: blameWords.CA,
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
