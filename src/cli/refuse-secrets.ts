import type {Operation} from '../contract/operation.ts'
import {fieldSchemaAt, type JsonSchema} from '../contract/schema.ts'
import {Failure} from '../errors/failure.ts'
import {isReferenceName, looksLikeCardNumber} from '../sensitive/card-number.ts'
import {holdsCredential} from '../sensitive/mask-text.ts'
import {isPersonalByLaw} from '../sensitive/personal-names.ts'
import {Secret} from '../sensitive/secret.ts'
import {isSecretName} from '../sensitive/secret-names.ts'

type Marked = Pick<Operation, 'sensitive' | 'form' | 'ids' | 'personal'>

export const SEEN_BY_PROCESSES = 'and every process of this machine can see a command line.'

/** No real body is deeper, and nobody needs a longer path. */
const DEEPEST = 100

/**
 * Checks a value of the command line, to be set at `path` of a body. Card numbers were refused before: see
 * refuse-card-numbers.ts.
 *
 * @throws Failure SENSITIVE_IN_ARGV
 */
export function refuseSecrets(
  operation: Marked,
  schema: JsonSchema | undefined,
  path: readonly string[],
  value: unknown,
): void {
  for (const [place, leaf] of leavesOf(path, value)) {
    const isText = memberOf(schema, place)?.['x-free-text'] === true
    const why = isSecret(operation, schema, place)
      ? 'is secret'
      : isText && holdsCredential(String(leaf))
        ? 'holds what looks like a credential'
        : undefined
    if (why === undefined) continue
    throw new Failure('SENSITIVE_IN_ARGV', {
      message: `${place.join('.')} ${why}, ${SEEN_BY_PROCESSES}`,
      hint: 'Pass the body with --data @FILE or --data - instead.',
      effect: 'none',
    })
  }
}

/**
 * The operation with marks for fields of its body that the contract doesn't describe and that look secret, so that
 * nothing shows them.
 */
export function withSecretsMarked(
  operation: Operation,
  schema: JsonSchema | undefined,
  body: unknown,
): Operation {
  const found = [...leavesOf([], body)].filter(
    ([path, leaf]) => isSecret(operation, schema, path) || isNumber(schema, path, leaf),
  )
  if (found.length === 0) return operation
  const pointers = found.map(([path]) => path.map(step => `/${escapeStep(step)}`).join(''))
  const request = [...new Set([...operation.sensitive.request, ...pointers])]
  return {...operation, sensitive: {...operation.sensitive, request}}
}

const escapeStep = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')

type Path = readonly string[]

function* leavesOf(path: Path, value: unknown): Generator<readonly [path: Path, leaf: unknown]> {
  if (value instanceof Secret) return
  if (typeof value !== 'object' || value === null) {
    yield [path, value]
    return
  }
  if (path.length > DEEPEST) return
  for (const [name, item] of Object.entries(value)) yield* leavesOf([...path, name], item)
}

/** The contract says which fields are secret. Where it doesn't describe a field, the name decides. */
function isSecret(operation: Marked, schema: JsonSchema | undefined, path: Path): boolean {
  if (isMarked(operation.sensitive.request, path)) return true
  if (isMarked(operation.ids?.request, path)) return false
  if (isMarked(operation.personal?.request, path) && path.some(isPersonalByLaw)) return true
  // A user's own document describes fields but marks none.
  const isSilent = operation.form !== undefined || memberOf(schema, path) === undefined
  return isSilent && path.some(name => isSecretName(name))
}

/** A card number in a field that the contract doesn't describe. */
function isNumber(schema: JsonSchema | undefined, path: Path, leaf: unknown): boolean {
  if (memberOf(schema, path) !== undefined || path.some(isReferenceName)) return false
  return looksLikeCardNumber(String(leaf))
}

const memberOf = (schema: JsonSchema | undefined, path: Path): JsonSchema | undefined =>
  schema === undefined ? undefined : fieldSchemaAt(schema, path)

/** Checks the query of `api`. @throws Failure SENSITIVE_IN_ARGV */
export function refuseSecretsInQuery(query: Iterable<readonly [name: string, value: string]>): void {
  for (const [name] of query) {
    if (!isSecretName(name)) continue
    throw new Failure('SENSITIVE_IN_ARGV', {
      message: `${name} in the query is secret, ${SEEN_BY_PROCESSES}`,
      hint: 'URLs are logged on their way. Pass secrets in the body, with --data @FILE or --data -.',
      effect: 'none',
    })
  }
}

function isMarked(pointers: readonly string[] = [], path: readonly string[]): boolean {
  if (path.length === 0) return false
  return pointers.some(pointer => {
    const marked = pointer.split('/').slice(1)
    const shared = Math.min(marked.length, path.length)
    return marked.slice(0, shared).every((step, at) => step === '*' || step === path[at])
  })
}
