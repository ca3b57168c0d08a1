import type {CallSummary, Exchange} from '../exchange.ts'
import {mccOf} from '../search-fields.ts'

/** What server and page say to each other, below `/_inspect/`. */

/** The first message of a stream. */
export interface Hello {
  /** Changes when the server restarts: the page then holds the data of another server. */
  readonly epoch: string
  /** Where calls come, path prefix included, without a trailing slash. */
  readonly url: string
  readonly deadlineMs: number
  /** The credentials that callers need. */
  readonly auth?: 'basic' | 'bearer' | 'header'
  /** The header of `header`, in lower case. */
  readonly authHeader?: string
  /** Whether a person decides. */
  readonly ask: boolean
  /** Whether older calls can be read from a recording. */
  readonly history: boolean
}

/** An exchange without what a list doesn't show: the bodies, except the MCC, and the steps. */
export interface BriefExchange extends Exchange {
  readonly brief: true
}

export const isBrief = (exchange: Exchange): exchange is BriefExchange => 'brief' in exchange

export function briefOf({event, request: {method, path, body}}: Exchange): BriefExchange {
  const code = mccOf(body)
  const about = code === undefined ? {} : {body: {merchantData: {category: {code}}}}
  return {event, request: {method, path, ...about}, steps: [], brief: true}
}

/** `GET /_inspect/history?before=AT&event=ID`. */
export interface HistoryPage {
  /** Newest first. */
  readonly calls: readonly BriefExchange[]
  /** All that the recording has. */
  readonly total: number
  /** Where the next page starts; absent at the end. */
  readonly next?: {readonly at: number; readonly event: string}
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

/** `POST /_inspect/send`: a call to this server itself. */
export interface SendRequest {
  readonly path: '/auth' | '/warm-up'
  readonly body: unknown
}

/** A post that was refused: a sentence without a full stop. */
export interface Refused {
  readonly reason: string
}

/** A header of every post of the page, which no form and no other site can send. */
export const POST_HEADER = 'x-cardctl-inspect'
