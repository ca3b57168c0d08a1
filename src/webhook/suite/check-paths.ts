import {fieldSchemas, type JsonSchema} from '../../contract/schema.ts'
import {nearestName} from '../../errors/nearest-name.ts'
import {hasVariable} from './variables.ts'

/** Takes the JSON pointer of a value, or of its key. */
export type Report = (pointer: string, message: string, what?: 'key') => void

/** The dotted paths of all fields of a call. */
export function fieldNames(schema: JsonSchema, above = ''): readonly string[] {
  return Object.entries(fieldSchemas(schema)).flatMap(([name, field]) => {
    const path = `${above}${name}`
    return [path, ...fieldNames(field, `${path}.`)]
  })
}

/**
 * Reports paths that are a slip: near a field of the call, or without the objects above it. Others are fields that the
 * contract doesn't know, which a suite may send.
 */
export function checkPaths(
  paths: readonly string[],
  pointer: string,
  report: Report,
  fields: readonly string[],
): void {
  for (const [index, path] of paths.entries()) {
    if (hasVariable(path) || fields.includes(path)) continue
    const above = path.slice(0, path.lastIndexOf('.') + 1)
    const beside = fields.filter(name => name.startsWith(above) && !name.slice(above.length).includes('.'))
    const meant =
      nearestName(path, beside.length > 0 ? beside : fields) ??
      fields.find(name => name.endsWith(`.${path}`)) ??
      nearestName(path, fields)
    if (meant === undefined || isBelow(path, fields)) continue
    const isKey = pointer.endsWith('/set')
    const last = isKey ? path.replaceAll('~', '~0').replaceAll('/', '~1') : index
    const message = `a call has no field ${path}; did you mean ${meant}?`
    report(`${pointer}/${last}`, message, isKey ? 'key' : undefined)
  }
}

/** Whether a path leads into a list or a field without fields of its own. */
const isBelow = (path: string, fields: readonly string[]): boolean =>
  fields.some(name => path.startsWith(`${name}.`) && !fields.some(other => other.startsWith(`${name}.`)))
