import type {ResourceKind} from '../../contract/operation.ts'
import {idsOf} from '../../contract/resource.ts'
import type {RecentIds} from '../../journal/recent-ids.ts'
import {textAt} from '../../output/fields.ts'
import {actionWords} from '../action-words.ts'
import type {Context} from '../context.ts'
import {operationOf} from '../former-values.ts'
import {type Named, namedBy} from '../named-by.ts'
import {type Given, labelOf} from '../needs.ts'
import {demoWords} from './demo-words.ts'
import type {AskedCommand, Suggestion} from './guide.ts'
import {recentlyUsed, sentBy} from './recently-used.ts'

const MOST_SUGGESTIONS = 20

/**
 * Ids for an argument or flag: of things that requests of this profile touched lately, then, for the embedded sandbox,
 * those of the examples, which are in its demo data.
 */
export async function suggestIds(
  context: Context,
  command: AskedCommand,
  name: string,
  given: Given,
): Promise<readonly Suggestion[]> {
  const own = command.guide.suggests?.[name]
  if (own !== undefined) return own(context).catch(() => [])
  const kind = command.guide.kinds?.[name]?.(given)
  const named = command.guide.anyId?.includes(name)
    ? 'any'
    : namedBy(typeof kind === 'string' ? kind : name, kind === undefined ? labelOf(name, command) : '')
  if (named === undefined) return []
  if (named === 'profile') return command.id === 'profiles:add' ? [] : profileNames(context)
  const first = (await command.guide.first?.[name]?.(context).catch(() => [])) ?? []
  const all = [
    ...first,
    ...(await recentIdsOf(named, context)),
    ...(await demoIds(context, command, name, {kind, named})),
  ]
  const known = new Map(
    all.map(suggestion => [suggestion.value, suggestion]).reverse() as [string, Suggestion][],
  )
  return all.filter(suggestion => known.get(suggestion.value) === suggestion).slice(0, MOST_SUGGESTIONS)
}

async function profileNames(context: Context): Promise<readonly Suggestion[]> {
  const profiles = await context.service.profiles.list().catch(() => [])
  return profiles.map(({name, kind}) => ({value: name, from: kind ?? 'unusable'}))
}

/** `card:3001`, as an id and what it is the id of. */
function withKind(resource: string): readonly Suggestion[] {
  const [kind = '', ...id] = resource.split(':')
  return id.length === 0 ? [] : [{value: id.join(':'), from: `${kind}, used lately`}]
}

async function recentIdsOf(
  named: Exclude<Named, 'profile'> | 'any',
  context: Context,
): Promise<readonly Suggestion[]> {
  const {requests, jobs, resources} = await recentlyUsed(context)
  const lately = (values: readonly string[]) => values.map(value => ({value, from: 'used lately'}))
  const recentRequests = () =>
    requests.map(({id, operation, begunAt}) => ({
      value: id,
      from: `${operation}, ${context.when(begunAt)}`,
    }))
  switch (named) {
    case 'any':
      return [...resources.flatMap(withKind), ...recentRequests()]
    case 'request':
      return recentRequests()
    case 'job':
      return lately(jobs)
    case 'resource':
      return lately(resources)
    case 'operation':
      return []
    default:
      return lastUses(context, named, idsOf(named, resources), requests)
  }
}

/** The last thing that was done with each from here, newest first: "block credit account, today 14:02". Closed ones come last. */
async function lastUses(
  context: Context,
  kind: ResourceKind,
  ids: readonly string[],
  requests: RecentIds['requests'],
): Promise<readonly Suggestion[]> {
  const used = ids.map(id => ({id, uses: requests.filter(one => one.resources.includes(`${kind}:${id}`))}))
  const sent = await sentBy(context, [...new Set(used.flatMap(({uses}) => uses.map(({id}) => id)))])
  const isClosing = (request: string): boolean => textAt(sent.get(request), 'status') === 'ACCOUNT_TO_CLOSE'
  const all = used.map(({id, uses}) => {
    const [last] = uses
    const isClosed = kind === 'account' && uses.some(one => isClosing(one.id))
    const operation = last && operationOf(last)
    const did = operation && (actionWords(operation, sent.get(last.id), () => '') ?? operation.summary)
    const words = [isClosed ? 'closed' : plain(did ?? 'used lately'), last && context.when(last.begunAt)]
    return {value: id, from: words.filter(one => one !== undefined).join(', '), isClosed}
  })
  return [...all.filter(one => !one.isClosed), ...all.filter(one => one.isClosed)].map(({value, from}) => ({
    value,
    from,
  }))
}

/** Without the places of ids, which stand before it. */
const plain = (words: string): string => words.replaceAll(/\s+/g, ' ').trim()

/** The ids with which the examples of a command use the argument or flag. */
async function demoIds(
  context: Context,
  {id, args, examples = []}: AskedCommand,
  name: string,
  {kind, named}: {readonly kind: unknown; readonly named: string},
): Promise<readonly Suggestion[]> {
  const chosen = await context.service.chosen().catch(() => undefined)
  if (!chosen?.embedded) return []
  const place = Object.keys(args).indexOf(name)
  const found = examples.flatMap(example => {
    const line = typeof example === 'string' ? example : example.command
    const all = line.replace(/^.*?%> /, '').split(/\s+/)
    const command = id.split(':')
    // Some examples begin with the commands that come before.
    if (command.some((word, at) => all[at] !== word)) return []
    if (kind !== undefined && !all.includes(String(kind))) return []
    const words = all.slice(command.length)
    if (name.startsWith('--')) return words.filter((_, at) => words[at - 1] === name)
    const end = words.findIndex(word => word.startsWith('-'))
    return words.slice(0, end === -1 ? words.length : end).slice(place, place + 1)
  })
  const ids = [...new Set(found.filter(word => /^\d+$/.test(word)))]
  const words = await demoWords(context, named, ids)
  return ids.map(value => {
    const said = words.get(value) ?? ''
    return {value, from: said === '' ? 'demo data' : `demo data: ${said}`}
  })
}
