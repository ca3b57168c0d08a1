import type {AnyInput, Effect} from '../contract/operation.ts'
import type {EffectOutcome} from '../errors/failure.ts'

/**
 * Whether the answer was one that the service had stored for an earlier request with the same key, so that this one
 * changed nothing; `unknown` where neither its header nor this journal can tell.
 */
export type Replayed = boolean | 'unknown'

/** How a request ended. `none`: it certainly had no effect and the service didn't judge it, e.g. no connection. */
export type Outcome = 'done' | 'refused' | 'none' | 'unknown' | 'failed'

/** `running` and `unfinished` have no outcome yet; the process of the latter is gone. */
export type RequestState = Outcome | 'running' | 'unfinished'

/** What is written down before a request leaves. Nothing in here may be a sensitive value, except inside `input`. */
export interface RequestStart {
  /** The operation's id, or the caller's word for a request that no operation of the contract matches. */
  readonly operation: string
  readonly effect: Effect
  readonly method: string
  /** Path as sent, its parameters percent-encoded, without the query. */
  readonly path: string
  /** Origin that it goes to, e.g. `https://api.example`. */
  readonly target?: string | undefined
  /** What the request touches, as `card:3004`, for `requests list --resource`. */
  readonly resources?: readonly string[] | undefined
  /** What is asked: fingerprinted without its sensitive members, and kept sealed for a retry where it has none. */
  readonly input: AnyInput
  /**
   * The operation's `sensitive.request` pointers. Without them (no operation matches) members with a secret's name are
   * left out of the fingerprint, and the input is never kept.
   */
  readonly sensitive?: readonly string[] | undefined
  /** The members that are sent, masked and cut down, to show later what was asked. */
  readonly sent?: Readonly<Record<string, unknown>> | undefined
  /** The idempotency key, if one is sent. */
  readonly key?: string | undefined
  readonly auditUser: string
  /** The bulk job that it belongs to. */
  readonly job?: string | undefined
  /** A mark inside the request by which the service's records may show it later. */
  readonly reference?: string | undefined
  /** A digest of what it holds of its job, where that is sent in several requests. */
  readonly part?: string | undefined
  /** The request that this one repeats. */
  readonly retryOf?: string | undefined
  /** `leaving` will be called before the first byte leaves, so that what never came so far certainly had no effect. */
  readonly tellsLeaving?: boolean | undefined
}

/** What is written down after. Durations in ms. */
export interface RequestEnd {
  readonly outcome: Outcome
  readonly status?: number | undefined
  /** Id of what the reply made, e.g. of a batch. */
  readonly replyId?: string | undefined
  /** What only the reply names as touched. */
  readonly resources?: readonly string[] | undefined
  readonly durationMs?: number | undefined
  readonly attempts?: number | undefined
  readonly effect?: EffectOutcome | undefined
  /** Whether the same key may safely be sent again. */
  readonly repeatable?: boolean | undefined
  /** The failure's code. */
  readonly failure?: string | undefined
  /** Only of requests with a key that were carried out. */
  readonly replayed?: Replayed | undefined
  /** The failure's message with the service's words in it, masked. */
  readonly said?: string | undefined
  /** Where the answer differed from the contract: places and what was expected there, never values. */
  readonly differences?: readonly string[] | undefined
}

export interface RequestRecord {
  readonly id: string
  readonly profile: string
  readonly operation: string
  readonly effectMark: Effect
  readonly method: string
  readonly path: string
  readonly target: string | undefined
  readonly resources: readonly string[]
  readonly key: string | undefined
  readonly auditUser: string
  readonly job: string | undefined
  readonly reference: string | undefined
  readonly part: string | undefined
  readonly retryOf: string | undefined
  /** Whether anything of it may have left this machine; undefined where that isn't written down. */
  readonly left: boolean | undefined
  /** ms since 1970. */
  readonly begunAt: number
  readonly pid: number
  readonly state: RequestState
  readonly endedAt: number | undefined
  readonly status: number | undefined
  readonly replyId: string | undefined
  readonly durationMs: number | undefined
  readonly attempts: number | undefined
  readonly effect: EffectOutcome | undefined
  readonly repeatable: boolean | undefined
  readonly failure: string | undefined
  readonly replayed: Replayed | undefined
  readonly said: string | undefined
  readonly differences: readonly string[] | undefined
  readonly resolvedAt: number | undefined
  /** What `requests resolve` found, in words. */
  readonly evidence: string | undefined
}
