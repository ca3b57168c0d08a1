import type {CallSummary, Exchange} from '../exchange.ts'

/** What server and page say to each other, below `/_inspect/`. */

/** The first message of a stream. */
export interface Hello {
  /** Changes when the server starts anew: what the page holds is then of another server. */
  readonly epoch: string
  /** Where calls come, path prefix included, without a trailing slash. */
  readonly url: string
  readonly deadlineMs: number
  /** What callers must show. */
  readonly auth?: 'basic' | 'bearer'
  /** Whether a person decides. */
  readonly ask: boolean
}

/** A call that has no answer yet. Everything in it is masked. */
export interface Waiting {
  readonly event: string
  readonly at: number
  readonly summary: CallSummary
  readonly body: unknown
}

/** Messages of the stream by name: `hello`, then `calls` and `waiting` as things come. */
export interface StreamMessages {
  readonly hello: Hello
  /** Oldest first. */
  readonly calls: readonly Exchange[]
  /** Everything that waits now, oldest first. */
  readonly waiting: readonly Waiting[]
}

/** `POST /_inspect/answer`. */
export interface AnswerRequest {
  readonly event: string
  readonly choice:
    | {readonly approve: true}
    | {readonly decline: string}
    | {readonly partial: {readonly amount: number; readonly currency: string}}
}

/** `POST /_inspect/send`: a call that goes to this server's own door. */
export interface SendRequest {
  readonly path: '/auth' | '/warm-up'
  readonly body: unknown
}

/** A post that was refused: a sentence without a full stop. */
export interface Refused {
  readonly reason: string
}

/** What every post of the page carries: no form and no other site can send it unasked. */
export const POST_HEADER = 'x-cardctl-inspect'
