import {exceededLimit, LIMITS} from '../limits/limits.ts'
import {codeOf, unknownCode} from './response-codes.ts'
import {unknownFields} from './unknown-fields.ts'
import {checkWebhookAnswer} from './validate.ts'
import type {Violation} from './violation.ts'
import {webhookShapes} from './webhook-shapes.gen.ts'

const EXAMPLE = '{"transactionData":{"authResponseCode":{"code":"00"}}}'
const CODE = '/transactionData/authResponseCode/code'

/** More unknown fields than this are no typing mistakes. */
const MOST_IGNORED = 10

/** Parses an answer to an authorisation call. Returns the text if it isn't JSON or exceeds the limits. */
export function parseAnswer(text: string): unknown {
  if (exceededLimit(text, LIMITS.call)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * What is wrong with an answer to an authorisation call: its form, or a response code that no service knows. The
 * service then uses its fallback.
 */
export async function checkAnswer(answer: unknown): Promise<readonly Violation[]> {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    const is = answer === '' ? 'has no body' : 'is not a JSON object'
    return [{pointer: '', message: `the answer ${is}; an approval is ${EXAMPLE}`}]
  }
  const violations = await checkWebhookAnswer('webhook.auth', answer)
  if (violations.length > 0) return violations
  const {code} = (answer as {transactionData: {authResponseCode: {code: string}}}).transactionData
    .authResponseCode
  return codeOf(code) === undefined ? [{pointer: CODE, ...unknownCode(code)}] : []
}

/** Fields of an answer that the service ignores: mostly typing mistakes, such as `approvedAmount`. */
export const ignoredFields = (answer: unknown): readonly Violation[] =>
  unknownFields(webhookShapes['webhook.auth'].reply, answer).slice(0, MOST_IGNORED)
