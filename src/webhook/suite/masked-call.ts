import {webhookShapes} from '../../contract/webhook-shapes.gen.ts'
import {maskByShape} from '../../sensitive/mask-by-shape.ts'
import {maskBroken, redact} from '../../sensitive/redact.ts'
import {shownVerdict, type Verdict} from '../send/caller.ts'
import type {Sent} from './expectation.ts'
import type {SentCall} from './results.ts'

/** A call that was sent. Unmasked. */
export interface Done extends Sent {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Whether the account had its amount, as the call said. */
  readonly isCovered?: boolean
}

/** What may be shown of a call. `padTo`: its body was made this many bytes long. */
export function maskedCall({call, verdict, at}: Done, path: SentCall['path'], padTo?: number): SentCall {
  const {durationMs, reply} = verdict
  const request =
    typeof call === 'string'
      ? maskBroken(call)
      : maskByShape(webhookShapes['webhook.auth'].request, call).masked
  return {
    at: new Date(at).toISOString(),
    path,
    request: padTo === undefined ? request : {...(request as object), padding: `(up to ${padTo} bytes)`},
    ...shownVerdict(verdict),
    ...(reply === undefined ? {} : {reply: maskedReply(reply)}),
    durationMs,
  }
}

const maskedReply = (reply: Verdict['reply']): unknown =>
  typeof reply === 'string' ? maskBroken(reply) : redact(reply, {sensitive: []})
