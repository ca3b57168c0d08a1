import {fieldSchemas, type JsonSchema, requestSchema, typesOf} from '../../contract/schema.ts'
import type {Shape} from '../../contract/shape.ts'
import {quotableName} from '../../contract/violation.ts'
import {webhookShapes} from '../../contract/webhook-shapes.gen.ts'
import {nearestName} from '../../errors/nearest-name.ts'
import {pointerBelow} from '../../sensitive/json-pointer.ts'
import {pathOf} from './fields.ts'
import type {RuleFile, Scalar, ValueSpec} from './rule-file.ts'
import {isGlob, matchesGlob, numberOf} from './values.ts'

/** Something in a rule that is probably a mistake. */
export interface RuleWarning {
  readonly pointer: string
  readonly message: string
  /** The name is doubtful, not its value. */
  readonly what?: 'key'
}

interface FieldOfRule {
  /** The name in the rule, and its dotted path. */
  readonly name: string
  readonly path: string
  /** Its schema in the contract. */
  readonly schema: JsonSchema
  /** The pointer of its value in the rule file. */
  readonly pointer: string
  /** A value as written in the file, by its JSON pointer. */
  written(pointer: string): string | undefined
}

/** A value that this field can't have in any call of the contract: YAML reads `yes` as text. */
function valueDoubts(field: FieldOfRule, spec: ValueSpec): readonly RuleWarning[] {
  const {name, schema, pointer} = field
  const misfit = mismatchOf(field)
  const doubts: RuleWarning[] = equalsOf(spec, pointer).flatMap(([place, value]) => {
    const message = value === null ? undefined : misfit(value, place)
    return message === undefined ? [] : [{pointer: place, message}]
  })
  const isRange = doubts.length === 0 && typeof spec === 'object' && spec !== null && !('not' in spec)
  if (!isRange || Array.isArray(spec) || 'currency' in spec) return doubts
  if (isMoney(schema)) return [{pointer, message: withoutCurrency(name)}]
  const isNumber = !isBoolean(schema) && valuesAt(field.path) === undefined
  return isNumber ? [] : [{pointer, message: `${name} is not a number`}]
}

const isMoney = (schema: JsonSchema): boolean => 'currency' in fieldSchemas(schema)
const isBoolean = (schema: JsonSchema): boolean => typesOf(schema).includes('boolean')
const isNumeric = (schema: JsonSchema): boolean =>
  typesOf(schema).some(type => type === 'number' || type === 'integer')

const withoutCurrency = (name: string): string =>
  `${name} is an amount: add its currency, for example 12.50 EUR`

const MCC = pathOf('mcc')

/** Why a field never equals a value, if that is so. */
function mismatchOf({name, path, schema, written}: FieldOfRule) {
  const values = isBoolean(schema) ? ['true', 'false'] : valuesAt(path)
  return (value: string | number | boolean, place: string): string | undefined => {
    const text = String(value)
    if (isMoney(schema))
      return typeof value === 'string' && / /.test(value) ? undefined : withoutCurrency(name)
    if (values !== undefined) {
      if (values.some(each => (isGlob(text) ? matchesGlob(each, text) : each === text))) return undefined
      if (isBoolean(schema)) return `${name} is true or false`
      const meant = nearestName(text, values)
      return `the contract has no ${name} ${shown(text)}${meant === undefined ? '' : `; did you mean ${meant}?`}`
    }
    if (isNumeric(schema)) {
      if (isGlob(text)) return undefined
      const number = numberOf(value)
      if (number === undefined) return `${name} is a number`
      return String(number) === text ? undefined : `${name} is a number: remove the quotes`
    }
    if (name !== 'mcc' && path === MCC && /^[\d-]+$/.test(text) && !/^\d{4}$/.test(text)) {
      return `${name} has four digits; use mcc for ranges`
    }
    // YAML reads 1.10 as the number 1.1, and +47 as 47.
    const isOther = typeof value === 'number' && (written(place) ?? text) !== text
    return isOther ? `${name} is text: put it in quotes` : undefined
  }
}

const shown = (text: string): string =>
  text === '' ? '""' : quotableName(text) === text ? text : 'that is meant here'

/** The known values of an open enumeration. */
function valuesAt(path: string): readonly string[] | undefined {
  let shape: Shape | undefined = webhookShapes['webhook.auth'].request
  for (const step of path.split('.')) {
    if (typeof shape === 'object' && 'items' in shape) shape = shape.items
    shape = typeof shape === 'object' && 'members' in shape ? shape.members.get(step) : undefined
  }
  if (typeof shape === 'object' && 'items' in shape) shape = shape.items
  return typeof shape === 'object' && 'values' in shape ? shape.values : undefined
}

/** The values that a field is compared with, and the place of each. */
function equalsOf(spec: ValueSpec, pointer: string): readonly (readonly [string, Scalar])[] {
  if (Array.isArray(spec)) return spec.map((item: Scalar, at) => [`${pointer}/${at}`, item])
  if (typeof spec !== 'object' || spec === null) return [[pointer, spec as Scalar]]
  const {not} = spec as {readonly not?: Scalar | readonly Scalar[]}
  return not === undefined ? [] : equalsOf(not, `${pointer}/not`)
}

/**
 * Fields and values that the contract doesn't know. They are not errors, because a service may send more.
 *
 * @param written a value as written in the file, by its JSON pointer.
 */
export async function checkFields(
  {rules}: RuleFile,
  written: (pointer: string) => string | undefined,
): Promise<readonly RuleWarning[]> {
  const schema = await requestSchema('webhook.auth')
  const known = new Map(pathsOf(schema ?? {}))
  return rules.flatMap(({when = {}}, at) =>
    Object.entries(when).flatMap(([name, spec]): readonly RuleWarning[] => {
      const pointer = pointerBelow(`/rules/${at}/when`, name)
      const path = pathOf(name)
      if (!path.includes('.')) return []
      const message = complaint(path, known, isPresence(spec))
      if (message !== undefined) return [{pointer, message, what: 'key'}]
      return valueDoubts({name, path, schema: known.get(path) ?? {}, pointer, written}, spec as ValueSpec)
    }),
  )
}

/** Whether it only asks if the field is present, which works for an object too. */
const isPresence = (spec: unknown): boolean =>
  spec === null || (typeof spec === 'object' && 'not' in spec && spec.not === null)

function complaint(
  name: string,
  known: ReadonlyMap<string, JsonSchema>,
  asksPresence: boolean,
): string | undefined {
  const member = known.get(name)
  if (member === undefined) {
    const meant = nearestPath(name, [...known.keys()])
    return `the contract has no ${quotableName(name)}${meant === undefined ? '' : `; did you mean ${meant}?`}`
  }
  const members = Object.keys(fieldSchemas(member))
  if (asksPresence || members.length === 0 || members.includes('currency')) return undefined
  return `${name} is an object: write ${members.map(inner => `${name}.${inner}`).join(' or ')}`
}

/** By the last name first: users remember that, wherever the field is. */
function nearestPath(given: string, paths: readonly string[]): string | undefined {
  const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)
  const last = nearestName(lastOf(given), new Set(paths.map(lastOf)))
  const candidates = paths.filter(path => lastOf(path) === last)
  return nearestName(given, candidates) ?? candidates[0] ?? nearestName(given, paths)
}

/** Every field by its dotted path, through lists. */
function pathsOf(schema: JsonSchema, prefix = ''): [string, JsonSchema][] {
  return Object.entries(fieldSchemas(schema)).flatMap(([name, member]) => {
    const item = member.items ?? member
    return [[prefix + name, item], ...pathsOf(item, `${prefix}${name}.`)]
  })
}
