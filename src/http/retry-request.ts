import {X509Certificate} from 'node:crypto'
import {setImmediate as nextTurn} from 'node:timers/promises'
import {type Effect, type Operation, REPLAYED_HEADER} from '../contract/operation.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {Target} from '../profiles/target.ts'
import {hideKnown} from '../sensitive/hide-known.ts'
import {maskHeaders} from '../sensitive/mask-request.ts'
import {acceptedAt, pollToEnd} from './accepted.ts'
import {type AttemptResult, attempt, type Connection, type WireResponse} from './attempt.ts'
import {type Authenticator, type Credential, withCredential} from './authenticate.ts'
import {requestLines, responseBodyLine, resultLines} from './debug-lines.ts'
import {contentOf, HOLDS_ERROR} from './envelope.ts'
import {endingFailure, interrupted} from './failures.ts'
import type {FetchLimits} from './fetch-with-retry.ts'
import {DeadlinePassed} from './network-fault.ts'
import {bodyKind} from './own-error.ts'
import {type ReadResponse, readResponse} from './read-response.ts'
import {neutralBody} from './request-parts.ts'
import {readSecretHeaders, requestSecrets, secretNames} from './request-secrets.ts'
import {type ReceivedBody, readBody, withoutSecrets} from './response-body.ts'
import {
  type BodyKind,
  backOff,
  DEFAULT_RETRIES,
  type RetryReason,
  retryAfter,
  unprovenVerdict,
  verdict,
} from './retry-rules.ts'
import {
  type AdmittedAttempt,
  type BuiltRequest,
  PROPOSAL_HEADER,
  type ReceivedPage,
  type ResponseCheck,
  type SendOptions,
  type ServiceResponse,
  type Surroundings,
} from './send-types.ts'

const DEFAULT_TIMEOUT_MS = 30_000
/** Node's timers turn a longer time into no time at all. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** Reading smaller bodies takes no noticeable time, in bytes as they came. */
const LONG = 16 * 1024

/** A shorter password may be a word that the data of a response has by chance. */
const SHORTEST_IN_DATA = 8

export interface SendingContext {
  readonly target: Target
  readonly surroundings: Surroundings
  readonly authenticator: Authenticator
  readonly connect: (origin: string) => Promise<Connection>
  readonly checkResponse: ResponseCheck
}

/** A 2xx, and what was read from it. */
interface Success {
  readonly wire: WireResponse
  readonly content: ReadResponse
}

/** How long a failure of what is fetched for a request is awaited after the deadline, ms. */
const LATE_MS = 1_000

/** Resolves or rejects with the promise, or rejects with the signal's reason if that comes first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, {once: true})
    // Also after the signal: a rejection that nobody hears of would end the process.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** One request with all its attempts: the state between them, and the loop. */
class Attempts {
  readonly #built: BuiltRequest
  readonly #options: SendOptions
  readonly #around: SendingContext
  readonly #startedAt: number
  readonly #endsAt: number
  readonly #signal: AbortSignal
  /** What the last attempt sent to the service, and nobody may see. */
  #secrets: readonly string[] = []
  #attempts = 0
  /** Attempts that count towards the number of retries. */
  #counted = 0
  #open = false
  /** A byte of some attempt may have left this machine. */
  #left = false
  #reconnected = false
  /** The JSON of the last response, also what is beside its content. */
  #whole: unknown
  #refreshed = false

  constructor(
    built: BuiltRequest,
    options: SendOptions,
    around: SendingContext,
    timeoutMs: number,
    signal: AbortSignal,
  ) {
    this.#built = built
    this.#options = options
    this.#around = around
    this.#startedAt = around.surroundings.now()
    this.#endsAt = this.#startedAt + timeoutMs
    this.#signal = signal
  }

  /** The response, or where the service says how a request ends that it has only accepted. */
  async run(): Promise<ServiceResponse | URL> {
    for (;;) {
      const {credential, result} = await this.#attempt()
      this.#left ||= result.kind === 'answered' || result.left
      const {body, success} = await this.#understood(result)
      const address = success && this.#acceptedAt(success, body)
      if (address !== undefined) return address
      if (success?.content.proven) {
        if (body.kind === 'json') this.#options.unmasked?.(success.content.unmasked, this.#page(success.wire))
        if (body.kind === 'text') this.#options.unmasked?.(body.text)
        return this.#response(success.wire, success.content)
      }
      const situation = {
        effect: effectSeen(this.#built.operation, success?.content),
        keyed: this.#built.keyed,
        irreversible: this.#built.irreversible,
        open: this.#open,
        reconnected: this.#reconnected,
        refreshable: credential?.refuse !== undefined && !this.#refreshed,
      }
      const judged = success
        ? unprovenVerdict(situation, success.content.proven === false && success.content.isFinal === true)
        : verdict(result, await this.#kindOf(result, body), situation)
      // Also if this request is not sent again: the next one needs another token.
      if (judged.code === 'UNAUTHENTICATED' && situation.refreshable) credential?.refuse?.()
      const openBefore = this.#open
      if (judged.leaves === 'unknown') this.#open = true
      if (this.#options.signal?.aborted) {
        throw interrupted(this.#built, this.#options.signal.reason, this.#attempts, this.#open)
      }
      const wait = judged.again && this.#waitBefore(judged.again, judged.settle, result)
      if (wait === undefined) {
        throw endingFailure({
          built: this.#built,
          result: result,
          verdict: judged,
          open: openBefore,
          left: this.#left,
          attempts: this.#attempts,
          now: this.#around.surroundings.now(),
          body,
          location: this.#locationOf(result),
          errorShape: this.#around.target.service?.error,
          expired: this.#expired(),
          ...(success?.content.proven === false ? {unproven: success.content} : {}),
        })
      }
      if (judged.again === 'connect') this.#reconnected = true
      if (judged.again === 'refresh') this.#refreshed = true
      await this.#sleep(wait)
    }
  }

  #acceptedAt({wire, content}: Success, body: ReceivedBody): URL | undefined {
    if (wire.status !== 202) return undefined
    const isError = !content.proven && content.why === HOLDS_ERROR
    if (isError || (body.kind !== 'json' && body.kind !== 'empty')) return undefined
    return acceptedAt(this.#built, wire, this.#around.target)
  }

  /** Its body, and what it proves. Nothing is lost with a long answer to a read, unless other requests wait for their end. */
  async #understood(result: AttemptResult): Promise<{body: ReceivedBody; success: Success | undefined}> {
    const {abandonably} = this.#around.surroundings
    const work = async () => {
      const body = result.kind === 'answered' ? await this.#read(result.response) : {kind: 'empty' as const}
      return {body, success: await this.#success(result, body)}
    }
    const mayEnd = this.#options.signal !== undefined && this.#built.operation.effect === 'read'
    const isLong = result.kind === 'answered' && result.response.body.length > LONG
    return mayEnd && isLong && abandonably ? abandonably(work) : work()
  }

  async #attempt(): Promise<{credential: Credential | undefined; result: AttemptResult}> {
    const {authenticator, connect, surroundings, target} = this.#around
    const built = this.#built
    const names = secretNames(target, built)
    let credential: Credential | undefined
    let own: readonly Credential[]
    let dispatcher: Connection
    let admitted: AdmittedAttempt | undefined
    let isAtTurn = false
    try {
      credential = await this.#fetched(authenticator.credential(built.host, this.#fetchLimits()))
      own = await this.#fetched(readSecretHeaders(target, built, this.#fetchLimits().timeoutMs))
      dispatcher = await unlessAborted(connect(built.origin), this.#signal)
      const {admit} = this.#options
      isAtTurn = admit !== undefined
      admitted = admit && (await unlessAborted(admit(this.#signal), this.#signal))
    } catch (error) {
      throw this.#unsent(error, isAtTurn)
    }
    this.#attempts += 1
    this.#secrets = requestSecrets([...(credential ? [credential] : []), ...own], built)
    if (surroundings.debug) {
      const lines = requestLines(built, this.#attempts, [...[authenticator.header ?? []].flat(), ...names])
      for (const line of lines) surroundings.debug(line)
    }
    const {headers: credited, path} = withCredential(built, credential)
    const traced = surroundings.trace?.() ?? {}
    for (const [name, value] of Object.entries(traced)) surroundings.debug?.(`  ${name}: ${value}`)
    const {proposal} = this.#options
    const headers = {
      ...(proposal === undefined ? {} : {[PROPOSAL_HEADER]: proposal}),
      ...traced,
      ...credited,
      ...Object.fromEntries(own.map(({name, value}) => [name, value.open()])),
    }
    const sentAt = surroundings.now()
    const result = await this.#waiting(this.#attempts, () =>
      attempt(
        dispatcher,
        {origin: built.origin, path, method: built.method, headers, body: built.body},
        this.#signal,
      ),
    )
    if (result.kind === 'answered') {
      const {status, headers} = result.response
      admitted?.answered(status, retryAfter(headers, surroundings.now()), headers)
      this.#options.received?.({status, headers: this.#shown(headers)})
    }
    if (surroundings.debug) {
      const hide = this.#hiding()
      const lines = resultLines(result, surroundings.now() - sentAt, headers => this.#shown(headers))
      for (const line of lines) surroundings.debug(hide(line))
    }
    return {credential, result}
  }

  /** What is fetched for the request ends a little earlier, so that its own failure is reported and not ours. */
  #fetchLimits(): FetchLimits {
    const left = this.#endsAt - this.#around.surroundings.now()
    return {retries: this.#options.retries, timeoutMs: Math.max(1, left * 0.9)}
  }

  /** Its own failure is reported if it comes a little late, on a busy machine: it names what is slow. */
  async #fetched<T>(fetching: Promise<T>): Promise<T> {
    try {
      return await unlessAborted(fetching, this.#signal)
    } catch (error) {
      if (!(error instanceof DeadlinePassed)) throw error
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(error), LATE_MS)
      await unlessAborted(fetching, late.signal).finally(() => clearTimeout(timer))
      throw error
    }
  }

  /** Headers of a response as they may be shown. */
  #shown(headers: Readonly<Record<string, string>>): Record<string, string> {
    return maskHeaders(headers, {hide: this.#hiding()})
  }

  /** A failure before the next attempt. What earlier attempts left unknown stays unknown. */
  #unsent(error: unknown, isAtTurn = false): unknown {
    const {signal} = this.#options
    if (signal?.aborted) return interrupted(this.#built, signal.reason, this.#attempts, this.#open)
    if (!this.#open && error instanceof Failure) return error
    const late = isAtTurn ? 'the rate limit left it no turn in time' : 'no response in time'
    const message = error instanceof Failure ? error.message : late
    if (!this.#open && isAtTurn && error instanceof DeadlinePassed) {
      return new Failure('RATE_LIMITED', {
        message: `${this.#built.title} was not sent: ${late}.`,
        hint: advice`Run it again later, or allow more time with --timeout. To see the pause: ${cardctl('requests', 'pace')}`,
        effect: 'none',
      })
    }
    if (!this.#open && error instanceof DeadlinePassed) {
      return new Failure('TIMED_OUT', {
        message: `${this.#built.title} got no response in time.`,
        effect: 'none',
      })
    }
    if (!this.#open) return error
    return new Failure('EFFECT_UNKNOWN', {
      message: `${this.#built.title} was sent, but its effect is unknown, and it could not be sent again: ${message}`,
      effect: 'unknown',
      repeatable: this.#built.keyed,
      idempotencyKey: this.#built.key,
    })
  }

  async #read(response: WireResponse): Promise<ReceivedBody> {
    const {target, surroundings} = this.#around
    const isDone = response.status >= 200 && response.status < 300
    // First of all, because what is cut or printed later would no longer look like the secret.
    const hide = this.#hiding(isDone ? SHORTEST_IN_DATA : undefined)
    // What a user's own document describes keeps its names: the words of a profile are for the built-in contract.
    const {operation, translated} = this.#built
    const words = operation.form === undefined && translated === undefined ? target.words : {}
    const body = withoutSecrets(neutralBody(await readBody(response, () => this.#pause()), words), hide)
    surroundings.debug?.(responseBodyLine(body, this.#built))
    this.#whole = body.kind === 'json' ? body.value : undefined
    const {envelope} = this.#built
    const content = isDone && envelope && body.kind === 'json' ? contentOf(body.value, envelope) : undefined
    if (content === undefined) return body
    // Where the contract has items beside a cursor, this service has its cursor beside the envelope.
    const isList = Array.isArray(content) && operation.paging === 'cursor'
    return {kind: 'json', value: isList ? {items: content} : content}
  }

  #page({headers}: WireResponse): ReceivedPage | undefined {
    const {operation, translated, origin, path} = this.#built
    if (operation.paging === undefined || translated !== undefined) return undefined
    const told = this.#around.target.service?.paging?.[operation.id]
    const here = new URL(origin + path.split('?', 1)[0])
    return {body: this.#whole, headers, here, told}
  }

  /** When the client certificate expired, if it did. */
  #expired(): Date | undefined {
    const {cert} = this.#around.target.tls
    if (cert === undefined) return undefined
    const {validToDate} = new X509Certificate(cert)
    return validToDate.getTime() < this.#around.surroundings.now() ? validToDate : undefined
  }

  #locationOf(result: AttemptResult): string | undefined {
    return result.kind === 'answered' ? this.#shown(result.response.headers).location : undefined
  }

  async #kindOf(result: AttemptResult, body: ReceivedBody): Promise<BodyKind> {
    if (result.kind !== 'answered') return 'empty'
    return bodyKind(this.#built, result.response, body, this.#around.target.service?.error)
  }

  /** Lets timers and signals act. A read that no one waits for ends here; the result of a write is still reported. */
  async #pause(): Promise<void> {
    await nextTurn()
    if (this.#signal.aborted && this.#built.operation.effect === 'read')
      throw this.#unsent(this.#signal.reason)
  }

  /** Hides in a text what the last attempt sent to the service. */
  #hiding(shortest?: number): (text: string) => string {
    return hideKnown(this.#secrets, shortest)
  }

  /** Milliseconds until the next attempt, or undefined if there is none. */
  #waitBefore(again: RetryReason, settle: boolean, result: AttemptResult): number | undefined {
    const {surroundings, target} = this.#around
    const counts = again !== 'busy' && again !== 'refresh'
    if (counts) this.#counted += 1
    if (counts && this.#counted > (this.#options.retries ?? DEFAULT_RETRIES)) return undefined
    const now = surroundings.now()
    const wait = backOff({
      again,
      tries: Math.max(this.#counted, 1),
      retryAfterMs: result.kind === 'answered' ? retryAfter(result.response.headers, now) : undefined,
      settleMs: settle ? target.settleDelayMs : 0,
      random: surroundings.random(),
    })
    return now + wait < this.#endsAt ? wait : undefined
  }

  /** Not while credentials are read: a command that knows a secret may ask for something on the terminal. */
  async #waiting<Result>(attempts: number, work: () => Promise<Result>, pauseMs = 0): Promise<Result> {
    const end = this.#options.waiting?.(this.#built.host, attempts, pauseMs)
    try {
      return await work()
    } finally {
      end?.()
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (ms <= 0) return
    const {surroundings} = this.#around
    surroundings.debug?.(`  again in ${Math.round(ms)} ms`)
    try {
      await this.#waiting(this.#attempts + 1, () => surroundings.sleep(ms, this.#signal), ms)
    } catch {
      // The next try sees the same signal and says what it means.
    }
  }

  /** The content of a 2xx; undefined for anything else. */
  async #success(result: AttemptResult, body: ReceivedBody): Promise<Success | undefined> {
    if (result.kind !== 'answered') return undefined
    const {response: wire} = result
    if (wire.status < 200 || wire.status >= 300) return undefined
    const content = await readResponse(this.#built, wire, body, this.#around.checkResponse, () =>
      this.#pause(),
    )
    return {wire, content}
  }

  #response(
    wire: WireResponse,
    {value, differences, isForeign, likelyEnvelope, file}: ReadResponse & {readonly proven: true},
  ): ServiceResponse {
    const {surroundings} = this.#around
    const built = this.#built
    return {
      status: wire.status,
      headers: wire.headers,
      body: value,
      ...(file && {file}),
      differences,
      isForeign,
      ...(likelyEnvelope === undefined ? {} : {likelyEnvelope}),
      attempts: this.#attempts,
      // The clock may have been set back meanwhile.
      durationMs: Math.max(0, surroundings.now() - this.#startedAt),
      ...(built.key === undefined ? {} : {idempotencyKey: built.key}),
      replayed: wire.headers[REPLAYED_HEADER]?.toLowerCase() === 'true',
    }
  }
}

/** A GET that got a page instead of the content has disclosed nothing, and has no other effect. */
function effectSeen({effect, method}: Operation, content: ReadResponse | undefined): Effect {
  const isSafe = method === 'GET' || method === 'HEAD' || method === 'QUERY'
  const isWithout = content?.proven === false && content.value === undefined
  return effect === 'disclose' && isSafe && isWithout ? 'read' : effect
}

/**
 * Sends a built request as often as the table of faults allows within its deadline.
 *
 * @throws Failure for everything but a 2xx that proves that the request was carried out.
 */
export async function sendWithRetries(
  built: BuiltRequest,
  options: SendOptions,
  around: SendingContext,
): Promise<ServiceResponse> {
  const timeoutMs = Math.min(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, LONGEST_TIMEOUT_MS)
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new DeadlinePassed('No response in time')), timeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal
  const startedAt = around.surroundings.now()
  let ended: ServiceResponse | URL
  try {
    ended = await new Attempts(built, options, around, timeoutMs, signal).run()
  } finally {
    clearTimeout(timer)
  }
  const rules = around.target.service?.accepted
  if (!(ended instanceof URL)) return ended
  if (rules === undefined) throw new Error('accepted without rules')
  return pollToEnd(built, ended, rules, {
    options,
    surroundings: around.surroundings,
    startedAt,
    read: (request, more) => sendWithRetries(request, more, around),
  })
}
