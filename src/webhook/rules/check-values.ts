import {type JsonSchema, membersOf, typesOf} from '../../contract/schema.ts'
import type {Shape} from '../../contract/shape.ts'
import {quotableName} from '../../contract/violation.ts'
import {webhookShapes} from '../../contract/webhook-shapes.gen.ts'
import {nearestName} from '../../errors/nearest-name.ts'
import {pathOf} from './fields.ts'
import {matchesGlob} from './glob.ts'
import type {Scalar, ValueSpec} from './rule-file.ts'
import {isGlob, numberOf} from './values.ts'

/** Something in a rule that is probably not meant so. */
export interface Doubt {
  readonly pointer: string
  readonly message: string
  /** The name itself is doubtful, and not its value. */
  readonly what?: 'key'
}

export interface FieldOfRule {
  /** As the rule says it, and its dotted path. */
  readonly name: string
  readonly path: string
  /** What the contract says of it. */
  readonly schema: JsonSchema
  /** Of its value in the rule file. */
  readonly pointer: string
  /** A value as it stands in the file, by its JSON pointer. */
  written(pointer: string): string | undefined
}

/** What a rule wants of a field that no call of the contract can have there: YAML takes `yes` for text. */
export function valueDoubts(field: FieldOfRule, spec: ValueSpec): readonly Doubt[] {
  const {name, schema, pointer} = field
  const misfit = misfitOf(field)
  const doubts: Doubt[] = equalsOf(spec, pointer).flatMap(([place, value]) => {
    const message = value === null ? undefined : misfit(value, place)
    return message === undefined ? [] : [{pointer: place, message}]
  })
  const isRange = doubts.length === 0 && typeof spec === 'object' && spec !== null && !('not' in spec)
  if (!isRange || Array.isArray(spec) || 'currency' in spec) return doubts
  if (isMoney(schema)) return [{pointer, message: withoutCurrency(name)}]
  const isNumber = !isBoolean(schema) && valuesAt(field.path) === undefined
  return isNumber ? [] : [{pointer, message: `${name} is no number`}]
}

const isMoney = (schema: JsonSchema): boolean => 'currency' in membersOf(schema)
const isBoolean = (schema: JsonSchema): boolean => typesOf(schema).includes('boolean')
const isNumeric = (schema: JsonSchema): boolean =>
  typesOf(schema).some(type => type === 'number' || type === 'integer')

const withoutCurrency = (name: string): string => `${name} is an amount: name its currency, as in 12.50 EUR`

const MCC = pathOf('mcc')

/** Why a field never equals a value, if so. */
function misfitOf({name, path, schema, written}: FieldOfRule) {
  const values = isBoolean(schema) ? ['true', 'false'] : valuesAt(path)
  return (value: string | number | boolean, place: string): string | undefined => {
    const text = String(value)
    if (isMoney(schema))
      return typeof value === 'string' && / /.test(value) ? undefined : withoutCurrency(name)
    if (values !== undefined) {
      if (values.some(each => (isGlob(text) ? matchesGlob(each, text) : each === text))) return undefined
      if (isBoolean(schema)) return `${name} is true or false`
      const meant = nearestName(text, values)
      return `the contract knows no ${name} ${shown(text)}${meant === undefined ? '' : `; did you mean ${meant}?`}`
    }
    if (isNumeric(schema)) {
      if (isGlob(text)) return undefined
      const number = numberOf(value)
      if (number === undefined) return `${name} is a number`
      return String(number) === text ? undefined : `${name} is a number: write it as such, without quotes`
    }
    if (name !== 'mcc' && path === MCC && /^[\d-]+$/.test(text) && !/^\d{4}$/.test(text)) {
      return `${name} has four digits; mcc takes ranges of it`
    }
    // 1.10 is the number 1.1 in YAML, and +47 is 47.
    const isOther = typeof value === 'number' && (written(place) ?? text) !== text
    return isOther ? `${name} is text: put this in quotes` : undefined
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

/** What a field is held against by equality, and where each value stands. */
function equalsOf(spec: ValueSpec, pointer: string): readonly (readonly [string, Scalar])[] {
  if (Array.isArray(spec)) return spec.map((item: Scalar, at) => [`${pointer}/${at}`, item])
  if (typeof spec !== 'object' || spec === null) return [[pointer, spec as Scalar]]
  const {not} = spec as {readonly not?: Scalar | readonly Scalar[]}
  return not === undefined ? [] : equalsOf(not, `${pointer}/not`)
}
