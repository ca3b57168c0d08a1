import {isObject} from '../../errors/is-object.ts'
import {singular} from '../../sensitive/secret-names.ts'
import type {ImportedOperation, ImportedParameter} from '../contract-form.ts'
import {plainName} from './names.ts'

/** A parameter that takes the id of the last item, by its name alone. */
export const takesLastId = ({name}: Pick<ImportedParameter, 'name'>): boolean =>
  /^(?:start(?:ing)?after(?:id|key|token)?|(?:last|since|from|after)(?:id|key))$/.test(plainName(name))

/**
 * The id of the last item, for a service that continues after it. Services name it in many ways; if several fields may
 * be it, none is taken: a wrong one would leave out items.
 */
export function lastId(
  items: readonly unknown[],
  {path}: Pick<ImportedOperation, 'path'>,
  {description = ''}: Pick<ImportedParameter, 'description'>,
): string | number | undefined {
  const last = items.at(-1)
  if (!isObject(last)) return undefined
  const names = Object.keys(last).filter(name => isDistinct(items, name))
  const only = (test: (plain: string, name: string) => boolean): string | undefined => {
    const found = names.filter(name => test(plainName(name), name))
    return found.length === 1 ? found[0] : undefined
  }
  const one = singular(plainName(resourceOf(path)))
  const words = new Set(description.match(/[\w-]+/g))
  const name =
    only(plain => plain === 'id') ??
    only(plain => OWN.some(end => plain === one + end)) ??
    only((_, name) => words.has(name)) ??
    only(plain => /^(?:uuid|guid|token|key|identifier|uid|resourceid)$/.test(plain)) ??
    only(plain => /(?:id|uuid|guid|token)$/.test(plain))
  const value = name === undefined ? undefined : last[name]
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

const OWN = ['id', 'token', 'key', 'uuid', 'guid', 'uid', 'identifier']

/** Of `/v1/cards/{id}/transactions`, transactions. */
const resourceOf = (path: string): string =>
  path.split('/').findLast(part => part !== '' && !part.startsWith('{')) ?? ''

/** Whether each item has its own value of the field. */
function isDistinct(items: readonly unknown[], name: string): boolean {
  const values = items.map(item => (isObject(item) ? item[name] : undefined))
  const isId = (value: unknown): boolean =>
    (typeof value === 'string' && value !== '') || typeof value === 'number'
  return values.every(isId) && new Set(values).size === values.length
}
