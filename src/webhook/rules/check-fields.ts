import {nearestName} from '../../contract/nearest-name.ts'
import {type JsonSchema, membersOf, requestSchema, typesOf} from '../../contract/schema.ts'
import type {Shape} from '../../contract/shape.ts'
import {below, quotableName} from '../../contract/violation.ts'
import {webhookShapes} from '../../contract/webhook-shapes.gen.ts'
import {pathOf} from './fields.ts'
import {matchesGlob} from './glob.ts'
import type {RuleFile, Scalar, ValueSpec} from './rule-file.ts'
import {isGlob, numberOf} from './values.ts'

/** Something in a rule that is probably not meant so. */
export interface Doubt {
  readonly pointer: string
  readonly message: string
  /** The name itself is doubtful, and not its value. */
  readonly what?: 'key'
}

/** Fields and values that the contract doesn't know. A service may send more than that, so they are no errors. */
export async function checkFields({rules}: RuleFile): Promise<readonly Doubt[]> {
  const schema = await requestSchema('webhook.auth')
  const known = new Map(pathsOf(schema ?? {}))
  return rules.flatMap(({when = {}}, at) =>
    Object.entries(when).flatMap(([name, spec]): Doubt[] => {
      const pointer = below(`/rules/${at}/when`, name)
      const path = pathOf(name)
      if (!path.includes('.')) return []
      const message = complaint(path, known, isPresence(spec))
      if (message !== undefined) return [{pointer, message, what: 'key'}]
      const misfit = misfitOf(name, path, known.get(path) ?? {})
      return scalarsOf(spec as ValueSpec, pointer).flatMap(([place, value]) => {
        const doubt = value === null ? undefined : misfit(value)
        return doubt === undefined ? [] : [{pointer: place, message: doubt}]
      })
    }),
  )
}

/** Whether it only asks if something is there, which can be asked of an object too. */
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
    return `the contract knows no ${quotableName(name)}${meantWords(meant)}`
  }
  const members = Object.keys(membersOf(member))
  if (asksPresence || members.length === 0 || members.includes('currency')) return undefined
  return `${name} is an object: write ${members.map(inner => `${name}.${inner}`).join(' or ')}`
}

const meantWords = (meant: string | undefined): string =>
  meant === undefined ? '' : `; did you mean ${meant}?`

/** What is wrong with a value for a field, if anything: YAML takes `yes` for text. */
function misfitOf(
  name: string,
  path: string,
  schema: JsonSchema,
): (value: string | number | boolean) => string | undefined {
  const types = typesOf(schema)
  const values = valuesAt(path.split('.'))
  return value => {
    const text = String(value)
    if (types.includes('boolean')) return /^(true|false)$/.test(text) ? undefined : `${name} is true or false`
    if (types.includes('number') || types.includes('integer')) {
      return isGlob(text) || numberOf(value) !== undefined ? undefined : `${name} is a number`
    }
    if (
      values === undefined ||
      values.some(each => (isGlob(text) ? matchesGlob(each, text) : each === text))
    ) {
      return undefined
    }
    return `the contract knows no ${name} ${quotableName(text)}${meantWords(nearestName(text, values))}`
  }
}

/** The known values of an open enumeration. */
function valuesAt(path: readonly string[]): readonly string[] | undefined {
  let shape: Shape | undefined = webhookShapes['webhook.auth'].request
  for (const step of path) {
    if (typeof shape === 'object' && 'items' in shape) shape = shape.items
    shape = typeof shape === 'object' && 'members' in shape ? shape.members.get(step) : undefined
  }
  if (typeof shape === 'object' && 'items' in shape) shape = shape.items
  return typeof shape === 'object' && 'values' in shape ? shape.values : undefined
}

/** What a field is held against by equality, and where it stands. */
function scalarsOf(spec: ValueSpec, pointer: string): readonly (readonly [string, Scalar])[] {
  if (Array.isArray(spec)) return spec.map((item: Scalar, at) => [`${pointer}/${at}`, item])
  if (typeof spec !== 'object' || spec === null) return [[pointer, spec as Scalar]]
  const {not} = spec as {readonly not?: Scalar | readonly Scalar[]}
  return not === undefined ? [] : scalarsOf(not, `${pointer}/not`)
}

/** By the last name first: that is what people remember, wherever it belongs. */
function nearestPath(given: string, paths: readonly string[]): string | undefined {
  const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)
  const last = nearestName(lastOf(given), new Set(paths.map(lastOf)))
  const candidates = paths.filter(path => lastOf(path) === last)
  return nearestName(given, candidates) ?? candidates[0] ?? nearestName(given, paths)
}

/** Every member by its dotted path, through lists. */
function pathsOf(schema: JsonSchema, prefix = ''): [string, JsonSchema][] {
  return Object.entries(membersOf(schema)).flatMap(([name, member]) => {
    const item = member.items ?? member
    return [[prefix + name, item], ...pathsOf(item, `${prefix}${name}.`)]
  })
}
