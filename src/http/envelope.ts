import type {Operation} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import type {Shape} from '../contract/shape.ts'
import {isObject} from '../errors/is-object.ts'
import type {Target} from '../profiles/target.ts'
import {pointerBelow, tokensOf} from '../sensitive/json-pointer.ts'
import {bringsPart, holdsError} from './holds-error.ts'

/** Where responses to an operation of the built-in contract have their content; undefined if they are the content. */
export const envelopeFor = ({id, group}: Operation, {service}: Target): string | undefined =>
  Object.hasOwn(operations, id) && group !== 'sandbox' ? service?.envelope : undefined

/**
 * What a body has at the pointer of its envelope: an object or a list. Undefined if it has none there, or if what is around
 * it reports an error.
 */
export function contentOf(body: unknown, envelope: string): unknown {
  let at = body
  for (const name of tokensOf(envelope)) {
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined
    const {[name]: inner, ...around} = at
    if (holdsError(around)) return undefined
    at = inner
  }
  return typeof at === 'object' && at !== null ? at : undefined
}

const DEEPEST = 2

/**
 * Where a response seems to have its content, if not where the contract has it: in the field that the contract doesn't know
 * and whose value has most of the described fields, unless those outside are as many.
 */
export function likelyEnvelope(shape: Shape | undefined, body: unknown): string | undefined {
  if (!isObject(body) || typeof shape !== 'object') return undefined
  const own = 'members' in shape ? shape.members : new Map<string, Shape>()
  if (bringsPart(body, own)) return undefined
  const outside = describedIn(shape, body)
  let best: {readonly at: string; readonly fields: number} | undefined
  const look = (holder: Readonly<Record<string, unknown>>, before: string, depth: number): void => {
    for (const [name, value] of Object.entries(holder)) {
      if (depth === 1 && own.has(name)) continue
      const at = pointerBelow(before, name)
      const fields = describedIn(shape, value)
      const isLike = fields > outside || ENVELOPE.test(name)
      if (isLike && fields > (best?.fields ?? 0)) best = {at, fields}
      if (depth < DEEPEST && isObject(value)) look(value, at, depth + 1)
    }
  }
  look(body, '', 1)
  return best?.at
}

const ENVELOPE = /^(?:data|results?|response|body|payload|content|items?|value)$/i

function describedIn(shape: Shape, value: unknown): number {
  if (typeof shape !== 'object') return 0
  if ('items' in shape) {
    return Array.isArray(value) ? Math.max(0, ...value.map(item => describedIn(shape.items, item))) : 0
  }
  if (!('members' in shape) || !isObject(value)) return 0
  return Object.keys(value).filter(name => shape.members.has(name)).length
}
