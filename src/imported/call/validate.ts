import {Ajv2020} from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {RE2JS} from 're2js'
import type {SchemaError} from '../../contract/validator.ts'
import type {Schema} from '../document/document.ts'
import {isObject} from '../document/members.ts'

/** Patterns of documents run in linear time, whatever they are. */
const linear = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return {test: (text: string) => compiled.matcher(text).find()}
  },
  {code: 'new RegExp'},
)

/** What is wrong with a value. A schema that refers to itself at once says nothing, and is not asked. */
export function validate(
  schema: Schema,
  value: unknown,
  direction: 'request' | 'reply',
): readonly SchemaError[] {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    logger: false,
    validateSchema: false,
    addUsedSchema: false,
    code: {regExp: linear as never},
  })
  addFormats.default(ajv)
  try {
    const check = ajv.compile(inDirection(schema, direction) as never)
    return check(value) ? [] : ((check.errors ?? []) as readonly SchemaError[])
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

/** Members that only answers hold are not required of a request, nor the other way round. */
function inDirection(schema: unknown, direction: 'request' | 'reply'): unknown {
  const foreign = direction === 'request' ? 'readOnly' : 'writeOnly'
  const visit = (at: unknown): unknown => {
    if (Array.isArray(at)) return at.map(visit)
    if (!isObject(at)) return at
    const {properties, required} = at
    const changed = Object.fromEntries(
      Object.entries(at).map(([name, value]) => [name, VALUES.has(name) ? value : visit(value)]),
    )
    if (!Array.isArray(required) || !isObject(properties)) return changed
    const isForeign = (name: unknown): boolean => {
      const member =
        typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined
      return isObject(member) && member[foreign] === true
    }
    return {...changed, required: required.filter(name => !isForeign(name))}
  }
  return visit(schema)
}

const VALUES = new Set(['enum', 'const', 'default', 'example', 'examples', 'required'])
