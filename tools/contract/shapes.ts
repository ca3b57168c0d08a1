import type {Shape} from '../../src/contract/shape.ts'
import {mergeAllOf} from './merge-all-of.ts'
import {type Contract, isNode, type Node} from './read-contract.ts'

/** What each member of a webhook's call and answer holds. Shapes as in src/contract/shape.ts. */
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

/** What each member of an operation's success reply holds. */
export function replyShapes({operations, components}: Contract): string {
  const lines = operations.flatMap(({id, replies}) => {
    const success = replies.find(({status, schema}) => /^2/.test(status) && schema !== undefined)
    return success?.schema
      ? [`  ${JSON.stringify(id)}: ${sourceOf(shapeOf(success.schema, components))},`]
      : []
  })
  return [
    "import type {Shape} from './shape.ts'",
    '',
    'export const replyShapes: Readonly<Record<string, Shape>> = {',
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
  return node.type === undefined ? 'unknown' : 'typed'
}

function sourceOf(shape: Shape): string {
  if (typeof shape === 'string' || 'values' in shape) return JSON.stringify(shape)
  if ('items' in shape) return `{items: ${sourceOf(shape.items)}}`
  const members = [...shape.members].map(([name, one]) => `[${JSON.stringify(name)}, ${sourceOf(one)}]`)
  return `{members: new Map<string, Shape>([${members.join(', ')}])}`
}
