import {hash} from 'node:crypto'
import type {RowForm, RowParameter} from '../../contract/operation.ts'
import {Failure} from '../../errors/failure.ts'
import {typesOf} from '../compile/walk-schema.ts'
import type {ImportedOperation, ImportedParameter} from '../contract-form.ts'
import type {Schema} from '../document/document.ts'
import {namesIn} from '../document/schema-forms.ts'
import {asTyped, kindOfValue, readValue} from './read-value.ts'
import {asMap, type SchemaSource, withoutReferences} from './schema-source.ts'

/**
 * How rows of a file fill the requests of an imported operation.
 *
 * @param stored the operation as its contract has it, for the digest; `imported` has what the profile changes.
 */
export function rowForm(
  imported: ImportedOperation,
  stored: ImportedOperation,
  source: SchemaSource,
): RowForm {
  const {body} = imported
  return {
    digest: digestOf(stored, source),
    parameters: imported.parameters.map(parameter => rowParameter(parameter, source)),
    body: body?.kind === 'other' ? undefined : withoutReferences(body?.schema, source),
    takesFile: body?.kind === 'other' && body.required,
  }
}

function rowParameter(parameter: ImportedParameter, source: SchemaSource): RowParameter {
  const {name, in: place, required, schema, sensitive = false} = parameter
  const types = typesOf(schema, asMap(source))
  const kind = kindOfValue(parameter, source)
  return {
    name,
    in: place,
    required,
    sensitive,
    isNumber: types.includes('number') || types.includes('integer'),
    read: async value => {
      // The text of a path parameter is read where the path is written.
      if (place === 'path') return pathText(name, value)
      if (typeof value !== 'string' || kind === 'boolean') return asTyped(value, schema, source)
      const json = kind === 'plain' || !/^\s*[[{]/.test(value) ? undefined : jsonOf(name, value)
      return json ?? (await readValue(parameter, value, source, async text => text))
    },
  }
}

/** @throws Failure INPUT_INVALID for what no path holds, such as null. */
function pathText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value)
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  throw new Failure('INPUT_INVALID', {message: `${name} must be text or a whole number`, effect: 'none'})
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('INPUT_INVALID', {message: `${name} is not valid JSON`, effect: 'none'})
  }
}

/** SHA-256 of all that the document says of an operation, the schemas that it refers to included. */
export function digestOf(operation: ImportedOperation, source: SchemaSource): string {
  const found = new Map<string, Schema>()
  const parts = [operation.body?.schema, ...operation.parameters.map(({schema}) => schema)]
  const waiting = [...parts, ...Object.values(operation.replies)].flatMap(schema => [...namesIn(schema)])
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue
    const schema = source(name) ?? true
    found.set(name, schema)
    waiting.push(...namesIn(schema))
  }
  const schemas = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify([operation, schemas]))
}
