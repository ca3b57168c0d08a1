import {Secret} from '../sensitive/secret.ts'
import type {ReceivedBody} from './response-body.ts'

/** New names of fields, by their old ones; values stay. */
export type Renaming = ReadonlyMap<string, string>

/** Neutral names to the service's own. */
export function toServiceNames(words: Readonly<Record<string, string>>): Renaming {
  return new Map(Object.entries(words))
}

/** The service's own names back to the neutral ones. If two neutral names map to the same name, the first wins. */
export function toNeutralNames(words: Readonly<Record<string, string>>): Renaming {
  return new Map(
    Object.entries(words)
      .reverse()
      .map(([neutral, own]) => [own, neutral]),
  )
}

/** Deeper than any document of the service. Fields below it keep their names, so that the stack is not exhausted. */
const DEEPEST = 200

/**
 * The same JSON value with its fields renamed at every depth. A field keeps its name if the new one is taken, so that
 * nothing is lost.
 */
export function renameFields(value: unknown, renaming: Renaming, depth = 0): unknown {
  if (renaming.size === 0 || depth > DEEPEST) return value
  if (Array.isArray(value)) return value.map(item => renameFields(item, renaming, depth + 1))
  if (value === null || typeof value !== 'object' || value instanceof Secret) return value
  // Object.fromEntries defines own properties, so that a field named __proto__ stays one.
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const other = renaming.get(name)
      const renamed = other !== undefined && !Object.hasOwn(value, other) ? other : name
      return [renamed, renameFields(item, renaming, depth + 1)]
    }),
  )
}

/** The body of a response under the contract's neutral names. */
export function neutralBody(body: ReceivedBody, words: Readonly<Record<string, string>>): ReceivedBody {
  return body.kind === 'json' ? {kind: 'json', value: renameFields(body.value, toNeutralNames(words))} : body
}
