import {parseAnswer} from '../contract/auth-answer.ts'
import {maskByShape} from '../contract/mask-by-shape.ts'
import {webhookShapes} from '../contract/webhook-shapes.gen.ts'
import {maskWithin} from '../sensitive/mask-text.ts'
import {maskBroken} from '../sensitive/redact.ts'

/** More of an answer is not shown. */
const LONGEST = 500

/** What an endpoint or a command said, as it may be shown: masked, and not more than its beginning. */
export function shownAnswer(text: string): string {
  const masked = maskAnswer(text, parseAnswer(text))
  return masked === '' ? 'no body' : maskWithin(masked, LONGEST)
}

function maskAnswer(text: string, reply: unknown): string {
  if (typeof reply === 'string') return maskBroken(text).trim()
  return JSON.stringify(maskByShape(webhookShapes['webhook.auth'].reply, reply).masked)
}
