import {isDeepStrictEqual} from 'node:util'
import {type JobStore, keyedJobId} from '../../../bulk/index.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import type {SeenRequest} from '../../../cli/kept-plan.ts'
import {dialectOf} from '../../../cli/other-dialect.ts'
import {paceOf, Turns} from '../../../cli/pace.ts'
import type {PlanFile} from '../../../cli/plan-file.ts'
import {planSummary} from '../../../cli/plan-view.ts'
import {
  type Fields,
  fieldsSeen,
  fieldsSetBy,
  newestWrite,
  type ReadState,
  stateReader,
} from '../../../cli/seen-state.ts'
import {shownPlan} from '../../../cli/shown-plan.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import {resourceWords} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import {countRows} from '../../../profiles/index.ts'
import {maskWithin} from '../../../sensitive/mask-text.ts'
import {confirmRows} from '../../bulk/shared/confirm.ts'
import type {bulkFlags} from '../../bulk/shared/flags.ts'
import {keyedJob, requireMemory} from '../../bulk/shared/job-key.ts'
import {limitsIn} from '../../bulk/shared/limits.ts'
import {FoundRows} from '../../bulk/shared/load-rows.ts'
import {isPlanKey, planKey} from '../../bulk/shared/planned-job.ts'
import {proveOutputs} from '../../bulk/shared/results.ts'
import {announceJob, resumeIn} from '../../bulk/shared/resume.ts'
import {resourceOf} from '../../bulk/shared/row-input.ts'
import {type BulkSummary, summaryOf} from '../../bulk/shared/summary.ts'
import {withClient, withJobs} from '../../bulk/shared/with-jobs.ts'
import {type PlannedRows, workOn} from '../../bulk/shared/work.ts'

type ApplyFlags = Omit<FlagValues<typeof bulkFlags>, 'audit-user' | 'strict' | 'unordered'> & {
  readonly 'first-run'?: boolean | undefined
}

interface ToApply {
  readonly plan: PlanFile
  readonly operation: Operation
  /** Whether the plan was made with the journal of this machine. */
  readonly isOwn: boolean
}

/**
 * Sends the rows of a plan, each once, however often it is applied. A row is refused if what it changes is no longer as
 * the plan saw it.
 *
 * @throws Failure CONFIRMATION_…; PARTLY_DONE or that of the signal, with how to continue
 */
export async function applyRows(
  context: Context,
  {plan, operation: described, isOwn}: ToApply,
  flags: ApplyFlags,
): Promise<BulkSummary> {
  await proveOutputs(flags)
  return withJobs(context, store =>
    withClient(context, async client => {
      const {requests, note, ticket} = plan.content
      const turns = new Turns(context)
      try {
        const sender = await client.rows(described, {note, ticket})
        const {operation} = sender
        const jobKey = planKey(plan.id)
        const job = keyedJobId(jobKey)
        const judge = await rowJudge(store, client, {plan, operation, isOwn}, job, turns)
        let isAlone = false
        const planned: PlannedRows = {
          inputOf: values => values.input as AnyInput,
          judge: (row, input) => {
            if (!isAlone) refuseOtherApply(store, job, operation.id)
            isAlone = true
            return judge(row, input)
          },
        }
        const counted = new FoundRows(operation, client.target, store.journal)
        for (const [at, {input}] of requests.entries()) counted.add(at + 1, input)
        const {found} = counted
        const known = keyedJob(store, job)
        if (known !== undefined) {
          const {rows, done} = await summaryOf(context, store, known)
          const more = {...flags, unordered: false, 'retry-failed': false, found, planned}
          const summary = await sayingRefused(context, store, job, () =>
            resumeIn(context, store, client, known, more),
          )
          if (done !== rows) return summary
          context.printer.note('Nothing was sent: all rows of the plan were sent before.')
          return {...summary, already: true}
        }
        requireMemory(context, store, client, sender, {isFirst: isOwn || (flags['first-run'] ?? false)})
        const {words: pace} = await paceOf(context, store.journal, {rate: flags.rate})
        store.create({
          id: job,
          operation: operation.id,
          source: plan.file,
          settings: {
            map: {},
            jobKey,
            limits: limitsIn(flags),
            user: client.target.auditUser,
            dialect: dialectOf(operation.id, client.target),
            tenant: store.journal.tenantMark(await client.target.tenant?.()) ?? undefined,
            ...(operation.form?.rows && {contract: operation.form.rows.digest, effect: operation.effect}),
            ...sender.purpose,
          },
        })
        try {
          store.addRows(
            job,
            requests.map(({input}, at) => ({
              ...placeOf(plan.content.plan.seen[at], at),
              values: {input},
              resource: resourceOf(operation, input),
            })),
          )
          announceJob(
            context,
            {job, jobKey, source: plan.file, rows: found.rows},
            `${countRows(found.rows)} · ${operation.id} · ${pace}`,
          )
          context.printer.note(
            ...planSummary(shownPlan(plan.id, plan.content, new Map([[operation.id, operation]]))),
          )
          await confirmRows(context, {
            target: client.target,
            operation: sender.asked,
            found,
            pace,
            confirm: flags.confirm ?? [],
            careful: context.interactive,
          })
        } catch (error) {
          // Nothing was sent, so no record is needed.
          store.remove(job)
          throw error
        }
        store.start(job, found.rows)
        return await sayingRefused(context, store, job, () =>
          workOn(context, store, store.get(job), sender, {...flags, unordered: false, planned}),
        )
      } finally {
        await turns.close()
      }
    }),
  )
}

/**
 * Two plans that are applied at once would both find what they saw. Asked once its own job is recorded as running, so
 * that of two that begin at once at least one gives way, before it has sent anything.
 *
 * @throws Failure JOB_RUNNING
 */
function refuseOtherApply(store: JobStore, id: string, operation: string): void {
  const other = store
    .list()
    .find(
      one =>
        one.id !== id &&
        one.state === 'running' &&
        one.operation === operation &&
        isPlanKey(one.settings.jobKey),
    )
  if (other === undefined) return
  throw new Failure('JOB_RUNNING', {
    message: `Another plan is being applied to the same operation: ${other.source}.`,
    hint: 'Apply this one when that has ended.',
    effect: 'none',
    data: {job: other.id},
  })
}

const MOST_LISTED = 20

/** Lists the rows that were refused, whatever the run ended with. */
async function sayingRefused(
  {printer, commandLine}: Context,
  store: JobStore,
  job: string,
  run: () => Promise<BulkSummary>,
): Promise<BulkSummary> {
  try {
    return await run()
  } finally {
    const refused = [...store.ends(job, ['failed'])].filter(({code}) => code === 'PLAN_STALE')
    if (refused.length > 0) printer.warn(`${countRows(refused.length)} of the plan not sent:`)
    for (const {row, message} of refused.slice(0, MOST_LISTED)) printer.note(`  Row ${row}: ${message ?? ''}`)
    if (refused.length > MOST_LISTED)
      printer.note(`  … See all: ${commandLine('bulk', 'results', {value: job}, '--state', 'failed')}`)
  }
}

const placeOf = (seen: SeenRequest | undefined, at: number) => ({
  row: seen?.row ?? at + 1,
  line: seen?.line ?? at + 1,
})

/** Compares what a row changes with what the plan saw, just before the row is sent. */
async function rowJudge(
  {journal}: JobStore,
  client: Client,
  {plan, operation, isOwn}: ToApply,
  job: string,
  turns: Turns,
): Promise<PlannedRows['judge']> {
  const seen = new Map(plan.content.plan.seen.map(one => [one.row, one]))
  const read = await stateReader(client, operation, turns)
  const madeAt = Date.parse(plan.content.at)
  return async ({row, state}, input) => {
    const known = seen.get(row)
    if (known === undefined) throw stale(`Row ${row} is not in the plan.`)
    const what = known.resource === undefined ? `What row ${row} changes` : resourceWords(known.resource)
    if (known.from === 'service') {
      const now = fieldsSeen(await stateNow(read, input, what), input)
      if (isDeepStrictEqual(now, {...known.before})) return
      // It may have been sent by a run that was interrupted.
      if (state === 'sent' && isDeepStrictEqual(now, {...fieldsSetBy(input)})) return
      throw stale(`${what} has changed since the plan was made${differenceOf(operation, known.before, now)}.`)
    }
    const newest = newestWrite(journal, operation, input, job)
    if (newest === undefined || newest.id === known.last) return
    if (!isOwn && newest.begunAt < madeAt) return
    throw stale(`${what} was changed from here since the plan was made, by request ${newest.id}.`)
  }
}

async function stateNow(read: ReadState | undefined, input: AnyInput, what: string): Promise<unknown> {
  if (read === undefined) throw stale(`${what} can no longer be read by this profile.`)
  try {
    return await read(input)
  } catch (error) {
    if (error instanceof Failure && error.code === 'NOT_FOUND') throw stale(`${what} is no longer there.`)
    throw error
  }
}

const MOST_SHOWN = 60

/** The first field that differs. Values of persons aren't named. */
function differenceOf({personal}: Operation, before: Fields, now: Fields): string {
  const field = [...new Set([...Object.keys(before), ...Object.keys(now)])].find(
    name => !isDeepStrictEqual(before[name], now[name]),
  )
  if (field === undefined) return ''
  if (personal !== undefined) return `: ${field} is another`
  const text = (value: unknown): string =>
    value === undefined ? 'missing' : maskWithin(JSON.stringify(value), MOST_SHOWN)
  return `: ${field} was ${text(before[field])}, and is ${text(now[field])}`
}

const stale = (message: string): Failure => new Failure('PLAN_STALE', {message, effect: 'none'})
