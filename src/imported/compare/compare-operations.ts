import type {
  DocumentContent,
  DocumentOperation,
  DocumentParameter,
  DocumentResponse,
  Schema,
} from '../document/document.ts'
import {type SchemaShape, type Schemas, shapeOf} from '../shapes.ts'
import type {Difference} from './compare-schemas.ts'
import {compareSchemas} from './compare-schemas.ts'

/** An operation of one document and its counterpart in another. */
export interface OperationPair {
  readonly before: DocumentOperation
  readonly after: DocumentOperation
  readonly schemas: {readonly before: Schemas; readonly after: Schemas}
}

/** The differences between two descriptions of one operation, for a client of the first. */
export function compareOperations(pair: OperationPair): readonly Difference[] {
  const {before, after} = pair
  return [
    ...(after.deprecated && !before.deprecated
      ? [
          {
            side: 'operation',
            change: 'deprecated',
            pointer: '',
            message: 'is deprecated',
            breaks: false,
          } as const,
        ]
      : []),
    ...parameters(pair),
    ...bodies(pair),
    ...answers(pair),
  ]
}

function parameters({before, after, schemas}: OperationPair): readonly Difference[] {
  const own = (place: string) => (list: DocumentOperation) =>
    list.parameters.filter(parameter => parameter.in === place)
  // Path parameters are known by their order: their names are never sent.
  const [pathBefore, pathAfter] = [own('path')(before), own('path')(after)]
  const paths = pathBefore.flatMap((parameter, at) => changed(parameter, pathAfter[at], schemas))
  const others = (['query', 'header', 'cookie'] as const).flatMap(place => {
    const [was, is] = [own(place)(before), own(place)(after)]
    const same = (one: DocumentParameter) => (other: DocumentParameter) =>
      place === 'header' ? one.name.toLowerCase() === other.name.toLowerCase() : one.name === other.name
    return [
      ...was.flatMap(parameter => changed(parameter, is.find(same(parameter)), schemas)),
      ...is
        .filter(parameter => !was.some(same(parameter)))
        .map(
          (parameter): Difference => ({
            side: 'request',
            change: 'added',
            pointer: placeOf(parameter),
            message: parameter.required ? 'is new and required' : 'is new',
            breaks: parameter.required,
          }),
        ),
    ]
  })
  return [...paths, ...others]
}

const placeOf = ({in: place, name}: DocumentParameter): string => `${place}:${name}`

function changed(
  was: DocumentParameter,
  is: DocumentParameter | undefined,
  schemas: OperationPair['schemas'],
): readonly Difference[] {
  const pointer = placeOf(was)
  const request = (change: Difference['change'], message: string, breaks: boolean): Difference => ({
    side: 'request',
    change,
    pointer,
    message,
    breaks,
  })
  // A parameter that the service ignores does no harm.
  if (is === undefined) return [request('removed', 'is not described', false)]
  const all = compareSchemas({before: was.schema, after: is.schema, schemas, side: 'request', place: pointer})
  return [
    ...(is.required && !was.required ? [request('changed', 'is required now', true)] : []),
    ...(is.style !== was.style || is.explode !== was.explode
      ? [
          request(
            'changed',
            `style ${styleOf(is)} instead of ${styleOf(was)}`,
            !isScalar(was.schema, schemas.before),
          ),
        ]
      : []),
    ...(is.deprecated && !was.deprecated ? [request('deprecated', 'is deprecated', false)] : []),
    // In a URL everything is text: 12 and "12" look the same.
    ...all.map(one => (isTextNow(one, was, is, schemas) ? {...one, breaks: false} : one)),
  ]
}

const styleOf = ({style, explode}: DocumentParameter): string => `${style}${explode ? ', exploded' : ''}`

const SCALARS = ['string', 'integer', 'number', 'boolean', 'null']

const isScalar = (schema: Schema, schemas: Schemas): boolean => {
  const {types} = shapeOf(schema, schemas)
  return types !== undefined && [...types].every(type => SCALARS.includes(type))
}

/** A parameter that was a number and is now any text still accepts the number. */
const isTextNow = (
  {message}: Difference,
  was: DocumentParameter,
  is: DocumentParameter,
  schemas: OperationPair['schemas'],
): boolean =>
  /^\w+(?: or \w+)* instead of /.test(message) &&
  isScalar(was.schema, schemas.before) &&
  shapeOf(is.schema, schemas.after).types?.has('string') === true

const isJson = ({mediaType}: DocumentContent): boolean => /^(?:\*\/\*|[^;]*[/+]json)\b/i.test(mediaType)

function bodies({before, after, schemas}: OperationPair): readonly Difference[] {
  const difference = (change: Difference['change'], message: string, breaks: boolean): Difference => ({
    side: 'request',
    change,
    pointer: '',
    message,
    breaks,
  })
  const [was, is] = [before.body, after.body]
  if (was === undefined && is === undefined) return []
  if (was === undefined) {
    return [difference('added', is?.required ? 'needs a body now' : 'may have a body', is?.required === true)]
  }
  if (is === undefined) return [difference('removed', 'no longer takes a body', was.required)]
  const jsonBefore = was.contents.find(isJson)
  const jsonAfter = is.contents.find(isJson)
  if (jsonBefore === undefined) return []
  if (jsonAfter === undefined) {
    const types = is.contents.map(({mediaType}) => mediaType).join(' or ')
    return [difference('changed', `the body is ${types}, not JSON`, true)]
  }
  return [
    ...(is.required && !was.required ? [difference('changed', 'needs a body now', true)] : []),
    ...compareSchemas({before: jsonBefore.schema, after: jsonAfter.schema, schemas, side: 'request'}),
  ]
}

/** The response of a success: the lowest 2xx, else the default. */
export function successOf({replies}: DocumentOperation): DocumentResponse | undefined {
  const good = replies
    .filter(({status}) => /^2/.test(status))
    .sort((one, other) => one.status.localeCompare(other.status))
  return (
    good.find(({contents}) => contents.some(isJson)) ??
    good[0] ??
    replies.find(({status}) => status === 'default')
  )
}

export const jsonOf = (contents: readonly DocumentContent[]): DocumentContent | undefined =>
  contents.find(isJson)

function answers(pair: OperationPair): readonly Difference[] {
  const {before, after, schemas} = pair
  const [was, is] = [successOf(before), successOf(after)]
  const [jsonBefore, jsonAfter] = [jsonOf(was?.contents ?? []), jsonOf(is?.contents ?? [])]
  const statuses =
    was !== undefined && is !== undefined && was.status !== is.status
      ? [answer('changed', '', `status ${is.status} instead of ${was.status}`, false)]
      : []
  if (jsonBefore === undefined) return statuses
  const needs = needsOf(before)
  if (jsonAfter === undefined) {
    // A write succeeds without a response body, unless the command needs a field of it.
    const breaks = needs.length > 0 || before.method === 'GET'
    return [...statuses, answer('removed', '', 'the response no longer has JSON', breaks)]
  }
  const found = compareSchemas({before: jsonBefore.schema, after: jsonAfter.schema, schemas, side: 'answer'})
  const broken = brokenNeeds(needs, jsonBefore.schema, jsonAfter.schema, schemas)
  const whole = wholeChanged(jsonBefore.schema, jsonAfter.schema, schemas)
  return [
    ...statuses,
    ...whole,
    ...broken,
    ...found.filter(one => ![...broken, ...whole].some(other => other.pointer === one.pointer)),
  ]
}

const answer = (
  change: Difference['change'],
  pointer: string,
  message: string,
  breaks: boolean,
): Difference => ({side: 'answer', change, pointer, message, breaks})

/** Fields that a response needs to prove success; see x-needs of the contract. */
const needsOf = ({extensions}: DocumentOperation): readonly string[] => {
  const needs = extensions['x-needs']
  return Array.isArray(needs) ? needs.map(String) : []
}

/** A list in place of an object, or the reverse. No command can read that. */
function wholeChanged(
  before: Schema | undefined,
  after: Schema | undefined,
  schemas: OperationPair['schemas'],
): readonly Difference[] {
  const [was, is] = [shapeOf(before, schemas.before), shapeOf(after, schemas.after)]
  if (was.types === undefined || is.types === undefined) return []
  const kinds = [...was.types].filter(type => type === 'object' || type === 'array')
  if (kinds.length === 0 || kinds.some(type => is.types?.has(type))) return []
  const message = `the response is ${[...is.types].join(' or ')} instead of ${kinds.join(' or ')}`
  return [answer('changed', '', message, true)]
}

function brokenNeeds(
  needs: readonly string[],
  before: Schema | undefined,
  after: Schema | undefined,
  schemas: OperationPair['schemas'],
): readonly Difference[] {
  return needs.flatMap(pointer => {
    const was = at(before, pointer, schemas.before)
    const is = at(after, pointer, schemas.after)
    if (is === undefined) return [answer('removed', pointer, 'is not there, and a command needs it', true)]
    if (was === undefined || fits(was, is)) return []
    const types = [...(is.types ?? [])].join(' or ')
    return [answer('changed', pointer, `is ${types} now, and a command needs it as it was`, true)]
  })
}

function at(schema: Schema | undefined, pointer: string, schemas: Schemas): SchemaShape | undefined {
  let shape = shapeOf(schema, schemas)
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const next = shape.members.get(name)?.schema ?? (step === '*' ? shape.items : undefined)
    if (next === undefined) return undefined
    shape = shapeOf(next, schemas)
  }
  return shape
}

/** A list must stay a list; an id may be text or a number. */
function fits(was: SchemaShape, is: SchemaShape): boolean {
  if (was.types === undefined || is.types === undefined) return true
  const kindOf = (types: ReadonlySet<string>): string =>
    types.has('array')
      ? 'array'
      : types.has('object')
        ? 'object'
        : types.has('string') || types.has('number') || types.has('integer')
          ? 'scalar'
          : 'other'
  return kindOf(was.types) === kindOf(is.types)
}
