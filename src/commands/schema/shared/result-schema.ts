import type {JsonSchema} from '../../../contract/json-schema.ts'
import {schemasFor} from '../../../contract/schema.ts'
import {errorFields, errorSchema, noteSchema, warningSchema} from '../../../output/error-schema.ts'
import {masksIn} from './masked-schema.ts'

type Schema = Readonly<Record<string, unknown>>

interface Results {
  readonly results: Readonly<Record<string, Schema>>
  readonly $defs: Readonly<Record<string, Schema>>
}

/** What cardctl prints that isn't the result of one command. */
const OTHERS: Readonly<Record<string, {readonly describes: string; readonly schema: JsonSchema}>> = {
  error: {describes: 'A line of stderr with the error of any command', schema: errorSchema},
  hint: {
    describes: 'The commands that the hint of an error names, its `commands`',
    schema: errorFields.commands,
  },
  warning: {describes: 'A line of stderr with a warning', schema: warningSchema},
  note: {describes: 'A line of stderr with a note', schema: noteSchema},
}

const PREVIEWS: Readonly<Record<string, string>> = {
  'dry-run': 'A request that --dry-run prints',
  proposal: 'A proposal that --propose prints',
  plan: 'A plan that --plan prints',
}

const EVENTS: ReadonlySet<string> = new Set(['gate serve', 'sandbox serve', 'webhook serve'])

/** Of a result that any value may be: what it is. */
const OPEN: Readonly<Record<string, string>> = {
  api: 'The response of the service, whatever its operation. cardctl contract show OPERATION describes it.',
  x: "The response of the service. The document that you imported describes it, as far as it does; cardctl doesn't check it against this schema.",
  'requests approve':
    'The response of the service to the request that was proposed, or the list of responses of transfers. cardctl contract show OPERATION describes it.',
  'requests retry':
    'The response of the service to the request. cardctl contract show OPERATION describes it.',
}

/** Commands that print no result, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  completion: 'it prints a script for a shell',
  'contract remove': 'it prints nothing, and its exit code says how it ended',
  'mappings remove': 'it prints nothing, and its exit code says how it ended',
  mcp: 'it prints messages of the Model Context Protocol',
  'profiles remove': 'it prints nothing, and its exit code says how it ended',
  'profiles use': 'it prints nothing, and its exit code says how it ended',
  tour: 'it prints a transcript for people',
}

/** Why a command has no schema; undefined for what isn't one. */
export const whyWithoutSchema = (name: string): string | undefined =>
  Object.hasOwn(WITHOUT, name) ? WITHOUT[name] : undefined

/** Generated from the types of the commands by tools/generate-results.ts. */
async function readResults(): Promise<Results> {
  const {default: results} = await import('./results.json', {with: {type: 'json'}})
  return results
}

/** Everything that has a schema, by name: commands, and what all of them print. */
export async function describedNames(): Promise<readonly {name: string; describes: string}[]> {
  const {results} = await readResults()
  return [
    ...Object.entries(OTHERS).map(([name, {describes}]) => ({name, describes})),
    ...Object.entries(PREVIEWS).map(([name, describes]) => ({name, describes})),
    ...Object.keys(results)
      .filter(name => !Object.hasOwn(PREVIEWS, name))
      .map(name => ({name, describes: describes(name)})),
  ]
}

const describes = (name: string, program = ''): string =>
  EVENTS.has(name) ? `A line of ${program}${name}: an event` : `The result of ${program}${name}`

/** A JSON Schema without references to other documents; undefined for a name that has none. */
export async function schemaOf(name: string): Promise<Schema | undefined> {
  const {results, $defs} = await readResults()
  const other = Object.hasOwn(OTHERS, name) ? OTHERS[name] : undefined
  const own = other?.schema ?? (Object.hasOwn(results, name) ? results[name] : undefined)
  if (own === undefined) return undefined
  const used = new Map<string, unknown>()
  const schema = await withDefinitions(own, $defs, used)
  const title = other?.describes ?? PREVIEWS[name] ?? describes(name, 'cardctl ')
  const description = Object.hasOwn(OPEN, name) ? OPEN[name] : undefined
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...(description === undefined ? {} : {description}),
    ...(schema as Schema),
    ...(used.size === 0 ? {} : {$defs: Object.fromEntries(used)}),
  }
}

/** The schema with references into its own `$defs`; collects what it refers to. */
async function withDefinitions(
  value: unknown,
  known: Results['$defs'],
  used: Map<string, unknown>,
): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(item => withDefinitions(item, known, used)))
  if (typeof value !== 'object' || value === null) return value
  const {$ref} = value as {$ref?: unknown}
  if (typeof $ref !== 'string') {
    const entries = Object.entries(value).map(async ([name, item]) => [
      name,
      await withDefinitions(item, known, used),
    ])
    return Object.fromEntries(await Promise.all(entries))
  }
  const local = $ref.startsWith('#/$defs/') ? $ref.slice('#/$defs/'.length) : undefined
  const name = local ?? $ref.replace(/^response:/, '').replace(/^item:(.*)/, '$1.item')
  if (!used.has(name)) {
    used.set(name, {})
    used.set(
      name,
      local === undefined ? await contractSchema($ref) : await withDefinitions(known[local], known, used),
    )
  }
  return {...value, $ref: `#/$defs/${name}`}
}

/** @param reference `response:ID`, or `item:ID` for an item of a list */
async function contractSchema(reference: string): Promise<JsonSchema> {
  const [kind, id = ''] = reference.split(':')
  const response = (await schemasFor(id)).replies[id]
  const schema = kind === 'item' ? (response?.items ?? response?.properties?.items?.items) : response
  if (schema === undefined) throw new Error(`The contract has no schema for ${reference}.`)
  return masksIn(schema)
}
