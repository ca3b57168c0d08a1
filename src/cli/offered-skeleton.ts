import {skeleton} from '../contract/explain-errors.ts'
import type {JsonSchema} from '../contract/schema.ts'
import type {OperationId} from '../contract/types.ts'
import type {Dialect} from '../dialect/index.ts'
import {isObject} from '../errors/is-object.ts'

/** A body to fill in, of what the service has a place for. */
export function offeredSkeleton(schema: JsonSchema, id: OperationId, dialect: Dialect | undefined): unknown {
  const whole = skeleton(schema)
  if (dialect === undefined) return whole
  const places = dialect.requests(id).flatMap(({input}) => input.flatMap(({ours}) => placesIn(ours)))
  return within(whole, '', places) ?? {}
}

/** `/usageLimits/[code=DAILY]/count` is a place in each item, and the code that chooses one is another. */
function placesIn(ours: string): readonly string[] {
  const steps = ours.split('/')
  const choosing = steps.flatMap((step, at) => {
    const [, name] = /^\[(.+?)=.*\]$/.exec(step) ?? []
    return name === undefined ? [] : [[...steps.slice(0, at + 1), name]]
  })
  return [steps, ...choosing].map(one => one.map(step => (ITEM.test(step) ? '*' : step)).join('/'))
}

const ITEM = /^(?:\d+|\[.*\])$/

/** The part of a body that has a place; undefined if there is none. */
function within(value: unknown, pointer: string, places: readonly string[]): unknown {
  if (places.includes(pointer)) return asTheirs(value)
  if (!places.some(place => place.startsWith(`${pointer}/`))) return undefined
  if (Array.isArray(value)) return [within(value[0], `${pointer}/*`, places)]
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, one]) => [
    name,
    within(one, `${pointer}/${name}`, places),
  ])
  return Object.fromEntries(members.filter(([, one]) => one !== undefined))
}

/** The contract's ids are digits; those of another service look as its dialect says. */
function asTheirs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTheirs)
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asTheirs(one)]))
  return typeof value === 'string' ? value.replace('<digits only', '<id') : value
}
