import type {Operation} from '../contract/operation.ts'
import {type JsonSchema, memberAt} from '../contract/schema.ts'
import {Failure} from '../errors/failure.ts'
import {isReferenceName, looksLikeCardNumber} from '../sensitive/card-number.ts'
import {Secret} from '../sensitive/secret.ts'
import {isSecretName} from '../sensitive/secret-names.ts'
import {refuseCardNumber, SEEN} from './refuse-card-number.ts'

type Marked = Pick<Operation, 'sensitive'>

/** No real body is deeper, and a longer path of members is of no use to anybody. */
const DEEPEST = 100

/**
 * A value that stands on the command line, to be set at `path` of a body.
 *
 * @throws Failure SENSITIVE_IN_ARGV
 */
export function refuseSecrets(
  operation: Marked,
  schema: JsonSchema | undefined,
  path: readonly string[],
  value: unknown,
): void {
  for (const {path: place, why} of secretsIn(operation, schema, path, value)) {
    throw new Failure('SENSITIVE_IN_ARGV', {
      message: `${place.join('.')} ${why}, ${SEEN}`,
      hint: 'Give the body with --data @FILE or --data - instead.',
      effect: 'none',
    })
  }
}

/** The operation with marks also on what the contract doesn't know of its body and looks secret, so that nothing shows it. */
export function withSecretsMarked(
  operation: Operation,
  schema: JsonSchema | undefined,
  body: unknown,
): Operation {
  const found = [...secretsIn(operation, schema, [], body)]
  if (found.length === 0) return operation
  const pointers = found.map(({path}) => path.map(step => `/${escapeStep(step)}`).join(''))
  const request = [...new Set([...operation.sensitive.request, ...pointers])]
  return {...operation, sensitive: {...operation.sensitive, request}}
}

const escapeStep = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')

interface Found {
  readonly path: readonly string[]
  readonly why: string
}

/** The contract says which members are secret; where it is silent, their names and digits do. */
function* secretsIn(
  operation: Marked,
  schema: JsonSchema | undefined,
  path: readonly string[],
  value: unknown,
): Generator<Found> {
  if (value instanceof Secret) return
  if (typeof value === 'object' && value !== null) {
    if (path.length > DEEPEST) return
    for (const [name, item] of Object.entries(value))
      yield* secretsIn(operation, schema, [...path, name], item)
    return
  }
  const isKnown = schema !== undefined && memberAt(schema, path) !== undefined
  if (isMarked(operation, path) || (!isKnown && path.some(name => isSecretName(name)))) {
    yield {path, why: 'is secret'}
  } else if (!isKnown && !path.some(isReferenceName) && looksLikeCardNumber(String(value))) {
    yield {path, why: 'looks like a card number'}
  }
}

/**
 * What stands in the path or query of `api`.
 *
 * @throws Failure SENSITIVE_IN_ARGV
 */
export function refuseSecretsInUrl(
  params: Iterable<readonly [name: string, value: string]>,
  query: Iterable<readonly [name: string, value: string]>,
): void {
  for (const [name] of query) {
    if (!isSecretName(name)) continue
    throw new Failure('SENSITIVE_IN_ARGV', {
      message: `${name} in the query is secret, ${SEEN}`,
      hint: 'An address is logged on its way, too; secrets travel in bodies: --data @FILE or --data -.',
      effect: 'none',
    })
  }
  for (const [name, value] of [...params, ...query]) {
    if (!isReferenceName(name)) refuseCardNumber(value, 'A part of the path')
  }
}

function isMarked({sensitive}: Marked, path: readonly string[]): boolean {
  if (path.length === 0) return false
  return sensitive.request.some(pointer => {
    const marked = pointer.split('/').slice(1)
    const shared = Math.min(marked.length, path.length)
    return marked.slice(0, shared).every((step, at) => step === '*' || step === path[at])
  })
}
