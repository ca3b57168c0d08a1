import {isObject} from '../../errors/is-object.ts'
import {isSecretName} from '../../sensitive/secret-names.ts'
import type {Schema} from '../document/document.ts'
import {fieldSchemas, itemsOf, resolved, typesOf} from './walk-schema.ts'

/** The depth of the search; deeper fields belong to linked resources. Masks by name apply at every depth. */
const DEEPEST = 4
const MOST = 200

/** Finds the fields that hold a secret: by their names, or because the document marks them. */
export class SensitiveFields {
  readonly #schemas: ReadonlyMap<string, Schema>
  /** Results by named schema and remaining depth, because schemas often refer to each other. */
  readonly #known = new Map<string, readonly string[]>()

  constructor(schemas: ReadonlyMap<string, Schema>) {
    this.#schemas = schemas
  }

  /** As JSON pointers, with `*` for every item of a list. */
  of(schema: Schema | undefined): readonly string[] {
    return schema === undefined ? [] : this.#below(schema, DEEPEST)
  }

  #below(schema: unknown, left: number): readonly string[] {
    const name = isObject(schema) && typeof schema.$ref === 'string' ? schema.$ref : undefined
    if (name === undefined || !isObject(schema) || Object.keys(schema).length > 1)
      return this.#inspect(schema, left)
    const key = `${left} ${name}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    // A schema that contains itself is searched once.
    this.#known.set(key, [])
    const found = this.#inspect(schema, left)
    this.#known.set(key, found)
    return found
  }

  #inspect(schema: unknown, left: number): readonly string[] {
    if (left < 0) return []
    const found: string[] = []
    const add = (place: string, below: readonly string[]): void => {
      for (const pointer of below) if (found.length < MOST) found.push(place + pointer)
    }
    const items = itemsOf(schema, this.#schemas)
    if (items !== undefined) add('/*', this.#below(items, left - 1))
    for (const {name, schema: member} of fieldSchemas(schema, this.#schemas)) {
      const place = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      add(place, isSensitive(name, member, this.#schemas) ? [''] : this.#below(member, left - 1))
    }
    return [...new Set(found)]
  }
}

/** Booleans and enumerations are not secret, even with a secret's name. */
export function isSensitive(name: string, schema: unknown, schemas: ReadonlyMap<string, Schema>): boolean {
  const found = resolved(schema, schemas)
  if (found?.['x-sensitive'] === true || found?.format === 'password') return true
  if (!isSecretName(name)) return false
  if (isObject(found) && (Array.isArray(found.enum) || found.const !== undefined)) return false
  const types = typesOf(schema, schemas)
  return types.length === 0 || types.some(type => type !== 'boolean' && type !== 'null')
}
