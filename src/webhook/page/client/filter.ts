import {isFound} from '../../search.ts'
import type {Call, Ending} from './call.ts'

/** Groups of endings that a chip switches. */
export const GROUPS = ['approved', 'partial', 'declined', 'late', 'rejected', 'other'] as const
export type Group = (typeof GROUPS)[number]

export interface Filter {
  readonly text: string
  /** None means all. */
  readonly groups: ReadonlySet<Group>
}

export const EVERYTHING: Filter = {text: '', groups: new Set()}

export const groupOf = (ending: Ending): Group =>
  ending === 'none' || ending === 'broken' || ending === 'warm-up' ? 'other' : ending

/** The calls in which every word of the text is found and that belong to one of the groups. */
export function filtered(calls: readonly Call[], {text, groups}: Filter): readonly Call[] {
  if (text.trim() === '' && groups.size === 0) return calls
  return calls.filter(
    ({ending, search}) => (groups.size === 0 || groups.has(groupOf(ending))) && isFound(search, text),
  )
}

export function countGroups(calls: readonly Call[]): Readonly<Record<Group, number>> {
  const counts = {approved: 0, partial: 0, declined: 0, late: 0, rejected: 0, other: 0}
  for (const {ending} of calls) counts[groupOf(ending)]++
  return counts
}
