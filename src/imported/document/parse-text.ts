import {CORE_SCHEMA, load, mergeTag, YAMLException} from 'js-yaml'
import {Failure} from '../../errors/failure.ts'
import {jsonFault} from '../../input/json-fault.ts'
import {exceededLimit, LIMITS} from '../../limits/limits.ts'

/** Dates stay text. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag)

/**
 * Parses a document as JSON or YAML, depending on its text.
 *
 * @throws Failure INPUT_INVALID, which names the file, and the line if it is known.
 */
export function parseText(text: string, name: string): unknown {
  const isJson = /^\s*[{[]/.test(text)
  const value = isJson ? (parseJson(text, name) ?? parseYaml(text, name)) : parseYaml(text, name)
  const excess = beyondSize(value)
  if (excess !== undefined) throw invalid(`${name} cannot be used: ${excess}.`)
  return value
}

/** Undefined for YAML in braces. */
function parseJson(text: string, name: string): unknown {
  const beyond = exceededLimit(text, LIMITS.document)
  if (beyond) throw invalid(`${name} cannot be used: it ${beyond.why}.`)
  try {
    return JSON.parse(text)
  } catch {
    // `{openapi: 3.1.0}` is YAML.
    if (!/^\s*\{\s*"/.test(text)) return undefined
    const {line, column, isEnd} = jsonFault(text) ?? {}
    const place = line === undefined ? '' : ` at line ${line}, column ${column}`
    throw invalid(
      `${name} is not valid JSON${isEnd ? ': its end is missing' : ''}${place}.`,
      'Fix the document and import it again.',
    )
  }
}

function parseYaml(text: string, name: string): unknown {
  try {
    return load(text, {schema: SCHEMA, maxDepth: LIMITS.document.depth})
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const line = error.mark?.line
    const place = line === undefined ? '' : ` at line ${line + 1}`
    throw invalid(
      `${name} is not valid YAML${place}: ${error.reason}.`,
      'Fix the document and import it again.',
    )
  }
}

/** With aliases, a few lines of YAML can stand for millions of values, or contain themselves. */
function beyondSize(root: unknown): string | undefined {
  const sizes = new Map<object, number>()
  const open = new Set<object>()
  const sizeOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1
    const known = sizes.get(value)
    if (known !== undefined) return known
    if (open.has(value)) return Number.POSITIVE_INFINITY
    open.add(value)
    let size = 1
    for (const item of Object.values(value)) size += sizeOf(item)
    open.delete(value)
    sizes.set(value, size)
    return size
  }
  const size = sizeOf(root)
  if (size === Number.POSITIVE_INFINITY) return 'an alias in it holds itself'
  return size > LIMITS.document.values ? `it holds more than ${LIMITS.document.values} values` : undefined
}

const invalid = (message: string, hint?: string): Failure =>
  new Failure('INPUT_INVALID', {message, hint, effect: 'none'})
