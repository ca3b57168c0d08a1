import ts from 'typescript'

interface Schema {
  readonly [keyword: string]: unknown
  readonly anyOf?: readonly Schema[]
}

/** More literals than this are a list that the contract keeps, such as the ids of operations. */
const MOST_LITERALS = 40

/** Types of Node and of packages whose JSON form isn't in their type. */
const WRITTEN_AS: Readonly<Record<string, Schema>> = {
  Date: {type: 'string', format: 'date-time'},
  Secret: {type: 'string', description: 'A secret, masked.'},
  Advice: {type: 'string'},
  SuggestedCommand: {type: 'string', description: 'A command line to paste into a shell.'},
}

/** JSON Schemas of TypeScript types: what JSON.stringify writes of a value of the type. */
export class TypeSchemas {
  readonly #checker: ts.TypeChecker
  readonly #definitions = new Map<string, Schema>()
  readonly #names = new Map<ts.Type, string>()

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker
  }

  /** The schemas that the others refer to, by name. */
  definitions(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#definitions].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** Undefined for a type of which JSON has nothing. */
  of(type: ts.Type): Schema | undefined {
    const {flags} = type
    if (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never | ts.TypeFlags.ESSymbolLike))
      return undefined
    if (flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return {}
    if (type.isUnion()) return this.#union(type)
    if (flags & ts.TypeFlags.Null) return {type: 'null'}
    if (type.isStringLiteral() || type.isNumberLiteral()) return {const: type.value}
    if (flags & ts.TypeFlags.BooleanLiteral) return {const: this.#checker.typeToString(type) === 'true'}
    if (flags & ts.TypeFlags.BooleanLike) return {type: 'boolean'}
    if (flags & ts.TypeFlags.NumberLike) return {type: 'number'}
    if (flags & ts.TypeFlags.StringLike) return {type: 'string'}
    if (flags & ts.TypeFlags.NonPrimitive) return {type: 'object'}
    if (type.getCallSignatures().length > 0) return undefined
    return this.#object(type)
  }

  #union(type: ts.UnionType): Schema | undefined {
    const schemas = distinct(type.types.flatMap(one => alternatives(this.of(one))))
    const literals = schemas.flatMap(schema => ('const' in schema ? [schema.const] : []))
    const others = schemas.filter(schema => !('const' in schema))
    const isBoolean = literals.includes(true) && literals.includes(false)
    const named = literals.filter(one => !isBoolean || typeof one !== 'boolean')
    const parts = [
      ...(isBoolean ? [{type: 'boolean'}] : []),
      ...(named.length > MOST_LITERALS ? [{type: 'string'}] : named.length > 1 ? [{enum: named.sort()}] : []),
      ...(named.length === 1 ? [{const: named[0]}] : []),
      ...others,
    ]
    const [only] = parts
    if (parts.length < 2) return only
    const simple = parts.flatMap(part =>
      Object.keys(part).length === 1 && typeof part.type === 'string' ? [part.type] : [],
    )
    return simple.length === parts.length ? {type: simple.sort()} : {anyOf: parts}
  }

  #object(type: ts.Type): Schema {
    const symbol = type.aliasSymbol ?? type.getSymbol()
    const name = symbol?.getName() ?? '__type'
    const written = WRITTEN_AS[name]
    if (written) return written
    const marked = this.#marked(type)
    if (marked) return marked
    if (this.#checker.isTupleType(type) || this.#checker.isArrayType(type)) return this.#array(type)
    if (/^__/.test(name) || isOfLanguage(symbol)) return this.#members(type)
    const known = this.#names.get(type)
    if (known !== undefined) return {$ref: `#/$defs/${known}`}
    let free = name
    for (let count = 2; this.#definitions.has(free); count++) free = `${name}${count}`
    this.#names.set(type, free)
    this.#definitions.set(free, {})
    this.#definitions.set(free, {...described(this.#checker, symbol), ...this.#members(type)})
    return {$ref: `#/$defs/${free}`}
  }

  /** A response of the service, or an item of its list: the contract has the schema. */
  #marked(type: ts.Type): Schema | undefined {
    const name = type.getSymbol()?.getName()
    if (name !== 'ResponseTo' && name !== 'ItemOf') return undefined
    const [ids] = this.#checker.getTypeArguments(type as ts.TypeReference)
    const all = ids === undefined ? [] : ids.isUnion() ? ids.types : [ids]
    const refs = all.flatMap((id): Schema[] =>
      id.isStringLiteral() ? [{$ref: `${name === 'ItemOf' ? 'item' : 'response'}:${id.value}`}] : [],
    )
    return refs.length === 1 ? refs[0] : {anyOf: refs}
  }

  #array(type: ts.Type): Schema {
    const parts = this.#checker.getTypeArguments(type as ts.TypeReference)
    const schemas = distinct(parts.map(part => this.of(part)).filter(schema => schema !== undefined))
    return {type: 'array', items: schemas.length === 1 ? schemas[0] : {anyOf: schemas}}
  }

  #members(type: ts.Type): Schema {
    const properties: Record<string, Schema> = {}
    const required: string[] = []
    // The checker gives members of types that are put together in an order that depends on the rest of the program.
    const members = this.#checker
      .getPropertiesOfType(type)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    for (const member of members) {
      const name = member.getName()
      const held = this.#checker.getTypeOfSymbol(member)
      const schema = this.of(held)
      if (schema === undefined || name.startsWith('__@')) continue
      properties[name] = {...described(this.#checker, member), ...schema}
      const mayLack = held.isUnion() && held.types.some(({flags}) => flags & ts.TypeFlags.Undefined)
      if (!(member.flags & ts.SymbolFlags.Optional) && !mayLack && !isUnknown(held)) required.push(name)
    }
    const index = this.#checker.getIndexTypeOfType(type, ts.IndexKind.String)
    return {
      type: 'object',
      ...(Object.keys(properties).length === 0 ? {} : {properties}),
      ...(required.length === 0 ? {} : {required}),
      ...(index === undefined ? {} : {additionalProperties: this.of(index) ?? {}}),
    }
  }
}

/** `Omit`, `Readonly` and the like, which name no type of ours. */
const isOfLanguage = (symbol: ts.Symbol | undefined): boolean =>
  symbol?.declarations?.some(one => /\/typescript\/lib\//.test(one.getSourceFile().fileName)) === true

/** A union in a union is one union. */
const alternatives = (schema: Schema | undefined): readonly Schema[] =>
  schema === undefined ? [] : (schema.anyOf ?? [schema])

const isUnknown = ({flags}: ts.Type): boolean => (flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) !== 0

/** The docstring, in one line. */
function described(checker: ts.TypeChecker, symbol: ts.Symbol | undefined): Schema {
  const text = ts
    .displayPartsToString(symbol?.getDocumentationComment(checker))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text === '' ? {} : {description: text}
}

/** Sorted, because the order of a union in TypeScript depends on other files. */
function distinct(schemas: readonly Schema[]): readonly Schema[] {
  const byText = new Map(schemas.map(schema => [JSON.stringify(schema), schema]))
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, schema]) => schema)
}
