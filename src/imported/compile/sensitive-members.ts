import {isObject} from '../../errors/is-object.ts'
import {isSecretName} from '../../sensitive/secret-names.ts'
import type {Schema} from '../document/document.ts'
import {itemsOf, membersOf, resolved, typesOf} from './walk-schema.ts'

/** Deeper, services hide what they link to. Masks go by names at every depth. */
const DEEPEST = 4
const MOST = 200

/** Finds the members that hold a secret: by their names, or because the document says so. */
export class SensitiveMembers {
  readonly #schemas: ReadonlyMap<string, Schema>
  /** Of each named schema, for each depth that is left: everything refers to everything. */
  readonly #known = new Map<string, readonly string[]>()

  constructor(schemas: ReadonlyMap<string, Schema>) {
    this.#schemas = schemas
  }

  /** As JSON pointers; `*` stands for every item of a list. */
  of(schema: Schema | undefined): readonly string[] {
    return schema === undefined ? [] : this.#below(schema, DEEPEST)
  }

  #below(schema: unknown, left: number): readonly string[] {
    const name = isObject(schema) && typeof schema.$ref === 'string' ? schema.$ref : undefined
    if (name === undefined || !isObject(schema) || Object.keys(schema).length > 1)
      return this.#look(schema, left)
    const key = `${left} ${name}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    // What holds itself is looked through once.
    this.#known.set(key, [])
    const found = this.#look(schema, left)
    this.#known.set(key, found)
    return found
  }

  #look(schema: unknown, left: number): readonly string[] {
    if (left < 0) return []
    const found: string[] = []
    const add = (place: string, below: readonly string[]): void => {
      for (const pointer of below) if (found.length < MOST) found.push(place + pointer)
    }
    const items = itemsOf(schema, this.#schemas)
    if (items !== undefined) add('/*', this.#below(items, left - 1))
    for (const {name, schema: member} of membersOf(schema, this.#schemas)) {
      const place = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      add(place, isSensitive(name, member, this.#schemas) ? [''] : this.#below(member, left - 1))
    }
    return [...new Set(found)]
  }
}

/** A yes or no, and a name that is a list of choices, is no secret whatever its name. */
export function isSensitive(name: string, schema: unknown, schemas: ReadonlyMap<string, Schema>): boolean {
  const found = resolved(schema, schemas)
  if (found?.['x-sensitive'] === true || found?.format === 'password') return true
  if (!isSecretName(name)) return false
  if (isObject(found) && (Array.isArray(found.enum) || found.const !== undefined)) return false
  const types = typesOf(schema, schemas)
  return types.length === 0 || types.some(type => type !== 'boolean' && type !== 'null')
}
