import process from 'node:process'
import {type Operation, withAuditUser} from '../../contract/operation.ts'
import {operations} from '../../contract/operations.gen.ts'
import type {OperationId, ResponseTo} from '../../contract/types.ts'
import {
  type BuiltRequest,
  createSender,
  dispatcherFor,
  type Surroundings as HttpSurroundings,
  type PanBody,
  type Preview,
  panBody,
} from '../../http/index.ts'
import type {Purpose} from '../../journal/index.ts'
import {readTraceContext, traceHeaders} from '../../network/trace-context.ts'
import type {Target} from '../../profiles/target.ts'
import type {Secret} from '../../sensitive/secret.ts'
import {callerText} from '../caller.ts'
import {checkInput} from '../check-input.ts'
import type {CommandLine} from '../command-line.ts'
import type {Context} from '../context.ts'
import {type EmbeddedOptions, embeddedSandbox} from '../embedded-sandbox.ts'
import {Turns} from '../pace.ts'
import {policedSender} from '../pass-policy.ts'
import type {Surroundings} from '../surroundings.ts'
import {type Call, type CommandCall, type Outcome, type RequestOptions, toCall} from './options.ts'
import {build, type PreparedRequest, passGate, passSecondPerson, prepare} from './prepare.ts'
import {request, type ServiceInUse} from './request.ts'
import {type RowSender, type RowSettings, rowSender} from './rows.ts'
import {SandboxClaim} from './sandbox-claim.ts'

/** Requests to one service: the one way from a command to the wire. */
export interface Client {
  readonly target: Target
  /** check → build → gate → confirm → journal → send → journal and audit trail. */
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
  rows(operation: Operation, earlier?: Purpose, options?: RowSettings): Promise<RowSender>
  /** For hints: with the profile or base URL in use. */
  readonly commandLine: CommandLine
  close(): Promise<void>
}

export async function openClient(
  context: Context,
  target: Target,
  embedded: EmbeddedOptions = {},
): Promise<Client> {
  if (target.auth.type === 'oauth2') {
    // Few profiles have a token URL.
    const {refuseTokenUrl} = await import('../token-url.ts')
    await refuseTokenUrl(context, target.name, target)
  }
  const sandbox = target.embedded ? embeddedSandbox(context, embedded) : undefined
  const surroundings: HttpSurroundings = {
    ...context.surroundings,
    dispatcher: sandbox && (async () => dispatcherFor(await sandbox.open())),
    // Lines that nobody sees needn't be made and masked.
    debug: context.isDebugged ? line => context.debug(line) : undefined,
    trace: requestTrace(context.surroundings.env),
    version: `${context.version} (${callerText(context.caller)})`,
  }
  const sender = policedSender(context, target, createSender(target, surroundings))
  const turns = new Turns(context)
  const claim = new SandboxClaim(context, target, sender)
  const service: ServiceInUse = {target, sender, turns, claim}
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
    check: ({operation, input}) =>
      checkInput(operation, withAuditUser(operation, input, target.auditUser), target.dialect),
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
    rows: (operation, earlier, options) => rowSender(context, service, operation, earlier, options),
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

/** Loaded with the first attempt of a trace: most runs have none. */
const nodeCrypto = () => process.getBuiltinModule('node:crypto')

/** The headers of attempts in the trace that the environment names, each with a span of its own. */
function requestTrace({
  TRACEPARENT: parent,
  TRACESTATE: state,
}: Surroundings['env']): () => Record<string, string> {
  const trace = readTraceContext(parent, state)
  return () => (trace === undefined ? {} : traceHeaders(trace, nodeCrypto().randomBytes(8).toString('hex')))
}
