import type {DocumentOperation, ImportedDocument} from '../document/document.ts'
import {compareOperations} from './compare-operations.ts'
import type {Change, Difference} from './compare-schemas.ts'
import {type MatchOptions, matchOperations} from './match-operations.ts'

/** An operation that differs. */
export interface OperationChange {
  /** The operationId, if there is one. */
  readonly id: string | null
  /** `GET /v4/{id}` in the first document, or in the second for an added operation. */
  readonly request: string
  /** The same in the second document, if it differs. */
  readonly nowAt?: string
  readonly topic: string
  readonly change: Change
  readonly breaks: boolean
  readonly differences: readonly Difference[]
}

export interface CompareOptions extends MatchOptions {
  /** Tags of the operations to compare; default: all. */
  readonly topics?: readonly string[] | undefined
}

/** The changes of the second document for a client of the first. Unchanged operations are left out. */
export function compareDocuments(
  before: ImportedDocument,
  after: ImportedDocument,
  options: CompareOptions = {},
): readonly OperationChange[] {
  const {pairs, removed, added} = matchOperations(before, after, options)
  const schemas = {before: before.schemas, after: after.schemas}
  const isWanted = ({tags}: DocumentOperation): boolean =>
    options.topics === undefined || tags.some(tag => options.topics?.includes(tag))
  return [
    ...removed.filter(isWanted).map(operation => alone(operation, 'removed')),
    ...pairs
      .filter(({before: one}) => isWanted(one))
      .flatMap(pair => {
        const differences = compareOperations({...pair, schemas})
        return differences.length === 0 ? [] : [different(pair.before, pair.after, differences)]
      }),
    ...added.filter(isWanted).map(operation => alone(operation, 'added')),
  ]
}

const requestOf = ({method, path}: DocumentOperation): string => `${method} ${path}`

const alone = (operation: DocumentOperation, change: 'added' | 'removed'): OperationChange => ({
  id: operation.operationId ?? null,
  request: requestOf(operation),
  topic: operation.tags[0] ?? '',
  change,
  breaks: change === 'removed',
  differences: [],
})

function different(
  before: DocumentOperation,
  after: DocumentOperation,
  differences: readonly Difference[],
): OperationChange {
  const isDeprecated = differences.every(({change}) => change === 'deprecated')
  return {
    id: before.operationId ?? after.operationId ?? null,
    request: requestOf(before),
    ...(requestOf(before) === requestOf(after) ? {} : {nowAt: requestOf(after)}),
    topic: before.tags[0] ?? '',
    change: isDeprecated ? 'deprecated' : 'changed',
    breaks: differences.some(({breaks}) => breaks),
    differences,
  }
}
