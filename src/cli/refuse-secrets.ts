import type {Operation} from '../contract/operation.ts'
import {type JsonSchema, memberAt} from '../contract/schema.ts'
import {Failure} from '../errors/failure.ts'
import {isReferenceName, looksLikeCardNumber} from '../sensitive/card-number.ts'
import {maskText} from '../sensitive/mask-text.ts'
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
  for (const [place, leaf] of leavesOf(path, value)) {
    const why = whySecret(operation, schema, place, leaf) ?? whyText(schema, place, leaf)
    if (why === undefined) continue
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
  const found = [...leavesOf([], body)].filter(([path, leaf]) => whySecret(operation, schema, path, leaf))
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

/** The contract says which members are secret; where it is silent, their names and digits do. */
function whySecret(
  operation: Marked,
  schema: JsonSchema | undefined,
  path: Path,
  leaf: unknown,
): string | undefined {
  const isKnown = schema !== undefined && memberAt(schema, path) !== undefined
  if (isMarked(operation, path) || (!isKnown && path.some(name => isSecretName(name)))) return 'is secret'
  if (!isKnown && !path.some(isReferenceName) && looksLikeCardNumber(String(leaf))) {
    return 'looks like a card number'
  }
  return undefined
}

/** Where people write, a card number may stand among other words; an id or a reference only looks like one. */
function whyText(schema: JsonSchema | undefined, path: Path, leaf: unknown): string | undefined {
  if (schema === undefined || memberAt(schema, path)?.['x-free-text'] !== true) return undefined
  const text = String(leaf)
  return maskText(text) === text ? undefined : 'holds what looks like a card number or a credential'
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
