import {readFile} from 'node:fs/promises'
import {basename} from 'node:path'
import {type BodyFlags, pathSteps, readBody, splitField} from '../../../cli/body.ts'
import type {Context} from '../../../cli/context.ts'
import {readSecretLine} from '../../../cli/read-secret.ts'
import type {JsonSchema} from '../../../contract/json-schema.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import {fieldSchemaAt, typesOf} from '../../../contract/schema.ts'
import {Failure} from '../../../errors/failure.ts'
import {FilePart, readValue} from '../../../imported/commands.ts'
import type {ImportedOperation, ImportedParameter, StoredContract} from '../../../imported/index.ts'
import {unreadableInput} from '../../../input/read-input.ts'
import {readReference} from '../../../profiles/index.ts'
import {Secret} from '../../../sensitive/secret.ts'

type Values = Readonly<Record<string, unknown>>

const A_NUMBER = {type: 'number', nullable: false} as const

/** The parts of a request, from the command line. @throws Failure USAGE, SENSITIVE_IN_ARGV … */
export async function readInput(
  context: Context,
  {imported, contract}: {readonly imported: ImportedOperation; readonly contract: StoredContract},
  {args, flags}: {readonly args: Values; readonly flags: Values},
): Promise<AnyInput> {
  const places: Record<ImportedParameter['in'], Record<string, unknown>> = {
    path: {},
    query: {},
    header: {},
    cookie: {},
  }
  for (const parameter of imported.parameters) {
    const given =
      parameter.in === 'path' && !parameter.sensitive ? args[parameter.flag] : flags[parameter.flag]
    if (given === undefined) continue
    places[parameter.in][parameter.name] = parameter.sensitive
      ? await readSecret(context, parameter, String(given))
      : parameter.in === 'path'
        ? given
        : await readValue(
            parameter,
            given,
            name => contract.schema(name),
            text => context.numbers.field(A_NUMBER, `--${parameter.flag}`, text),
          )
  }
  const {path, query, header, cookie} = places
  return {
    path: path as Record<string, string>,
    query,
    ...(Object.keys(header).length === 0 ? {} : {headers: header}),
    ...(Object.keys(cookie).length === 0 ? {} : {cookies: cookie}),
  }
}

async function readSecret(context: Context, {flag}: ImportedParameter, given: string): Promise<Secret> {
  if (given === '-') {
    const line = await readSecretLine(context.surroundings, `--${flag}`)
    return new Secret(line.open().toString('utf8'))
  }
  if (!/^(?:env|file|cmd):./.test(given)) {
    throw new Failure('SENSITIVE_IN_ARGV', {
      message: `--${flag} takes a secret, and a command line is seen by every process of this machine.`,
      hint: 'Say where it is found: env:NAME, file:PATH or cmd:COMMAND; or - to read it from stdin.',
      effect: 'none',
    })
  }
  const notify = ({message}: {message: string}) => context.printer.warn(message)
  return readReference(given, `the value of --${flag}`, {...context.surroundings, notify})
}

/** The body of a request: JSON and forms from --data, -f and -F, anything else as bytes. */
export async function readImportedBody(
  context: Context,
  operation: Operation,
  imported: ImportedOperation,
  flags: BodyFlags,
  schema: JsonSchema | undefined,
): Promise<unknown> {
  const {kind} = imported.body ?? {}
  if (kind === 'other') return readBytes(flags)
  if (kind !== 'multipart') return readBody(operation, flags, {}, context, schema)
  const files: Record<string, unknown> = {}
  const isFile = (argument: string): boolean => /^[^=]+=@/.test(argument)
  for (const argument of (flags.field ?? []).filter(isFile)) {
    const {path, text} = splitField(argument, '-F')
    const name = text.slice(1)
    // Some documents call a list `photos[]`; photos[0] is its first item.
    const isNamed = schema?.properties !== undefined && Object.hasOwn(schema.properties, path)
    const field = isNamed ? path : path.replace(/\[\d*\]$/, '')
    const isList = field !== path || typeOfField(schema, isNamed ? [path] : pathSteps(path)).includes('array')
    const part = new FilePart(basename(name), await readNamed(name))
    // A list of files needs one -F for each file.
    const before = Object.hasOwn(files, field) ? [files[field]].flat() : []
    files[field] = isList || before.length > 0 ? [...before, part] : part
  }
  const rest = {...flags, field: flags.field?.filter(argument => !isFile(argument))}
  return readBody(operation, rest, files, context, schema)
}

function typeOfField(schema: JsonSchema | undefined, steps: readonly string[]): readonly string[] {
  const known = schema && fieldSchemaAt(schema, steps)
  return known === undefined ? [] : typesOf(known)
}

async function readBytes({data, field, 'raw-field': raw}: BodyFlags): Promise<unknown> {
  if ((field ?? []).length > 0 || (raw ?? []).length > 0) {
    throw new Failure('USAGE', {message: 'This body has no fields. Pass it with --data @FILE.'})
  }
  if (data === undefined) return undefined
  if (data.startsWith('@')) return new Secret(await readNamed(data.slice(1)))
  throw new Failure('USAGE', {message: 'This body is no JSON: give it with --data @FILE.'})
}

async function readNamed(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw unreadableInput(path, error)
  }
}
