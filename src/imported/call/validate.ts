import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type {SchemaError} from '../../contract/validator.ts'
import {isObject} from '../../errors/is-object.ts'
import type {Schema} from '../document/document.ts'

type Matcher = (pattern: string) => {test(text: string): boolean}

/**
 * All patterns of documents run in linear time. Most are anchored sequences of characters in which at most one repeats
 * without a fixed count: these are linear in any engine. The others use an engine that is always linear.
 */
async function matcherFor(patterns: readonly string[]): Promise<Matcher> {
  if (patterns.every(pattern => pattern.length <= LONGEST && PLAIN.test(pattern))) {
    return pattern => new RegExp(pattern, 'u')
  }
  // Loaded on first use: the engine is as large as everything else that a command loads.
  const {RE2JS} = await import('re2js')
  return pattern => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return {test: text => compiled.matcher(text).find()}
  }
}

const LONGEST = 120
const ATOM = String.raw`(?:\\[dws.]|\[[A-Za-z0-9_ .-]+\]|[A-Za-z0-9_ :@,#])`
const FIXED = String.raw`(?:${ATOM}(?:\{\d{1,3}\})?)*`
const PLAIN = new RegExp(String.raw`^\^${FIXED}(?:${ATOM}(?:[*+?]|\{\d{1,3},\d{0,3}\})${FIXED})?\$?$`)

/** What is wrong with a value. Skips a schema that refers directly to itself: it restricts nothing. */
export async function validate(
  schema: Schema,
  value: unknown,
  direction: 'request' | 'reply',
): Promise<readonly SchemaError[]> {
  try {
    const check = await checkOf(schema, direction)
    return check(value) ? [] : ((check.errors ?? []) as readonly SchemaError[])
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

/** The rows of a bulk job need few, and compiling one takes longer than using it many times. */
const checks = new Map<string, ValidateFunction>()
const MOST_CHECKS = 50

async function checkOf(schema: Schema, direction: 'request' | 'reply'): Promise<ValidateFunction> {
  const name = JSON.stringify([direction, schema])
  const known = checks.get(name)
  if (known !== undefined) return known
  const check = await compiled(schema, direction)
  if (checks.size === MOST_CHECKS) checks.clear()
  checks.set(name, check)
  return check
}

async function compiled(schema: Schema, direction: 'request' | 'reply'): Promise<ValidateFunction> {
  const {schema: directed, patterns} = inDirection(schema, direction)
  const matcher = await matcherFor(patterns)
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    logger: false,
    validateSchema: false,
    addUsedSchema: false,
    code: {regExp: Object.assign(matcher, {code: 'new RegExp'}) as never},
  })
  addFormats.default(ajv)
  return ajv.compile(directed as never)
}

/** Fields that only responses have are not required in a request, and the reverse. */
function inDirection(
  schema: unknown,
  direction: 'request' | 'reply',
): {readonly schema: unknown; readonly patterns: readonly string[]} {
  const patterns: string[] = []
  const foreign = direction === 'request' ? 'readOnly' : 'writeOnly'
  const visit = (at: unknown): unknown => {
    if (Array.isArray(at)) return at.map(visit)
    if (!isObject(at)) return at
    const {properties, required, pattern, patternProperties} = at
    if (typeof pattern === 'string') patterns.push(pattern)
    if (isObject(patternProperties)) patterns.push(...Object.keys(patternProperties))
    const changed = discriminated(
      Object.fromEntries(
        Object.entries(at).map(([name, value]) => [name, VALUES.has(name) ? value : visit(value)]),
      ),
    )
    if (!Array.isArray(required) || !isObject(properties)) return changed
    const isForeign = (name: unknown): boolean => {
      const member =
        typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined
      return isObject(member) && member[foreign] === true
    }
    return {...changed, required: required.filter(name => !isForeign(name))}
  }
  return {schema: visit(schema), patterns}
}

const VALUES = new Set(['enum', 'const', 'default', 'example', 'examples', 'required', 'discriminator'])

/** With its discriminator, the value of a field alone chooses the variant; without the field, all are tried. */
function discriminated(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const {discriminator, oneOf, anyOf, ...rest} = schema
  if (!isObject(discriminator) || !isObject(discriminator.mapping)) return schema
  const name = String(discriminator.propertyName)
  const mapping = Object.entries(discriminator.mapping)
  const chosen = mapping.map(([value, $ref]) => condition({properties: {[name]: {const: value}}}, {$ref}))
  const known = {properties: {[name]: {enum: mapping.map(([value]) => value)}}}
  const others = {...(oneOf === undefined ? {} : {oneOf}), ...(anyOf === undefined ? {} : {anyOf})}
  const choice = condition({type: 'object', required: [name]}, {allOf: [known, ...chosen]}, others)
  return {...rest, allOf: [...(Array.isArray(rest.allOf) ? rest.allOf : []), choice]}
}

/** Built from entries: an object with a field called then could be taken for a promise. */
const condition = (when: object, then: object, otherwise: object = {}): Readonly<Record<string, unknown>> =>
  Object.fromEntries([
    ['if', when],
    ['then', then],
    ['else', otherwise],
  ])
