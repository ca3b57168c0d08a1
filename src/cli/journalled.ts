import type {Audit} from '../audit/index.ts'
import {decoded} from '../contract/marked-values.ts'
import type {Operation} from '../contract/operation.ts'
import {
  controlIds,
  idIn,
  isPathId,
  plainId,
  resource,
  touchedBy,
  touchedInResponse,
} from '../contract/resource.ts'
import {advice, type Hint} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import type {BuiltRequest, SendOptions, ServiceResponse} from '../http/index.ts'
import type {Journal, KeyState, Outcome, Replayed, RequestEnd, RequestStart} from '../journal/index.ts'
import {readTraceContext} from '../network/trace-context.ts'
import type {Printer} from '../output/index.ts'
import type {Target} from '../profiles/target.ts'
import {maskText} from '../sensitive/mask-text.ts'
import type {Secret} from '../sensitive/secret.ts'
import {actionOf} from './action-words.ts'
import {auditEntry} from './audit-entries.ts'
import {callerText} from './caller.ts'
import {confirm} from './confirm.ts'
import type {Context} from './context.ts'
import {distinctDifferences} from './effects.ts'
import {valuesBefore} from './former-values.ts'
import {tidyJournal} from './retention.ts'
import {sentFields} from './sent-fields.ts'

/** What the journal records of a built request. */
type Recorded = Pick<
  BuiltRequest,
  'operation' | 'input' | 'method' | 'url' | 'path' | 'shown' | 'key' | 'keyed' | 'translated'
>

interface AboutToSend {
  readonly target: Target
  readonly request: Recorded
  /** The user chose the key, so it may have been used before. */
  readonly mayBeUsed: boolean
  /** The command shows what came of it, so a response that proves nothing isn't printed. */
  readonly isReported?: boolean | undefined
  readonly trace?: RequestTrace | undefined
}

/** Control ids live for 30 seconds by the service's clock, which may differ from this one. */
const CONTROL_ID_MS = 3_600_000

/** What a command wants to find a request by later. */
export interface RequestTrace
  extends Pick<
    RequestStart,
    | 'reference'
    | 'part'
    | 'items'
    | 'retryOf'
    | 'undoOf'
    | 'proposal'
    | 'job'
    | 'note'
    | 'ticket'
    | 'caller'
    | 'trace'
  > {
  /** Resources that the request affects but doesn't name, as `card:3004`. */
  readonly touches?: readonly string[] | undefined
  /**
   * Checks the journal once more, and throws if the request must not be sent. No other process can act between this
   * check and the record.
   */
  readonly guard?: ((journal: Journal) => void) | undefined
}

interface Sent {
  readonly response: ServiceResponse
  readonly requestId: string
  readonly replayed: Replayed | undefined
  /** What cardctl sent for the same fields before, by field; only for people. */
  readonly before: Readonly<Record<string, unknown>> | undefined
}

/**
 * Sends a request, recorded before and after, so that every effect leaves a trace.
 *
 * @throws Failure KEY_REUSED before anything is sent; whatever `send` throws, with the request's id and key.
 */
export async function journalled(
  context: Context,
  about: AboutToSend,
  send: (admit: SendOptions['admit']) => Promise<ServiceResponse>,
): Promise<Sent> {
  const {request, target, trace} = about
  // With an honoured key it is harmless to send again. Without one it helps to know that nothing was sent.
  const {operation, key, keyed} = request
  const tellsLeaving = !keyed
  using journal = await context.stores.journal()
  using audit = await context.stores.audit()
  const controls = (held: {body?: unknown; reply?: unknown}): string[] =>
    controlIds(operation, held).map(id => resource('control', journal.store.digest(id).slice(0, 16)))
  const given = startOf({...about, trace: {...trace, ...runBy(context)}}, await target.tenant?.())
  const linked = controls(request.input)
  const related = linked.flatMap(control => journal.requests.touchedWith(control, CONTROL_ID_MS))
  const start = {...given, resources: [...(given.resources ?? []), ...related, ...linked], tellsLeaving}
  if (about.mayBeUsed) await confirmExpiredKey(context, journal, start, about)
  // What can't be recorded isn't sent.
  audit.ready()
  const {id, key: known} = journal.store.durably(() => {
    trace?.guard?.(journal)
    journal.noteTrail(audit.publicKey)
    return journal.begin(start)
  })
  const leave = async (): Promise<undefined> => journal.leaving(id) as undefined
  const began = context.surroundings.now()
  const end = (ended: RequestEnd): void => {
    const entry = auditEntry(context, target.name, start, {id, ...ended}, journal)
    let isInTrail = false
    const record = (to: Audit, kept: Journal): void => {
      // The trail first: it has an entry for every request that the journal knows to have ended.
      if (!isInTrail) to.append(entry)
      isInTrail = true
      kept.end(id, ended)
    }
    try {
      record(audit, journal)
    } catch (error) {
      // The effect is there whether it can be recorded or not, so the result must still be shown.
      context.effects.addUnrecorded({id, why: error})
      context.surroundings.lateRecords?.addEnd(id, async () => {
        using kept = await context.stores.quietJournal()
        using to = await context.stores.audit()
        record(to, kept)
      })
      const reason = error instanceof Failure ? ` ${error.message}` : ''
      context.printer.warn(
        `The outcome of request ${id} (${ended.outcome}) could not be recorded.${reason} Once it can be, look it up: ${context.commandLine('requests', 'resolve', {value: id})}`,
        {
          code: 'OUTCOME_UNRECORDED',
          requestId: id,
        },
      )
    }
    tidyJournal(context, journal)
  }
  let response: ServiceResponse
  try {
    response = await send(tellsLeaving ? leave : undefined)
  } catch (error) {
    const failure = error instanceof Failure ? error : undefined
    const body = failure?.details.reply
    end({
      outcome: outcomeOf(failure),
      replyId: idIn(body, operation),
      resources: [...touchedInResponse(operation, body), ...controls({reply: body})],
      effect: failure?.details.effect ?? (failure ? 'none' : 'unknown'),
      status: failure?.details.status,
      repeatable: failure?.details.repeatable,
      durationMs: Math.max(0, context.surroundings.now() - began),
      failure: failure?.code ?? 'INTERNAL',
      said: failure?.message,
      left: failure?.details.left,
    })
    // It proves nothing, but it may be the only thing that names what was created or disclosed. If it can't be printed,
    // the unknown effect is still the first thing to know.
    if (body !== undefined && !about.isReported) await context.printer.data(body).catch(() => undefined)
    throw (
      failure?.with({requestId: id, idempotencyKey: key, ...wayOut(context, request, id, failure)}) ?? error
    )
  }
  // Nothing that fails from here on changes what the request did.
  context.effects.addCarriedOut(operation, id)
  const {status, durationMs, attempts} = response
  const replyId = idIn(response.body, operation)
  const touched = [...touchedInResponse(operation, response.body), ...controls({reply: response.body})]
  const replayed = replayedOf({response, target, keyed, isGiven: about.mayBeUsed, known})
  end({
    outcome: 'done',
    effect: 'done',
    status,
    durationMs,
    attempts,
    replyId,
    replayed,
    resources: touched,
    differences: distinctDifferences(response.differences),
  })
  // A retry reports that itself.
  if (trace?.retryOf === undefined) reportReplayed(context.printer, replayed, {requestId: id, key, known})
  reportUnusableId(context.printer, operation, {requestId: id, replyId})
  return {response, requestId: id, replayed, before: await beforeOf(context, journal, operation, id)}
}

/** Says that what was created has an id that no request can ask for. */
function reportUnusableId(
  printer: Printer,
  {touches}: Operation,
  {requestId, replyId}: {requestId: string; replyId: string | undefined},
): void {
  const isAskedFor = touches.some(({kind, at}) => kind !== 'control' && at.startsWith('reply:'))
  if (replyId === undefined || !isAskedFor || isPathId(replyId)) return
  printer.warn(
    `Request ${requestId} was carried out, but the id in the response, "${replyId}", cannot be part of a path, so no command can ask for it.`,
    {code: 'ID_UNUSABLE', requestId, id: replyId},
  )
}

/** The effect is there whether the journal can be read or not. */
async function beforeOf(context: Context, journal: Journal, {method}: Operation, id: string) {
  if (context.outputOptions.format !== 'table' || method !== 'PATCH') return undefined
  try {
    const record = journal.requests.get(id)
    return record && (valuesBefore(journal, record) ?? {})
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** How to find out the effect of a request. Requesting a secret again proves nothing. */
function wayOut(
  {commandLine}: Context,
  {operation}: Recorded,
  id: string,
  {details}: Failure,
): {hint?: Hint} {
  if (details.effect !== 'unknown' || operation.effect === 'disclose') return {}
  return {hint: advice`Check what happened: ${commandLine('requests', 'resolve', {value: id})}`}
}

export function startOf(
  {target, request, trace}: Omit<AboutToSend, 'mayBeUsed'>,
  tenant: Secret | undefined,
): RequestStart {
  const {operation, input, method, url, key, path, shown = request} = request
  const {origin, pathname} = new URL(url)
  return {
    operation: operation.id,
    effect: operation.effect,
    method,
    path: pathname,
    unmasked: shown.path === path ? undefined : path,
    target: origin,
    resources: [
      ...new Set([
        ...(isFree(operation)
          ? idsInPath(operation.form ? pathname : operation.path)
          : touchedBy(operation, input)),
        ...(trace?.touches ?? []),
      ]),
    ],
    sent: sentFields(operation, input),
    input,
    sensitive: mayKeep(request) ? operation.sensitive.request : undefined,
    ids: operation.ids?.request,
    key,
    auditUser: target.auditUser,
    responsible: target.responsible,
    caller: trace?.caller,
    trace: trace?.trace,
    job: trace?.job,
    reference: trace?.reference,
    part: trace?.part,
    items: trace?.items,
    retryOf: trace?.retryOf,
    note: trace?.note,
    ticket: trace?.ticket,
    undoOf: trace?.undoOf,
    proposal: trace?.proposal,
    dialect: request.translated?.dialect,
    tenant,
  }
}

/** Who runs the command, and under which trace. */
export const runBy = ({caller, surroundings}: Context): Pick<RequestStart, 'caller' | 'trace'> => ({
  caller: callerText(caller),
  trace: readTraceContext(surroundings.env.TRACEPARENT)?.traceId,
})

/** No contract of ours marks its fields, so names and appearance decide. */
const isFree = ({topic, form}: Operation): boolean => topic === 'api' || form !== undefined

/**
 * Whether the journal may keep the input for a retry. What no contract describes may be secret. Of an imported contract,
 * secrets are in parameters too, and personal data are kept nowhere.
 */
function mayKeep({operation, path, shown}: Recorded): boolean {
  if (operation.form === undefined) return !isFree(operation)
  const {sensitive, personal = {request: []}} = operation
  if (sensitive.request.length + personal.request.length > 0) return false
  return shown === undefined || (shown.path === path && shown.secretHeaders.length === 0)
}

/** For a path that the contract doesn't describe: the segments that may be ids, of whatever. */
const idsInPath = (path: string): string[] =>
  path
    .split('/')
    .map(part => plainId(decoded(part) ?? part))
    .filter(part => /\d/.test(part) && !/^v\d+$/i.test(part) && maskText(part) === part)

/**
 * After 24 hours the service has forgotten a key, and a repeat would have a second effect. A script that repeats its
 * command gave `--yes` before anybody knew of that, so only a person agrees to it.
 */
async function confirmExpiredKey(
  context: Context,
  journal: Journal,
  start: RequestStart,
  {target, request: {operation, input, url}}: AboutToSend,
): Promise<void> {
  const known = journal.judgeKey(start)
  if (known.state !== 'expired') return
  await confirm(context, {
    place: {...target, baseUrl: url},
    action: `${actionOf(operation, input)} with a key that was used at ${context.when(known.since)}`,
    consequence: 'The service no longer knows this key, so the request has a second effect.',
    demands: [{yes: false}],
    otherwise: advice`Nothing was sent. See what came of it: ${context.commandLine('requests', 'show', {value: known.last})}. If it has to happen once more, give it another key.`,
  })
}

/** How a failed request ended, in the journal's terms. */
export function outcomeOf(failure: Failure | undefined): Outcome {
  switch (failure?.details.effect) {
    case 'done':
      return 'done'
    case 'unknown':
      return 'unknown'
    default:
      if (failure === undefined) return 'unknown'
      return failure.details.status === undefined ? 'none' : 'refused'
  }
}

interface Answered {
  readonly response: Pick<ServiceResponse, 'replayed' | 'attempts'>
  readonly target: Pick<Target, 'kind'>
  /** The service honours the key for this operation. */
  readonly keyed: boolean
  /** The user chose the key, so it may have been used before. */
  readonly isGiven: boolean
  /** What the journal knew about the key before. */
  readonly known: KeyState
}

/** Whether the service replayed a stored response; undefined if no key could cause that. */
function replayedOf({response, target, keyed, isGiven, known}: Answered): Replayed | undefined {
  const before = known.state === 'repeat' ? known : undefined
  if (response.replayed) {
    // Its own earlier attempt may have had the effect.
    if (response.attempts === 1 || before?.done !== undefined) return true
    return isGiven ? 'unknown' : false
  }
  if (!keyed) return undefined
  // A sandbox says so in its header. A key that was made for this request can't have a stored response.
  if (target.kind === 'sandbox' || !isGiven) return false
  return before?.done === undefined ? 'unknown' : true
}

/** Says on stderr that nothing was changed now, or that this is unknown; as JSON if the output is JSON. */
function reportReplayed(
  printer: Printer,
  replayed: Replayed | undefined,
  {requestId, key, known}: {requestId: string; key: string | undefined; known: KeyState},
): void {
  if (replayed === undefined || replayed === false) return
  const earlier = known.state === 'repeat' ? known.done : undefined
  const text =
    replayed === 'unknown'
      ? `This may be the stored response to an earlier request with key ${key}. The service does not say, and the journal of this machine does not know the key. If it is, nothing was changed now.`
      : earlier === undefined
        ? `Nothing was changed now: the service returned the stored response to an earlier request with key ${key}. If its content was different, the content of this request was not applied.`
        : `Nothing was changed now: the service returned the stored response to request ${earlier}, which had the same key and content.`
  printer.warn(text, {code: 'ANSWER_REPLAYED', replayed, requestId, idempotencyKey: key, earlier})
}
