import * as Flags from '@oclif/core/flags'
import {RESOURCE_KINDS} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {namedKinds, plainId, resource} from '../contract/resource.ts'
import {Failure} from '../errors/failure.ts'
import {nearestName} from '../errors/nearest-name.ts'

/** The audit trail also has these: changes to the records of this machine. */
const OWN = ['requests.rebind']

const ids: readonly string[] = [...Object.keys(operations), ...OWN]

/**
 * Filters of lists of past requests. A value that can't match is an error, because an empty list would look like a
 * result.
 */
export const recordFilterFlags = {
  operation: Flags.custom<readonly string[]>({
    helpValue: 'ID',
    summary:
      'Only this operation, for example pin.set.v3. pin.set matches all its versions, pin the whole topic.',
    parse: async text => operationsNamed(text),
  })(),
  resource: Flags.custom<string>({
    helpValue: 'ID|KIND:ID',
    summary: 'Only this resource, for example 3004, or card:3004 if other resources have the same id.',
    parse: async text => resourceNamed(text),
  })(),
  ticket: Flags.string({helpValue: 'ID', summary: 'Only what was done for this ticket.'}),
}

/**
 * The operations that a name means: one by its id, or all whose ids begin with it, segment by segment. Paths that the
 * contract doesn't describe are identified by method and path.
 *
 * @throws Failure USAGE
 */
export function operationsNamed(text: string): readonly string[] {
  const name = text.trim()
  if (/^[A-Z]+ \//.test(name)) return [name]
  const named = ids.filter(id => id === name || id.startsWith(`${name}.`))
  if (named.length > 0) return named
  const names = new Set(
    ids.flatMap(id => id.split('.').map((_, at, parts) => parts.slice(0, at + 1).join('.'))),
  )
  const meant = nearestName(name, names)
  const [topic = ''] = name.split('.')
  const sameTopic = ids.filter(id => id.startsWith(`${topic}.`))
  const topics = [...new Set(ids.map(id => id.split('.')[0]))]
  throw new Failure('USAGE', {
    message: `Unknown operation for --operation.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint:
      sameTopic.length > 0
        ? `Operations of ${topic}: ${sameTopic.join(', ')}.`
        : `Operations begin with one of ${topics.join(', ')}; --operation pin lists all of pin.`,
  })
}

/** @throws Failure USAGE for a kind that does not exist */
export function resourceNamed(text: string): string {
  const [, kind = '', id = ''] = /^\s*(?:([a-z]+)[:\s]+)?(\S.*?)\s*$/i.exec(text) ?? []
  if (id === '') throw new Failure('USAGE', {message: '--resource is empty.'})
  if (kind === '') return plainId(id)
  const known = RESOURCE_KINDS.find(name => name === kind.toLowerCase())
  if (known !== undefined && namedKinds.includes(known)) return resource(known, id)
  const meant = nearestName(kind, namedKinds)
  throw new Failure('USAGE', {
    message: `Unknown kind of resource for --resource.${meant === undefined ? '' : ` Did you mean ${meant}:${id}?`}`,
    hint: `Kinds: ${namedKinds.join(', ')}.`,
  })
}
