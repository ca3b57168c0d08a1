import {nearestName} from '../errors/nearest-name.ts'
import type {JsonSchema} from './json-schema.ts'
import {memberAt, membersOf, pointerSteps, schemaAt} from './schema.ts'
import {mayBePlaceholder, placeholder} from './skeleton.ts'
import type {SchemaError} from './validator.ts'
import {below, quotableName, type Violation} from './violation.ts'
import {wordsFor} from './violation-words.ts'

/** More complaints than these help nobody. */
const MOST = 50

/** The complaints once each, at most 50 of them, and none that another one at the same place makes superfluous. */
export function distinctViolations(found: Iterable<Violation | undefined>): readonly Violation[] {
  const kept = new Map<string, Violation>()
  for (const violation of found) {
    if (violation) kept.set(`${violation.pointer} ${violation.message}`, violation)
    if (kept.size >= MOST) break
  }
  return [...kept.values()]
}

/** A complaint of a validator about a body, in words; undefined where another one says it already. */
export function explainBody(error: SchemaError, body: unknown, schema?: JsonSchema): Violation | undefined {
  const pointer = error.instancePath
  const what = pointer === '' ? 'the body' : nameOf(pointer)
  const place = schema && schemaAt(schema, pointer)
  const unknown = error.params.additionalProperty ?? error.params.unevaluatedProperty
  if (unknown !== undefined) {
    const name = String(unknown)
    const owner = pointer === '' ? (schema?.title ?? what) : what
    const suggestion = place && nearestName(name, Object.keys(membersOf(place)))
    return {
      pointer: below(pointer, quotableName(name)),
      message: `${quotableName(name)} is not a member of ${owner}`,
      ...(suggestion === undefined ? {} : {suggestion}),
    }
  }
  if (error.keyword === 'required') {
    const missing = below(pointer, String(error.params.missingProperty))
    return {pointer: missing, message: `${nameOf(missing)} is missing`}
  }
  return explainValue(error, {pointer, what, value: valueAt(body, pointer), schema: place})
}

interface Place {
  readonly pointer: string
  readonly what: string
  /** Looked at for a suggestion only, never quoted. */
  readonly value: unknown
  readonly schema?: JsonSchema | undefined
  /** Values that are never suggested. */
  readonly never?: readonly string[]
}

/** A complaint about a value, in words, with the allowed value that was probably meant. */
export function explainValue(
  error: SchemaError,
  {pointer, what, value, schema, never = []}: Place,
): Violation | undefined {
  if (schema && mayBePlaceholder(value) && value === placeholder(schema)) return unfilled(pointer)
  const words = wordsFor(error)
  if (words === undefined) return undefined
  // What can't be taken back is typed by whoever means it, and offered to nobody.
  const marked = schema?.['x-irreversible']
  const lasting = [...never, ...(Array.isArray(marked) ? marked.map(mark => String(mark.value)) : [])]
  const allowed = error.keyword === 'enum' ? error.params.allowedValues : undefined
  const suggestion =
    Array.isArray(allowed) && typeof value === 'string'
      ? nearestName(
          value,
          allowed.map(String).filter(one => !lasting.includes(one)),
        )
      : undefined
  return {pointer, message: `${what} ${words}`, ...(suggestion === undefined ? {} : {suggestion})}
}

/** Placeholders of a skeleton that the contract would take as text. */
export function unfilledPlaceholders(
  value: unknown,
  schema: JsonSchema | undefined,
  pointer = '',
): readonly Violation[] {
  // The schema ends this, not the value: what nests deeper than the contract is refused already.
  if (schema === undefined) return []
  if (mayBePlaceholder(value)) return value === placeholder(schema) ? [unfilled(pointer)] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) =>
    unfilledPlaceholders(item, memberAt(schema, [name]), below(pointer, name)),
  )
}

const unfilled = (pointer: string): Violation => ({
  pointer,
  message: `${pointer === '' ? 'the body' : nameOf(pointer)} still holds its placeholder; fill it in or take it out`,
})

function valueAt(body: unknown, pointer: string): unknown {
  let value = body
  for (const step of pointerSteps(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  return value
}

/** `/usageLimits/0/code` → `usageLimits[0].code`. */
function nameOf(pointer: string): string {
  return pointerSteps(pointer)
    .map(quotableName)
    .map((step, at) => (/^\d+$/.test(step) ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('')
}
