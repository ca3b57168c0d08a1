import {leavesRecord, type Operation} from '../../contract/operation.ts'
import {advice} from '../../errors/advice.ts'
import {Failure} from '../../errors/failure.ts'
import type {BuiltRequest, ReceivedHead, Sender, SendOptions, ServiceResponse} from '../../http/index.ts'
import {isLoopback} from '../../network/check-url.ts'
import type {Target} from '../../profiles/target.ts'
import {noteBatchEnds} from '../batch-ends.ts'
import {confirmRequest} from '../confirm.ts'
import type {Context} from '../context.ts'
import {credentialHint} from '../credential-hint.ts'
import {distinctDifferences} from '../effects.ts'
import {firstAmounts, largeChanges} from '../former-values.ts'
import {journalled, type RequestTrace} from '../journalled.ts'
import type {Turns} from '../pace.ts'
import type {Call, Outcome, RequestOptions} from './options.ts'
import {type Destination, prepare} from './prepare.ts'
import type {SandboxClaim} from './sandbox-claim.ts'

/** Every response passes here, so that no command can forget to report where it differs from the contract. */
export async function send(
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
    // Without its secret, no request was written.
    if (!(error instanceof Failure) || error.code !== 'SECRET_MISSING') context.effects.noteSent(operation)
    context.effects.add(operation, error instanceof Failure ? (error.details.effect ?? 'none') : 'unknown')
    if (error instanceof Failure) context.effects.addRefused(operation, error)
    const isRefused = error instanceof Failure && error.code === 'UNAUTHENTICATED'
    throw isRefused ? error.with({hint: await credentialHint(context)}) : error
  })
  heard()
  context.effects.noteSent(operation)
  context.effects.add(operation, 'done')
  // What an accepted write came to is at an address of the service's own.
  if (response.isForeign && (operation.effect === 'read' || response.isPolled)) {
    for (const value of [response.body].flat()) context.printer.showAsItCame(value as object)
  }
  context.differences.add(response)
  for (const words of distinctDifferences(response.differences)) context.debug(`  differs: ${words}`)
  return response
}

/** Says what requests wait for: a response, or the time of the next attempt. */
export function sayWaits(
  {printer, surroundings}: Context,
  target: Pick<Target, 'embedded'>,
): NonNullable<SendOptions['waiting']> {
  return (host, attempt, pauseMs) => {
    const name = target.embedded ? 'the sandbox' : host
    const number = attempt > 1 ? `, attempt ${attempt}` : ''
    const brief = `${target.embedded ? 'sandbox' : host}${number}`
    if (pauseMs === 0)
      return printer.waiting({for: 'response', why: `${name} has not responded yet${number}`, brief})
    const until = surroundings.now() + pauseMs
    return printer.waiting({for: 'retry', why: `then ${name} is asked again${number}`, until, brief})
  }
}

/** The service that a client sends to. */
export interface ServiceInUse extends Destination {
  readonly turns: Turns
  readonly claim: SandboxClaim
}

/** check → build → gate → confirm → journal → send → journal and audit trail. */
export async function request(
  context: Context,
  service: ServiceInUse,
  call: Call,
  options: RequestOptions,
): Promise<Outcome> {
  const {target, sender, turns} = service
  const {idempotencyKey, isNewKey, confirm, trace} = options
  const {request: built, demands, isTransfers} = await prepare(context, service, call, options)
  const {operation} = built
  const isRecorded = leavesRecord(operation)
  const isWrite = isRecorded && operation.effect === 'write'
  await service.claim.prove(operation)
  // A repeat has the same effect once, by its key or by what the journal knows.
  if (isTransfers && !options.confirmed && !options.recorded) {
    if (options.asTransfers === undefined) throw new Error('transfers past their checks')
    return options.asTransfers(more => request(context, service, call, {...options, ...more}))
  }
  if (options.confirmed !== true) {
    const asksAnyway = options.careful && demands.length === 0 && isWrite
    const asked = asksAnyway ? [{yes: true}] : demands
    const {notes, first} =
      isWrite && mayChange(operation) ? await changesOf(context, built, trace) : NO_CHANGES
    if (asked.length > 0 || notes.length > 0)
      await confirmRequest(context, {
        target,
        request: built,
        demands: asked,
        confirm,
        isRepeat: trace?.retryOf !== undefined && built.keyed,
        // Where nothing is asked, the result says it.
        notes: asked.length > 0 && first !== undefined ? [...notes, first] : notes,
      })
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
      // Only a server of another user, on this machine, needs to know.
      proposal: isLoopback(new URL(built.origin).hostname) ? trace?.proposal : undefined,
      waiting: sayWaits(context, target),
    })
    if (timeout !== undefined) context.printer.endBefore(began + timeout)
    return response
  }
  if (isRecorded) {
    const mayBeUsed = idempotencyKey !== undefined && !isNewKey
    const purpose = await context.purposes.given(target, trace)
    const {isReported} = options
    const about = {target, request: built, mayBeUsed, isReported, trace: {...trace, ...purpose}}
    const outcome = await journalled(context, about, sendBuilt)
    await noteBatchEnds(context, operation.id, outcome.response.body)
    return outcome
  }
  await context.stores.reportUnfinished()
  try {
    const response = await sendBuilt(options.paced ? turns.admit : undefined)
    await noteBatchEnds(context, operation.id, response.body)
    return {response}
  } catch (error) {
    const isUnknown = error instanceof Failure && error.details.effect === 'unknown'
    if (!isUnknown) throw error
    throw error.with({hint: advice`Look: ${context.commandLine('sandbox', 'authorizations', 'list')}`})
  }
}

/** Whether a write sets amounts of something that may have had others. */
const mayChange = ({method, amounts}: Operation): boolean => method === 'PATCH' && amounts !== undefined

interface AmountChanges {
  readonly notes: readonly string[]
  readonly first?: string | undefined
}

const NO_CHANGES: AmountChanges = {notes: []}

async function changesOf(
  context: Context,
  {operation, input, key, url}: BuiltRequest,
  trace: RequestTrace | undefined,
): Promise<AmountChanges> {
  const change = {operation, input, key, path: new URL(url).pathname, retryOf: trace?.retryOf}
  if (!(await context.stores.hasJournal())) return {notes: [], first: firstAmounts(undefined, change)}
  using journal = await context.stores.quietJournal()
  return {notes: largeChanges(journal, change), first: firstAmounts(journal, change)}
}
