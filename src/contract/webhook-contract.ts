import {isObject} from '../errors/is-object.ts'

/** Whether a statement rests on the outline of the service, on public facts about such services, or on our decision. */
export type Source = 'outline' | 'known' | 'decided'

/** One field of a call or an answer. */
export interface ContractField {
  /** Dotted, with `[]` after a list: `transactionData.transactionFees[].feeType`. */
  readonly name: string
  readonly type: string
  /** Of a number; absent if it has none. */
  readonly unit?: string
  /** Whether it is required in the object around it. */
  readonly required: boolean
  readonly meaning: string
  /** The known values. Others may be added, except to response codes. */
  readonly values?: readonly {readonly value: string; readonly meaning: string}[]
  readonly example?: unknown
  readonly source: Source
}

/** What a schema can't say. */
export interface ContractRule {
  /** By which checks name it. */
  readonly id: string
  readonly about: string
  readonly text: string
  readonly source: Source
}

export interface ContractCode {
  readonly code: string
  readonly name?: string
  readonly meaning: string
  readonly use: string
}

interface NamedExample {
  readonly summary: string
  readonly value: unknown
}

/** A call of the service, and what an endpoint answers. */
export interface ContractCall {
  readonly method: 'POST'
  readonly path: string
  readonly summary: string
  readonly source: Source
  readonly headers: readonly ContractField[]
  readonly call: {readonly fields: readonly ContractField[]; readonly examples: readonly NamedExample[]}
  readonly answer: {readonly fields: readonly ContractField[]; readonly examples: readonly NamedExample[]}
  readonly rules: readonly ContractRule[]
}

/** The contract between the service and an endpoint that decides about authorisations. */
export interface WebhookContract {
  readonly calls: readonly ContractCall[]
  readonly codes: readonly ContractCode[]
}

type Node = Readonly<Record<string, unknown>>

const nodeOf = (value: unknown): Node => (isObject(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * The calls and answers as an OpenAPI 3.1 document, complete in itself: as webhooks of the service, and as the paths of an
 * endpoint, because most generators, mocks and fuzzers read only those.
 */
export async function webhookOpenApi(): Promise<Node> {
  const loaded = await import('./schemas/webhook-document.gen.json', {with: {type: 'json'}})
  const document = nodeOf((loaded as {default: unknown}).default)
  const components = nodeOf(document.components)
  const schemas = Object.entries(nodeOf(components.schemas)).map(([name, schema]) => [
    name,
    closeCodes(nodeOf(schema)),
  ])
  const paths = Object.values(nodeOf(document.webhooks)).map(item => {
    const operation = nodeOf(nodeOf(item).post)
    const operationId = textOf(operation.operationId).replace('webhook.', 'endpoint.')
    return [textOf(operation['x-path']), {post: {...operation, operationId}}]
  })
  return {
    ...document,
    servers: [{url: 'http://127.0.0.1:3000', description: 'Your endpoint'}],
    paths: Object.fromEntries(paths),
    components: {...components, schemas: Object.fromEntries(schemas)},
  }
}

/** No service knows a response code that the contract doesn't have, so its values are final. */
function closeCodes(schema: Node): Node {
  if (schema['x-codes'] === undefined) return schema
  const {'x-extensible-enum': values, ...rest} = schema
  return {...rest, enum: values}
}

/** The JSON Schema of an answer to `/auth`; `$defs` also has AuthCall and WarmUpCall. */
export async function webhookJsonSchema(): Promise<Node> {
  const {components} = await webhookOpenApi()
  const text = JSON.stringify(nodeOf(components).schemas).replaceAll('"#/components/schemas/', '"#/$defs/')
  const $defs = nodeOf(JSON.parse(text))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Answer to POST /auth',
    $comment: 'The calls are $defs/AuthCall and $defs/WarmUpCall.',
    $ref: '#/$defs/AuthReply',
    $defs,
  }
}

/** All that the contract says about calls and answers, field by field. */
export async function readWebhookContract(): Promise<WebhookContract> {
  const document = await webhookOpenApi()
  const components = nodeOf(document.components)
  const schemas = nodeOf(components.schemas)
  const calls = Object.values(nodeOf(document.webhooks)).map(item => {
    const operation = nodeOf(nodeOf(item).post)
    const source = sourceOf(operation, 'decided')
    const examplesOf = (media: Node) => Object.values(nodeOf(media.examples)) as NamedExample[]
    const request = jsonOf(operation.requestBody)
    const answer = jsonOf(nodeOf(operation.responses)['200'])
    const walk = (schema: unknown, examples: readonly NamedExample[]): readonly ContractField[] => [
      ...fieldsOf(nodeOf(schema), {schemas, source, name: '', examples: examples.map(({value}) => value)}),
    ]
    return {
      method: 'POST' as const,
      path: textOf(operation['x-path']),
      summary: textOf(operation.summary),
      source,
      headers: listOf(operation.parameters).map(parameter => headerOf(nodeOf(parameter), components)),
      call: {fields: walk(request.schema, examplesOf(request)), examples: examplesOf(request)},
      answer: {fields: walk(answer.schema, examplesOf(answer)), examples: examplesOf(answer)},
      rules: listOf(operation['x-rules']) as readonly ContractRule[],
    }
  })
  return {calls, codes: listOf(nodeOf(schemas.AuthResponseCode)['x-codes']) as readonly ContractCode[]}
}

/** What the contract says beyond fields, by the ids of the rules. */
export async function contractRules(): Promise<ReadonlyMap<string, ContractRule>> {
  const {calls} = await readWebhookContract()
  return new Map(calls.flatMap(({rules}) => rules.map(rule => [rule.id, rule] as const)))
}

const jsonOf = (holder: unknown): Node => nodeOf(nodeOf(nodeOf(holder).content)['application/json'])

function headerOf({$ref}: Node, components: Node): ContractField {
  const parameter = nodeOf(nodeOf(components.parameters)[textOf($ref).split('/').at(-1) ?? ''])
  const [value] = listOf(nodeOf(parameter.schema).enum)
  return {
    name: textOf(parameter.name),
    type: 'text',
    required: parameter.required === true,
    meaning: textOf(parameter.description),
    example: value,
    source: sourceOf(parameter, 'decided'),
  }
}

interface Place {
  readonly schemas: Node
  /** Of the schema around it. */
  readonly source: Source
  readonly name: string
  /** The values at this place in the examples. */
  readonly examples: readonly unknown[]
}

function* fieldsOf(schema: Node, place: Place): Generator<ContractField> {
  const node = resolved(schema, place.schemas)
  const source = sourceOf(node, place.source)
  const required = listOf(node.required)
  for (const [own, member] of Object.entries(nodeOf(node.properties))) {
    const field = resolved(nodeOf(member), place.schemas)
    const items = field.items === undefined ? undefined : resolved(nodeOf(field.items), place.schemas)
    const name = `${place.name}${own}${items ? '[]' : ''}`
    const examples = place.examples.flatMap(value => {
      const found = nodeOf(value)[own]
      return found === undefined ? [] : [found]
    })
    const kind = items ?? field
    const values = valuesOf(kind)
    yield {
      name,
      type: typeWords(field, items),
      ...unitOf(field, nodeOf(node.properties)),
      required: required.includes(own),
      meaning: textOf(field.description),
      ...(values.length > 0 && {values}),
      ...(examples[0] !== undefined && !isObject(examples[0]) && {example: examples[0]}),
      source: sourceOf(field, source),
    }
    yield* fieldsOf(kind, {
      ...place,
      source: sourceOf(field, source),
      name: `${name}.`,
      examples: items ? examples.flatMap(listOf) : examples,
    })
  }
}

/** A schema with what its reference leads to; its own words win. */
function resolved(schema: Node, schemas: Node): Node {
  const {$ref, ...own} = schema
  if (typeof $ref !== 'string') return schema
  return {...resolved(nodeOf(schemas[$ref.split('/').at(-1) ?? '']), schemas), ...own}
}

function sourceOf(node: Node, around: Source): Source {
  const source = node['x-source']
  return source === 'outline' || source === 'known' || source === 'decided' ? source : around
}

function unitOf({'x-money': isMoney, 'x-unit': unit}: Node, around: Node): {unit?: string} {
  if (typeof unit === 'string') return {unit}
  return isMoney === true && around.currency !== undefined ? {unit: 'units of the currency'} : {}
}

function valuesOf(kind: Node): NonNullable<ContractField['values']> {
  const meanings = nodeOf(kind['x-meanings'])
  const listed = listOf(kind['x-extensible-enum'])
  return listed.map(String).map(value => ({value, meaning: textOf(meanings[value])}))
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
}

function typeWords({type, pattern}: Node, items?: Node): string {
  const types = [type].flat().map(String)
  const nullable = types.includes('null') ? ' or null' : ''
  const [named = ''] = types.filter(each => each !== 'null')
  if (items) return `list of ${isObject(items.properties) ? 'objects' : typeWords(items)}${nullable}`
  if (pattern === '^[0-9]+$') return `text of digits${nullable}`
  return `${WORDS[named] ?? named}${nullable}`
}
