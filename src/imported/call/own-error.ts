import {isObject} from '../../errors/is-object.ts'
import {fieldSchemas} from '../compile/walk-schema.ts'
import type {ImportedOperation} from '../contract-form.ts'
import {checkResponse, replySchema} from './check.ts'
import {asMap, type SchemaSource} from './schema-source.ts'

/**
 * Whether an error has the shape that the document describes for its status, and so comes from the service. The body
 * must have each field that the document requires (all described ones if it requires none), no other field, and no
 * wrong value: the few fields that most documents describe are easily in the error of a gateway too.
 */
export async function isOwnError(
  imported: ImportedOperation,
  status: number,
  body: unknown,
  source: SchemaSource,
): Promise<boolean> {
  const schema = replySchema(imported, status)
  if (schema === undefined || !isObject(body)) return false
  const fields = fieldSchemas(schema, asMap(source))
  const required = fields.filter(field => field.required)
  const due = required.length > 0 ? required : fields
  const known = new Set(fields.map(({name}) => name))
  return (
    due.length > 0 &&
    due.every(({name}) => Object.hasOwn(body, name)) &&
    Object.keys(body).every(name => known.has(name)) &&
    (await checkResponse(imported, status, body, source)).length === 0
  )
}
