/**
 * A call as it came: a JSON object. Nothing in it is certain, whatever the contract says: a member may be missing, null, or
 * of another type.
 */
export type ReceivedCall = Readonly<Record<string, unknown>>

const NOTHING: ReceivedCall = {}

export const isObject = (value: unknown): value is ReceivedCall =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object inside a call, empty where there is none: `metadata`, `card` … */
export function partOf(call: ReceivedCall, name: string): ReceivedCall {
  const part = call[name]
  return isObject(part) ? part : NOTHING
}

/** Text, or a number of which no digit was lost on the way; undefined for all else, and for blank text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return /\S/.test(value) ? value : undefined
  return Number.isSafeInteger(value) ? String(value) : undefined
}

/** `metadata.id`. A call without one is never the same as another. */
export const callIdOf = (call: ReceivedCall): string | undefined => textOf(partOf(call, 'metadata').id)

/** `card.cardId`. */
export const cardIdOf = (call: ReceivedCall): string | undefined => textOf(partOf(call, 'card').cardId)

/** Whether the merchant says that it can take a part of the amount. */
export const takesPart = (call: ReceivedCall): boolean =>
  partOf(call, 'transactionData').partialApprovalCapable === true

/** The same call under another `metadata.id`. One without an id that can be read stays as it came. */
export const withId = (call: ReceivedCall, id: string): ReceivedCall =>
  callIdOf(call) === undefined ? call : {...call, metadata: {...partOf(call, 'metadata'), id}}
