// Random requests for all operations of the contract: mostly valid, with ids that were seen before.
import {contractDocument} from './contract.ts'

type Schema = Readonly<Record<string, unknown>>

interface FuzzOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly {readonly name: string; readonly in: string; readonly schema: Schema}[]
  readonly body: Schema | undefined
}

export interface FuzzRequest {
  readonly operation: string
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly body: unknown
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)
}

function resolved(schema: unknown): Schema {
  const {$ref} = isObject(schema) ? schema : {}
  if (typeof $ref !== 'string') return isObject(schema) ? schema : {}
  return resolved(at(contractDocument, ...$ref.slice(2).split('/')))
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const fuzzOperations: readonly FuzzOperation[] = Object.entries(
  resolved(at(contractDocument, 'paths')),
).flatMap(([path, item]) =>
  METHODS.flatMap(method => {
    const operation = at(item, method)
    if (!isObject(operation)) return []
    const all = [...listOf(at(item, 'parameters')), ...listOf(operation.parameters)].map(resolved)
    const body = at(operation, 'requestBody', 'content', 'application/json', 'schema')
    return [
      {
        id: String(operation.operationId),
        method: method.toUpperCase(),
        path,
        parameters: all.map(({name, in: place, schema}) => ({
          name: String(name),
          in: String(place),
          schema: resolved(schema),
        })),
        body: isObject(body) ? body : undefined,
      },
    ]
  }),
)

/** The values that a parameter of the contract takes. */
export const valuesOf = (parameter: string): readonly string[] =>
  listOf(resolved(at(contractDocument, 'components', 'parameters', parameter, 'schema')).enum).map(String)

export interface FuzzSource {
  /** In [0, 1). */
  random(): number
  /** A text of this tenant. */
  text(): string
  /** An id that somebody has seen, or is in the demo data. @param name of the field. */
  id(name: string, operation: string): string
}

const DEEPEST = 6

/** Fills schemas with random values. */
export class ContractFuzz {
  readonly #source: FuzzSource
  #operation = ''

  constructor(source: FuzzSource) {
    this.#source = source
  }

  /** @param of the operation's id; without it, any. */
  request(of?: string): FuzzRequest {
    const {id, method, path, parameters, body} = this.#one(
      of === undefined ? fuzzOperations : fuzzOperations.filter(each => each.id === of),
    )
    this.#operation = id
    const query = new URLSearchParams()
    for (const {name, in: place, schema} of parameters) {
      if (place !== 'query' || (name !== 'auditUser' && this.#chance(0.5))) continue
      const value = name === 'auditUser' ? this.#source.text() : this.#value(schema, name)
      if (isObject(value))
        for (const [member, inner] of Object.entries(value)) query.set(member, String(inner))
      else query.set(name, String(value))
    }
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const schema = parameters.find(each => each.name === name)?.schema ?? {}
      return encodeURIComponent(String(this.#value(schema, name)))
    })
    const search = query.size === 0 ? '' : `?${query}`
    const sent = body && this.#value(resolved(body), 'body')
    return {operation: id, method, url: filled + search, body: method === 'GET' ? undefined : sent}
  }

  #chance(probability: number): boolean {
    return this.#source.random() < probability
  }

  #one<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.#source.random() * items.length)]
    if (item === undefined) throw new Error('there is nothing to choose from')
    return item
  }

  #value(given: Schema, name: string, depth = 0): unknown {
    const schema = resolved(given)
    if ('const' in schema) return schema.const
    const values = schema.enum ?? schema['x-extensible-enum']
    if (Array.isArray(values)) return this.#one(values)
    const some = schema.oneOf ?? schema.anyOf
    if (Array.isArray(some)) return this.#value(resolved(this.#one(some)), name, depth)
    if (Array.isArray(schema.allOf)) {
      const parts = schema.allOf.map(part => this.#value(resolved(part), name, depth))
      return parts.every(isObject) ? Object.assign({}, ...parts) : parts[0]
    }
    switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
      case 'object':
        return this.#object(schema, depth)
      case 'array':
        return Array.from({length: 1 + Math.floor(this.#source.random() * 2)}, () =>
          this.#value(resolved(schema.items), name, depth + 1),
        )
      case 'boolean':
        return this.#chance(0.5)
      case 'integer':
      case 'number':
        return Number(schema.minimum ?? 1) + Math.floor(this.#source.random() * 5)
      default:
        return this.#text(schema, name)
    }
  }

  #object(schema: Schema, depth: number): Schema {
    const required = new Set(listOf(schema.required))
    const all = Object.entries(resolved(schema.properties))
    const chosen = all.filter(([name]) => required.has(name) || (depth < DEEPEST && this.#chance(0.2)))
    const isTooFew = chosen.length < Number(schema.minProperties ?? 0) && all.length > 0
    const members = isTooFew ? [this.#one(all)] : chosen
    return Object.fromEntries(
      members.map(([name, member]) => [name, this.#value(resolved(member), name, depth + 1)]),
    )
  }

  #text({pattern, format, examples}: Schema, name: string): string {
    if (/(id|token|number|reference)$/i.test(name) && this.#chance(0.9))
      return this.#source.id(name, this.#operation)
    const [example] = listOf(examples)
    if (typeof example === 'string' && (pattern !== undefined || this.#chance(0.5))) return example
    if (pattern === '^[A-Z]{3}$' || /currency/i.test(name)) return 'EUR'
    if (pattern === '^[0-9]+$') return '12'
    if (format === 'date') return '2027-01-15'
    if (format === 'date-time') return '2027-01-15T10:00:00Z'
    return this.#source.text()
  }
}
