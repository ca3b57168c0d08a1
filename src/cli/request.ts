import {honoursKey, KEY_HEADER} from '../contract/idempotency-key.ts'
import {type AnyInput, leavesRecord, type Operation, withAuditUser} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import type {Input, OperationId, ResponseTo} from '../contract/types.ts'
import {Failure, type FailureDetails} from '../errors/failure.ts'
import {isInterruption} from '../errors/interruption.ts'
import {isObject} from '../errors/is-object.ts'
import {
  type BuiltRequest,
  createSender,
  dispatcherFor,
  type Surroundings as HttpSurroundings,
  type PanBody,
  type Preview,
  panBody,
  type ReceivedHead,
  type Sender,
  type SendOptions,
  type ServiceResponse,
  settlesEarlierAttempts,
} from '../http/index.ts'
import type {Purpose, Replayed, RequestStart} from '../journal/index.ts'
import {type Demand, gate} from '../profiles/index.ts'
import type {Target} from '../profiles/target.ts'
import {isLoopback} from '../sensitive/loopback.ts'
import type {Secret} from '../sensitive/secret.ts'
import {largeChanges} from './amount-changes.ts'
import {ceilingDemands} from './ceiling.ts'
import {checkDeviceKeys, checkInput, refuseUnsafeBatch} from './check-input.ts'
import type {CommandLine} from './command-line.ts'
import {confirmRequest} from './confirm.ts'
import type {Context} from './context.ts'
import {asDocumented, labelCounts} from './effect-label.ts'
import {type EmbeddedOptions, embeddedSandbox} from './embedded-sandbox.ts'
import {journalled, type RequestTrace, startOf} from './journalled.ts'
import {Turns} from './pace.ts'
import {distinctDifferences} from './response-differences.ts'
import {refuseAlone} from './second-person.ts'
import {isWholeList, wholeList} from './whole-row.ts'
import {
  isTransferBatch,
  type JudgedRequest,
  judgeRequest,
  namedByPath,
  refuseOtherOperation,
  refuseOwnNames,
  wireDemands,
} from './wire-gate.ts'

/** An operation of the contract with its input. For `api`, also one that the contract doesn't describe. */
export interface Call {
  readonly operation: Operation
  readonly input: AnyInput
  /** Operations of imported contracts that a request of `api` fits. Their marks apply too. */
  readonly described?: readonly Operation[]
}

/**
 * A request as a command states it: path parameters and query as the contract types them, without `auditUser`, which
 * comes from the profile. The body comes from flags and files, so it is checked before it is sent.
 */
export interface CommandCall<Id extends OperationId> {
  readonly operation: Id
  readonly path?: Input<Id>['path']
  readonly query?: Record<string, unknown>
  readonly body?: unknown
}

export function toCall<Id extends OperationId>({operation, path, query, body}: CommandCall<Id>): Call {
  // An id that a service gave as a number becomes text again in a path.
  const params = Object.fromEntries(Object.entries(path ?? {}).map(([name, id]) => [name, String(id)]))
  const input = {path: params, query: {...query}, ...(body === undefined ? {} : {body})}
  return {operation: operations[operation], input}
}

export interface RequestOptions {
  readonly idempotencyKey?: string | undefined
  /** `--confirm`. */
  readonly confirm?: readonly string[] | undefined
  /** Send what doesn't match the contract, and accept any response. */
  readonly uncheckedInput?: boolean | undefined
  /** `--allow-v2`: deprecated PIN operations on a live profile. */
  readonly allowV2?: boolean | undefined
  /** A second person approved it. */
  readonly approved?: boolean | undefined
  /**
   * This step of a composite command was confirmed with the whole. With `transfers`, only its transfers were: what else
   * the request may be is asked as ever.
   */
  readonly confirmed?: boolean | 'transfers' | undefined
  /** Ask before a write, although the profile doesn't demand it: a person gave its values in answers. */
  readonly careful?: boolean | undefined
  /** The key was made for this request, so it can't have been used before. */
  readonly isNewKey?: boolean | undefined
  /** What the journal keeps with the request: its reference, or the request that it repeats. */
  readonly trace?: RequestTrace | undefined
  /** The time limit if `--timeout` is not given. */
  readonly timeoutMs?: number | undefined
  /** A read waits for its turn of the profile's quota, because it is one of many. */
  readonly paced?: boolean | undefined
  /** The input is the journal's, with its audit user. */
  readonly recorded?: boolean | undefined
  /** What must be looked at once the request is confirmed. If it throws, nothing is recorded or sent. */
  readonly check?: (() => Promise<unknown>) | undefined
  /** Sends a request that turned out to be a batch of transfers, once they have passed the checks of `a2a create`. */
  readonly asTransfers?: ((send: SendAsTransfers) => Promise<Outcome>) | undefined
  /** As in `SendOptions`. */
  readonly received?: SendOptions['received']
  readonly unmasked?: SendOptions['unmasked']
}

export type SendAsTransfers = (options: RequestOptions) => Promise<Outcome>

export interface Outcome {
  readonly response: ServiceResponse
  /** The id in the journal; reads have none. */
  readonly requestId?: string
  /** The service replayed a stored response: nothing was changed. */
  readonly replayed?: Replayed | undefined
  /** What cardctl sent for the same fields before, by field. */
  readonly before?: Readonly<Record<string, unknown>> | undefined
}

/** Requests to one service: the one way from a command to the wire. */
export interface Client {
  readonly target: Target
  /** check → gate → build → confirm → journal → send → journal and audit trail. */
  request(call: Call, options?: RequestOptions): Promise<Outcome>
  /** `request` for an operation of the contract, for callers that want only the body of the response. */
  call<Id extends OperationId>(call: CommandCall<Id>, options?: RequestOptions): Promise<ResponseTo<Id>>
  /** The body of the search by card number: encrypted, or clear if a profile that isn't live has no key. */
  cardNumberBody(pan: Secret): Promise<PanBody>
  /** Only the check, for commands that send one input as several requests. @throws Failure CONTRACT_VIOLATION */
  check(call: Call): Promise<void>
  /** check → build. Sends nothing. */
  build(call: Call, options?: RequestOptions): Promise<BuiltRequest>
  /** check → build → gate. Sends nothing, and asks nothing. */
  prepare(call: Call, options?: RequestOptions): Promise<PreparedRequest>
  /** What may be shown of a request. */
  preview(request: BuiltRequest): Preview
  /**
   * The gate alone, for commands that fetch or ask something before the request. The request passes it again, with its
   * input.
   *
   * @throws Failure GATE_REFUSED, PROFILE_NOT_CHOSEN
   */
  gate(operation: OperationId, options?: RequestOptions): Promise<void>
  /** For commands that send one thing as several requests. @throws Failure GATE_REFUSED if a second person is needed. */
  refuseAlone<Id extends OperationId>(call: CommandCall<Id>): Promise<void>
  /**
   * Many requests of one operation, for callers that keep the journal and the rate themselves. Passes the gate once for
   * all.
   *
   * @param earlier the note and ticket of an earlier run, unless this one has its own.
   */
  rows(
    operation: Operation,
    earlier?: Purpose,
    /** Of a list only the page that was asked for, as the service sent it. */
    options?: {readonly onePage?: boolean},
  ): Promise<RowSender>
  /** For hints: with the profile or base URL in use. */
  readonly commandLine: CommandLine
  close(): Promise<void>
}

export interface RowSender {
  readonly operation: Operation
  /** The note and ticket of all rows. */
  readonly purpose: Purpose
  /** The service honours the key, so a row may be sent again. */
  readonly honoured: boolean
  /** Whether this refusal also proves that no earlier request with the same honoured key had an effect. */
  settlesEarlierAttempts(refusal: Pick<FailureDetails, 'status' | 'isPage'>): boolean
  /** @throws Failure CONTRACT_VIOLATION */
  check(input: AnyInput): Promise<void>
  /** Builds the request of a row, so that what is recorded is what is sent. */
  build(input: AnyInput, key?: string): RowRequest
}

export interface RowRequest {
  /** The journal's entry of the request. */
  start(trace: RequestTrace): RequestStart
  send(admit?: SendOptions['admit']): Promise<ServiceResponse>
}

export async function openClient(
  context: Context,
  target: Target,
  embedded: EmbeddedOptions = {},
): Promise<Client> {
  const sandbox = target.embedded ? embeddedSandbox(context, embedded) : undefined
  const surroundings: HttpSurroundings = {
    ...context.surroundings,
    dispatcher: sandbox && (async () => dispatcherFor(await sandbox.open())),
    // Lines that nobody sees needn't be made and masked.
    debug: context.isDebugged ? line => context.debug(line) : undefined,
    version: context.version,
  }
  const sender = createSender(target, surroundings)
  const turns = new Turns(context)
  let info: Promise<unknown> | undefined
  const service: ServiceInUse = {
    target,
    sender,
    turns,
    proveClaim: async operation => {
      if (!isClaimed(operation, target)) return
      info ??= sandboxInfo(context, service)
      refuseWrongClaim(operation, target, await info)
    },
  }
  return {
    target,
    commandLine: context.commandLine,
    gate: async (operation, options) => {
      await passGate(context, target, operations[operation], options)
    },
    refuseAlone: call => {
      const {operation, input} = toCall(call)
      return passSecondPerson(target, operation, input)
    },
    check: ({operation, input}) => checkInput(operation, withAuditUser(operation, input, target.auditUser)),
    build: async (call, options = {}) => {
      const {built} = await build(service, call, options)
      await context.stores.announceService()
      return built
    },
    prepare: (call, options = {}) => prepare(context, service, call, options),
    preview: request => sender.preview(request),
    request: (call, options = {}) => request(context, service, call, options),
    call: async <Id extends OperationId>(call: CommandCall<Id>, options: RequestOptions = {}) =>
      (await request(context, service, toCall(call), options)).response.body as ResponseTo<Id>,
    rows: async (operation, earlier, {onePage = false} = {}) => {
      await passGate(context, target, operation, {trace: earlier})
      await passSecondPerson(target, operation)
      await service.proveClaim(operation)
      const judgeRow = target.secondPersonFor.length === 0 ? undefined : refuseAlone
      const purpose = leavesRecord(operation) ? await context.purposes.given(target, earlier) : {}
      await context.stores.announceService()
      const whole = (input: AnyInput): AnyInput => {
        refuseOwnNames({operation, input})
        judgeRow?.(target, operation, input)
        return withAuditUser(operation, input, target.auditUser)
      }
      return {
        operation,
        purpose,
        honoured: honoursKey(operation, target),
        settlesEarlierAttempts,
        check: async input => {
          const checked = whole(input)
          refuseOtherOperation(sender.build({operation, input: checked}), target)
          await checkInput(operation, checked)
        },
        build: (input, idempotencyKey) => {
          const built = sender.build({operation, input: whole(input), idempotencyKey})
          refuseOtherOperation(built, target)
          return {
            start: trace => startOf({target, request: built, trace: {...trace, ...purpose}}),
            // Without a signal: wait for what was already sent.
            send: admit => {
              const {timeout: timeoutMs, retries} = context.flags
              const options = {admit, timeoutMs, retries}
              if (onePage || !isWholeList(operation, built.input))
                return send(context, target, sender, built, options)
              return wholeList(operation, built.input, (query, more) => {
                const page = sender.build({operation, input: {...built.input, query}})
                return send(context, target, sender, page, {...options, ...more})
              })
            },
          }
        },
      }
    },
    cardNumberBody: async pan => {
      const {retries, timeout: timeoutMs} = context.flags
      return panBody(target, pan, {retries, timeoutMs}, surroundings)
    },
    close: async () => {
      await turns.close()
      await sender.close()
      await sandbox?.close()
    },
  }
}

interface ServiceInUse {
  readonly target: Target
  readonly sender: Sender
  readonly turns: Turns
  /** @throws Failure GATE_REFUSED if only the profile says that the key of a write is honoured, and the sandbox denies it. */
  proveClaim(operation: Operation): Promise<void>
}

/** A live service is no sandbox; on this machine, what is called live may be one. */
const isClaimed = (operation: Operation, {kind, hosts, ...target}: Target): boolean =>
  (kind !== 'live' || hosts.every(host => isLoopback(new URL(`http://${host}`).hostname))) &&
  honoursKey(operation, target) &&
  (!operation.idempotent || ownHeader(target) !== undefined)

/** The header that only the profile says carries keys. */
const ownHeader = ({idempotencyHeader: header}: Pick<Target, 'idempotencyHeader'>): string | undefined =>
  header?.toLowerCase() === KEY_HEADER ? undefined : header

/** It is shown as a part of a command. */
const isHeader = (name: unknown): name is string =>
  typeof name === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(name)

/** What a sandbox says of itself. A service's own may not say it; then the profile is believed. */
async function sandboxInfo(context: Context, service: ServiceInUse): Promise<unknown> {
  // Past the gate, which knows a sandbox by the kind of its profile alone.
  const {operation, input} = toCall({operation: 'sandbox.info'})
  const {timeout: timeoutMs, retries} = context.flags
  const {signal} = context.surroundings
  const asked = service.sender.send(service.sender.build({operation, input}), {timeoutMs, retries, signal})
  return asked.then(
    ({body}) => body,
    (error: unknown) => {
      if (!(error instanceof Failure) || isInterruption(error)) throw error
    },
  )
}

function refuseWrongClaim(operation: Operation, target: Target, info: unknown): void {
  const {idempotency, idempotencyHeader: taken}: Record<string, unknown> = isObject(info) ? info : {}
  const own = ownHeader(target)
  const wrong =
    idempotency === 'documented' && !operation.idempotent
      ? [
          'every key is honoured (idempotency: all)',
          'honours the documented ones only',
          'idempotency documented',
        ]
      : own !== undefined && isHeader(taken) && taken.toLowerCase() !== own.toLowerCase()
        ? [`keys are sent as ${own}`, `takes them from ${taken}`, `idempotency-header ${taken}`]
        : undefined
  if (wrong === undefined) return
  const [claim, truth, correction] = wrong
  throw new Failure('GATE_REFUSED', {
    message: `The profile ${target.name} says that ${claim}, and this sandbox ${truth}. A retry could have its effect twice.`,
    hint: `Correct the profile: profiles edit ${target.name} --${correction}`,
    effect: 'none',
  })
}

/** check → build, for everything that is shown, proposed or sent. */
async function build(
  {target, sender}: Pick<ServiceInUse, 'target' | 'sender'>,
  call: Call,
  {idempotencyKey, uncheckedInput, recorded}: RequestOptions,
): Promise<JudgedRequest> {
  if (!recorded) refuseOwnNames(call)
  const {operation: named, input: given, described} = namedByPath(call)
  const operation = asDocumented(named, target)
  const input = withAuditUser(operation, given, target.auditUser)
  if (!uncheckedInput) await checkInput(operation, input)
  const judged = judgeRequest(sender.build({operation, input, idempotencyKey}), target, described)
  for (const each of judged.calls) await refuseUnsafeBatch(each)
  return judged
}

/** A request that may be sent once its demands are met. */
export interface PreparedRequest {
  readonly request: BuiltRequest
  readonly demands: readonly Demand[]
  /** The service may take it for a batch of transfers. */
  readonly isTransfers: boolean
}

/**
 * check → build → gate. The gate judges the request that goes over the wire, as every operation that the service may take
 * it for: see wire-gate.ts.
 */
async function prepare(
  context: Context,
  service: Pick<ServiceInUse, 'target' | 'sender'>,
  call: Call,
  options: RequestOptions,
): Promise<PreparedRequest> {
  const {target} = service
  const {uncheckedInput = false} = options
  const judged = await build(service, call, options)
  const demands: Demand[] = []
  for (const {operation: found, input} of judged.calls) {
    const operation = await gated(context, target, judged, found)
    const asked = await passGate(context, target, operation, options, input)
    if (!options.confirmed || !isTransferBatch(operation)) demands.push(...asked)
    if (!options.approved) await passSecondPerson(target, operation, input)
    await checkDeviceKeys(target, operation, input, uncheckedInput)
  }
  return {
    request: judged.built,
    demands: await wireDemands(target, judged, demands),
    isTransfers: judged.calls.some(each => isTransferBatch(each.operation)),
  }
}

/** The operation with the effect that its questions go by. */
async function gated(
  context: Context,
  target: Target,
  {built, calls}: JudgedRequest,
  operation: Operation,
): Promise<Operation> {
  const {loosened} = operation
  // What may be an operation of the built-in contract has the effect that it has there.
  if (loosened === undefined || target.kind !== 'live' || calls.length > 1 || operation !== built.operation)
    return operation
  return (await labelCounts(context, target, operation, loosened))
    ? {...operation, effect: loosened.to}
    : operation
}

async function request(
  context: Context,
  service: ServiceInUse,
  call: Call,
  options: RequestOptions,
): Promise<Outcome> {
  const {target, sender, turns} = service
  const {idempotencyKey, isNewKey, confirm, trace} = options
  const {request: built, demands, isTransfers} = await prepare(context, service, call, options)
  const {operation} = built
  await service.proveClaim(operation)
  // A repeat has the same effect once, by its key or by what the journal knows.
  if (isTransfers && !options.confirmed && !options.recorded) {
    if (options.asTransfers === undefined) throw new Error('transfers past their checks')
    return options.asTransfers(more => request(context, service, call, {...options, ...more}))
  }
  if (options.confirmed !== true) {
    const asksAnyway = options.careful && demands.length === 0 && isServiceWrite(operation)
    const asked = asksAnyway ? [{yes: true}] : demands
    const notes = mayChange(operation) ? await largeChangesOf(context, built, trace) : []
    if (asked.length > 0 || notes.length > 0)
      await confirmRequest(context, {target, request: built, demands: asked, confirm, notes})
  }
  await options.check?.()
  await context.stores.announceService()
  const sendBuilt = async (admit: SendOptions['admit']): Promise<ServiceResponse> => {
    const {timeout} = context.flags
    const began = context.surroundings.now()
    const response = await send(context, target, sender, built, {
      admit,
      timeoutMs: timeout ?? options.timeoutMs,
      retries: context.flags.retries,
      signal: context.surroundings.signal,
      received: options.received,
      unmasked: options.unmasked,
      waiting: (host, attempt) => {
        const name = target.embedded ? 'sandbox' : host
        const spinner = context.printer.spinner(attempt > 1 ? `${name}, attempt ${attempt}` : name)
        return () => spinner.stop()
      },
    })
    if (timeout !== undefined) context.printer.endBefore(began + timeout)
    return response
  }
  if (leavesRecord(operation)) {
    const mayBeUsed = idempotencyKey !== undefined && !isNewKey
    const purpose = await context.purposes.given(target, trace)
    return journalled(context, {target, request: built, mayBeUsed, trace: {...trace, ...purpose}}, sendBuilt)
  }
  await context.stores.reportUnfinished()
  try {
    return {response: await sendBuilt(options.paced ? turns.admit : undefined)}
  } catch (error) {
    const isUnknown = error instanceof Failure && error.details.effect === 'unknown'
    if (!isUnknown) throw error
    throw error.with({hint: `Look: ${context.commandLine('sandbox', 'authorizations', 'list')}`})
  }
}

/** Whether a request sets amounts of something that may have had others. */
const mayChange = (operation: Operation): boolean =>
  isServiceWrite(operation) && operation.method === 'PATCH' && operation.amounts !== undefined

async function largeChangesOf(
  context: Context,
  {operation, input, key, url}: BuiltRequest,
  trace: RequestTrace | undefined,
): Promise<readonly string[]> {
  if (!(await context.stores.hasJournal())) return []
  using journal = await context.stores.quietJournal()
  const path = new URL(url).pathname
  return largeChanges(journal, {operation, input, key, path, retryOf: trace?.retryOf})
}

const isServiceWrite = (operation: Operation): boolean =>
  leavesRecord(operation) && operation.effect === 'write'

/** Every response passes here, so that no command can forget to report where it differs from the contract. */
async function send(
  context: Context,
  target: Target,
  sender: Sender,
  ...parameters: Parameters<Sender['send']>
): Promise<ServiceResponse> {
  const [built, options = {}] = parameters
  const {operation} = built
  let head: ReceivedHead | undefined
  const received = (one: ReceivedHead): void => {
    head = one
    options.received?.(one)
  }
  const sending = sender.send(built, {...options, received})
  // Also of a refusal.
  const heard = (): void => {
    if (head) context.stores.heardTime(target, head.headers)
  }
  const response = await sending.catch(async (error: unknown) => {
    heard()
    context.effects.add(operation, error instanceof Failure ? (error.details.effect ?? 'none') : 'unknown')
    throw error
  })
  await heard()
  context.effects.add(operation, 'done')
  if (operation.effect === 'read' && response.isForeign) {
    for (const value of [response.body].flat()) context.printer.showAsItCame(value as object)
  }
  context.differences.add(response.differences)
  for (const words of distinctDifferences(response.differences)) context.debug(`  differs: ${words}`)
  return response
}

/** @throws Failure GATE_REFUSED if the profile wants a second person for the request. */
async function passSecondPerson(target: Target, operation: Operation, input?: AnyInput): Promise<void> {
  if (target.secondPersonFor.length === 0 || operation.effect === 'read') return
  refuseAlone(target, operation, input)
}

async function passGate(
  context: Context,
  target: Target,
  operation: Operation,
  {allowV2 = false, trace}: RequestOptions = {},
  input?: AnyInput,
): Promise<readonly Demand[]> {
  const {interactive} = context
  const {explicit} = await context.service.chosen()
  const demands = gate(target, operation, {allowV2, interactive, explicit}, input)
  const above = input && target.ceiling.length > 0 ? ceilingDemands(target, operation, input) : []
  // Before anything else is asked.
  if (leavesRecord(operation)) await context.purposes.given(target, trace)
  return [...above, ...demands]
}
