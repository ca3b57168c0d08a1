import type {Shape, TypedShape} from '../../src/contract/shape.ts'
import {mergeAllOf} from './merge-all-of.ts'
import {type Contract, isNode, type Node} from './read-contract.ts'

/** The shapes of all fields of a webhook's call and answer. See src/contract/shape.ts. */
export function webhookShapes({webhooks, components}: Contract): string {
  const lines = webhooks.map(({id, body, replies}) => {
    const success = replies.find(({status}) => status === '200')
    const request = sourceOf(shapeOf(body?.schema ?? {}, components))
    const reply = sourceOf(shapeOf(success?.schema ?? {}, components))
    return `  ${JSON.stringify(id)}: {request: ${request}, reply: ${reply}},`
  })
  return [
    "import type {Shape} from './shape.ts'",
    "import type {WebhookId} from './types.ts'",
    '',
    'export const webhookShapes: Readonly<Record<WebhookId, {readonly request: Shape; readonly reply: Shape}>> = {',
    ...lines,
    '}',
    '',
  ].join('\n')
}

/** The shapes of all fields of an operation's success response. */
export function responseShapes({operations, components}: Contract): string {
  const lines = operations.flatMap(({id, replies}) => {
    const success = replies.find(({status, schema}) => /^2/.test(status) && schema !== undefined)
    return success?.schema
      ? [`  ${JSON.stringify(id)}: ${sourceOf(shapeOf(success.schema, components))},`]
      : []
  })
  return [
    "import type {Shape} from './shape.ts'",
    '',
    'export const responseShapes: Readonly<Record<string, Shape>> = {',
    ...lines,
    '}',
    '',
  ].join('\n')
}

function shapeOf(schema: Node, components: Contract['components']): Shape {
  const node = mergeAllOf(schema, components)
  const {properties, items, 'x-extensible-enum': values} = node
  if (node['x-sensitive'] === true) return 'sensitive'
  if (isNode(properties)) {
    const members = Object.entries(properties).filter((entry): entry is [string, Node] => isNode(entry[1]))
    return {members: new Map(members.map(([name, one]) => [name, shapeOf(one, components)]))}
  }
  if (isNode(items)) return {items: shapeOf(items, components)}
  if (Array.isArray(values)) return {values: values.map(String)}
  if (node['x-free-text'] === true) return 'text'
  return typedShape(node) ?? 'unknown'
}

/** The narrowest shape for values of the schema. */
function typedShape({type, enum: values, pattern, format, maxLength, maximum}: Node): TypedShape | undefined {
  const types = [type].flat().filter(each => each !== 'null')
  const isText = types.includes('string')
  const isNumber = types.includes('number') || types.includes('integer')
  if (isText && isNumber) return 'string or number'
  if (isNumber) return typeof maximum === 'number' && maximum < LEAST_CARD_NUMBER ? {most: maximum} : 'number'
  if (types.includes('boolean')) return 'boolean'
  if (!isText) return type === undefined ? undefined : 'string'
  const known = typeof format === 'string' ? FORMATS[format] : undefined
  if (known !== undefined) return {fits: known}
  if (typeof pattern === 'string') return {fits: new RegExp(pattern, 'u')}
  if (Array.isArray(values)) return {fits: oneOf(values.map(String))}
  return typeof maxLength === 'number' ? {fits: new RegExp(`^.{0,${maxLength}}$`, 'u')} : 'string'
}

/** The smallest number with 13 digits. */
const LEAST_CARD_NUMBER = 1e12

const oneOf = (values: readonly string[]): RegExp =>
  new RegExp(`^(?:${values.map(value => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')})$`, 'u')

/** Patterns just strict enough to exclude a possible card number. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
}

function sourceOf(shape: Shape): string {
  if (typeof shape === 'string' || 'values' in shape || 'most' in shape) return JSON.stringify(shape)
  if ('fits' in shape) return `{fits: ${shape.fits}}`
  if ('items' in shape) return `{items: ${sourceOf(shape.items)}}`
  const members = [...shape.members].map(([name, one]) => `[${JSON.stringify(name)}, ${sourceOf(one)}]`)
  return `{members: new Map<string, Shape>([${members.join(', ')}])}`
}
