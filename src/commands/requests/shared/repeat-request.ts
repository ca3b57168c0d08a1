import type {Client} from '../../../cli/client/client.ts'
import type {RequestOptions} from '../../../cli/client/options.ts'
import type {CommandLine} from '../../../cli/command-line.ts'
import type {Context} from '../../../cli/context.ts'
import {CLOCK_HINT, confirmClock} from '../../../cli/doubtful-clock.ts'
import {startOf} from '../../../cli/journalled.ts'
import {changedSince} from '../../../cli/later-changes.ts'
import {refuseOtherDialect} from '../../../cli/other-dialect.ts'
import {refuseOtherTenant} from '../../../cli/other-tenant.ts'
import {type AnyInput, honoursKey, type Operation} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {idIn, resourceWords, touchedInResponse} from '../../../contract/resource.ts'
import {advice, type Hint} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import type {ServiceResponse} from '../../../http/send-types.ts'
import {type Journal, KEY_LIFE_MS, type RequestRecord} from '../../../journal/index.ts'
import {recordedOperation} from '../../x/shared/contracts.ts'
import {approvedIn, refuseBarred} from './signed-decision.ts'

/** What is known about a request before a retry. */
interface RepeatFacts {
  /** The contract's operation; undefined if the contract doesn't know the path. */
  readonly operation: Operation | undefined
  /** Whether the service honours the key on this profile. */
  readonly honoured: boolean
  /** When the service first may have seen the key, in milliseconds since 1970; undefined if it can't know it. */
  readonly knownSince: number | undefined
  /** Whether the journal still has the content. */
  readonly kept: boolean
  /** Whether the clock of this machine can be believed. If not, neither the content nor the key is used. */
  readonly isBelieved: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  /** How long the service keeps a key, in milliseconds. */
  readonly keyLifeMs: number
  readonly commandLine: CommandLine
}

/** Margin for the retry with its timeout and attempts: it must arrive before the service forgets the key. */
const MARGIN_MS = 5 * 60_000

/**
 * Why a retry has no second effect, in words.
 *
 * @throws Failure USAGE or EFFECT_UNKNOWN, which explains why it isn't safe.
 */
function judgeRepeat(record: RequestRecord, facts: RepeatFacts): string {
  const {id, state} = record
  const {operation, now} = facts
  if (state === 'running')
    refuse(`Request ${id} still runs.`, advice`Wait for its end: ${cardctl('requests', 'show', {value: id})}`)
  const noEffect = record.effect === 'none'
  if (operation === undefined || operation.effect === 'disclose' || operation.sensitive.reply.length > 0) {
    const why =
      operation !== undefined
        ? 'its response may be secret'
        : record.operation.startsWith('x:')
          ? 'its contract was removed or imported again since'
          : 'the contract does not describe the operation'
    if (!noEffect && operation?.effect !== 'disclose') refuseSecondEffect(record, why, facts)
    refuse(`Request ${id} (${record.operation}) cannot be repeated: ${why}.`, 'Run the command itself again.')
  }
  const keyAlive =
    facts.isBelieved &&
    (facts.knownSince === undefined || now - facts.knownSince < facts.keyLifeMs - MARGIN_MS)
  const isProtected = facts.honoured && record.key !== undefined && keyAlive
  if (!noEffect && !isProtected) refuseSecondEffect(record, whyUnprotected(record, facts, keyAlive), facts)
  if (!facts.isBelieved)
    refuse(
      `The clock of this machine can't be believed, so the content of request ${id} is not used.`,
      CLOCK_HINT,
    )
  if (!facts.kept) {
    refuse(
      facts.now - record.begunAt < KEY_LIFE_MS
        ? `The content of request ${id} was not kept, because it holds a secret, or is gone, because the clock of this machine was ahead since.`
        : `The content of request ${id} is gone: it is kept for 24 hours, and never if it holds a secret.`,
      record.key === undefined
        ? 'Run the command itself again.'
        : `Run the command itself again with --idempotency-key ${record.key}.`,
    )
  }
  return noEffect
    ? 'it certainly had no effect'
    : 'the service honours its key, so that it takes effect once however often it is sent'
}

function whyUnprotected(
  {key, begunAt}: RequestRecord,
  {honoured, isBelieved, now}: RepeatFacts,
  keyAlive: boolean,
): string {
  if (key === undefined) return 'it has no key'
  if (!honoured) return 'the service does not document that it honours the key of this operation'
  if (!isBelieved)
    return "the clock of this machine can't be believed, so the service may have forgotten its key"
  if (begunAt > now)
    return 'the clock of this machine was wrong when it was sent, so the service may have forgotten its key'
  return keyAlive ? 'its key protects nothing' : 'the service has forgotten its key by now'
}

function refuseSecondEffect({id, state}: RequestRecord, why: string, {commandLine}: RepeatFacts): never {
  if (state === 'done') {
    refuse(
      `Request ${id} is done, and ${why}: sending it again would have its effect a second time.`,
      'If that is what you want, run the command itself again.',
    )
  }
  throw new Failure('EFFECT_UNKNOWN', {
    message: `The effect of request ${id} is unknown, and ${why}: sending it again could have the effect twice.`,
    hint: advice`Check what happened first: ${commandLine('requests', 'resolve', {value: id})}`,
    requestId: id,
    effect: 'unknown',
    repeatable: false,
  })
}

function refuse(message: string, hint: Hint): never {
  throw new Failure('USAGE', {message, hint})
}

/** A request that may be retried. */
export interface Repeatable {
  /** Why it is safe, in words. */
  readonly why: string
  readonly operation: Operation
  readonly input: AnyInput
  /** Whether a second person approved it, or who signed that. */
  readonly approved: RequestOptions['approved']
}

/**
 * Checks whether a request of the journal may be retried.
 *
 * @throws Failure USAGE, EFFECT_UNKNOWN or KEY_REUSED, which says why not.
 */
export async function repeatable(
  context: Context,
  client: Client,
  record: RequestRecord,
): Promise<Repeatable> {
  const {target} = client
  const operation =
    (operations as Readonly<Record<string, Operation>>)[record.operation] ??
    (await recordedOperation(context, record))
  refuseOtherDialect('Request', record, target)
  const isBelieved = await confirmClock(context, client)
  using journal = await context.stores.journal()
  await refuseOtherTenant(journal, `Request ${record.id}`, journal.requests.tenantMark(record.id), target)
  const input = journal.requests.keptInput(record.id)
  const honoured = operation !== undefined && honoursKey(operation, target)
  if (!honoured) refuseSentAgain(journal, record, context.commandLine)
  let knownSince: number | undefined = journal.requests.keySince(record)
  if (operation !== undefined && input !== undefined) {
    const request = await client.build({operation, input}, {idempotencyKey: record.key, recorded: true})
    if (record.key !== undefined) {
      const known = journal.judgeKey(startOf({target, request}, await target.tenant?.()))
      knownSince =
        known.state === 'new' ? undefined : known.state === 'expired' ? Number.NEGATIVE_INFINITY : known.since
    }
  }
  const why = judgeRepeat(record, {
    operation,
    honoured,
    knownSince,
    kept: input !== undefined,
    isBelieved,
    now: journal.store.span().until,
    keyLifeMs: KEY_LIFE_MS,
    commandLine: context.commandLine,
  })
  refuseOverwriting(context, journal, record)
  // judgeRepeat already refused a request without operation or content.
  if (operation === undefined || input === undefined) throw new Error('nothing to repeat')
  return {why, operation, input, approved: await approvalFor(context, client, record, input)}
}

interface Repeated {
  readonly response: ServiceResponse
  readonly requestId: string | undefined
}

/** Sends it again with the same key and bytes. Also records what the response proves about the first attempt. */
export async function repeat(
  context: Context,
  client: Client,
  record: RequestRecord,
  {operation, input, approved}: Repeatable,
  {confirm, confirmed}: Pick<RequestOptions, 'confirm' | 'confirmed'> = {},
): Promise<Repeated> {
  const honoured = honoursKey(operation, client.target)
  const isSigned = typeof approved === 'object'
  if (isSigned)
    await refuseBarred(client, {operation, input}, {idempotencyKey: record.key, approved, recorded: true})
  const {response, requestId} = await client.request(
    {operation, input},
    {
      idempotencyKey: record.key,
      recorded: true,
      confirm,
      confirmed: confirmed || isSigned,
      approved,
      trace: {
        retryOf: record.id,
        reference: record.reference,
        part: record.part,
        job: record.job,
        note: record.note,
        ticket: record.ticket,
        // A server of another user looks for itself whether it was approved.
        proposal: record.proposal,
        guard: journal => {
          if (!honoured) refuseSentAgain(journal, record, context.commandLine)
          refuseOverwriting(context, journal, record)
        },
      },
    },
  )
  if (honoured) {
    using journal = await context.stores.journal()
    const replyId = idIn(response.body, operation)
    const resources = touchedInResponse(operation, response.body)
    journal.resolve(record.id, {
      effect: 'done',
      evidence: evidenceOf(response, requestId),
      replyId,
      resources,
    })
  }
  return {response, requestId}
}

/**
 * Whether a second person approved the request before. The rules of now decide whether one has to, and a policy doesn't
 * go by the trail, which this user writes.
 */
async function approvalFor(
  context: Context,
  {target}: Client,
  {key, operation, proposal}: RequestRecord,
  input: AnyInput,
): Promise<RequestOptions['approved']> {
  const found = proposal && (await approvedIn(context, target, proposal, {operation, input, key}))
  if (found) return found
  if (key === undefined || (await context.policy) !== undefined) return false
  using audit = await context.stores.audit()
  return audit.newest({kind: 'approve', operations: [operation], key}).next().done !== true
}

/** A response has proved the effect, so nothing may overrule it. */
export const isProven = ({state, resolvedAt}: RequestRecord): boolean =>
  state === 'done' && resolvedAt === undefined

/**
 * If the first attempt never arrived, a repeat has its effect now: after, and over, what was set in the meantime.
 *
 * @throws Failure USAGE, or EFFECT_UNKNOWN if that is still open, which names the newer request.
 */
function refuseOverwriting({commandLine, when}: Context, journal: Journal, record: RequestRecord): void {
  // The service only replays its response.
  if (isProven(record)) return
  const change = changedSince(journal, record)
  if (change === undefined) return
  const {id, state} = record
  const {record: later, owner, fields} = change
  const has = later.effect === 'done' && fields !== undefined ? 'has' : 'may have'
  const what = [...(fields ? [fields.join(', ')] : []), resourceWords(owner)].join(' of ')
  const message = `Request ${later.id} of ${when(later.begunAt)} (${later.state}) ${has} changed ${what} since. Sending request ${id} again could overwrite that.`
  if (state !== 'unknown' && state !== 'unfinished')
    refuse(message, 'If that is what you want, run the command itself again.')
  throw new Failure('EFFECT_UNKNOWN', {
    message,
    hint: advice`Check what happened first: ${commandLine('requests', 'resolve', {value: id})}`,
    requestId: id,
    effect: 'unknown',
    repeatable: false,
  })
}

/**
 * A request without an effect may have been sent again since, with the same key or as the same set of transfers.
 * Another retry would then have a second effect.
 *
 * @throws Failure USAGE, which names the other request.
 */
function refuseSentAgain(journal: Journal, record: RequestRecord, commandLine: CommandLine): void {
  const {id, key, job, operation} = record
  const sameKey = key === undefined ? [] : journal.requests.findKey(key)
  const sameJob = job === undefined ? [] : journal.requests.list({operation, job})
  const other = [
    ...sameKey,
    ...sameJob.filter(one => !isOtherPart(one, record) && !isOtherRow(one, record)),
  ].find(one => one.id !== id && one.effect !== 'none')
  if (other === undefined) return
  throw new Failure('USAGE', {
    message: `What request ${id} asked for was sent again as ${other.id} (${other.state}).`,
    hint: advice`See: ${commandLine('requests', 'show', {value: other.id})}`,
    effect: 'none',
  })
}

/** The batches of one split have different references: `ref:…/2of3`. */
function isOtherPart(one: RequestRecord, record: RequestRecord): boolean {
  const [first, second] = [one, record].map(({reference}) => /\/(\d+)of(\d+)$/.exec(reference ?? ''))
  return first?.[2] !== undefined && first[2] === second?.[2] && first[1] !== second?.[1]
}

/** The rows of a bulk job are requests of their own: only one of the same row, however it was sent, can be a repeat. */
function isOtherRow(one: RequestRecord, record: RequestRecord): boolean {
  if (record.reference !== undefined || one.retryOf === record.id) return false
  if (one.part !== undefined && record.part !== undefined) return one.part !== record.part
  // Older records don't name their row.
  const about = ({path, resources}: RequestRecord) => [path, ...resources].join(' ')
  return about(one) !== about(record)
}

/** What a success with an honoured key proves. */
export function evidenceOf({status, replayed}: ServiceResponse, repeatId: string | undefined): string {
  return replayed
    ? `Sent again with the same key as ${repeatId}; the service replayed its stored response (${status}).`
    : `Sent again with the same key as ${repeatId}; the response was ${status}. It had its effect once.`
}
