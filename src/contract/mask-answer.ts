import {maskByShape} from '../sensitive/mask-by-shape.ts'
import {maskBroken} from '../sensitive/redact.ts'
import {parseAnswer} from './auth-answer.ts'
import {webhookShapes} from './webhook-shapes.gen.ts'

/** What an endpoint said, as it may be shown and stored: JSON, or text if it is none. */
export function maskAnswer(text: string): unknown {
  const answer = parseAnswer(text)
  if (typeof answer === 'string') return maskBroken(text).trim()
  return maskByShape(webhookShapes['webhook.auth'].reply, answer).masked
}
