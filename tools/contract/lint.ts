import {load} from 'js-yaml'
import {GROUPS, RESOURCE_KINDS} from '../../src/contract/operation.ts'
import {isSecretName} from '../../src/sensitive/secret-names.ts'
import {inlineSchema, pointersOf} from './inline-schema.ts'
import {type Contract, isNode, type Node, nodeOf, type OperationNode} from './read-contract.ts'

const SOURCES = ['outline', 'known', 'decided']
const EFFECTS = ['read', 'disclose', 'write', 'destroy']

/** The marks that cardctl knows; any other is a typing mistake. */
const KNOWN_MARKS: ReadonlySet<string> = new Set([
  'x-action',
  'x-answers',
  'x-codes',
  'x-consequence',
  'x-effect',
  'x-extensible-enum',
  'x-extension',
  'x-free-text',
  'x-group',
  'x-hazard',
  'x-whole',
  'x-idempotent',
  'x-irreversible',
  'x-meanings',
  'x-money',
  'x-needs',
  'x-neutral',
  'x-not-replaced',
  'x-open',
  'x-paging',
  'x-path',
  'x-prefix',
  'x-replaced-by',
  'x-rules',
  'x-sensitive',
  'x-source',
  'x-touches',
  'x-unit',
])

/** Names of fields that are always secret. */
const SECRET_NAME =
  /^(pinBlock|tzpk|controlId|cardNumber|fullCardNumber|cvv2?|encryptedData|encryptedPassData|activationData|digitizationData|token)$/i

/** Violations of our own rules, one sentence each. */
export function lintContract(contract: Contract): string[] {
  const ids = new Set(contract.operations.map(({id}) => id))
  return [
    ...contract.operations.flatMap(operation => lintOperation(operation, ids)),
    ...[...contract.operations, ...contract.webhooks].flatMap(operation => lintSecrets(operation, contract)),
    ...contract.operations.flatMap(operation => lintRequest(operation, contract)),
    ...contract.operations.flatMap(operation => lintTouches(operation, contract)),
    ...contract.operations.flatMap(operation => lintNeeds(operation, contract)),
    ...contract.operations.flatMap(operation => lintAnswers(operation, contract)),
    ...Object.entries(contract.components).flatMap(([name, schema]) =>
      SOURCES.includes(String(schema['x-source']))
        ? []
        : [`schema ${name}: x-source must be one of ${SOURCES.join(', ')}`],
    ),
    ...unknownMarks(contract.document),
    ...twice(contract.operations.map(({id}) => id)).map(id => `${id}: the id stands twice`),
  ]
}

/**
 * Parts of a topic's file that are missing from the bundle because nothing refers to them, one sentence each.
 *
 * @param parts the texts of the files by name.
 */
export function lintParts(parts: ReadonlyMap<string, string>, {document}: Contract): string[] {
  return [...parts].flatMap(([file, text]) => {
    const part = nodeOf(load(text))
    const lost = (place: string, inPart: unknown, inBundle: unknown): string[] =>
      Object.keys(nodeOf(inPart))
        .filter(name => !(name in nodeOf(inBundle)))
        .map(name => `${file}: no $ref leads to ${place}/${name}`)
    const components = nodeOf(document.components)
    return [
      ...lost('paths', part.paths, document.paths),
      ...lost('webhooks', part.webhooks, document.webhooks),
      ...Object.entries(nodeOf(part.components)).flatMap(([kind, named]) =>
        lost(`components/${kind}`, named, components[kind]),
      ),
    ]
  })
}

/** A fault with the file and line of what it is about: `src/contract/openapi/cards.yaml:12: cards.get.v4: …`. */
export function placed(fault: string, parts: ReadonlyMap<string, string>): string {
  const [about = ''] = fault.split(':', 1)
  const line = about.startsWith('schema ') ? `    ${about.slice('schema '.length)}:` : `operationId: ${about}`
  for (const [file, text] of parts) {
    const at = text.split('\n').findIndex(one => one.trimEnd() === line || one.trim() === line)
    if (at >= 0) return `${file}:${at + 1}: ${fault}`
  }
  return fault
}

function lintOperation(
  {id, method, path, topic, node, parameters, body, replies}: OperationNode,
  ids: ReadonlySet<string>,
): string[] {
  const faults: string[] = []
  const need = (holds: boolean, rule: string): void => {
    if (!holds) faults.push(`${id || `${method} ${path}`}: ${rule}`)
  }
  const effect = String(node['x-effect'])
  need(id !== '', 'an operationId is needed')
  need(id.startsWith(`${topic}.`), 'the id must begin with its tag')
  need(
    GROUPS.some(group => group === node['x-group']),
    `x-group must be one of ${GROUPS.join(', ')}`,
  )
  need(EFFECTS.includes(effect), `x-effect must be one of ${EFFECTS.join(', ')}`)
  need(typeof node['x-idempotent'] === 'boolean', 'x-idempotent must say true or false')
  need(typeof node['x-extension'] === 'boolean', 'x-extension must say true or false')
  need(typeof node['x-prefix'] === 'string', "x-prefix is needed, '' if there is none")
  need(SOURCES.includes(String(node['x-source'])), 'x-source is needed')
  need(
    node['x-paging'] === undefined || ['page', 'cursor'].includes(String(node['x-paging'])),
    'x-paging must be page or cursor',
  )
  need(
    node.deprecated !== true || isNonEmptyListOf(ids, [node['x-replaced-by']].flat()),
    'a deprecated operation must name its successor in x-replaced-by',
  )
  const asks = effect !== 'read' && (effect === 'destroy' || node['x-group'] !== 'sandbox')
  need(
    !asks || [node['x-action'], node['x-consequence']].every(words => typeof words === 'string'),
    'x-action and x-consequence are needed: questions are made of them',
  )
  need(
    namesIn(node['x-action']).every(name => takes(parameters, 'path', name)),
    'x-action may name path parameters only',
  )
  need(node['x-idempotent'] !== true || effect === 'write', 'only a write can honour a key')
  need(method !== 'GET' || effect === 'read', 'GET reads')
  need(!['PATCH', 'PUT'].includes(method) || body !== undefined, `a ${method} has a body`)
  need(!['GET', 'DELETE'].includes(method) || body === undefined, `a ${method} has no body`)
  need(
    takes(parameters, 'header', 'x-idempotency-key') === (node['x-idempotent'] === true),
    'x-idempotent must go with the header x-idempotency-key',
  )
  need(
    node['x-group'] === 'sandbox' || takes(parameters, 'query', 'auditUser'),
    'the query parameter auditUser is needed',
  )
  need(
    replies.some(({status}) => /^2\d\d$/.test(status)),
    'a success status is needed',
  )
  need(
    replies.some(({status}) => status === 'default'),
    'a default reply is needed',
  )
  return faults
}

const isNonEmptyListOf = (known: ReadonlySet<string>, list: readonly unknown[]): boolean =>
  list.length > 0 && list.every(one => known.has(String(one)))

/** `id` of `delete price list {id}`. */
const namesIn = (words: unknown): readonly string[] =>
  [...String(words ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))

const takes = (parameters: OperationNode['parameters'], where: string, name: string): boolean =>
  parameters.some(parameter => parameter.in === where && parameter.name.toLowerCase() === name.toLowerCase())

/** Checks the marks for confirmations, and a keyword that doesn't work with decimal numbers. */
function lintRequest({id, body, parameters}: OperationNode, {components}: Contract): string[] {
  const inside = [...parameters.map(({schema}) => schema), ...(body ? [body.schema] : [])]
  return inside.flatMap(schema => {
    const inlined = inlineSchema(schema, components)
    const badMarks = [...pointersOf(inlined, node => !MARKS.every(mark => isWarned(node[mark])))]
    // 1.13 is no multiple of 0.01 in binary floating point.
    const multiples = [
      ...pointersOf(inlined, node => node.multipleOf !== undefined && node.type !== 'integer'),
    ]
    return [
      ...badMarks.map(([pointer]) => `${id}: ${pointer} has a mark that is no list of {value, warning}`),
      ...multiples.map(([pointer]) => `${id}: ${pointer} has multipleOf, which refuses decimal numbers`),
    ]
  })
}

/** The journal can be searched by card only if every recorded request names the resources that it touches. */
function lintTouches(
  {id, method, node, parameters, body, replies}: OperationNode,
  {components}: Contract,
): string[] {
  const mark = node['x-touches']
  const isRead = node['x-effect'] === 'read' || method === 'GET'
  const leavesEntry = !isRead && node['x-group'] !== 'sandbox'
  if (mark === undefined) return leavesEntry ? [`${id}: x-touches must say what it touches`] : []
  if (!leavesEntry) return [`${id}: x-touches is for operations that leave an entry in the journal`]
  if (!isNode(mark)) return [`${id}: x-touches must be {kind: place}`]
  const isMember = (schema: Node | undefined, pointer: string): boolean =>
    schema !== undefined &&
    [...pointersOf(inlineSchema(schema, components), () => true)].some(([found]) => found === pointer)
  const isThere = (at: string): boolean => {
    if (at.startsWith('path:'))
      return parameters.some(({in: where, name}) => where === 'path' && `path:${name}` === at)
    if (!at.startsWith('reply:')) return isMember(body?.schema, at)
    const successes = replies.filter(({status}) => /^2\d\d$/.test(status))
    return successes.some(({schema}) => isMember(schema, at.slice('reply:'.length)))
  }
  return Object.entries(mark).flatMap(([kind, places]) => [
    ...(RESOURCE_KINDS.some(known => known === kind) ? [] : [`${id}: ${kind} is no kind of x-touches`]),
    ...[places]
      .flat()
      .map(String)
      .filter(at => !isThere(at))
      .map(at => `${id}: x-touches names ${at}, which is not there`),
  ])
}

/** `x-needs` may name only fields that the contract describes. */
function lintNeeds(operation: OperationNode, contract: Contract): string[] {
  const {id, node} = operation
  const needs = node['x-needs']
  if (needs === undefined) return []
  if (!Array.isArray(needs) || needs.length === 0) return [`${id}: x-needs is a list of JSON pointers`]
  const known = successFields(operation, contract)
  return needs
    .filter(pointer => !known.has(String(pointer)))
    .map(pointer => `${id}: x-needs names ${pointer}, which no success reply has`)
}

/** An operation on one resource says where its response names that resource, so that another one's is noticed. */
function lintAnswers(operation: OperationNode, contract: Contract): string[] {
  const {id, node, parameters} = operation
  const mark = node['x-answers']
  const isAboutOne = parameters.some(({in: where}) => where === 'path')
  if (mark === undefined)
    return isAboutOne ? [`${id}: x-answers must say where the reply names it, or none`] : []
  if (mark === 'none' && isAboutOne) return []
  const entries = isNode(mark) ? Object.entries(mark) : []
  if (entries.length !== 1) return [`${id}: x-answers is {path parameter: JSON pointer}, or none`]
  const known = successFields(operation, contract)
  return entries.flatMap(([param, at]) => [
    ...(takes(parameters, 'path', param)
      ? []
      : [`${id}: x-answers names ${param}, which is not in the path`]),
    ...(known.has(String(at)) ? [] : [`${id}: x-answers names ${at}, which no success reply has`]),
  ])
}

/** JSON pointers of all fields that the success replies have. */
const successFields = ({replies}: OperationNode, {components}: Contract): ReadonlySet<string> =>
  new Set(
    replies
      .filter(({status}) => /^2/.test(status))
      .flatMap(({schema}) => (schema ? [...pointersOf(inlineSchema(schema, components), () => true)] : []))
      .map(([pointer]) => pointer),
  )

const MARKS = ['x-irreversible', 'x-hazard']

const isWarned = (mark: unknown): boolean =>
  mark === undefined ||
  (Array.isArray(mark) &&
    mark.length > 0 &&
    mark.every(item => isNode(item) && item.value !== undefined && typeof item.warning === 'string'))

/** A field with the name of a secret must have the mark, in requests and in responses. */
function lintSecrets({id, body, replies}: OperationNode, {components}: Contract): string[] {
  const schemas = [body?.schema, ...replies.map(({schema}) => schema)].filter(isNode)
  const faults = schemas.flatMap(schema =>
    [...pointersOf(inlineSchema(schema, components), node => holdsText(node) && node['x-sensitive'] !== true)]
      .map(([pointer]) => pointer)
      .filter(pointer => soundsSecret(pointer.split('/').findLast(step => step !== '*') ?? ''))
      .map(pointer => `${id}: ${pointer} sounds secret and has no x-sensitive`),
  )
  return [...new Set(faults)]
}

const soundsSecret = (name: string): boolean => SECRET_NAME.test(name) || isSecretName(name)

const holdsText = (schema: Node): boolean => [schema.type].flat().includes('string')

function unknownMarks(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => unknownMarks(item, `${path}/${at}`))
  if (!isNode(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    // Below `properties`, `schemas` and the like, x- may be part of an ordinary name.
    ...(name.startsWith('x-') &&
    !/\/(properties|schemas|parameters|headers)$/.test(path) &&
    !KNOWN_MARKS.has(name)
      ? [`${path}/${name}: an unknown mark`]
      : []),
    ...unknownMarks(inner, `${path}/${name}`),
  ])
}

const twice = (names: readonly string[]): string[] => names.filter((name, at) => names.indexOf(name) !== at)
