import type {Operation} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {type FieldType, fieldType, type JsonSchema, requestSchema} from '../contract/schema.ts'
import type {OperationId} from '../contract/types.ts'
import {quotableName} from '../contract/violation.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {jsonFault, placeIn} from '../input/json-fault.ts'
import {changedNumber, exceededLimit, LIMITS, repeatsName} from '../limits/limits.ts'
import {maskWithin} from '../sensitive/mask-text.ts'
import type {Context} from './context.ts'
import type {bodyFlags, SomeFlagValues} from './flags.ts'
import {readStdin} from './read-secret.ts'
import {readText, readTextFile} from './read-text.ts'
import {refuseSecrets} from './refuse-secrets.ts'
import type {Surroundings} from './surroundings.ts'

export type BodyFlags = SomeFlagValues<Pick<typeof bodyFlags, 'field' | 'raw-field' | 'data'>>

type Json = Record<string, unknown>

/**
 * Builds a request body from `--data`, then `-f` and `-F`, then the command's own flags; later ones win.
 *
 * @throws Failure SENSITIVE_IN_ARGV when a secret is on the command line; see refuseSecrets.
 */
export async function readBody(
  operation: Operation,
  flags: BodyFlags,
  own: Json,
  {surroundings, numbers}: Pick<Context, 'surroundings' | 'numbers'>,
  /** For a body that the contract doesn't describe. */
  described?: JsonSchema,
): Promise<unknown> {
  const schema = operation.id in operations ? await requestSchema(operation.id as OperationId) : described
  const given = flags.data === undefined ? undefined : await readData(flags.data, surroundings)
  if (isLiteral(flags.data)) refuseSecrets(operation, schema, [], given)
  const fields = [...(flags['raw-field'] ?? []).map(raw), ...(flags.field ?? []).map(typed)]
  const ownGiven = Object.entries(own).filter(([, value]) => value !== undefined)
  if (fields.length === 0 && ownGiven.length === 0) return given
  if (given !== undefined && !isObject(given)) {
    throw new Failure('USAGE', {
      message: '--data is not a JSON object, so flags cannot set fields in it.',
    })
  }
  const body: Json = structuredClone(given ?? {})
  for (const {path, text, isTyped} of fields) {
    const [member = ''] = pathSteps(path)
    if (ownGiven.some(([name]) => name === member)) throw setTwice(member, '-F or -f')
    const type = typeAt(schema, path)
    const value = isTyped ? typedValue(schema, path, await numbers.field(type, path, text), type) : text
    refuseSecrets(operation, schema, pathSteps(path), value)
    setField(body, path, value)
  }
  for (const [name, value] of ownGiven) {
    // A flag replaces a value of a file. A whole list would go without a word.
    if (Array.isArray(body[name]) && Array.isArray(value)) throw setTwice(name, '--data')
    body[name] = value
  }
  return body
}

const setTwice = (member: string, other: string): Failure =>
  new Failure('USAGE', {
    message: `${member} is set twice: by a flag of its own, and by ${other}.`,
    hint: 'Leave out one of them.',
    effect: 'none',
  })

interface Field {
  readonly path: string
  readonly text: string
  readonly isTyped: boolean
}

const raw = (argument: string): Field => ({...splitField(argument, '-f'), isTyped: false})
const typed = (argument: string): Field => ({...splitField(argument, '-F'), isTyped: true})

/** @throws Failure USAGE if it is not path=value. */
export function splitField(
  argument: string,
  flag: string,
  example = 'address.city=Oslo',
): {path: string; text: string} {
  const at = argument.indexOf('=')
  if (at < 1) throw new Failure('USAGE', {message: `${flag} takes path=value, e.g. ${flag} ${example}.`})
  return {path: argument.slice(0, at), text: argument.slice(at + 1)}
}

/** `a.b[0].c` and `a.b.0.c` name the same field. @throws Failure USAGE */
export function pathSteps(path: string): string[] {
  // The usual one, which a file has in every row.
  if (!/[.[]/.test(path)) return [path]
  const found = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  if (found.length <= LIMITS.body.depth) return found
  throw new Failure('USAGE', {
    message: `The path ${maskWithin(path, 40)} has ${found.length} steps; the maximum is ${LIMITS.body.depth}.`,
    hint: 'Write a.b or list[0].a.',
  })
}

/** The type that the contract has for a field. */
export const typeAt = (schema: JsonSchema | undefined, path: string): FieldType =>
  schema ? fieldType(schema, pathSteps(path).join('.')) : {type: 'unknown', nullable: true}

/** Gives a value the type that the contract has for the field: "0123" stays text if the field is a string. */
export function typedValue(
  schema: JsonSchema | undefined,
  path: string,
  text: string,
  type = typeAt(schema, path),
): unknown {
  if (text === 'null' && type.nullable) return null
  if (type.type === 'string') return text
  if (type.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (text !== '' && /^(true|false|null|-?\d|[[{"])/.test(text)) {
    const beyond = exceededLimit(text, LIMITS.body)
    if (beyond) {
      throw new Failure('INPUT_INVALID', {message: `The value of ${path} cannot be used: it ${beyond.why}.`})
    }
    try {
      const value: unknown = JSON.parse(text)
      if (type.isText && typeof value !== 'object') return text
      if (repeatsName(text, value)) throw fieldTwice(`The value of ${path}`)
      if (changedNumber(text) !== undefined)
        throw tooManyDigits(`The value of ${path}`, '-f sends it as text.')
      return value
    } catch (error) {
      if (error instanceof Failure) throw error
      // Not JSON: the text itself, which the contract then accepts or refuses by name.
    }
  }
  return text
}

/** The highest list index that can be set. A large index would create all the items before it. */
const LAST_PLACE = 9999

/** Sets a field by its dotted path. @throws Failure USAGE */
export function setField(body: Json, path: string, value: unknown): void {
  const parts = pathSteps(path)
  if (parts.some(part => part === '' || part === '__proto__')) {
    throw new Failure('USAGE', {
      message: `${path} is not the path of a field.`,
      hint: 'Write a.b or list[0].a.',
    })
  }
  if (parts.some(part => /^\d+$/.test(part) && Number(part) > LAST_PLACE)) {
    throw new Failure('USAGE', {
      message: `A list index in ${path} is too large; the maximum is ${LAST_PLACE}.`,
      hint: 'Pass a long list with --data @FILE or --data -.',
    })
  }
  let place: Json = body
  parts.forEach((part, at) => {
    if (at === parts.length - 1) {
      place[part] = value
      return
    }
    const next = place[part]
    if (!isObject(next) && !Array.isArray(next)) place[part] = /^\d+$/.test(parts[at + 1] ?? '') ? [] : {}
    place = place[part] as Json
  })
}

/** Whether the value of `--data` itself is on the command line. */
export const isLiteral = (data: string | undefined): boolean => data !== undefined && !/^(-$|@)/.test(data)

/** Reads the value of `--data`: the JSON itself, a file or stdin. */
export async function readData(data: string, surroundings: Surroundings): Promise<unknown> {
  if (data === '-') {
    return parseJson(await readText(readStdin(surroundings, '--data'), 'stdin'), 'stdin')
  }
  if (data.startsWith('@')) {
    const path = data.slice(1)
    return parseJson(await readTextFile(path, surroundings), path)
  }
  return parseJson(data, '--data')
}

/** The parser's message quotes the input, which may contain a secret, so the error names only the place. */
export function parseJson(text: string, where: string): unknown {
  if (text.trim() === '') throw new Failure('INPUT_INVALID', {message: `${where} is empty.`})
  const beyond = exceededLimit(text, LIMITS.body)
  if (beyond) {
    const {line, column} = placeIn(text, beyond.at)
    throw new Failure('INPUT_INVALID', {
      message: `${where} cannot be used: at line ${line}, column ${column} it ${beyond.why}.`,
    })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const {line, column, isEnd} = jsonFault(text) ?? {line: 1, column: 1, isEnd: false}
    const place = isEnd ? 'its end is missing' : `look at line ${line}, column ${column}`
    throw new Failure('INPUT_INVALID', {
      message: `${where} is not valid JSON: ${place}.`,
      ...(where === '--data' && {
        hint: `Write it as --data '{"name": "value"}', --data @FILE, or --data - for stdin.`,
      }),
    })
  }
  if (repeatsName(text, value)) throw fieldTwice(where)
  const changed = changedNumber(text)
  if (changed === undefined) return value
  const name = quotableName(changed)
  throw tooManyDigits(`A number in ${where}${name === undefined ? '' : ` (${name})`}`, 'Write it as text.')
}

const fieldTwice = (what: string): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${what} has a field twice in one object, and which value counts is not known.`,
    hint: 'Write each field once.',
    effect: 'none',
  })

const tooManyDigits = (what: string, hint: string): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${what} has more digits than a JSON number can hold: a different number would be sent.`,
    hint: `At most 15 digits are safe. ${hint}`,
    effect: 'none',
  })
