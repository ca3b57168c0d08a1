import {exceededLimit, LIMITS} from '../limits/limits.ts'
import {codeOf, unknownCode} from './response-codes.ts'
import type {Shape} from './shape.ts'
import {describeViolation, unknownFields} from './unknown-fields.ts'
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
  unknownFields(REPLY, answer).slice(0, MOST_IGNORED).map(withMeant)

const REPLY = webhookShapes['webhook.auth'].reply

/** Where the fields of an answer are: `code` is in transactionData.authResponseCode. */
const PLACES: ReadonlyMap<string, string> = new Map(placesOf(REPLY))

function* placesOf(shape: Shape, around = ''): Generator<[name: string, path: string]> {
  if (typeof shape !== 'object' || !('members' in shape)) return
  for (const [name, inner] of shape.members) {
    yield [name.toLowerCase(), around + name]
    // The two parts of an amount say nothing about which amount was meant.
    if (!/Amount$/.test(name)) yield* placesOf(inner, `${around}${name}.`)
  }
}

/** What developers call the fields of an answer, in small letters. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  amount: 'partialApprovalAmount',
  approvedamount: 'partialApprovalAmount',
  partialamount: 'partialApprovalAmount',
  balance: 'availableAmount',
  availablebalance: 'availableAmount',
  responsecode: 'authResponseCode',
  authcode: 'authResponseCode',
  approved: 'authResponseCode',
  decision: 'authResponseCode',
  result: 'authResponseCode',
  status: 'authResponseCode',
}

/** Suggests a field that has this name elsewhere in an answer, or that is known under it. */
function withMeant(violation: Violation): Violation {
  const steps = violation.pointer.split('/')
  const name = (steps.at(-1) ?? '').toLowerCase()
  const place = PLACES.get(name) ?? PLACES.get((OTHER_NAMES[name] ?? '').toLowerCase())
  if (violation.suggestion !== undefined || place === undefined) return violation
  const around = `${steps.slice(1, -1).join('.')}.`
  const message = violation.message.replace(/, which has .*$/, '')
  return {...violation, message, suggestion: place.startsWith(around) ? place.slice(around.length) : place}
}

/** The command that explains the place of a fault. */
export function contractPlace(pointer: string): string {
  if (pointer === CODE) return 'webhook contract --code all'
  const field = pointer.split('/').at(-1)
  return field === '' || field === undefined ? 'webhook contract' : `webhook contract --field ${field}`
}

/**
 * A fault of an answer in one sentence without a full stop, with misspelt fields and the command that explains it.
 *
 * @param ignored the fields of the same answer that the service ignores.
 */
export function describeAnswerFault(fault: Violation, ignored: readonly Violation[]): string {
  const meant = ignored.filter(({suggestion}) => suggestion !== undefined)
  const sentences = [fault, ...meant].map(describeViolation)
  return `${sentences.join('; ')} (${contractPlace(fault.pointer)})`
}
