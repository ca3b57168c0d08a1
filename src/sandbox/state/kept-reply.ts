import type {Stored} from '../store/store.ts'

/** Who works on a request: enough to tell whether that process is still there. */
export interface ProcessMark {
  readonly pid: number
  /** Tells one boot of the machine from the next; null where the system doesn't say. */
  readonly boot: string | null
  /** When that process started, so that a pid used again isn't taken for it; null where the system doesn't say. */
  readonly started: string | null
}

/** What an idempotency key stands for: a request that runs, or the reply of one that succeeded. */
export interface KeptReply extends Stored {
  /** The process that runs it, null once it has ended. */
  readonly running: ProcessMark | null
  /** Digest of the body, for the strict mode. */
  readonly bodyDigest: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Epoch milliseconds by the sandbox clock. */
  readonly expiresAt: number
}
