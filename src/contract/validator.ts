/** One error of a compiled validator, in Ajv's words. */
export interface SchemaError {
  /** JSON pointer to the value. */
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
}

export interface Validator {
  (value: unknown): boolean
  errors?: readonly SchemaError[] | null
}

/** Generated validators, by what they check: `ID request`, `ID 200 open`, `ID 200 closed`. */
export type Validators = Readonly<Record<string, Validator>>
