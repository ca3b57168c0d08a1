import type {Operation} from '../contract/operation.ts'

/** Statuses with which a service says that it has carried out a request (RFC 9110, 15.3). */
const CARRIED_OUT = new Set([200, 201, 203, 204])

/**
 * Why a 2xx doesn't say that a write was carried out, as a clause about the response; undefined if it does. 202 says
 * only that the request was received, and the others speak of parts of it or of something else, unless the contract
 * lists them. A read or a disclosure shows what it got, so its status doesn't matter.
 */
export function notCarriedOut(
  {effect, success, form}: Pick<Operation, 'effect' | 'success' | 'form'>,
  status: number,
): string | undefined {
  if (effect === 'read' || effect === 'disclose' || CARRIED_OUT.has(status)) return undefined
  const isListed = form === undefined ? success.includes(status) : form.lists(status)
  if (isListed) return undefined
  return status === 202
    ? 'it says only that the request was received, and the contract does not list 202'
    : `the contract does not list ${status}`
}
