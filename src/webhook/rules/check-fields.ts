import {type JsonSchema, membersOf, requestSchema} from '../../contract/schema.ts'
import {below, quotableName} from '../../contract/violation.ts'
import {nearestName} from '../../errors/nearest-name.ts'
import {type Doubt, valueDoubts} from './check-values.ts'
import {pathOf} from './fields.ts'
import type {RuleFile, ValueSpec} from './rule-file.ts'

/**
 * Fields and values that the contract doesn't know. A service may send more than that, so they are no errors.
 *
 * @param written a value as it stands in the file, by its JSON pointer.
 */
export async function checkFields(
  {rules}: RuleFile,
  written: (pointer: string) => string | undefined,
): Promise<readonly Doubt[]> {
  const schema = await requestSchema('webhook.auth')
  const known = new Map(pathsOf(schema ?? {}))
  return rules.flatMap(({when = {}}, at) =>
    Object.entries(when).flatMap(([name, spec]): readonly Doubt[] => {
      const pointer = below(`/rules/${at}/when`, name)
      const path = pathOf(name)
      if (!path.includes('.')) return []
      const message = complaint(path, known, isPresence(spec))
      if (message !== undefined) return [{pointer, message, what: 'key'}]
      return valueDoubts({name, path, schema: known.get(path) ?? {}, pointer, written}, spec as ValueSpec)
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
    return `the contract knows no ${quotableName(name)}${meant === undefined ? '' : `; did you mean ${meant}?`}`
  }
  const members = Object.keys(membersOf(member))
  if (asksPresence || members.length === 0 || members.includes('currency')) return undefined
  return `${name} is an object: write ${members.map(inner => `${name}.${inner}`).join(' or ')}`
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
