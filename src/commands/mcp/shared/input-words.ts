import type {JsonSchema} from '../../../contract/json-schema.ts'
import {typesOf} from '../../../contract/schema.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {maskWithin} from '../../../sensitive/mask-text.ts'
import type {Parameter} from './input-schema.ts'

/**
 * The words of a command line for what a caller passed. A value is always in one word with its flag, or behind `--`, so
 * that it can't be read as a flag.
 *
 * @throws Failure INPUT_INVALID
 */
export function wordsFor(
  parameters: readonly Parameter[],
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  const names = parameters.map(({name}) => name)
  const unknown = Object.keys(given).find(name => !names.includes(name))
  if (unknown !== undefined) throw noSuch(unknown, names)
  const missing = parameters.find(({name, required}) => required && given[name] === undefined)
  if (missing !== undefined) throw invalid(`${missing.name} is missing.`)
  const flags: string[] = []
  const positional: string[] = []
  for (const {name, flag, schema} of parameters) {
    const value = given[name]
    if (value === undefined) continue
    const problem = problemOf(value, schema)
    if (problem !== undefined) throw invalid(`${name} ${problem}.`)
    if (name === 'cursor') continue
    if (flag === undefined) positional.push(...wordsOf(value))
    else flags.push(...flagWords(flag, value))
  }
  return [...flags, ...(positional.length === 0 ? [] : ['--', ...positional])]
}

const wordsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map(each => (isObject(each) ? JSON.stringify(each) : String(each)))

function flagWords(flag: string, value: unknown): readonly string[] {
  if (value === true) return [flag]
  if (value === false) return []
  return wordsOf(value).map(text => `${flag}=${text}`)
}

/** What is wrong with a value, as the end of a sentence. The value itself isn't quoted: it may be a secret. */
function problemOf(value: unknown, schema: JsonSchema): string | undefined {
  const [type] = typesOf(schema)
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'integer':
      return integerProblem(value, schema)
    case 'array':
      return arrayProblem(value, schema)
    case 'object':
      return isObject(value) ? undefined : 'must be an object'
    default:
      return textProblem(value, schema)
  }
}

function integerProblem(value: unknown, {minimum = -MOST, maximum = MOST}: JsonSchema): string | undefined {
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  if (isWhole && value >= minimum && value <= maximum) return undefined
  return `must be a whole number from ${minimum} to ${maximum}`
}

const MOST = 999_999_999_999_999

function arrayProblem(value: unknown, {items = {}, maxItems = 0}: JsonSchema): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return 'must be a list with at least one value'
  if (value.length > maxItems) return `has ${value.length} values; the maximum is ${maxItems}`
  const problem = value.map(each => problemOf(each, items)).find(found => found !== undefined)
  return problem === undefined ? undefined : `has a value that ${problem}`
}

function textProblem(value: unknown, {enum: options, maxLength = 0}: JsonSchema): string | undefined {
  if (typeof value === 'number') return 'must be text: put the digits in quotes'
  if (typeof value !== 'string') return 'must be text'
  if (options !== undefined)
    return options.includes(value) ? undefined : `must be one of ${options.join(', ')}`
  if (value === '') return 'is empty'
  if (value.includes('\0')) return 'has a null character'
  return value.length > maxLength ? `has ${value.length} characters; the maximum is ${maxLength}` : undefined
}

const invalid = (message: string): Failure =>
  new Failure('INPUT_INVALID', {
    message,
    hint: 'The input schema of the tool has what it takes. Nothing was sent.',
    effect: 'none',
  })

function noSuch(name: string, names: readonly string[]): Failure {
  const meant = nearestName(name, names)
  const what = maskWithin(name, 40)
  return invalid(`The tool has no parameter ${what}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`)
}
