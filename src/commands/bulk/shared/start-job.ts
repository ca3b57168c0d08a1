import * as Flags from '@oclif/core/flags'
import {type Job, JobStore, type Jobs, keyedJobId} from '../../../bulk/index.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {durationFlag, type FlagValues, integerFlag} from '../../../cli/flags.ts'
import {dialectOf} from '../../../cli/other-dialect.ts'
import {paceOf} from '../../../cli/pace.ts'
import {noteUncounted, rowFileFlags} from '../../../cli/row-file-flags.ts'
import {keepMapping, withMapping} from '../../../cli/sheet/named-mapping.ts'
import type {Operation} from '../../../contract/operation.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {countRows, type RowsFound} from '../../../profiles/index.ts'
import type {Target} from '../../../profiles/target.ts'
import {contractFlag} from '../../x/shared/flags.ts'
import {confirmRows, warnOfTwo} from './confirm.ts'
import {bulkFlags} from './flags.ts'
import {
  checkJobKey,
  compareJob,
  keyedJob,
  refuseOtherOperation,
  requireMemory,
  withoutFile,
} from './job-key.ts'
import {limitsIn} from './limits.ts'
import {type LoadOptions, loadRows} from './load-rows.ts'
import {openRowFile} from './open-rows.ts'
import {bulkOperation} from './operation.ts'
import {proveOutputs} from './results.ts'
import {announceJob, resumeIn} from './resume.ts'
import {inputMaker, parseConstants, parseMap} from './row-input.ts'
import {type BulkSummary, summaryOf} from './summary.ts'
import {withClient, withJobs, withSharedJobs} from './with-jobs.ts'
import {workOn} from './work.ts'

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
    summary:
      'Type of the account, if the command has an operation for each type (default: what a column of the file says).',
  }),
  'other-types': Flags.option({
    options: ['skip'] as const,
    summary: 'Leave out rows that a column of the file gives another type.',
  })(),
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
      'Run the job of this name, or continue it. The same command repeats no row; cardctl help docs/bulk.md says how on other machines.',
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
  ).catch(async error => {
    throw known === undefined ? error : await withoutFile(context, store, known, error)
  })
  const {map} = reading.file
  if (jobKey !== undefined && store instanceof JobStore) {
    if (known !== undefined) {
      const found = await compareJob(store, known, reading).catch(async error => {
        throw await withoutFile(context, store, known, error)
      })
      await keepMapping(context, flags['save-mapping'], id, reading.file.used)
      const {rows, done} = await summaryOf(context, store, known)
      const summary = await resumeIn(context, store, client, known, {...flags, found})
      if (done !== rows) return summary
      context.printer.note(
        `Nothing was sent: all rows were done before${sinceForgotten(context, store, known, client.target)}.`,
      )
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
    warnOfTwo(context, found)
    await keepMapping(context, flags['save-mapping'], id, reading.file.used)
    announceJob(context, {job, rows: found.rows}, `${countRows(found.rows)} · ${id} · ${pace}`)
    if (flags.rows === undefined && operation.effect !== 'read') noteUncounted(context, flags.from, '--rows')
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
    if (!(error instanceof Failure) || error.code !== 'INPUT_INVALID') throw error
    throw error.with({hint: advice`No bulk job was made. ${error.advice}`})
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

/** Rows that are done are not sent again, also where a sandbox has forgotten them. */
function sinceForgotten(
  context: Context,
  {journal}: JobStore,
  {claimedAt}: Job,
  {kind, embedded}: Target,
): string {
  const found = journal.requests.forgotten(claimedAt)
  if (found === undefined) {
    // Only who resets a sandbox has a record of it.
    const mayBeReset = kind === 'sandbox' && !embedded
    return mayBeReset ? '. If somebody else has reset the sandbox since, use another --job-key' : ''
  }
  return `. ${found.how} at ${context.when(found.until)}, so their changes are gone from it. To send them again, run this with another --job-key`
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
  | 'marked-rows'
  | 'other-types'
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
    'marked-rows': flags['marked-rows'],
    'other-types': flags['other-types'],
    mapping: flags.mapping,
    'save-mapping': flags['save-mapping'],
    kept: said.kept,
    'no-final-newline': flags['no-final-newline'],
    answered: flags.answered,
  })
  if (file.notes.length > 0 && file.faults?.isEmpty !== false) context.printer.note(...file.notes)
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
