import {honoursKey} from '../contract/idempotency-key.ts'
import type {AnyInput, Operation} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import type {Input, OperationId} from '../contract/types.ts'
import {checkInput, type Violation} from '../contract/validate.ts'
import {Failure} from '../errors/failure.ts'
import type {Answer, Surroundings as HttpSurroundings, PanBody, Sender, SendRequest} from '../http/index.ts'
import type {Replayed, RequestStart} from '../journal/index.ts'
import {type Demand, gate} from '../profiles/index.ts'
import type {Target} from '../profiles/target.ts'
import {Secret} from '../sensitive/secret.ts'
import {distinctDifferences} from './answer-differences.ts'
import {isObject} from './body.ts'
import type {CommandLine} from './command-line.ts'
import {confirmRequest} from './confirm-request.ts'
import type {Context} from './context.ts'
import {type EmbeddedOptions, type EmbeddedSandbox, embeddedSandbox} from './embedded-sandbox.ts'
import {journalled, startOf, type Trace} from './journalled.ts'
import {Turns} from './pace.ts'

/** An operation of the contract with its input; for `api` also one that the contract doesn't know. */
export interface Call {
  readonly operation: Operation
  readonly input: AnyInput
}

/**
 * What a command says of a request: path parameters and query as the contract types them, `auditUser` left out, since the
 * profile knows it. The body was put together from flags and files, so the contract checks it when it is sent.
 */
export interface CommandCall<Id extends OperationId> {
  readonly operation: Id
  readonly path?: Input<Id>['path']
  readonly query?: Record<string, unknown>
  readonly body?: unknown
}

export function toCall<Id extends OperationId>({operation, path, query, body}: CommandCall<Id>): Call {
  // An id that a service gave as a number goes back as the text that a path is.
  const params = Object.fromEntries(Object.entries(path ?? {}).map(([name, id]) => [name, String(id)]))
  const input = {path: params, query: {...query}, ...(body === undefined ? {} : {body})}
  return {operation: operations[operation], input}
}

export interface RequestOptions {
  readonly idempotencyKey?: string | undefined
  /** `--confirm`. */
  readonly confirm?: readonly string[] | undefined
  /** Send what the contract does not know, and take any answer. */
  readonly uncheckedInput?: boolean | undefined
  /** `--allow-v2`: deprecated PIN operations on a live profile. */
  readonly allowV2?: boolean | undefined
  /** The step of a composite command that was confirmed as a whole. */
  readonly confirmed?: boolean | undefined
  /** The key was made for this request, so that it can't have been used before. */
  readonly isNewKey?: boolean | undefined
  /** For the journal: the mark inside the request, or the request that this one repeats. */
  readonly trace?: Trace | undefined
  /** How long it may take where `--timeout` doesn't say. */
  readonly timeoutMs?: number | undefined
  /** A read takes its turn of the profile's quota, as one of many. */
  readonly paced?: boolean | undefined
}

export interface Outcome {
  readonly answer: Answer
  /** The journal's id; reads have none. */
  readonly requestId?: string
  /** The answer is one that the service had stored: nothing was changed. */
  readonly replayed?: Replayed | undefined
}

/** Requests to one service: the one way from a command to the wire. */
export interface Client {
  readonly target: Target
  /** check → gate → confirm → journal → send → journal → audit. */
  request(call: Call, options?: RequestOptions): Promise<Outcome>
  /** `request` of an operation of the contract, for those who want its reply only. */
  call<Id extends OperationId>(call: CommandCall<Id>, options?: RequestOptions): Promise<unknown>
  /** The body of the search by card number: enciphered, or clear where a profile that isn't live has no key. */
  cardNumberBody(pan: Secret): Promise<PanBody>
  preview(call: Call, options?: RequestOptions): ReturnType<Sender['preview']>
  /**
   * The profile's gate ahead of the request, for commands that fetch or ask something first.
   *
   * @throws Failure GATE_REFUSED, PROFILE_NOT_CHOSEN
   */
  gate(operation: OperationId, options?: RequestOptions): Promise<void>
  /** Many requests of one operation, for callers that keep journal and pace themselves: the gate once, then each. */
  rows(operation: Operation): Promise<RowSender>
  /** For hints: with the profile or address that is used. */
  readonly commandLine: CommandLine
  close(): Promise<void>
}

export interface RowSender {
  readonly operation: Operation
  /** The service keeps the promise of the key, so that a row may be sent again. */
  readonly honoured: boolean
  /** Whether this refusal also says that no earlier request with the same, honoured key had its effect. */
  settlesEarlierTries(status: number): boolean
  /** @throws Failure CONTRACT_VIOLATION */
  check(input: AnyInput): Promise<void>
  /** The journal's entry of a request that is about to leave. */
  start(input: AnyInput, key: string | undefined, trace: Trace): Promise<RequestStart>
  send(input: AnyInput, key: string | undefined, admit?: SendRequest['admit']): Promise<Answer>
}

async function rowSender(
  context: Context,
  target: Target,
  sender: Sender,
  operation: Operation,
): Promise<RowSender> {
  const {settlesEarlierTries} = await import('../http/index.ts')
  await passGate(context, target, operation)
  await context.tellPlace()
  const whole = (input: AnyInput): AnyInput => withAuditUser({operation, input}, target).input
  return {
    operation,
    honoured: honoursKey(operation, target),
    settlesEarlierTries,
    check: input => refuseViolations(operation, whole(input)),
    start: async (input, key, trace) => {
      const {url} = await sender.preview({operation, input: whole(input), idempotencyKey: key})
      return startOf({target, operation, input: whole(input), url, trace}, key)
    },
    // Without a signal: what has left is waited for.
    send: (input, key, admit) =>
      sender.send({
        operation,
        input: whole(input),
        idempotencyKey: key,
        admit,
        timeoutMs: context.flags.timeout,
      }),
  }
}

export async function openClient(
  context: Context,
  target: Target,
  embedded: EmbeddedOptions = {},
): Promise<Client> {
  // Door to http.
  const {createSender, dispatcherFor, panBody} = await import('../http/index.ts')
  const sandbox = target.embedded ? embeddedSandbox(context, embedded) : undefined
  const surroundings: HttpSurroundings = {
    ...context.surroundings,
    dispatcher: sandbox && dispatcherFor(request => sandbox.handle(request)),
    // Lines that nobody sees needn't be made and masked.
    debug: context.isDebugged ? line => context.debug(line) : undefined,
    version: context.version,
  }
  const turns = new Turns(context)
  const sender = noticing(context, openingFirst(sandbox, createSender(target, surroundings)))
  return {
    target,
    commandLine: context.commandLine,
    gate: async (operation, options) => {
      await passGate(context, target, operations[operation], options)
    },
    preview: async (call, options = {}) => {
      const {operation, input} = withAuditUser(call, target)
      await refuseUnfit(operation, input, options)
      await context.tellPlace()
      return sender.preview({operation, input, idempotencyKey: options.idempotencyKey})
    },
    request: (call, options = {}) =>
      request(context, {target, sender, turns}, withAuditUser(call, target), options),
    call: async <Id extends OperationId>(call: CommandCall<Id>, options: RequestOptions = {}) => {
      const {answer} = await request(
        context,
        {target, sender, turns},
        withAuditUser(toCall(call), target),
        options,
      )
      return answer.body
    },
    rows: operation => rowSender(context, target, sender, operation),
    cardNumberBody: pan => panBody(target, pan, surroundings),
    close: async () => {
      await turns.close()
      await sender.close()
      await sandbox?.close()
    },
  }
}

/** Every answer passes here, so that no command can forget to say where it differs from the contract. */
function noticing(context: Context, sender: Sender): Sender {
  return {
    ...sender,
    send: async request => {
      const answer = await sender.send(request)
      context.differences.add(answer.differences)
      for (const words of distinctDifferences(answer.differences)) context.debug(`  differs: ${words}`)
      return answer
    },
  }
}

function openingFirst(sandbox: EmbeddedSandbox | undefined, sender: Sender): Sender {
  if (!sandbox) return sender
  return {
    ...sender,
    send: async request => {
      await sandbox.open()
      return sender.send(request)
    },
  }
}

/** Every operation of the service wants to know who acts; the profile says. */
function withAuditUser({operation, input}: Call, {auditUser}: Target): Call {
  if (!operation.query.some(({name}) => name === 'auditUser')) return {operation, input}
  return {operation, input: {...input, query: {auditUser, ...input.query}}}
}

interface Line {
  readonly target: Target
  readonly sender: Sender
  readonly turns: Turns
}

async function request(
  context: Context,
  {target, sender, turns}: Line,
  {operation, input}: Call,
  options: RequestOptions,
): Promise<Outcome> {
  await refuseUnfit(operation, input, options)
  const demands = await passGate(context, target, operation, options, input)
  if (operation.group === 'pin' || operation.id === 'cards.paymentInfo.v3') {
    // Door to the ciphers.
    const {guardDeviceParts} = await import('./guard-device-parts.ts')
    guardDeviceParts(target, operation, input, options.uncheckedInput ?? false)
  }
  const preview = await sender.preview({operation, input, idempotencyKey: options.idempotencyKey})
  if (!options.confirmed) {
    const {url} = preview
    await confirmRequest(context, {target, operation, input, url, demands, confirm: options.confirm})
  }
  await context.tellPlace()
  const send = (idempotencyKey?: string, admit?: SendRequest['admit']): Promise<Answer> =>
    sender.send({
      operation,
      input,
      idempotencyKey,
      admit,
      timeoutMs: context.flags.timeout ?? options.timeoutMs,
      signal: context.surroundings.signal,
    })
  // The controls of the sandbox are no requests to the service: they leave no entry.
  if (operation.effect === 'read' || operation.group === 'sandbox') {
    await context.tellUnfinished()
    return {
      answer: await send(options.idempotencyKey, options.paced ? turns.admit : undefined).catch(
        (error: unknown) => tellWhereToLook(error, context.commandLine),
      ),
    }
  }
  const {idempotencyKey: key, isNewKey, trace} = options
  return journalled(context, {target, operation, input, url: preview.url, key, isNewKey, trace}, send)
}

/** Controls have no entry in the journal. @throws the error. */
function tellWhereToLook(error: unknown, commandLine: CommandLine): never {
  const isUnknown = error instanceof Failure && error.details.effect === 'unknown'
  throw isUnknown
    ? error.with({
        hint: `Look: ${commandLine('sandbox', 'authorizations', 'list')}`,
      })
    : error
}

async function passGate(
  context: Context,
  target: Target,
  operation: Operation,
  {allowV2 = false}: RequestOptions = {},
  input?: AnyInput,
): Promise<readonly Demand[]> {
  const {interactive} = context
  const {explicit} = await context.chosen()
  return gate(target, operation, {allowV2, interactive, explicit}, input)
}

/** What the contract doesn't know, it can't check; what `--no-check-input` lets through, it doesn't. */
async function refuseUnfit(
  operation: Operation,
  input: AnyInput,
  {uncheckedInput}: RequestOptions,
): Promise<void> {
  if (!uncheckedInput && (operation.form || operation.id in operations)) {
    await refuseViolations(operation, input)
  }
}

async function refuseViolations(operation: Operation, input: AnyInput): Promise<void> {
  const clear = 'body' in input ? {...input, body: openSecrets(input.body)} : input
  const violations = operation.form
    ? await operation.form.check(clear)
    : await checkInput(operation.id as OperationId, clear)
  if (violations.length === 0) return
  const lines = violations.map(({message, suggestion}) =>
    suggestion === undefined ? message : `${message}. Did you mean ${suggestion}?`,
  )
  throw new Failure('CONTRACT_VIOLATION', {
    message:
      lines.length === 1 ? `${lines[0]}` : `${lines.length} things in the request do not fit the contract.`,
    hint: hintOf(operation, 'body' in input, violations),
    effect: 'none',
    data: {violations, lines},
  })
}

/** The registry's hint is about members; ids and pages have no skeleton. */
function hintOf({body}: Operation, hasBody: boolean, violations: readonly Violation[]): string | undefined {
  if (violations.every(({pointer}) => /^(path|query|header|cookie):/.test(pointer))) return 'See --help.'
  if (body === 'none') return 'Leave --data, -f and -F out.'
  return hasBody ? undefined : 'Give it with -F, -f or --data; --skeleton shows what it takes.'
}

/** The body as the contract sees it. Lives for the check alone; violations never quote values. */
function openSecrets(value: unknown): unknown {
  if (value instanceof Secret) return String(value.open())
  if (Array.isArray(value)) return value.map(openSecrets)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, openSecrets(item)]))
}
