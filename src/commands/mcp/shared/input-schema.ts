import type {CommandData, FlagData} from '../../../cli/help/tool-data.ts'
import {fieldSchemas, type JsonSchema, requestSchema} from '../../../contract/schema.ts'
import type {OperationId} from '../../../contract/types.ts'
import {isOfferedFlag} from './offered-flags.ts'

/** What a tool takes under one name, and where it goes in the command line. */
export interface Parameter {
  readonly name: string
  readonly schema: JsonSchema
  readonly required: boolean
  /** The flag with its hyphens; undefined for an argument. */
  readonly flag?: string
}

/** The longest text, in characters; `data` may have longer ones. */
export const LONGEST_TEXT = 10_000
/** The most values of a parameter that takes several. */
export const MOST_VALUES = 1000

/** How many items of a list are read, unless the caller says so, and at most. */
export const READ_AT_ONCE = 1000
const READ_AT_MOST = 10_000
const LIMIT: JsonSchema = {
  type: 'integer',
  minimum: 1,
  maximum: READ_AT_MOST,
  description: `How many items to read in all. Default ${READ_AT_ONCE}.`,
}

/** On every tool that lists. */
const CURSOR: Parameter = {
  name: 'cursor',
  required: false,
  schema: {type: 'string', maxLength: 100, description: 'For more of a list: `next` of the result before.'},
}

/** What a tool for this command takes. @param listed whether its result is a list. */
export async function parametersOf(command: CommandData, listed: boolean): Promise<readonly Parameter[]> {
  const flags = command.flags.filter(isOfferedFlag)
  const own = await Promise.all(
    flags.map(async (flag): Promise<Parameter> => {
      const schema =
        flag.name === '--data'
          ? await bodySchema(command)
          : flag.name === '--limit'
            ? LIMIT
            : flagSchema(flag)
      return {name: flag.name.slice(2), flag: flag.name, required: flag.required, schema}
    }),
  )
  const positional = command.arguments.map(
    ({name, summary, required, repeatable}): Parameter => ({
      name: name.toLowerCase(),
      required,
      schema: severalOf(repeatable, text(summary)),
    }),
  )
  return [...positional, ...own, ...(listed ? [CURSOR] : [])]
}

export const inputSchema = (parameters: readonly Parameter[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map(({name, schema}) => [name, schema])),
  required: parameters.filter(({required}) => required).map(({name}) => name),
  additionalProperties: false,
})

const text = (description: string | undefined): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: LONGEST_TEXT,
  ...(description === undefined ? {} : {description}),
})

function severalOf(repeatable: boolean, schema: JsonSchema): JsonSchema {
  if (!repeatable) return schema
  const {description = '', ...items} = schema
  return {type: 'array', items, minItems: 1, maxItems: MOST_VALUES, description}
}

function flagSchema({type, options, summary, placeholder, knownValues, repeatable}: FlagData): JsonSchema {
  const known = knownValues === undefined ? '' : ` Known values: ${knownValues.join(', ')}.`
  const form = placeholder === undefined || type === 'integer' ? '' : ` Form: ${placeholder}.`
  const description = `${summary}${known}${form}`
  if (type === 'boolean') return {type, description}
  if (type === 'integer') return severalOf(repeatable, {type, description})
  if (options !== undefined) return severalOf(repeatable, {type: 'string', enum: options, description})
  return severalOf(repeatable, text(description))
}

/** The body of the request. Of several operations, the fields of all: which of them one takes, the command checks. */
async function bodySchema({operations}: CommandData): Promise<JsonSchema> {
  const bodies = await Promise.all(operations.map(id => requestSchema(id as OperationId)))
  const described = bodies.filter(body => body !== undefined).map(withoutMarks)
  const description =
    'Fields of the request. Amounts and ids as the schema says; more than 15 digits as text.'
  const properties: Record<string, JsonSchema> = {}
  for (const body of described)
    for (const [name, schema] of Object.entries(fieldSchemas(body))) {
      const known = properties[name]
      const isSame = known === undefined || JSON.stringify(known) === JSON.stringify(schema)
      properties[name] = isSame ? schema : {}
    }
  return {type: 'object', properties, description}
}

/** The marks of the contract are ours. */
const withoutMarks = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key.startsWith('x-') ? undefined : value)))
