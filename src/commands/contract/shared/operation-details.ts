import type {Config} from '@oclif/core/config'
import {Failure} from '../../../errors/failure.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {
  commandOfPointer,
  type DocumentOperation,
  exampleOf,
  fieldsOf,
  type ImportedDocument,
  type OperationField,
  type Schema,
  selfContained,
} from '../../../imported/index.ts'
import {commandsByOperation, type NamedContract} from './read-contract.ts'

interface BodyDetails {
  readonly mediaType: string
  readonly members: readonly OperationField[]
  readonly schema: Schema | null
  readonly example: unknown
}

/** All that a contract says about one operation. */
export interface OperationDetails {
  readonly id: string | null
  readonly method: string
  readonly path: string
  readonly topic: string
  readonly summary: string | null
  readonly description: string | null
  readonly deprecated: boolean
  /** Its effect; null if the document doesn't say. */
  readonly effect: string | null
  /** What the document itself says, where --effects asked for less. */
  readonly documentEffect: string | null
  /** Whether its method and name contradict the effect that was chosen. */
  readonly contradicted: boolean
  readonly commands: readonly string[]
  readonly parameters: readonly (OperationField & {
    readonly in: string
    readonly description: string | null
  })[]
  readonly request: (BodyDetails & {readonly required: boolean}) | null
  readonly answers: readonly (Partial<BodyDetails> & {
    readonly status: string
    readonly description: string | null
  })[]
  /** JSON pointers of the fields that a response needs to prove success. */
  readonly needs: readonly string[]
}

/**
 * One operation of a contract, by operationId, by method and path, or by the command that sends it.
 *
 * @throws Failure NOT_FOUND; USAGE for a command that sends several.
 */
export async function operationDetails(
  contracts: readonly NamedContract[],
  wanted: string,
  config: Config,
): Promise<OperationDetails> {
  const commands = commandsByOperation(config)
  const {operation, schemas} = findOperation(contracts, wanted, commands)
  const imported = commandOfPointer(operation.pointer)
  const body = (contents: DocumentOperation['replies'][number]['contents']): BodyDetails | undefined => {
    const [first] = contents
    if (first === undefined) return undefined
    const {mediaType, schema, example} = first
    return {
      mediaType,
      members: fieldsOf(schema, schemas),
      schema: schema === undefined ? null : selfContained(schema, schemas),
      example: example ?? (schema === undefined ? null : exampleOf(schema, schemas)),
    }
  }
  const {operationId: id = null, method, path, summary = null, description = null} = operation
  const request = body(operation.body?.contents ?? [])
  const {'x-effect': effect, 'x-document-effect': documentEffect, 'x-needs': needs} = operation.extensions
  return {
    id,
    method,
    path,
    topic: operation.tags[0] ?? '',
    summary,
    description,
    deprecated: operation.deprecated,
    effect: typeof effect === 'string' ? effect : null,
    documentEffect: typeof documentEffect === 'string' ? documentEffect : null,
    contradicted: operation.extensions['x-contradicted'] === true,
    commands: imported === undefined ? (commands.get(id ?? '') ?? []) : [imported],
    parameters: operation.parameters.map(parameter => {
      const [itself] = fieldsOf(parameter.schema, schemas, parameter.name)
      return {
        name: parameter.name,
        type: itself?.type ?? '',
        in: parameter.in,
        required: parameter.required,
        description: parameter.description ?? null,
      }
    }),
    request: request === undefined ? null : {...request, required: operation.body?.required === true},
    answers: operation.replies.map(({status, description: about = null, contents}) => ({
      status,
      description: about,
      ...body(contents),
    })),
    needs: Array.isArray(needs) ? needs.map(String) : [],
  }
}

interface Found {
  readonly operation: DocumentOperation
  readonly schemas: ImportedDocument['schemas']
}

function findOperation(
  contracts: readonly NamedContract[],
  wanted: string,
  commands: ReadonlyMap<string, readonly string[]>,
): Found {
  const words = wanted.trim().split(/\s+/).join(' ')
  for (const {document} of contracts) {
    const operation = operationCalled(document, words, commands)
    if (operation !== undefined) return {operation, schemas: document.schemas}
  }
  const near = nearestName(
    words,
    contracts.flatMap(({document}) => document.operations.flatMap(({operationId}) => operationId ?? [])),
  )
  throw new Failure('NOT_FOUND', {
    message: `${contracts.map(({name}) => name).join(' and ')}: there is no operation ${words}.`,
    hint:
      near === undefined
        ? 'Give its operationId, its method and path ("GET /v4/{id}"), or a command ("cards get").'
        : `Did you mean ${near}?`,
    effect: 'none',
  })
}

function operationCalled(
  {operations}: ImportedDocument,
  words: string,
  commands: ReadonlyMap<string, readonly string[]>,
): DocumentOperation | undefined {
  const requestOf = ({method, path}: DocumentOperation): string => `${method} ${path}`
  const found =
    operations.find(({operationId, pointer}) => operationId === words || pointer === words) ??
    operations.find(operation => requestOf(operation).toLowerCase() === words.toLowerCase())
  if (found !== undefined) return found
  const sent = operations.filter(
    ({operationId, deprecated}) => !deprecated && commands.get(operationId ?? '')?.includes(words) === true,
  )
  if (sent.length <= 1) return sent[0]
  const ids = sent.map(({operationId}) => operationId).join(', ')
  throw new Failure('USAGE', {
    message: `${words} sends several operations.`,
    hint: `Name one of them: ${ids}`,
  })
}
