import {inlineSchema, pointersOf} from './inline-schema.ts'
import {type Contract, isNode, type Node, type OperationNode, type Parameter} from './read-contract.ts'

/** The table of operations, which every command loads. The types are in src/contract/operation.ts. */
export function operationsTable(contract: Contract): string {
  const entries = contract.operations.map(operation => [operation.id, slim(operation, contract)] as const)
  const lines = entries.map(([id, entry]) => `  ${JSON.stringify(id)}: ${JSON.stringify(entry)},`)
  return [
    "import type {Operation} from './operation.ts'",
    '',
    'export const operations = {',
    ...lines,
    '} as const satisfies Record<string, Operation>',
    '',
  ].join('\n')
}

function slim(operation: OperationNode, {components}: Contract) {
  const {id, node, parameters, body, replies} = operation
  const request = body ? inlineSchema(body.schema, components) : {}
  const successes = replies.filter(({status}) => /^2\d\d$/.test(status))
  const responseSchemas = successes.flatMap(({schema}) => (schema ? [inlineSchema(schema, components)] : []))
  const pathParams = parameters.filter(parameter => parameter.in === 'path')
  return {
    id,
    topic: operation.topic,
    group: node['x-group'],
    method: operation.method,
    path: operation.path,
    prefix: node['x-prefix'] ?? '',
    summary: node.summary ?? id,
    deprecated: node.deprecated === true,
    ...replacement(operation),
    effect: node['x-effect'],
    ...(node['x-action'] === undefined ? {} : {action: node['x-action'], consequence: node['x-consequence']}),
    idempotent: node['x-idempotent'] === true,
    extension: node['x-extension'] === true,
    pathParams: pathParams.map(({name}) => name),
    ...knownValues(pathParams),
    query: parameters
      .filter(parameter => parameter.in === 'query')
      .map(({name, required, schema, node}) => ({
        name,
        required,
        ...(node.explode === true && membersOf(inlineSchema(schema, components))),
      })),
    ...(node['x-paging'] === undefined ? {} : {paging: node['x-paging']}),
    ...pageSize(parameters),
    body: body ? (body.required ? 'required' : 'optional') : 'none',
    success: successes.map(({status}) => Number(status)),
    ...(node['x-needs'] === undefined ? {} : {needs: node['x-needs']}),
    ...(isNode(node['x-answers']) ? {answers: answersOf(node['x-answers'])} : {}),
    sensitive: {
      request: sensitiveOf([request]),
      reply: sensitiveOf(responseSchemas),
    },
    touches: touchesOf(node),
    irreversible: [
      ...marksOf(request, 'x-irreversible').map(({pointer, value, warning}) => ({
        pointer,
        values: [value],
        warning,
      })),
      ...pathParams.flatMap(({name, schema}) =>
        marksOf(inlineSchema(schema, components), 'x-irreversible').map(({value, warning}) => ({
          pointer: `path:${name}`,
          values: [value],
          warning,
        })),
      ),
    ],
    hazards: marksOf(request, 'x-hazard').map(({pointer, value, warning}) => ({pointer, value, warning})),
    ...wholesOf(request),
    ...amountsOf(request),
  }
}

/** The objects with `x-whole`, with the members that it lists. */
function wholesOf(request: Node) {
  const wholes = [...pointersOf(request, node => Array.isArray(node['x-whole']))].map(([pointer, node]) => ({
    pointer,
    members: node['x-whole'],
  }))
  return wholes.length === 0 ? {} : {wholes}
}

/** The members with `x-money`, each with the member beside it that names its currency. */
function amountsOf(request: Node) {
  const all = new Set([...pointersOf(request, () => true)].map(([pointer]) => pointer))
  const unlimited = new Set(
    marksOf(request, 'x-hazard').flatMap(({pointer, value}) => (value === 0 ? [pointer] : [])),
  )
  const pointers = new Set([...pointersOf(request, node => node['x-money'] === true)].map(([at]) => at))
  if (pointers.size === 0) return {}
  const amounts = [...pointers].map(pointer => ({
    pointer,
    ...(all.has(pointer.replace(/[^/]+$/, 'currency')) ? {currency: 'currency'} : {}),
    ...(unlimited.has(pointer) ? {unlimited: true} : {}),
  }))
  return {amounts}
}

/** The fields of an object whose fields are query parameters themselves. */
const membersOf = ({properties}: Node) => isNode(properties) && {members: Object.keys(properties)}

/** The limits of the query parameter `size`. */
function pageSize(parameters: readonly Parameter[]) {
  const schema = parameters.find(parameter => parameter.in === 'query' && parameter.name === 'size')?.schema
  if (schema?.maximum === undefined) return {}
  return {pageSize: {usual: Number(schema.default), largest: Number(schema.maximum)}}
}

/** `x-touches`: one entry for each place. */
function touchesOf(node: Node) {
  const touches = isNode(node['x-touches']) ? node['x-touches'] : {}
  return Object.entries(touches).flatMap(([kind, places]) => [places].flat().map(at => ({kind, at})))
}

/** `x-answers`: its only entry. */
function answersOf(mark: Node) {
  const [entry] = Object.entries(mark)
  return entry && {param: entry[0], at: entry[1]}
}

/** The replacements of a deprecated operation, and the values that no replacement accepts. */
function replacement({node, parameters}: OperationNode) {
  if (node['x-replaced-by'] === undefined) return {}
  const notReplaced = parameters.flatMap(({schema}) => schema['x-not-replaced'] ?? [])
  return {
    replacedBy: [node['x-replaced-by']].flat(),
    ...(notReplaced.length === 0 ? {} : {notReplaced}),
  }
}

/** The open enumerations of path parameters, with their known values. */
function knownValues(pathParams: OperationNode['parameters']) {
  const known = pathParams.flatMap(({name, schema}) => {
    const values = schema['x-extensible-enum']
    return Array.isArray(values) ? [[name, values] as const] : []
  })
  return known.length === 0 ? {} : {known: Object.fromEntries(known)}
}

function sensitiveOf(schemas: readonly Node[]): string[] {
  const pointers = schemas.flatMap(schema =>
    [...pointersOf(schema, node => node['x-sensitive'] === true)].map(([pointer]) => pointer),
  )
  return [...new Set(pointers)].sort()
}

function marksOf(schema: Node, mark: 'x-irreversible' | 'x-hazard') {
  return [...pointersOf(schema, node => Array.isArray(node[mark]))].flatMap(([pointer, node]) =>
    (node[mark] as unknown[]).filter(isNode).map(({value, warning}) => ({pointer, value, warning})),
  )
}
