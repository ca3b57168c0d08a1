import type {AnyInput, Operation} from '../contract/operation.ts'
import type {BodyDifference} from '../contract/validate.ts'
import type {Read} from '../dialect/index.ts'

import type {Secret} from '../sensitive/secret.ts'
import type {Connection} from './attempt.ts'
import type {AskedId} from './envelope.ts'
import type {ReceivedFile} from './response-body.ts'

/** A request as it is shown, recorded and sent, in every attempt. Only the credentials are still missing. */
export interface BuiltRequest {
  readonly operation: Operation
  /** Under neutral names, secrets still closed. */
  readonly input: AnyInput
  readonly method: string
  /** The URL as it may be shown, with base and query. */
  readonly url: string
  readonly origin: string
  /** `host` or `host:port`; credentials are bound to it. */
  readonly host: string
  /** Base path, prefix, path and query, as sent. */
  readonly path: string
  /** `PATCH /v4/DEBIT/2002`: the name in errors, without base, prefix and query. */
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  readonly key: string | undefined
  /** The header of the key, in lower case. */
  readonly keyHeader: string
  /** The same key and bytes may be sent again. */
  readonly keyed: boolean
  readonly irreversible: boolean
  /** The id that its response must have, if it has one there. */
  readonly asked: AskedId | undefined
  /** Where its response has its content. */
  readonly envelope: string | undefined
  /** How a dialect wrote it: the body as it goes out, its secrets closed, and how a success is read. */
  readonly translated?: {
    /** Name and digest of the dialect. */
    readonly dialect: string
    readonly body: unknown
    read(body: unknown): Read
    /** Members of theirs that the dialect reads. */
    readonly known: ReadonlySet<string>
    isOwnError(body: unknown): boolean
    content(body: unknown): unknown
    maps(pointer: string): boolean
    abridges(pointer: string): boolean
  }
  /** A read that is sent first, and the request that it completes. */
  readonly before?: {
    readonly request: BuiltRequest
    complete(response: unknown): BuiltRequest
  }
  /** The secrets outside the body, masked to be shown. */
  readonly shown?: {readonly path: string; readonly secretHeaders: readonly string[]}
  /** Segments of the path that are masked in `shown`, although they were typed as text. */
  readonly hidden?: readonly string[]
}

/** What the sender gets from outside, so that tests are deterministic. */
export interface Surroundings {
  /** Responds instead of the network: the embedded sandbox, by `dispatcherFor`. Opened with the first attempt. */
  readonly dispatcher?: (() => Promise<Connection>) | undefined
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms`, or rejects as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** In [0, 1), for the jitter. */
  random(): number
  /** A new idempotency key: 1 to 64 printable ASCII characters. */
  newKey(): string
  readonly env: Readonly<Record<string, string | undefined>>
  /** One line of the debug log, already masked. */
  debug?: ((line: string) => void) | undefined
  /** Headers by which an attempt belongs to a trace; new ones for each. */
  trace?(): Readonly<Record<string, string>>
  /** cardctl's version, for `user-agent`. */
  readonly version: string
  /** For work on the answer to a read that may be long: a signal ends the process meanwhile. */
  abandonably?<Result>(work: () => Promise<Result>): Promise<Result>
  /** Checks the body of a 2xx. Default: the contract's check for the operation's id. */
  checkResponse?: ResponseCheck | undefined
}

export type ResponseCheck = (
  operation: Operation,
  status: number,
  body: unknown,
) => Promise<readonly BodyDifference[]>

/** One attempt that was admitted, for the caller that limits the rate. */
export interface AdmittedAttempt {
  /**
   * A response arrived, of any status.
   *
   * @param retryAfterMs how long the service asks to wait, if it does.
   * @param headers of the response, names in lower case.
   */
  answered(status: number, retryAfterMs: number | undefined, headers: Readonly<Record<string, string>>): void
}

/** What a request is built from. The input was checked before: nothing here compares it with the contract. */
export interface RequestParts {
  readonly operation: Operation
  readonly input: AnyInput
  /** Made if it is missing and the operation takes one. */
  readonly idempotencyKey?: string | undefined
}

/** The head of a response, its secrets masked. */
export interface ReceivedHead {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** Names the approved proposal that a request is of, to a server of another user. */
export const PROPOSAL_HEADER = 'x-cardctl-proposal'

export interface SendOptions {
  /** For all attempts and waits together; 30 s by default. */
  readonly timeoutMs?: number | undefined
  /** How often it may be sent again after a failure that allows it; 4 by default. */
  readonly retries?: number | undefined
  readonly signal?: AbortSignal | undefined
  /**
   * Awaited before every attempt, which is sent as soon as it resolves. Rejects with the signal's reason if that
   * aborts.
   */
  readonly admit?: ((signal: AbortSignal) => Promise<AdmittedAttempt | undefined>) | undefined
  /**
   * Called when cardctl begins to wait: for the response to an attempt, or before the next one, for `pauseMs`. Call the
   * result at the end of the wait.
   */
  readonly waiting?: ((host: string, attempt: number, pauseMs: number) => () => void) | undefined
  /** The approved proposal that the request is of, for a server that looks for itself. */
  readonly proposal?: string | undefined
  /** Called with the head of the response to each attempt, also of a refusal. */
  readonly received?: ((head: ReceivedHead) => void) | undefined
  /**
   * Called with the JSON or text of a success before anything in it was masked, for what is sent back, such as a cursor.
   * Never show or keep it.
   */
  readonly unmasked?: ((body: unknown, page?: ReceivedPage) => void) | undefined
}

/** What a response to an operation of the built-in contract says of the page after it. Never show or keep it. */
export interface ReceivedPage {
  /** All of the JSON, also what is beside its content. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** The URL that was asked, without its query. */
  readonly here: URL
  /** How the profile says that pages follow. */
  readonly told: string | undefined
}

export interface ServiceResponse {
  readonly status: number
  /** Lower-case names; repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON under the contract's neutral names, or undefined if there was no body. */
  readonly body: unknown
  /** The content of a response that is no text. Its `body` then has only the type and the size. */
  readonly file?: ReceivedFile
  /** Where the response differs from the contract. It is shown nevertheless. */
  readonly differences: readonly BodyDifference[]
  /** Whether it has none of the fields that the contract describes. */
  readonly isForeign: boolean
  /** Where its content seems to be, if not where the contract has it. */
  readonly likelyEnvelope?: string | undefined
  /** It is what an accepted request came to (202), and not the response to the request itself. */
  readonly isPolled?: true
  /** How often the request was sent, including resends after a 401. */
  readonly attempts: number
  readonly durationMs: number
  readonly idempotencyKey?: string
  /** Whether the service says that it replayed the stored response of an earlier request with the same key. */
  readonly replayed: boolean
}

/** What would be sent; a `Secret` replaces each secret. */
export interface Preview {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | Secret>>
  readonly body?: unknown
}

export interface Sender {
  /**
   * Builds a request, with its key. This one request is shown, recorded and sent; only the credentials are added on
   * sending. Reads no secret and opens no connection.
   *
   * @throws Failure USAGE for the key, INPUT_INVALID for what can't be in a path or body.
   */
  build(parts: RequestParts): BuiltRequest
  /** What `send` would send. Reads no secret and opens no connection. */
  preview(request: BuiltRequest): Preview
  /**
   * Sends a request, repeats it unchanged if that has no second effect, and returns its 2xx response.
   *
   * @throws Failure with the code, effect and `repeatable` of the fault table.
   */
  send(request: BuiltRequest, options?: SendOptions): Promise<ServiceResponse>
  /** Closes the connections at once. Requests in flight fail. */
  close(): Promise<void>
}
