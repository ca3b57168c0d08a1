import {Secret} from '../sensitive/secret.ts'

/** Exchanges names of members; knows nothing of values. */
export type Renaming = ReadonlyMap<string, string>

/** Neutral names to the service's own. */
export function outward(words: Readonly<Record<string, string>>): Renaming {
  return new Map(Object.entries(words))
}

/** The service's own names back to the neutral ones; of two neutral words for one, the first wins. */
export function inward(words: Readonly<Record<string, string>>): Renaming {
  return new Map(
    Object.entries(words)
      .reverse()
      .map(([neutral, own]) => [own, neutral]),
  )
}

/** Deeper than any document of the service; what lies below keeps its names instead of exhausting the stack. */
const DEEPEST = 200

/**
 * The same JSON value with its members renamed, however deep. A member that would collide with one that is already
 * there keeps its name, so that nothing is lost.
 */
export function renameMembers(value: unknown, renaming: Renaming, depth = 0): unknown {
  if (renaming.size === 0 || depth > DEEPEST) return value
  if (Array.isArray(value)) return value.map(item => renameMembers(item, renaming, depth + 1))
  if (value === null || typeof value !== 'object' || value instanceof Secret) return value
  // Object.fromEntries defines own members, so that a member named __proto__ stays one.
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const other = renaming.get(name)
      const renamed = other !== undefined && !Object.hasOwn(value, other) ? other : name
      return [renamed, renameMembers(item, renaming, depth + 1)]
    }),
  )
}
