import {JobStore} from '../../../bulk/index.ts'
import {auditEntryOf} from '../../../cli/audit-entries.ts'
import type {Client} from '../../../cli/client/client.ts'
import {confirm} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {confirmClock} from '../../../cli/doubtful-clock.ts'
import {refuseOtherDialect} from '../../../cli/other-dialect.ts'
import {refuseOtherTenant} from '../../../cli/other-tenant.ts'
import {SEEN_BY_PROCESSES} from '../../../cli/refuse-secrets.ts'
import {honoursKey, type Operation} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {idIn, isPathId, resource, resourceWords, touchedInResponse} from '../../../contract/resource.ts'
import {type Advice, advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import {isObject} from '../../../errors/is-object.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {settlesEarlierAttempts} from '../../../http/index.ts'
import type {BatchEnd, RequestRecord, Resolution} from '../../../journal/index.ts'
import {amount} from '../../../money/amount.ts'
import {fieldAt, textAt} from '../../../output/fields.ts'
import type {Target} from '../../../profiles/target.ts'
import {maskText} from '../../../sensitive/mask-text.ts'
import {findBatch} from '../../a2a/shared/reference.ts'
import {aheadWords, isKeyAlive, onlyAheadMs} from '../../bulk/shared/key-life.ts'
import {resumable, resumeLine} from '../../bulk/shared/planned-job.ts'
import {isShared} from '../../bulk/shared/with-jobs.ts'
import {evidenceOf, isProven, repeat, repeatable} from './repeat-request.ts'

export type Verdict = 'had effect' | 'had no effect' | 'cannot tell'

/** The outcome of a request, and the evidence. */
export interface Resolved {
  readonly request: string
  readonly verdict: Verdict
  readonly evidence: string
  /** Id of the resource that the request created or changed, for example a batch. */
  readonly replyId?: string | undefined
  /** How the transfers of the batch ended that it made, if the service says so now. */
  readonly batchEnd?: BatchEnd | undefined
  /** A resource that was only found now, as `batch:88121`. */
  readonly resources?: readonly string[]
  /** What the user can check. */
  readonly check?: Advice
}

const EFFECTS = {'had effect': 'done', 'had no effect': 'none', 'cannot tell': 'unknown'} as const

/**
 * Finds out whether a request had an effect: from the journal, by its reference in the list of batches, or by sending
 * it again with a key that the service honours. A failed search is never taken as proof.
 */
export async function resolveRequest(
  context: Context,
  client: Client,
  record: RequestRecord,
  confirm?: readonly string[],
): Promise<Resolved> {
  const known = fromJournal(record)
  if (known) return withBatchEnd(context, client, record, known)
  await refuseOtherTenantOf(context, client, record)
  const resolved =
    neverLeft(record) ??
    (await forgotten(context, record)) ??
    byOtherDialect(context, client, record) ??
    (await byReference(context, client, record)) ??
    (await byRepeating(context, client, record, confirm))
  const {resources, ...resolution} = resolved
  const {verdict, evidence, replyId} = resolution
  await recordFinding(context, record, {effect: EFFECTS[verdict], evidence, replyId, resources})
  return withBatchEnd(context, client, record, resolution)
}

/** That a batch was accepted says nothing about its transfers, so the service is asked for them too. */
async function withBatchEnd(
  context: Context,
  client: Client,
  {id, operation}: RequestRecord,
  resolved: Resolved,
): Promise<Resolved> {
  const {verdict, replyId: batch} = resolved
  if (operation !== 'a2a.create.v1' || verdict !== 'had effect' || batch === undefined || !isPathId(batch))
    return resolved
  try {
    // The client records its end with the request.
    await client.call({operation: 'a2a.status.v1', path: {id: batch}})
  } catch (error) {
    if (isInterruption(error) || !(error instanceof Failure)) throw error
    context.printer.warn(`How its transfers ended could not be read: ${error.message}`)
  }
  using journal = await context.stores.journal()
  const batchEnd = journal.requests.get(id)?.batchEnd
  return batchEnd === undefined ? resolved : {...resolved, batchEnd}
}

/** Records the finding in the journal, and in the audit trail with the name of the person. */
async function recordFinding(context: Context, record: RequestRecord, found: Resolution): Promise<void> {
  const {auditUser} = await context.service.target()
  using journal = await context.stores.journal()
  using audit = await context.stores.audit()
  audit.ready()
  journal.resolve(record.id, found)
  // The effect is already recorded as unknown.
  if (found.effect === 'unknown') return
  const resources = [...record.resources, ...(found.resources ?? [])]
  audit.append(auditEntryOf(context, {...record, resources}, {outcome: found.effect, by: auditUser}))
}

/** The user's own finding, and the evidence. */
export interface Finding {
  readonly verdict: Exclude<Verdict, 'cannot tell'>
  /** What the user checked; the journal keeps it as evidence, with the audit user. */
  readonly because: string
}

/**
 * Records a user's finding about a request, unless a response has proved its effect.
 *
 * @throws Failure USAGE if a response has proved it, CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED
 */
export async function resolveByPerson(
  context: Context,
  target: Target,
  record: RequestRecord,
  {verdict, because}: Finding,
): Promise<Resolved> {
  if (maskText(because) !== because) {
    throw new Failure('SENSITIVE_IN_ARGV', {
      message: `--because holds a card number or credentials, ${SEEN_BY_PROCESSES}`,
      hint: 'Name the card by its id.',
      effect: 'none',
    })
  }
  const {id: request} = record
  const known = fromJournal(record)
  if (isProven(record)) {
    throw new Failure('USAGE', {
      message: `Request ${request} had its effect: its response ${record.status} proves that.`,
      hint: advice`See: ${context.commandLine('requests', 'show', {value: request})}`,
    })
  }
  await confirm(context, {
    place: target,
    action: `write down that request ${request} ${verdict}${known === undefined || known.verdict === verdict ? '' : `, against the journal, where it ${known.verdict}`}`,
    consequence:
      verdict === 'had effect'
        ? "It isn't sent again then."
        : 'It can be sent again then; if it did have its effect, it takes effect twice.',
  })
  const evidence = `${target.auditUser} says so: ${because}`
  await recordFinding(context, record, {effect: EFFECTS[verdict], evidence, overrules: true})
  return {request, verdict, evidence}
}

function fromJournal(record: RequestRecord): Resolved | undefined {
  const {id: request, state, effect, status, evidence, replyId} = record
  if (state === 'running') {
    throw new Failure('USAGE', {
      message: `Request ${request} is still running.`,
      hint: advice`See its outcome later: ${cardctl('requests', 'show', {value: request})}`,
    })
  }
  if (state === 'unknown' || state === 'unfinished') return undefined
  const answered = status === undefined ? 'no response' : `the response ${status}`
  return {
    request,
    verdict: effect === 'none' || state === 'none' || state === 'refused' ? 'had no effect' : 'had effect',
    evidence: evidence ?? `The journal has ${answered}: ${state}.`,
    replyId,
  }
}

/** The journal's own evidence: it records on disk that bytes are about to be sent, before it sends them. */
function neverLeft({id: request, state, left}: RequestRecord): Resolved | undefined {
  if (state !== 'unfinished' || left !== false) return undefined
  const evidence = 'Its process ended before anything of it had left this machine.'
  return {request, verdict: 'had no effect', evidence}
}

/** With its key, the request would only now have the effect, in a state that has nothing to do with it. */
async function forgotten(
  context: Context,
  {id: request, begunAt}: RequestRecord,
): Promise<Resolved | undefined> {
  using journal = await context.stores.journal()
  const found = journal.requests.forgotten(begunAt)
  if (found === undefined) return undefined
  const evidence = `${found.how} at ${context.when(found.until)}, after this request: whatever it did is gone.`
  return {request, verdict: 'had no effect', evidence}
}

async function refuseOtherTenantOf(context: Context, {target}: Client, {id}: RequestRecord): Promise<void> {
  using journal = await context.stores.journal()
  await refuseOtherTenant(journal, `Request ${id}`, journal.requests.tenantMark(id), target)
}

/** Neither its reference nor its key means anything in requests of another form. */
function byOtherDialect(context: Context, client: Client, record: RequestRecord): Resolved | undefined {
  try {
    refuseOtherDialect('Request', record, client.target)
    return undefined
  } catch (error) {
    if (error instanceof Failure) return cannotTell(context, client, record, `${error.message} ${error.hint}`)
    throw error
  }
}

async function byReference(
  context: Context,
  client: Client,
  record: RequestRecord,
): Promise<Resolved | undefined> {
  if (record.operation !== 'a2a.create.v1' || record.reference === undefined) return undefined
  // Without a list of batches, its key may still tell.
  if (client.target.dialect?.refusal(operations['a2a.list.v1']) !== undefined) return undefined
  const {batch, seen, newest} = await findBatch(client, record.reference)
  if (batch !== undefined) {
    const id = textAt(batch, 'id')
    return {
      request: record.id,
      verdict: 'had effect',
      evidence: `Batch ${id} carries this request's reference ${record.reference}, ${sizeOf(batch)}.`,
      replyId: id,
      resources: [resource('batch', id)],
    }
  }
  return cannotTell(
    context,
    client,
    record,
    `None of the ${seen} batches carries the reference ${record.reference}. The service may not show it yet, or may no longer show it.${newestWords(context, newest)}`,
  )
}

/** What a person would look for in the list first. */
function newestWords({when}: Context, newest: unknown): string {
  const at = Date.parse(textAt(newest, 'startTime'))
  return Number.isNaN(at)
    ? ''
    : ` Its newest batch is ${textAt(newest, 'id')} of ${when(at)}, ${sizeOf(newest)}.`
}

/**
 * Where only the clock of this machine keeps the row of a job from being sent again with its key: with the right clock,
 * the job does so, and nobody needs to find out about each row.
 */
async function byTheJob(context: Context, client: Client, record: RequestRecord): Promise<Advice> {
  const {job, key, operation: name} = record
  if (job === undefined || key === undefined || isShared({job})) return advice``
  using journal = await context.stores.journal()
  const operation = (operations as Readonly<Record<string, Operation>>)[name]
  if (operation === undefined || !honoursKey(operation, client.target)) return advice``
  const since = journal.requests.keySince(record)
  await confirmClock(context, client, !isKeyAlive(since, journal.store.span().until))
  const ahead = onlyAheadMs(since, journal.store)
  if (ahead === undefined && !isKeyAlive(since, journal.store.span().until)) return advice``
  const resume = resumeLine(
    context.commandLine,
    resumable(new JobStore(journal, context.surroundings.now).get(job)),
  )
  const clock = ahead === undefined ? '' : `${aheadWords(ahead)}. Set it right first. `
  return advice`${clock}The service still knows the key of this row, so its job can send it once more without a second effect: ${resume} Or find out here what became of it. `
}

async function byRepeating(
  context: Context,
  client: Client,
  record: RequestRecord,
  confirm: readonly string[] | undefined,
): Promise<Resolved> {
  const request = record.id
  let again: Awaited<ReturnType<typeof repeatable>>
  try {
    again = await repeatable(context, client, record)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const first = await byTheJob(context, client, record)
    return cannotTell(context, client, record, error.message, first)
  }
  try {
    const {response, requestId} = await repeat(context, client, record, again, {confirm})
    const replyId = idIn(response.body, again.operation)
    const resources = touchedInResponse(again.operation, response.body)
    return {request, verdict: 'had effect', evidence: evidenceOf(response, requestId), replyId, resources}
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'CONFIRMATION_DECLINED') throw stillUnknown(context, client, record, error)
    if (error.details.requestId === undefined) throw error
    const {status, requestId} = error.details
    // Another request was begun while a person confirmed this one, so it wasn't sent.
    if (requestId === request) return cannotTell(context, client, record, error.message)
    if (error.details.effect === 'none' && settlesEarlierAttempts(error.details)) {
      return {
        request,
        verdict: 'had no effect',
        evidence: `Sent again with the same key as ${requestId}; the service looked for the key and then refused the request (${status}). If it had had an effect, the service would have replayed the stored response.`,
      }
    }
    return cannotTell(
      context,
      client,
      record,
      `Sent again with the same key as ${requestId}: ${error.message}`,
    )
  }
}

/** Nothing was sent, so the request is as open as before. */
const stillUnknown = (context: Context, client: Client, record: RequestRecord, error: Failure): Failure =>
  error.with({
    hint: advice`Nothing was sent, and the effect of request ${record.id} is still unknown. ${whatToCheck(record, context, client)}`,
  })

function cannotTell(
  context: Context,
  client: Client,
  record: RequestRecord,
  evidence: string,
  first = advice``,
): Resolved {
  return {
    request: record.id,
    verdict: 'cannot tell',
    evidence,
    check: advice`${first}${soonWords(record, context)}${whatToCheck(record, context, client)}`,
  }
}

/** How long a service may take to show what a request did. */
const SHOWN_WITHIN_MS = 5 * 60_000

const soonWords = ({begunAt}: RequestRecord, {surroundings: {now}}: Context): string =>
  Math.abs(now() - begunAt) < SHOWN_WITHIN_MS
    ? 'The service may not show it yet: run the same command again in a few seconds. '
    : ''

/** Where the user can check for the effect, and what records the finding. */
function whatToCheck(
  {id, operation, resources, begunAt}: RequestRecord,
  {when, commandLine, surroundings: {now}}: Context,
  {target: {dialect, bid}}: Client,
): Advice {
  // A search from a future time would find nothing.
  const isToCome = begunAt > now()
  const at = `${when(begunAt)}${isToCome ? ' (still to come: the clock of this machine was or is wrong)' : ''}`
  const finding = commandLine('requests', 'resolve', {value: id}, '--found', 'no-effect', '--because', {
    value: 'TEXT',
  })
  const recordIt = advice`If it had no effect, record that: ${finding}; otherwise pass --found effect.`
  const touched = resources.map(resourceWords).join(', ')
  switch (operation.split('.')[0]) {
    case 'a2a':
      if (dialect?.refusal(operations['a2a.list.v1']) !== undefined)
        return advice`This service has no list of transfers for cardctl: ask its operators, or look there, for one of ${at} with this amount. ${recordIt}`
      return advice`Look for a batch of ${at} with this count and total: ${commandLine('a2a', 'list', '--all')}; it may be there only when the service has caught up. ${recordIt}`
    case 'remotecheckout':
      return advice`Compare the customer's enrolment with what was asked at ${at}: ${commandLine('remotecheckout', 'get', '--customer', {value: customerIn(resources) ?? 'ID'}, ...(bid === undefined ? (['--bid', {value: 'BID'}] as const) : []))}. ${recordIt}`
    case 'accounts':
      return advice`Ask the service's operators for ${touched} and its ${isToCome ? `latest changes: it was sent at ${at}.` : `changes since ${at}.`} ${recordIt}`
    default:
      return advice`Ask the service's operators what arrived for ${touched || operation} at ${at}. ${recordIt}`
  }
}

const customerIn = (resources: readonly string[]): string | undefined =>
  resources.find(one => one.startsWith('customer:'))?.slice('customer:'.length)

function sizeOf(batch: unknown): string {
  const count = textAt(batch, 'transferItemCount') || 'an unknown number of'
  const total = fieldAt(batch, 'totalAmount')
  const sums = isObject(total) ? Object.entries(total) : []
  const totals = sums.map(([currency, sum]) => amount(sum, currency))
  return [`${count} ${count === '1' ? 'transfer' : 'transfers'}`, ...totals].join(', ')
}
