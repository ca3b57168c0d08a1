import {createHash} from 'node:crypto'
import {secretOfAgent} from '../../../cli/agent-secrets.ts'
import {type Client, openClient} from '../../../cli/client/client.ts'
import type {Call, Outcome, RequestOptions} from '../../../cli/client/options.ts'
import {Context} from '../../../cli/context.ts'
import type {DaySums} from '../../../cli/pass-policy.ts'
import {recordRefusal} from '../../../cli/record-changes.ts'
import {SENDER_PATH} from '../../../cli/sent-from.ts'
import {Failure} from '../../../errors/failure.ts'
import {sumByCurrency} from '../../../money/sum-by-currency.ts'
import type {GateCaller} from '../../../policy/index.ts'
import {repeatsIn, sameRows} from '../../a2a/shared/same-rows.ts'
import {sendWritten, transfersIn} from '../../a2a/shared/written-batch.ts'
import {type Approval, approvalOf} from './approval.ts'
import {isGuessable, type KeptGuesses} from './kept-guesses.ts'
import type {LateRecords} from './late-records.ts'
import {ownSurroundings} from './own-surroundings.ts'
import {failureReply, problem, type Reply, successReply} from './reply.ts'
import {NotRead, type RawRequest, readStrictly} from './strict-request.ts'

/** The server as its callers' requests need it. */
export interface Serving {
  /** Of the command that serves. */
  readonly context: Context
  readonly daySums: DaySums & {readonly guesses: KeptGuesses}
  readonly lateRecords: LateRecords
  /** Aborted when the last requests have to end. */
  readonly signal: AbortSignal
}

/** A reply, with the operation for the log. */
export interface Answered {
  readonly reply: Reply
  readonly operation: string | null
  /** Why it was not looked at any further. */
  readonly waits?: string
}

const GUESSED_OFTEN = {title: 'Too many guesses', detail: 'This caller has tried too many wrong values.'}

/**
 * Answers one request of a caller, by the way of every command: contract, policy, questions of the profile, journal,
 * audit trail, masks. Who the caller is, and as whom it acts, the policy says and not the request. Never throws.
 */
export async function answerCaller(serving: Serving, caller: GateCaller, raw: RawRequest): Promise<Answered> {
  const context = contextOf(serving, caller)
  let operation: string | null = null
  let settles = true
  let guessed = false
  const {guesses} = serving.daySums
  await serving.lateRecords.settle()
  try {
    if (asksForSender(raw)) return await senderReply(context, caller)
    const asked = readStrictly(raw)
    const {key, proposal: _, ...call} = asked
    operation = call.operation.id
    await refuseUnserved(context, caller, call)
    const seconds = isGuessable(operation) ? guesses.take(caller) : 0
    if (seconds > 0) return {reply: mustWait(seconds, GUESSED_OFTEN), operation, waits: GUESSED_OFTEN.title}
    guessed = isGuessable(operation)
    const target = await context.service.target()
    const approval = await approvalOf(context, target, caller, asked)
    const client = await openClient(context, target)
    try {
      const idempotencyKey = key === undefined ? undefined : ownKey(caller, key, approval)
      const {response} = await send(context, client, call, {
        idempotencyKey,
        approval,
        prepared: keyed => {
          settles = keyed || call.operation.effect === 'read'
        },
      })
      if (guessed) guesses.giveBack(caller)
      return {reply: successReply(response), operation}
    } finally {
      await client.close()
    }
  } catch (error) {
    const reply = failureReply(error, settles)
    if (reply.isRefusal) await recordOwnRefusal(context, operation ?? 'request', error)
    return {reply, operation}
  }
}

/** The policy records its own. What the service said is in the journal. */
async function recordOwnRefusal(context: Context, operation: string, error: unknown): Promise<void> {
  if (error instanceof NotRead)
    return recordRefusal(context, operation, new Failure('GATE_REFUSED', {message: error.message}))
  if (!(error instanceof Failure) || error.code === 'POLICY_REFUSED' || error.details.status !== undefined)
    return
  await recordRefusal(context, operation, error)
}

/** An entry of what was refused to a caller, or to who connects in its place, before a request was read. */
export async function recordUnread(
  serving: Serving,
  caller: GateCaller,
  {why, count, isCaller}: {readonly why: string; readonly count: number; readonly isCaller: boolean},
): Promise<void> {
  const whose = isCaller ? '' : ` at the port of ${caller.user}`
  const message = `${count === 1 ? why : `${why} (${count} times)`}${whose}`
  const context = isCaller ? contextOf(serving, caller) : anew(serving.context)
  await recordRefusal(context, 'gate serve', new Failure('GATE_REFUSED', {message}))
}

/** For another entry: the policy may have changed. */
export const anew = ({surroundings, flags, version}: Context): Context =>
  new Context(surroundings, flags, version)

const asksForSender = ({method, url, body}: RawRequest): boolean =>
  method === 'GET' && url === SENDER_PATH && body.length === 0

/** What proposals of a caller name; undefined if a profile of one caller is broken, which stops no other. */
export async function senderFor(serving: Serving, caller: GateCaller): Promise<string | undefined> {
  try {
    using journal = await contextOf(serving, caller).stores.quietJournal()
    return journal.senderName
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Names the journal, so that a proposal can say that it is sent from here. */
async function senderReply(context: Context, caller: GateCaller): Promise<Answered> {
  await refuseUnnamed(context, caller)
  using journal = await context.stores.quietJournal()
  const text = JSON.stringify({sender: journal.senderName})
  return {reply: {status: 200, headers: {'content-type': 'application/json'}, text}, operation: null}
}

function contextOf(
  {context, daySums, lateRecords, signal}: Serving,
  {user, kind, profile, auditUser}: GateCaller,
): Context {
  return new Context(
    ownSurroundings(context.surroundings, {user, daySums, lateRecords, signal}),
    {
      ...context.flags,
      profile,
      as: kind,
      yes: true,
      'no-input': true,
      output: 'json',
      // Who asked sends again.
      retries: 0,
      ...(auditUser === undefined ? {} : {'audit-user': auditUser}),
    },
    context.version,
  )
}

/** The policy may have changed since the start. */
async function refuseUnserved(context: Context, caller: GateCaller, {operation}: Call): Promise<void> {
  await refuseUnnamed(context, caller)
  const secret = caller.kind === 'agent' ? secretOfAgent(operation) : undefined
  if (secret !== undefined) throw refused(`${secret}.`)
}

/** @throws Failure GATE_REFUSED */
async function refuseUnnamed(context: Context, caller: GateCaller): Promise<void> {
  const found = await context.policy
  const callers = found !== undefined && 'policy' in found ? (found.policy.gate?.callers ?? []) : []
  const isServed = callers.some(
    one =>
      one.user === caller.user &&
      one.profile === caller.profile &&
      one.kind === caller.kind &&
      one.port === caller.port &&
      one.token === caller.token &&
      one.auditUser === caller.auditUser,
  )
  if (!isServed) throw refused('The policy no longer names this caller.')
}

const refused = (message: string): Failure =>
  new Failure('GATE_REFUSED', {
    message,
    hint: 'The owner of the policy decides whom the server serves.',
    effect: 'none',
  })

/**
 * A key of one caller means nothing with another one. What was approved has its effect once, whoever sends it.
 */
const ownKey = ({user, profile}: GateCaller, key: string, approval: Approval | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify(approval === undefined ? [user, profile, key] : ['proposal', approval.id, key]))
    .digest('hex')
    .slice(0, 48)

/** The policy agrees to what a person would be asked, except for what its profile keeps for a person. */
async function send(
  context: Context,
  client: Client,
  call: Call,
  {
    idempotencyKey,
    approval,
    prepared,
  }: {
    readonly idempotencyKey: string | undefined
    readonly approval: Approval | undefined
    readonly prepared: (keyed: boolean) => void
  },
): Promise<Outcome> {
  const {request, demands, isTransfers} = await client.prepare(call, {
    idempotencyKey,
    approved: approval?.approved,
  })
  prepared(request.keyed)
  const barred = demands.find(({refusal}) => refusal !== undefined)
  if (barred !== undefined)
    throw new Failure('GATE_REFUSED', {
      message: barred.warning ?? 'A person must agree to this at a terminal.',
      hint: barred.refusal,
      effect: 'none',
    })
  const isSigned = typeof approval?.approved === 'object'
  const options: RequestOptions = {
    idempotencyKey,
    confirm: demands.flatMap(({name}) => name ?? []),
    isReported: true,
    ...(approval && {approved: approval.approved, trace: {proposal: approval.id, guard: approval.guard}}),
  }
  // Who signed it was asked; an agent agrees to nothing. Transfers pass their own checks before.
  const agreed = isSigned ? {confirmed: true} : {}
  if (!isTransfers) return client.request(call, {...options, ...agreed})
  const {transfers} = transfersIn(call.input.body)
  const answers = {
    'confirm-count': transfers.length,
    'confirm-total': sumByCurrency(transfers).map(({currency, text}) => `${currency}:${text}`),
    'same-rows': repeatsIn(sameRows(transfers)),
    'service-check': client.target.serviceCheck,
    isSigned,
  }
  return client.request(call, {
    ...options,
    asTransfers: more =>
      sendWritten(context, client, call, {...answers, again: approval?.again ?? false}, ({trace, ...given}) =>
        more({
          ...given,
          ...agreed,
          trace: {
            ...trace,
            proposal: approval?.id,
            guard: journal => {
              approval?.guard(journal)
              trace?.guard?.(journal)
            },
          },
        }),
      ).catch((error: unknown) => {
        throw withWayOut(client, error)
      }),
  })
}

/** Transfers that were sent, or perhaps corrected: nobody is asked here, so a person decides about a proposal. */
function withWayOut({target}: Client, error: unknown): unknown {
  const isSent = error instanceof Failure && error.code === 'ALREADY_SENT'
  if (!isSent || error.details.data?.earlier === undefined || target.proposals === undefined) return error
  return error.with({
    message: `${error.message} If it has to be sent all the same, propose it with --again, and let a person approve it.`,
  })
}

/** For a caller that waits before anything of its request is looked at. */
export const mustWait = (seconds: number, why: {readonly title: string; readonly detail: string}): Reply =>
  problem(429, why, {'retry-after': String(seconds)})
