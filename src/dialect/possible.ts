import {decoded, plainNames, plainWord} from '../contract/marked-values.ts'
import type {AnyInput, Operation} from '../contract/operation.ts'
import {isObject} from '../errors/is-object.ts'
import {namesIn, type Shape} from './dialect-file.ts'
import {ruleOf} from './map-members.ts'
import type {MemberPlace} from './places.ts'

/** An operation of ours that a request may carry out. */
export interface Possible {
  readonly operation: Operation
  readonly input: AnyInput
  /** A member of theirs that can't be read as ours, or that a lenient service may take for one that can. */
  readonly unread: string | undefined
  /** Where its path has what is secret. */
  readonly hidden: {readonly template: string; readonly names: readonly string[]}
}

/** The names of path parameters that take secret fields of ours. */
export const hiddenNames = (places: readonly MemberPlace[], {sensitive}: Operation): readonly string[] =>
  places.flatMap(({ours, theirs}) => {
    const name = /^\/path\/(.+)$/.exec(theirs ?? '')?.[1]
    return name !== undefined && sensitive.request.includes(ours.replace(/^\/body/, '')) ? [name] : []
  })

/** A member or query parameter that is named nearly as a mapped one of the body. */
export function respelled(shape: Shape, {query, body}: Pick<AnyInput, 'query' | 'body'>): string | undefined {
  const places = Object.values(shape).flatMap(rule => ruleOf(rule).at ?? [])
  const own = places.flatMap(place => /^\/body\/([^/]+)/.exec(place)?.[1] ?? [])
  const taken = new Set(own.map(plainWord))
  const isNear = (name: string): boolean => plainNames(name).some(one => taken.has(one))
  const members = isObject(body) ? Object.keys(body).filter(name => !own.includes(name)) : []
  const inQuery = Object.keys(query).filter(name => !places.includes(`/query/${name}`))
  return [...members, ...inQuery].find(isNear)
}

const WRITING: readonly string[] = ['PATCH', 'PUT', 'POST']

export const isSameMethod = (one: string, other: string): boolean =>
  one === other || (WRITING.includes(one) && WRITING.includes(other))

/** The values of `{names}`, from the last segments of a path. */
export function paramsOf(template: string, path: string): Record<string, string> {
  const route = template.split('/').filter(part => part !== '')
  const segments = (path.split('?', 1)[0] ?? '').split('/').filter(part => part !== '')
  const last = segments.slice(Math.max(0, segments.length - route.length))
  return Object.fromEntries(
    route.flatMap((part, at) => {
      const [name] = namesIn(part)
      return name === undefined ? [] : [[name, decoded(last[at] ?? '') ?? '']]
    }),
  )
}
