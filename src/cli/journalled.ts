import type {AnyInput, Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import type {Answer} from '../http/send-types.ts'
import type {Journal, Outcome, RequestStart} from '../journal/index.ts'
import type {Target} from '../profiles/target.ts'
import type {Context} from './context.ts'

export interface AboutToSend {
  readonly target: Target
  readonly operation: Operation
  readonly input: AnyInput
  readonly url: string
  /** `--idempotency-key`. */
  readonly key?: string | undefined
}

/**
 * Sends with a record before and after, so that no effect is ever without a trace.
 *
 * @throws Failure KEY_REUSED before anything is sent; whatever `send` throws, with the request's id and key.
 */
export async function journalled(
  context: Context,
  about: AboutToSend,
  send: (key: string | undefined) => Promise<Answer>,
): Promise<{answer: Answer; requestId: string}> {
  const journal = await context.journal(about.target.name)
  const key = takesKey(about.operation) ? (about.key ?? context.surroundings.newKey()) : undefined
  const start = startOf(about, key)
  if (about.key !== undefined) await askPastLife(context, journal, start)
  const {id} = journal.begin(start)
  const began = context.surroundings.now()
  try {
    const answer = await send(key)
    journal.end(id, {
      outcome: 'done',
      effect: 'done',
      status: answer.status,
      replyId: replyIdOf(answer.body),
      durationMs: answer.durationMs,
      attempts: answer.attempts,
    })
    return {answer, requestId: id}
  } catch (error) {
    const failure = error instanceof Failure ? error : undefined
    journal.end(id, {
      outcome: outcomeOf(failure),
      effect: failure?.details.effect ?? (failure ? 'none' : 'unknown'),
      status: failure?.details.status,
      repeatable: failure?.details.repeatable,
      durationMs: context.surroundings.now() - began,
      failure: failure?.code ?? 'INTERNAL',
    })
    throw failure?.with({requestId: id, idempotencyKey: key}) ?? error
  } finally {
    journal.close()
  }
}

/** Keys travel with writes by POST and PATCH; elsewhere the service has no use for one. */
function takesKey({effect, method}: Operation): boolean {
  return (effect === 'write' || effect === 'destroy') && (method === 'POST' || method === 'PATCH')
}

function startOf({target, operation, input, url}: AboutToSend, key: string | undefined): RequestStart {
  const {origin, pathname} = new URL(url)
  return {
    operation: operation.id,
    effect: operation.effect,
    method: operation.method,
    path: pathname,
    target: origin,
    resources: Object.values(input.path),
    input,
    sensitive: operation.topic === 'api' ? undefined : operation.sensitive.request,
    key,
    auditUser: target.auditUser,
  }
}

/** After 24 hours the service has forgotten a key: a repeat would be a new effect, so it is asked for as one. */
async function askPastLife(context: Context, journal: Journal, start: RequestStart): Promise<void> {
  const known = journal.judgeKey(start)
  if (known.state !== 'expired') return
  const since = new Date(known.since).toISOString()
  context.printer.warn(
    `This key was used at ${since}; the service has forgotten it, so the request takes effect anew.`,
  )
  await context.confirmYes('Send it all the same?')
}

/** What the reply says it made or changed. */
function replyIdOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const {id, requestTraceId} = body as {id?: unknown; requestTraceId?: unknown}
  const found = requestTraceId ?? id
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined
}

function outcomeOf(failure: Failure | undefined): Outcome {
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
