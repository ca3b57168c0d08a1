/** The keywords of JSON Schema 2020-12 that the contract's dereferenced schemas use. */
export interface JsonSchema {
  /** What the schema describes, with an article: "a credit account". */
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly allOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly 'x-sensitive'?: boolean
  readonly 'x-money'?: boolean
  readonly 'x-free-text'?: boolean
  readonly 'x-irreversible'?: readonly {readonly value: unknown}[]
}
