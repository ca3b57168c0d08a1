import {isObject} from '../../errors/is-object.ts'
import type {ReceivedCall} from '../received-call.ts'
import {edited} from './edit-call.ts'

/** A path whose last name differs only in case: `metadata.Id`. It is another field, which nobody knows. */
export function otherCase(path: string): string {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  return [...steps, last.charAt(0).toUpperCase() + last.slice(1)].join('.')
}

/** A call that has these fields a second time: by names that differ only in case, with other values. */
export const withOtherCase = (call: ReceivedCall, paths: readonly string[]): ReceivedCall =>
  edited(call, Object.fromEntries(paths.map(path => [otherCase(path), otherValue(path, at(call, path))])))

/** The same for all fields at any depth; `first` puts them before those that they look like. */
export function allInOtherCase(value: unknown, first: boolean, path = ''): unknown {
  if (Array.isArray(value)) return value.map(item => allInOtherCase(item, first, path))
  if (!isObject(value)) return value
  const own = Object.entries(value).map(
    ([name, field]) => [name, allInOtherCase(field, first, name)] as const,
  )
  const others = Object.entries(value).map(
    ([name, field]) => [first ? name.toUpperCase() : otherCase(name), otherValue(name, field)] as const,
  )
  return Object.fromEntries(first ? [...others, ...own] : [...own, ...others])
}

const at = (call: ReceivedCall, path: string): unknown =>
  path
    .split('.')
    .reduce((inside: unknown, step) => (isObject(inside) ? (inside as ReceivedCall)[step] : undefined), call)

/** Of the same type, so that only an endpoint notices it that takes one name for the other. */
function otherValue(path: string, value: unknown): unknown {
  if (typeof value === 'number') return 1
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return path.endsWith('transactionType') ? 'CREDIT' : 'OTHER'
  if (Array.isArray(value) || !isObject(value)) return null
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, otherValue(name, field)]))
}
