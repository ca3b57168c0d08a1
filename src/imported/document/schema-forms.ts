import {isObject} from '../../errors/is-object.ts'
import {pointerStep, type Schema} from './document.ts'
import {BadReference, isReference, type Placed, type References} from './references.ts'

/** Keywords of JSON Schema that hold a schema, a list of schemas, or schemas by name. */
const ONE = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'additionalItems',
]
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const MAPS = ['properties', 'patternProperties', 'dependentSchemas']

/** Names of the schemas that a schema refers to directly. */
export function* namesIn(schema: unknown): Generator<string> {
  if (!isObject(schema)) return
  const {$ref} = schema
  if (typeof $ref === 'string') yield $ref.slice('#/$defs/'.length)
  for (const part of partsOf(schema)) yield* namesIn(part)
}

/** The direct subschemas of a schema. */
export function* partsOf(schema: Readonly<Record<string, unknown>>): Generator<unknown> {
  for (const keyword of [...ONE, 'items']) if (keyword in schema) yield schema[keyword]
  for (const keyword of LISTS) if (Array.isArray(schema[keyword])) yield* schema[keyword]
  for (const keyword of MAPS) if (isObject(schema[keyword])) yield* Object.values(schema[keyword])
}

const KEPT = [
  'type',
  'format',
  'title',
  'description',
  'deprecated',
  'readOnly',
  'writeOnly',
  'default',
  'example',
  'examples',
  'enum',
  'const',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'required',
  'dependentRequired',
]
const LIMIT_NUMBERS = [
  'multipleOf',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
]
const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

/** The references that values of a field stand for. */
export interface Discriminator {
  readonly propertyName: string
  readonly mapping: Readonly<Record<string, string>>
}

export interface SchemaFault {
  readonly at: string
  readonly message: string
}

/**
 * Converts schemas of all versions to JSON Schema 2020-12, in which a `$ref` names one of `schemas`. A schema that refers
 * to itself stays a reference, so that no cycle is ever unrolled.
 */
export class SchemaForms {
  readonly schemas = new Map<string, Schema>()
  /** Faults inside of a named schema, by its name. */
  readonly faults = new Map<string, SchemaFault[]>()
  readonly #references: References
  readonly #isOld: boolean
  readonly #names = new Map<string, string>()
  readonly #waiting: {name: string; placed: Placed}[] = []

  constructor(references: References, version: string) {
    this.#references = references
    this.#isOld = version === '3.0'
  }

  /** A schema in our form. The schemas that it refers to are in `schemas` when this returns. */
  form(placed: Placed, faults: SchemaFault[]): Schema {
    const schema = this.#form(placed, faults)
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      const {name, placed: waiting} = next
      const own: SchemaFault[] = []
      this.schemas.set(name, this.#form(waiting, own))
      if (own.length > 0) this.faults.set(name, own)
    }
    return schema
  }

  /** Names of all schemas that a schema needs, except itself. */
  reached(schema: Schema): Set<string> {
    const found = new Set<string>()
    const waiting = [...namesIn(schema)]
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (found.has(name)) continue
      found.add(name)
      waiting.push(...namesIn(this.schemas.get(name) ?? true))
    }
    return found
  }

  #form({value, at}: Placed, faults: SchemaFault[]): Schema {
    if (typeof value === 'boolean') return value
    if (!isObject(value)) {
      faults.push({at, message: 'a schema must be an object'})
      return true
    }
    const formed: Record<string, unknown> = {}
    if (isReference(value)) {
      const reference = this.#reference(value.$ref, at, faults)
      // In 3.0, keywords next to a reference are ignored.
      if (this.#isOld || Object.keys(value).length === 1) return reference
      Object.assign(formed, reference)
    }
    const inner = (child: unknown, ...steps: (string | number)[]): Schema =>
      this.#form({value: child, at: [at, ...steps.map(pointerStep)].join('/')}, faults)
    for (const keyword of KEPT) if (value[keyword] !== undefined) formed[keyword] = value[keyword]
    for (const keyword of ONE) {
      if (isSchema(value[keyword])) formed[keyword] = inner(value[keyword], keyword)
    }
    for (const keyword of LISTS) {
      const list = value[keyword]
      if (Array.isArray(list) && list.length > 0) {
        formed[keyword] = list.map((item, index) => inner(item, keyword, index))
      }
    }
    const discriminator = this.#discriminator(value, formed, at)
    if (discriminator !== undefined) formed.discriminator = discriminator
    for (const keyword of MAPS) {
      const map = value[keyword]
      if (!isObject(map)) continue
      formed[keyword] = Object.fromEntries(
        Object.entries(map).map(([name, child]) => [name, inner(child, keyword, name)]),
      )
    }
    if (isSchema(value.items)) formed.items = inner(value.items, 'items')
    for (const [name, extension] of Object.entries(value)) {
      if (name.startsWith('x-')) formed[name] = extension
    }
    return this.#normalised(formed, value, at, faults)
  }

  /** Which value of a field means which variant, if each is a reference. What the mapping leaves out goes by its name. */
  #discriminator(
    {discriminator: given, oneOf, anyOf}: Readonly<Record<string, unknown>>,
    formed: Readonly<Record<string, unknown>>,
    at: string,
  ): Discriminator | undefined {
    if (!isObject(given) || typeof given.propertyName !== 'string') return undefined
    const variants = [formed.oneOf ?? formed.anyOf ?? []]
      .flat()
      .map(one => (isObject(one) ? one.$ref : undefined))
    const raw = [oneOf ?? anyOf ?? []].flat()
    const mapped = isObject(given.mapping) ? Object.entries(given.mapping) : []
    const values = mapped.flatMap(([value, to]) => {
      if (typeof to !== 'string') return []
      const reference = /[#/]|\.(?:json|ya?ml)$/.test(to) ? to : `#/components/schemas/${pointerStep(to)}`
      const found = this.#reference(reference, at, [])
      return isObject(found) && variants.includes(found.$ref) ? [[value, String(found.$ref)] as const] : []
    })
    const meant = new Set(values.map(([, variant]) => variant))
    const named = variants.flatMap((variant, index) => {
      const one: unknown = raw[index]
      const name = isReference(one) ? one.$ref.split('/').at(-1) : undefined
      return typeof variant !== 'string' || name === undefined || meant.has(variant)
        ? []
        : [[decodeURIComponentSafely(name), variant] as const]
    })
    const isWhole = variants.length > 0 && variants.every(variant => typeof variant === 'string')
    return isWhole
      ? {propertyName: given.propertyName, mapping: Object.fromEntries([...values, ...named])}
      : undefined
  }

  /** Converts keywords of 3.0 to their current form. Invalid values are left out and reported. */
  #normalised(
    formed: Record<string, unknown>,
    value: Readonly<Record<string, unknown>>,
    at: string,
    faults: SchemaFault[],
  ): Schema {
    const drop = (keyword: string, message: string): void => {
      faults.push({at: `${at}/${keyword}`, message})
      delete formed[keyword]
    }
    for (const [keyword, bound] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const) {
      if (typeof formed[keyword] === 'boolean') {
        const isExclusive = formed[keyword]
        delete formed[keyword]
        if (isExclusive && typeof formed[bound] === 'number') {
          formed[keyword] = formed[bound]
          delete formed[bound]
        }
      } else if (formed[keyword] !== undefined && typeof formed[keyword] !== 'number') {
        drop(keyword, `${keyword} must be a number`)
      }
    }
    for (const keyword of LIMIT_NUMBERS) {
      const limit = formed[keyword]
      if (limit !== undefined && (typeof limit !== 'number' || !Number.isFinite(limit))) {
        drop(keyword, `${keyword} must be a number`)
      }
    }
    if (formed.multipleOf !== undefined && Number(formed.multipleOf) <= 0) {
      drop('multipleOf', 'multipleOf must be more than 0')
    }
    if (formed.type !== undefined) {
      const types = [formed.type].flat()
      if (types.length === 0 || !types.every(type => TYPES.includes(String(type)))) {
        drop('type', `${JSON.stringify(formed.type).slice(0, 60)} is no type of JSON Schema`)
      } else formed.type = types.length === 1 ? types[0] : [...new Set(types)]
    }
    if (value.nullable === true) allowNull(formed)
    if (formed.enum !== undefined && !Array.isArray(formed.enum)) drop('enum', 'enum must be a list')
    if (Array.isArray(formed.enum) && formed.enum.length === 0) delete formed.enum
    if (formed.required !== undefined && !isTextList(formed.required)) {
      // `required: true` on a field is a harmless mistake from older versions.
      if (typeof formed.required === 'boolean') delete formed.required
      else drop('required', 'required must be a list of names')
    }
    if (Array.isArray(formed.required)) formed.required = [...new Set(formed.required)]
    if (formed.pattern !== undefined && typeof formed.pattern !== 'string')
      drop('pattern', 'pattern must be text')
    if (formed.format !== undefined && typeof formed.format !== 'string')
      drop('format', 'format must be text')
    return formed
  }

  #reference(reference: string, at: string, faults: SchemaFault[]): {readonly $ref: string} | Schema {
    try {
      const placed = this.#references.target(reference, at)
      this.#references.follow(placed)
      return {$ref: `#/$defs/${this.#nameOf(placed)}`}
    } catch (error) {
      if (!(error instanceof BadReference)) throw error
      faults.push({at, message: error.message})
      return {}
    }
  }

  #nameOf(placed: Placed): string {
    const known = this.#names.get(placed.at)
    if (known !== undefined) return known
    const last = decodeURIComponentSafely(
      placed.at
        .split('/')
        .at(-1)
        ?.replace(/(?:\.(?:json|ya?ml))?#$/, '') ?? '',
    )
    const plain = last.replaceAll(/[^\w.-]/g, '_').slice(0, 80) || 'schema'
    let name = plain === '__proto__' ? 'schema' : plain
    for (let count = 2; this.schemas.has(name); count++) name = `${plain}_${count}`
    this.#names.set(placed.at, name)
    // Reserve the name first: the schema may refer to itself.
    this.schemas.set(name, true)
    this.#waiting.push({name, placed})
    return name
  }
}

function allowNull(formed: Record<string, unknown>): void {
  if (formed.type !== undefined) formed.type = [...new Set([formed.type, 'null'].flat())]
  if (Array.isArray(formed.enum) && !formed.enum.includes(null)) formed.enum = [...formed.enum, null]
}

const isSchema = (value: unknown): boolean => isObject(value) || typeof value === 'boolean'

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every(item => typeof item === 'string')

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
