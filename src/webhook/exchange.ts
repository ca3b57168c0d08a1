import type {Earlier, Found} from './decided.ts'
import type {CallSummary, WebhookEvent} from './events.ts'
import type {ReceivedCall} from './received-call.ts'

/** One thing that was tried on the way to an answer: who or what (`rules`, `exec`, `forward` …), and what it said. */
export interface Step {
  readonly by: string
  readonly said: string
}

/** A call that waits for its decision. */
export interface Pending {
  /** The id of the event that will tell of it. */
  readonly event: string
  /** When it came, milliseconds since 1970. */
  readonly at: number
  readonly summary: CallSummary
  /** As it came: to be masked wherever it is shown or kept. */
  readonly call: ReceivedCall
}

/** A call and what came of it, as it is recorded and shown. Everything in it is masked. */
export interface Exchange {
  readonly event: WebhookEvent
  readonly request: {
    readonly method: string
    readonly path: string
    /** Parsed; text where it is no JSON; absent where it was not read. */
    readonly body?: unknown
  }
  /** Absent when the connection was closed without an answer. */
  readonly reply?: {readonly status: number; readonly body?: unknown}
  readonly steps: readonly Step[]
}

/** Keeps exchanges. The answer leaves when `record` has resolved, so it decides how much can be lost. */
export interface Recorder {
  /** Never rejects: a recording that fails must not cost an authorisation. */
  record(exchange: Exchange): Promise<void>
  /**
   * What was recorded of calls with that id (`metadata.id`): the decision about the same call, to be answered again, or
   * the event of another one. `masked` is the call as it would be recorded.
   */
  earlier?(id: string, masked: ReceivedCall): Earlier<Found>
  close(): Promise<void>
}
