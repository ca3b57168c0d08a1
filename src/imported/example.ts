import {RE2JS} from 're2js'
import type {Schema} from './document/document.ts'
import {type SchemaShape, type Schemas, shapeOf} from './shapes.ts'

const DEEPEST = 8
/** Maximum length. Longer examples don't help. */
const MOST_MEMBERS = 400

/**
 * An example value of a schema: the document's own example if it has one, otherwise a value with every field. A schema
 * that refers to itself is followed once.
 */
export function exampleOf(schema: Schema | undefined, schemas: Schemas): unknown {
  return exampleBelow(schema, schemas, {around: [], depth: 0, left: {members: MOST_MEMBERS}})
}

interface Place {
  readonly around: readonly string[]
  readonly depth: number
  /** Number of further fields that may be created. */
  readonly left: {members: number}
}

function exampleBelow(schema: Schema | undefined, schemas: Schemas, {around, depth, left}: Place): unknown {
  const shape = shapeOf(schema, schemas)
  const {values, types, members, items, limits, name} = shape
  const own =
    limits.example ?? (Array.isArray(limits.examples) ? limits.examples[0] : undefined) ?? limits.default
  if (own !== undefined) return own
  const value = values?.find(one => one !== null)
  if (value !== undefined) return value
  if (depth > DEEPEST || (name !== undefined && around.includes(name))) return types?.has('array') ? [] : null
  const inside = {around: name === undefined ? around : [...around, name], depth: depth + 1, left}
  if (members.size > 0) {
    const made: [string, unknown][] = []
    for (const [member, {schema: below}] of members) {
      if (left.members-- <= 0) break
      made.push([member, exampleBelow(below, schemas, inside)])
    }
    return Object.fromEntries(made)
  }
  if (types?.has('array')) return items === undefined ? [] : [exampleBelow(items, schemas, inside)]
  if (types?.has('string')) return textOf(shape)
  if (types?.has('number') || types?.has('integer')) return numberOf(shape)
  if (types?.has('boolean')) return true
  return types === undefined || types.has('object') ? {} : null
}

/** Values to try if there is a pattern, in this order. */
const TEXTS = [
  'text',
  '1',
  '3001',
  '41111111____1111',
  '2026-01-31T09:00:00',
  '2026-01-31T09:00:00Z',
  '2026-01-31',
  'EUR',
  'FI',
  'A1',
  'CODE_1',
  '12345678',
  '4111111111111111',
  'AAAAAAAAAAA=',
  'AAAA',
  'abcd',
  'AbCd.AbCd.AbCd.AbCd.AbCd',
  '@1',
  '/member',
  '+358401234567',
  '00',
]

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T09:00:00Z',
  time: '09:00:00Z',
  uuid: '3f1c9a52-6f0b-4c8e-9a53-0d6f5a7b1c24',
  uri: 'https://api.example/1',
  'uri-reference': '/1',
  email: 'name@example.com',
  ipv4: '192.0.2.1',
  hostname: 'api.example',
}

function textOf({limits}: SchemaShape): string {
  const {pattern, format, minLength, maxLength} = limits
  if (typeof pattern === 'string') return textFor(pattern)
  const text = FORMATS[String(format)] ?? 'text'
  const longest = typeof maxLength === 'number' ? text.slice(0, Math.max(maxLength, 0)) : text
  return typeof minLength === 'number' ? longest.padEnd(Math.min(minLength, 64), 'x') : longest
}

/** Uses the engine with linear time, because the pattern comes from a document. */
function textFor(pattern: string): string {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return TEXTS.find(text => compiled.matcher(text).find()) ?? 'text'
  } catch {
    return 'text'
  }
}

function numberOf({limits: {minimum, maximum, exclusiveMinimum}}: SchemaShape): number {
  const least =
    typeof minimum === 'number' ? minimum : typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 1
  return typeof maximum === 'number' && maximum < least ? maximum : least
}
