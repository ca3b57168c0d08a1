import type {Dispatcher} from 'undici'
import type {AnyInput, Operation} from '../contract/operation.ts'
import type {ReplyDifference} from '../contract/validate.ts'
import type {Secret} from '../sensitive/secret.ts'
import type {BuiltRequest} from './build-request.ts'

/** What the sender takes from outside, so that tests stand still. */
export interface Surroundings {
  /** Responds instead of the network: the embedded sandbox, by `dispatcherFor`. Opened with the first attempt. */
  readonly dispatcher?: (() => Promise<Dispatcher>) | undefined
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
  /** The tool's own version, for `user-agent`. */
  readonly version: string
  /** Checks the body of a 2xx; without it, the contract's own check of the operation's id. */
  checkReply?: ReplyCheck | undefined
}

export type ReplyCheck = (
  operation: Operation,
  status: number,
  body: unknown,
) => Promise<readonly ReplyDifference[]>

/** One try that was let through, for whoever keeps the pace. */
export interface AdmittedTry {
  /**
   * An answer came, of any status.
   *
   * @param retryAfterMs how long the service asks to wait, if it does.
   * @param headers of the answer, names in lower case.
   */
  answered(status: number, retryAfterMs: number | undefined, headers: Readonly<Record<string, string>>): void
}

/** What a request is built from. The input has been checked: nothing here compares it with the contract. */
export interface RequestParts {
  readonly operation: Operation
  readonly input: AnyInput
  /** Without it a key is made, if the operation takes one. */
  readonly idempotencyKey?: string | undefined
}

export interface SendOptions {
  /** For all attempts and waits together; 30 s without it. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Awaited before every attempt, which leaves as soon as it resolves. Rejects with the signal's reason when that aborts. */
  readonly admit?: ((signal: AbortSignal) => Promise<AdmittedTry | undefined>) | undefined
}

export interface Answer {
  readonly status: number
  /** Lower-case names; repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON under the contract's neutral names, or undefined if there was no body. */
  readonly body: unknown
  /** Where the answer differs from the contract; it is shown all the same. */
  readonly differences: readonly ReplyDifference[]
  /** How many times the request was sent, resends after a 401 included. */
  readonly attempts: number
  readonly durationMs: number
  readonly idempotencyKey?: string
  /** Whether the service says that this is the stored answer of an earlier request with the same key. */
  readonly replayed: boolean
}

/** What would go over the wire; a `Secret` stands where a secret would. */
export interface Preview {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | Secret>>
  readonly body?: unknown
}

export interface Sender {
  /**
   * Builds a request, with its key. What is shown, recorded and sent is this one request; only the credentials are added
   * when it leaves. Reads no secret and opens no connection.
   *
   * @throws Failure USAGE for the key, INPUT_INVALID for what can't be in a path or body.
   */
  build(parts: RequestParts): BuiltRequest
  /** What `send` would put on the wire. Reads no secret and opens no connection. */
  preview(request: BuiltRequest): Preview
  /**
   * Sends a request, again unchanged where that has no second effect, and returns its 2xx response.
   *
   * @throws Failure with the code, effect and `repeatable` of the fault table.
   */
  send(request: BuiltRequest, options?: SendOptions): Promise<Answer>
  /** Closes the connections at once; what is still in flight fails. */
  close(): Promise<void>
}
