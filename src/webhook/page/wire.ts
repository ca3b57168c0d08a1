import type {CallSummary, Exchange} from '../exchange.ts'
import type {RuleHits} from '../rules/index.ts'
import {mccOf} from '../search-fields.ts'
import type {Verdict} from '../send/caller.ts'

/** What server and page say to each other, below the path of the page: `/_inspect/PLACE/`. */

/** The credentials that an endpoint asks for. */
interface Auth {
  readonly auth?: 'basic' | 'bearer' | 'header'
  /** The header of `header`, in lower case. */
  readonly authHeader?: string
}

/** An endpoint that calls can be sent to. */
export interface Target extends Auth {
  /** Without a trailing slash. */
  readonly url: string
}

/** The first message of a stream. Its URL is where calls come, path prefix included. */
export interface Hello extends Target {
  /** Changes when the server restarts: the page then holds the data of another server. */
  readonly epoch: string
  readonly deadlineMs: number
  /** The endpoint of `--forward-to`. */
  readonly forward?: Target
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

/** `GET history?before=AT&event=ID`. */
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

/** Messages of the stream by name: `hello`, then `calls`, `waiting` and `rules` as things come. */
export interface StreamMessages {
  readonly hello: Hello
  /** Oldest first. */
  readonly calls: readonly Exchange[]
  /** Everything that waits now, oldest first. */
  readonly waiting: readonly Waiting[]
  /** How often each rule has decided; never without rules. */
  readonly rules: readonly RuleHits[]
  /** The last message: newer windows have taken the connection. */
  readonly paused: Readonly<Record<string, never>>
}

/** `POST answer`. */
export interface AnswerRequest {
  readonly event: string
  readonly choice:
    | {readonly approve: true}
    | {readonly decline: string}
    | {readonly partial: {readonly amount: number; readonly currency: string}}
}

/** `POST send`: a call to this server itself. */
export interface SendRequest {
  readonly path: '/auth' | '/warm-up'
  readonly body: unknown
}

/** `POST elsewhere`: a call to an endpoint that is not this server. */
export interface ElsewhereRequest extends SendRequest {
  /** The URL above `/auth` and `/warm-up`. */
  readonly to: string
  /** The host once more, if it is another machine. */
  readonly confirm?: string
}

/** What came back from there, masked. */
export interface ElsewhereResult
  extends Pick<Verdict, 'outcome' | 'code' | 'part' | 'reason' | 'durationMs'> {
  readonly to: string
  /** Absent without an answer. */
  readonly reply?: {readonly status: number; readonly body: unknown}
}

/** A post that was refused: a sentence without a full stop. */
export interface Refused {
  readonly reason: string
}

/** The header of every request of the page with its proof, which no form and no other site can send. */
export const PROOF_HEADER = 'x-cardctl-inspect'

/** What a page proves to have the key for: HMAC-SHA-256 with the key over this, in base64url. */
export const provenText = (epoch: string, origin: string): string => `${epoch} ${origin}`

/** `GET epoch`: what a proof is made for. Anybody on this machine gets it. */
export interface Epoch {
  readonly epoch: string
}
