import {isSecretName} from '../../sensitive/secret-names.ts'
import type {Schema} from '../document/document.ts'
import {isObject} from '../document/members.ts'
import {itemsOf, membersOf, resolved, typesOf} from './walk-schema.ts'

/** Deeper, services hide what they link to. Masks go by names at every depth. */
const DEEPEST = 4
const MOST = 200

/** JSON pointers of the members that hold a secret: by their names, or because the document says so. */
export function sensitiveMembers(
  schema: Schema | undefined,
  schemas: ReadonlyMap<string, Schema>,
): readonly string[] {
  const found: string[] = []
  const visit = (at: unknown, pointer: string, depth: number): void => {
    if (depth > DEEPEST || found.length >= MOST) return
    const items = itemsOf(at, schemas)
    if (items !== undefined) visit(items, `${pointer}/*`, depth + 1)
    for (const {name, schema: member} of membersOf(at, schemas)) {
      const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (isSensitive(name, member, schemas)) found.push(place)
      else visit(member, place, depth + 1)
    }
  }
  if (schema !== undefined) visit(schema, '', 0)
  return [...new Set(found)]
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
