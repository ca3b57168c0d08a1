import type {Operation} from '../contract/operation.ts'
import {badRequest} from './problems.ts'

/** A query member that is exploded: its own members stand in the query under their names. */
const EXPLODED = 'exclusiveStartKey'
const INTEGERS = new Set(['page', 'size'])

/**
 * The query as the contract describes it. What the contract doesn't name is kept, so that it can be refused.
 * @throws Problem 400 when a member stands twice.
 */
export function readQuery(operation: Operation, search: string): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  const startKey: Record<string, string> = {}
  const known = new Set(operation.query.map(({name}) => name))
  for (const [name, value] of new URLSearchParams(search)) {
    const members = known.has(EXPLODED) && !known.has(name) ? startKey : query
    if (Object.hasOwn(members, name)) throw badRequest('repeated-member', 'A query member stands twice.')
    Object.defineProperty(members, name, {value: typed(name, value), enumerable: true})
  }
  if (Object.keys(startKey).length > 0) query[EXPLODED] = startKey
  return query
}

/** Text that is a plain integer where the contract wants one; anything else stays as it is, for the contract to refuse. */
function typed(name: string, value: string): string | number {
  return INTEGERS.has(name) && /^-?\d{1,15}$/.test(value) ? Number(value) : value
}
