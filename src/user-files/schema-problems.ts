import {explainBody} from '../contract/explain-errors.ts'
import type {JsonSchema} from '../contract/json-schema.ts'
import {schemaAt} from '../contract/schema.ts'
import type {SchemaError, Validator} from '../contract/validator.ts'
import type {Issue, Position} from './parse-text.ts'

/** The patterns of a schema in words: a part of the pattern, and what it demands. The first that fits is used. */
export type Forms = readonly (readonly [RegExp, string])[]

interface PublishedSchema {
  readonly validate: Validator | undefined
  /** Loaded only for a file with errors, to suggest names. */
  loadSchema(): Promise<{readonly default: object}>
  readonly forms: Forms
  /** The name that was probably meant by an unknown one, if no name of the schema is near. */
  otherName?(name: string): string | undefined
}

/** Where a file differs from its published schema, by line and column, and the pointers of these places. */
export async function schemaProblems(
  value: unknown,
  at: (pointer: string, what?: 'key') => Position,
  {validate, loadSchema, forms, otherName}: PublishedSchema,
): Promise<{issues: readonly Issue[]; pointers: readonly string[]}> {
  if (!validate) throw new Error('There is no validator for this file.')
  if (validate(value)) return {issues: [], pointers: []}
  const schema = withoutReferences((await loadSchema()).default)
  const issues = new Map<string, Issue>()
  const pointers: string[] = []
  for (const error of validate.errors ?? []) {
    const explanation = explainBody(inWords(error, schema, forms), value, schema)
    if (!explanation) continue
    const {pointer, subject, problem, suggestion} = explanation
    pointers.push(pointer)
    const isKey = error.params.additionalProperty !== undefined
    const near = suggestion ?? (isKey ? otherName?.(subject) : undefined)
    const meant = near === undefined ? '' : `; did you mean ${near}?`
    const issue = {
      ...at(pointer, isKey ? 'key' : undefined),
      message: `${subject === 'the body' ? 'the file' : subject} ${problem}${meant}`,
    }
    issues.set(`${pointer} ${subject} ${problem}`, issue)
  }
  return {issues: [...issues.values()], pointers}
}

/** A value of another type gets the message for a wrong format: a user who wrote 50 for a share needs an example. */
function inWords(error: SchemaError, schema: JsonSchema, forms: Forms): SchemaError {
  if (error.keyword !== 'pattern' && error.keyword !== 'type') return error
  // Below a map the schema has no place of its own.
  const pattern = String(error.params.pattern ?? schemaAt(schema, error.instancePath)?.pattern ?? '')
  const form = forms.find(([sign]) => sign.test(pattern))?.[1]
  return form === undefined ? error : {...error, keyword: 'form', message: `must be ${form}`}
}

/** A schema with its references replaced. Within itself, a part is any value. */
function withoutReferences(schema: object): JsonSchema {
  const {$defs: definitions = {}} = schema as {readonly $defs?: Readonly<Record<string, unknown>>}
  const resolve = (node: unknown, within: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map(item => resolve(item, within))
    if (typeof node !== 'object' || node === null) return node
    const {$ref, ...rest} = node as Record<string, unknown>
    const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined
    const target =
      name === undefined || within.includes(name) ? {} : resolve(definitions[name], [...within, name])
    return Object.assign(
      {},
      target,
      Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, resolve(item, within)])),
    )
  }
  return resolve(schema, []) as JsonSchema
}

/** A part that an alias repeats is reported once. */
export const once = (issues: readonly Issue[]): readonly Issue[] => [
  ...new Map(issues.map(issue => [`${issue.line}:${issue.column}:${issue.message}`, issue])).values(),
]

export const inOrder = (issues: readonly Issue[]): readonly Issue[] =>
  issues.toSorted((a, b) => a.line - b.line || a.column - b.column)
