import {load} from 'js-yaml'

/** A JSON Schema or any other mapping of the document, not yet checked. */
export type Node = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Node
  readonly node: Node
}

export interface ResponseNode {
  /** `200`, `4XX` or `default`. */
  readonly status: string
  readonly schema?: Node
}

/** One operation or webhook of the document, with references outside of schemas resolved. */
export interface OperationNode {
  readonly id: string
  readonly method: string
  /** Empty for a webhook. */
  readonly path: string
  readonly topic: string
  readonly node: Node
  readonly parameters: readonly Parameter[]
  readonly body?: {readonly required: boolean; readonly schema: Node}
  readonly replies: readonly ResponseNode[]
}

export interface Contract {
  readonly document: Node
  /** `components.schemas`. */
  readonly components: Readonly<Record<string, Node>>
  readonly operations: readonly OperationNode[]
  readonly webhooks: readonly OperationNode[]
}

const METHODS = ['get', 'post', 'patch', 'put', 'delete']

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const nodeOf = (value: unknown): Node => (isNode(value) ? value : {})

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Name of the component schema that a `$ref` names, undefined if there is no `$ref`. */
export function componentName(schema: Node): string | undefined {
  if (typeof schema.$ref !== 'string') return undefined
  const name = /^#\/components\/schemas\/([^/]+)$/.exec(schema.$ref)?.[1]
  if (name === undefined)
    throw new Error(`A schema refers to ${schema.$ref}; only #/components/schemas/… is read.`)
  return name
}

/** Reads the contract's YAML into the parts that the generator and the lint use. */
export function readContract(text: string): Contract {
  const document: unknown = load(text)
  if (!isNode(document)) throw new Error('The contract is no mapping.')
  const resolve = (value: unknown): Node => resolveReference(document, nodeOf(value))
  const read = (method: string, path: string, pathItem: Node, name: string): OperationNode =>
    readOperation({method, path, pathItem, name, resolve})

  const operations = Object.entries(nodeOf(document.paths)).flatMap(([path, value]) => {
    const pathItem = resolve(value)
    return METHODS.filter(method => isNode(pathItem[method])).map(method => read(method, path, pathItem, ''))
  })
  const webhooks = Object.entries(nodeOf(document.webhooks)).flatMap(([name, value]) => {
    const pathItem = resolve(value)
    return METHODS.filter(method => isNode(pathItem[method])).map(method => read(method, '', pathItem, name))
  })
  const components = nodeOf(nodeOf(document.components).schemas)
  return {document, components: components as Readonly<Record<string, Node>>, operations, webhooks}
}

interface Reading {
  method: string
  path: string
  pathItem: Node
  name: string
  resolve(value: unknown): Node
}

function readOperation({method, path, pathItem, name, resolve}: Reading): OperationNode {
  const node = nodeOf(pathItem[method])
  const parameters = [...listOf(pathItem.parameters), ...listOf(node.parameters)].map(value =>
    readParameter(resolve(value)),
  )
  const body = node.requestBody === undefined ? undefined : resolve(node.requestBody)
  const bodySchema = body && jsonSchemaOf(body)
  const id = name === '' ? String(node.operationId ?? '') : name
  return {
    id,
    method: method.toUpperCase(),
    path,
    topic: name === '' ? String(listOf(node.tags)[0] ?? '') : 'webhook',
    node,
    parameters,
    ...(body && {body: {required: body.required === true, schema: bodySchema ?? {}}}),
    replies: Object.entries(nodeOf(node.responses)).map(([status, value]) => {
      const schema = jsonSchemaOf(resolve(value))
      return {status, ...(schema && {schema})}
    }),
  }
}

function readParameter(node: Node): Parameter {
  return {
    name: String(node.name),
    in: String(node.in),
    required: node.required === true,
    schema: nodeOf(node.schema),
    node,
  }
}

/** The schema of the JSON form (`application/json`, `application/problem+json`) of a body, if there is one. */
function jsonSchemaOf(holder: Node): Node | undefined {
  const media = Object.entries(nodeOf(holder.content)).find(([type]) => /[/+]json$/.test(type))
  return media && nodeOf(nodeOf(media[1]).schema)
}

function resolveReference(document: Node, node: Node): Node {
  if (typeof node.$ref !== 'string') return node
  let target: unknown = document
  for (const token of node.$ref.split('/').slice(1)) {
    target = nodeOf(target)[token.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  if (!isNode(target)) throw new Error(`${node.$ref} leads nowhere.`)
  return resolveReference(document, target)
}
