import type {DocumentOperation, ImportedDocument} from '../document/document.ts'

/** Pairs of matching operations, and operations without a match. */
export interface Matched {
  readonly pairs: readonly {readonly before: DocumentOperation; readonly after: DocumentOperation}[]
  readonly removed: readonly DocumentOperation[]
  readonly added: readonly DocumentOperation[]
}

export interface MatchOptions {
  /** Neutral word of the contract → the service's own word, as in a profile. */
  readonly words?: Readonly<Record<string, string>>
}

/**
 * Finds the counterpart of each operation in another document. First by method and path, ignoring the names of path
 * parameters, with or without the prefix of the group and in the profile's words; then by operationId.
 */
export function matchOperations(
  before: ImportedDocument,
  after: ImportedDocument,
  {words = {}}: MatchOptions = {},
): Matched {
  const left = new Map(after.operations.map(operation => [operation.pointer, operation]))
  const byPlace = new Map(
    after.operations.map(operation => [placeOf(operation.method, operation.path), operation]),
  )
  const byId = new Map(
    after.operations.flatMap(operation =>
      operation.operationId === undefined ? [] : [[operation.operationId, operation] as const],
    ),
  )
  const pairs: {before: DocumentOperation; after: DocumentOperation}[] = []
  const take = (one: DocumentOperation, other: DocumentOperation | undefined): boolean => {
    if (other === undefined || !left.delete(other.pointer)) return false
    pairs.push({before: one, after: other})
    return true
  }
  // Paths come first: ids change more often than paths.
  const rest = before.operations.filter(
    operation => !placesOf(operation, words).some(place => take(operation, byPlace.get(place))),
  )
  const removed = rest.filter(
    operation =>
      !take(operation, operation.operationId === undefined ? undefined : byId.get(operation.operationId)),
  )
  return {pairs, removed, added: [...left.values()]}
}

const placeOf = (method: string, path: string): string =>
  `${method} ${path.replace(/\{[^}]*\}/g, '{}').replace(/\/+$/, '')}`

function placesOf(
  {method, path, extensions}: DocumentOperation,
  words: Readonly<Record<string, string>>,
): readonly string[] {
  const prefix = typeof extensions['x-prefix'] === 'string' ? extensions['x-prefix'] : ''
  const own = path
    .split('/')
    .map(step => (Object.hasOwn(words, step) ? (words[step] ?? step) : step))
    .join('/')
  const paths = new Set([`${prefix}${own}`, own, `${prefix}${path}`, path])
  return [...paths].map(one => placeOf(method, one))
}
