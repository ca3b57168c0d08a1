import type {Operation} from '../contract/operation.ts'

/**
 * Why `gate serve` sends an operation for no agent, whatever the policy says: an agent is handed no secret, and tries none.
 * By looking for card numbers it would find the digits that are hidden.
 */
export function secretOfAgent({effect, summary, sensitive}: Operation): string | undefined {
  if (effect === 'disclose') return `"${summary}" hands out something secret, which no agent gets`
  if (sensitive.request.length > 0) return `"${summary}" takes something secret, which no agent has`
  return undefined
}
