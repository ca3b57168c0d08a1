import * as Flags from '@oclif/core/flags'
import {type InFlight, type Job, JobStore, type Jobs, keyedJobId} from '../../../bulk/index.ts'
import {type Client, openClient} from '../../../cli/client/client.ts'
import type {RowSender} from '../../../cli/client/rows.ts'
import {confirm} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {believesClock} from '../../../cli/doubtful-clock.ts'
import {durationFlag, type FlagValues, integerFlag} from '../../../cli/flags.ts'
import {dialectOf, refuseOtherDialect} from '../../../cli/other-dialect.ts'
import {refuseOtherTenant} from '../../../cli/other-tenant.ts'
import {paceOf} from '../../../cli/pace.ts'
import {rowFileFlags} from '../../../cli/row-file-flags.ts'
import {keepMapping, withMapping} from '../../../cli/sheet/named-mapping.ts'
import type {Operation} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import {KEY_LIFE_MS} from '../../../journal/index.ts'
import {countRows, type RowsFound} from '../../../profiles/index.ts'
import type {Target} from '../../../profiles/target.ts'
import {spareMemory} from '../../../rows/spare-memory.ts'
import {contractFlag} from '../../x/shared/flags.ts'
import {confirmRows, confirmWork} from './confirm.ts'
import {bulkFlags, sharedFlag} from './flags.ts'
import {inputMaker, parseConstants, parseMap} from './input.ts'
import {checkJobKey, compareJob, keyedJob, refuseOtherOperation, requireMemory} from './job-key.ts'
import {jobIn, withJobs, withJobsOf, withSharedJobs} from './jobs.ts'
import {limitsIn, withLimits} from './limits.ts'
import {openRowFile} from './open-rows.ts'
import {bulkOperation, operationOfJob} from './operation.ts'
import {type Resumable, refusePlanned, resumeLine} from './planned-job.ts'
import {proveOutputs} from './results.ts'
import {type LoadOptions, loadRows, precheckLeft} from './rows.ts'
import {type BulkSummary, remainingOf, sum, summaryOf} from './summary.ts'
import {type WorkFlags, workOn} from './work.ts'

export const {unordered: _, confirm: __, ...workFlags} = bulkFlags

export const resumeFlags = {
  'retry-failed': Flags.boolean({summary: 'Also send the failed rows again.'}),
  ...bulkFlags,
  ...sharedFlag,
}

export const runFlags = {
  from: Flags.string({
    required: true,
    helpValue: 'FILE|-',
    summary: 'Spreadsheet (CSV, TSV, XLSX) or NDJSON file. Columns are parameters and body fields by name.',
  }),
  map: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'column=target',
    summary: 'Target of a column: path:id, query:size, a.b in the body, or none to leave it out. Repeatable.',
  }),
  field: Flags.string({
    char: 'F',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'path=value',
    summary: 'Set a field in all rows that do not have it; also path:id or query:size. Repeatable.',
  }),
  type: Flags.string({
    helpValue: 'credit',
    summary: 'Type of the account, if the command has an operation for each type.',
  }),
  ...contractFlag,
  precheck: Flags.boolean({
    allowNo: true,
    default: true,
    summary: 'Check all rows before any is sent.',
  }),
  rows: integerFlag({
    min: 0,
    helpValue: 'N',
    summary: 'Number of rows that you expect. Sends nothing if the file has another.',
  }),
  'allow-empty': Flags.boolean({summary: 'Accept a file without rows, with exit 0.'}),
  'job-key': Flags.string({
    helpValue: 'NAME',
    exclusive: ['shared'],
    summary:
      'Run the job of this name, or continue it. The same command repeats no row; see docs/bulk.md for other machines.',
  }),
  'retry-failed': Flags.boolean({
    dependsOn: ['job-key'],
    summary: 'Also send the failed rows of the job again.',
  }),
  'first-run': Flags.boolean({
    dependsOn: ['job-key'],
    summary: 'Confirm that no other machine has run the job, if only this data folder protects it.',
  }),
  ...rowFileFlags,
  ...bulkFlags,
  shared: Flags.boolean({
    summary: 'Put the job into the database of the team, so that other machines can work on it.',
  }),
  prepare: Flags.boolean({
    dependsOn: ['shared'],
    summary: 'Only create the shared job; bulk work sends its rows.',
  }),
  lease: durationFlag({
    dependsOn: ['shared'],
    summary: 'How long a worker may be silent before others get its rows (default 30s).',
  }),
}

/** A worker renews its lease after a third of it. */
const SHORTEST_LEASE_MS = 1_000
const LONGEST_LEASE_MS = 3_600_000

type StartFlags = FlagValues<typeof runFlags> & {
  /** A person answered questions about the values of the command. */
  readonly careful: boolean
  /** Told of an answer about the file, as the flag that gives it. */
  readonly answered: (flag: string, value: string) => void
}

const NOT_RESUMED: Partial<Record<Job['state'], string>> = {
  cancelled: 'was cancelled; start a new one',
  exported: 'was exported; import its file, here or on another machine, to continue it',
  unread: 'ended before its rows were read, and nothing was sent; start a new one',
}

/** How long before the service forgets a key it is no longer used, in milliseconds: the run itself takes time. */
const KEY_MARGIN_MS = 30 * 60_000

/**
 * Starts a new job.
 *
 * @throws Failure INPUT_INVALID, CONFIRMATION_…; PARTLY_DONE or that of the signal, with how to continue
 */
export async function startBulk(context: Context, id: string, flags: StartFlags): Promise<BulkSummary> {
  const operation = await bulkOperation(context, id)
  checkJobKey(flags['job-key'])
  if (flags.lease !== undefined && (flags.lease < SHORTEST_LEASE_MS || flags.lease > LONGEST_LEASE_MS)) {
    throw new Failure('USAGE', {message: '--lease takes a time from 1s to 1h.'})
  }
  await proveOutputs(flags, flags.from)
  const withNew = flags.shared ? withSharedJobs : withJobs
  return withNew(context, (store: Jobs) =>
    withClient(context, client => startIn(context, store, client, operation, flags)),
  )
}

async function startIn(
  context: Context,
  store: Jobs,
  client: Client,
  described: Operation,
  flags: StartFlags,
): Promise<BulkSummary> {
  const {'job-key': jobKey} = flags
  const job = jobKey === undefined ? store.newId() : keyedJobId(jobKey)
  const sender = await client.rows(described)
  const {operation} = sender
  const {id} = operation
  const {words: pace} = await paceOf(context, store.journal, {rate: flags.rate})
  const known = jobKey === undefined || !(store instanceof JobStore) ? undefined : keyedJob(store, job)
  if (known !== undefined) refuseOtherOperation(known, id)
  let careful = flags.careful
  const reading = await readingOf(
    context,
    store,
    {job, sender, target: client.target},
    {
      ...flags,
      answered: (flag, value) => {
        careful = true
        flags.answered(flag, value)
      },
    },
  )
  const {map} = reading.file
  if (jobKey !== undefined && store instanceof JobStore) {
    if (known !== undefined) {
      const found = await compareJob(store, known, reading)
      await keepMapping(context, flags['save-mapping'], id, reading.file.used)
      const {rows, done} = await summaryOf(context, store, known)
      const summary = await resumeIn(context, store, client, known, {...flags, found})
      if (done !== rows) return summary
      context.printer.note('Nothing was sent: all rows were done before.')
      return {...summary, already: true}
    }
    requireMemory(context, store, client, sender, {isFirst: flags['first-run'] ?? false})
  }
  await store.create({
    id: job,
    operation: id,
    source: flags.from,
    settings: {
      map,
      unordered: flags.unordered,
      leaseMs: flags.lease,
      jobKey,
      user: client.target.auditUser,
      limits: limitsIn(flags),
      dialect: dialectOf(id, client.target),
      // The workers of a shared job compare it under the key of the team.
      ...(store instanceof JobStore && {
        tenant: store.journal.tenantMark(await client.target.tenant?.()) ?? undefined,
      }),
      ...(operation.form?.rows && {contract: operation.form.rows.digest, effect: operation.effect}),
      ...sender.purpose,
    },
  })
  let found: RowsFound
  try {
    found = await loadRows(reading)
    await keepMapping(context, flags['save-mapping'], id, reading.file.used)
    announceJob(context, {job, rows: found.rows}, `${countRows(found.rows)} · ${id} · ${pace}`)
    const {target} = client
    const {asked} = sender
    const question = {
      target,
      operation: asked,
      found,
      pace,
      confirm: flags.confirm ?? [],
      careful,
    }
    if (found.rows > 0) await confirmRows(context, question)
  } catch (error) {
    // Nothing was sent, so no record is needed.
    await Promise.resolve(store.remove(job)).catch(() => undefined)
    throw error
  }
  await store.start(job, found.rows)
  if (flags.shared) {
    context.printer.note(
      `Shared job ${job}. On other machines: ${context.commandLine('bulk', 'work', {value: job})}`,
    )
  }
  if (flags.prepare) {
    await store.leave(job)
    return summaryOf(context, store, await store.get(job))
  }
  return workOn(context, store, await store.get(job), sender, flags)
}

type ReadFlags = Pick<
  StartFlags,
  | 'from'
  | 'map'
  | 'field'
  | 'decimal'
  | 'encoding'
  | 'sheet'
  | 'hidden-rows'
  | 'mapping'
  | 'save-mapping'
  | 'no-final-newline'
  | 'answered'
  | 'precheck'
  | 'rows'
  | 'unordered'
  | 'allow-empty'
>

/** Opens the file of a run, and says how its rows are read. */
export async function readingOf(
  context: Context,
  store: Jobs,
  {job, sender, target}: Pick<LoadOptions, 'job' | 'sender' | 'target'>,
  flags: ReadFlags,
): Promise<LoadOptions> {
  const {operation} = sender
  const said = withMapping(context, operation.id, flags)
  const file = await openRowFile(context, operation, {
    source: flags.from,
    map: parseMap(said.map),
    constants: (flags.field ?? []).map(text => text.slice(0, Math.max(text.indexOf('='), 0))),
    signs: flags.decimal === undefined ? await context.numbers.signs() : {decimal: flags.decimal},
    encoding: flags.encoding,
    sheet: said.sheet,
    'hidden-rows': flags['hidden-rows'],
    mapping: flags.mapping,
    'save-mapping': flags['save-mapping'],
    kept: said.kept,
    'no-final-newline': flags['no-final-newline'],
    answered: flags.answered,
  })
  if (file.notes.length > 0) context.printer.note(...file.notes)
  return {
    store,
    job,
    operation,
    source: flags.from,
    constants: await parseConstants(operation, flags.field, context.numbers),
    toInput: await inputMaker(operation, file.map),
    file,
    sender,
    target,
    check: flags.precheck,
    expected: flags.rows,
    unordered: flags.unordered ?? false,
    allowEmpty: flags['allow-empty'] ?? false,
  }
}

type ResumeFlags = FlagValues<typeof resumeFlags>

interface KnownRows {
  /** All rows of the job, which the same command has read again. */
  readonly found: RowsFound | undefined
}

/** Continues a job that was interrupted, or whose rows were resolved or corrected since. */
export async function resumeBulk(context: Context, name: string, flags: ResumeFlags): Promise<BulkSummary> {
  await proveOutputs(flags)
  return withJobsOf(context, {job: name, shared: flags.shared}, store =>
    withClient(context, async client =>
      resumeIn(context, store, client, refusePlanned(context, await jobIn(store, name)), {
        ...flags,
        found: undefined,
      }),
    ),
  )
}

export async function resumeIn(
  context: Context,
  store: Jobs,
  client: Client,
  job: Job,
  {found, ...given}: KnownRows & WorkFlags & Pick<ResumeFlags, 'retry-failed' | 'confirm'>,
): Promise<BulkSummary> {
  const {id} = job
  const flags = withLimits(job, given)
  const why = NOT_RESUMED[job.state]
  if (why !== undefined) throw new Failure('USAGE', {message: `Bulk job ${id} ${why}.`})
  const counts = await store.counts(id)
  const isDone = counts.done === sum(counts)
  if (!isDone) {
    refuseOtherDialect('Bulk job', {...job, dialect: job.settings.dialect}, client.target)
    if (store instanceof JobStore)
      await refuseOtherTenant(store.journal, `Bulk job ${id}`, job.settings.tenant ?? null, client.target)
  }
  const described = isDone ? bulkOperation(context, job.operation) : operationOfJob(context, job)
  const sender = await client.rows(await described, job.settings)
  const {operation} = sender
  await store.claim(id)
  try {
    await store.settleFindings(id)
    await store.reopen(id, {
      failed: flags['retry-failed'],
      unordered: flags.unordered ?? false,
      inFlight: await settleInFlight(context, store, job, operation, sender, client.target),
    })
    const left = remainingOf(await store.counts(id))
    const {words: pace} = await paceOf(context, store.journal, {rate: flags.rate})
    const {target} = client
    const question = {target, operation: sender.asked, pace, confirm: flags.confirm ?? []}
    if (found !== undefined) {
      announceJob(
        context,
        {...resumable(job), left},
        `${left} of ${countRows(found.rows)} left · ${operation.id} · ${pace}`,
      )
      // The same command names the same numbers of rows, whatever is left of them.
      if (left > 0) await confirmRows(context, {...question, found})
      if (job.settings.unconfirmed) await store.start(id, found.rows)
    } else if (job.settings.unconfirmed && left > 0) {
      const rows = await precheckLeft(store, id, operation, target)
      announceJob(context, {...resumable(job), left}, `${countRows(rows.rows)} · ${operation.id} · ${pace}`)
      await confirmRows(context, {...question, found: rows})
      await store.start(id, job.settings.rows ?? rows.rows)
    } else {
      announceJob(
        context,
        {...resumable(job), left},
        `${left} of the rows are left · ${operation.id} · ${pace}`,
      )
      if (target.kind === 'live' && left > 0) await confirmRows(context, {...question, found: {rows: left}})
    }
  } catch (error) {
    await store.leave(id)
    throw error
  }
  return workOn(context, store, await store.get(id), sender, flags)
}

/** Says on stderr which job is about to begin, so that a log of a killed run names it. */
export const announceJob = (
  context: Context,
  facts: Resumable & {readonly rows?: number; readonly left?: number},
  text: string,
): void => {
  const {job, rows, left} = facts
  const isForPerson = context.interactive || rows === 0 || left === 0
  const resume = isForPerson ? '' : `\nIf it is cut off: ${resumeLine(context.commandLine, facts)}`
  context.printer.fact(`Bulk job ${job}: ${text}${resume}`, {code: 'JOB_BEGINS', job, rows, left})
}

const resumable = ({id: job, settings: {jobKey}, source}: Job): Resumable => ({job, jobKey, source})

type WorkOnlyFlags = FlagValues<typeof workFlags>

/** Works on a shared job beside others. */
export async function workBulk(context: Context, name: string, given: WorkOnlyFlags): Promise<BulkSummary> {
  await proveOutputs(given)
  return withSharedJobs(context, store =>
    withClient(context, async client => {
      const job = await jobIn(store, name)
      const {id} = job
      const flags = withLimits(job, given)
      const described = await operationOfJob(context, job)
      await store.claim(id)
      const why = NOT_RESUMED[job.state]
      if (why !== undefined) throw new Failure('USAGE', {message: `Bulk job ${id} ${why}.`})
      const sender = await client.rows(described, job.settings)
      const {operation} = sender
      await store.settleFindings(id)
      const left = remainingOf(await store.counts(id))
      const {words: pace} = await paceOf(context, store.journal, {rate: flags.rate})
      announceJob(
        context,
        {...resumable(job), left},
        `${left} of the rows are left · ${operation.id} · ${pace}`,
      )
      if (left > 0) await confirmWork(context, {target: client.target, operation: sender.asked, pace})
      return workOn(context, store, job, sender, {...flags, unordered: false})
    }),
  )
}

/**
 * What becomes of rows whose process ended before the response. A retry with the same key is safe as long as the service
 * knows the key; a person can agree to send others again.
 */
async function settleInFlight(
  context: Context,
  store: Jobs,
  job: Job,
  operation: Operation,
  {honoured}: RowSender,
  {auditUser}: Pick<Target, 'auditUser'>,
): Promise<InFlight> {
  const {id} = job
  if (operation.effect === 'read') return 'again'
  const found = await store.inFlight(id)
  if (!honoured) {
    if (found) {
      context.printer.warn(
        `${found.rows} rows were on their way and are not sent again: the service does not honour a key here. See: ${context.commandLine('bulk', 'results', {value: id}, '--state', 'unknown')}`,
      )
    }
    return 'unknown'
  }
  const user = store instanceof JobStore ? store.otherUser(job, auditUser) : undefined
  if (user !== undefined) {
    throw new Failure('JOB_DIFFERS', {
      message: `Rows of bulk job ${id} were on their way with the audit user ${user}. From ${auditUser} they would be other requests with the same keys. Nothing was sent.`,
      hint: `Resume it with --audit-user ${user}.`,
      effect: 'none',
      data: {job: id},
    })
  }
  if (found === undefined) return 'again'
  const age = context.surroundings.now() - found.since
  const isAlive = age >= -KEY_MARGIN_MS && age < KEY_LIFE_MS - KEY_MARGIN_MS
  if (isAlive && (await believesClock(context))) return 'again'
  await confirm(context, {
    place: await context.service.place(),
    action: `send rows again that were sent at ${context.when(found.since)} and may have had their effect`,
    consequence: 'The service has forgotten their keys, so they can take effect twice.',
  })
  return 'even-old'
}

export async function withClient<T>(
  context: Context,
  use: (client: Client) => Promise<T>,
): Promise<Awaited<T>> {
  spareMemory()
  const client = await openClient(context, await context.service.target())
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}
