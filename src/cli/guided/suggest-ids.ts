import {RESOURCE_KINDS, type ResourceKind} from '../../contract/operation.ts'
import type {Context} from '../context.ts'
import {labelOf} from '../needs.ts'
import type {AskedCommand} from './guide.ts'
import {recentRecords} from './recent-records.ts'

/** A value that a person may mean, and where it is from. */
export interface Suggestion {
  readonly value: string
  readonly from: string
}

const MOST_SUGGESTIONS = 20

/**
 * Ids for an argument or flag: of things that requests of this profile touched lately, then, for the embedded sandbox,
 * those of the examples, which are in its demo data. What an id is of is read from its description: "Id of the card".
 */
export async function suggestIds(
  context: Context,
  command: AskedCommand,
  name: string,
): Promise<readonly Suggestion[]> {
  const label = labelOf(name, command)
  if (isOfProfile(label)) return profileNames(context)
  const all = [...(await recentIds(context, label)), ...(await demoIds(context, command, name, label))]
  const known = new Map(
    all.map(suggestion => [suggestion.value, suggestion]).reverse() as [string, Suggestion][],
  )
  return all.filter(suggestion => known.get(suggestion.value) === suggestion).slice(0, MOST_SUGGESTIONS)
}

const isOfProfile = (label: string): boolean => /^(?:Name of the profile|Profile to use)/.test(label)

async function profileNames(context: Context): Promise<readonly Suggestion[]> {
  const profiles = await context.profiles.list().catch(() => [])
  return profiles.map(({name, kind}) => ({value: name, from: kind ?? 'unusable'}))
}

async function recentIds(context: Context, label: string): Promise<readonly Suggestion[]> {
  if (/^Id of the request/.test(label)) {
    const records = await recentRecords(context)
    return records.map(({id, operation, begunAt}) => ({
      value: id,
      from: `${operation}, ${context.when(begunAt)}`,
    }))
  }
  const kind = kindIn(label)
  if (kind === undefined) return []
  const touched = new Set((await recentRecords(context)).flatMap(({resources}) => resources))
  return [...touched]
    .filter(resource => resource.startsWith(`${kind}:`))
    .map(resource => ({value: resource.slice(kind.length + 1), from: 'used lately'}))
}

/** "Id of the price list" is of a `pricelist`. */
export function kindIn(label: string): ResourceKind | undefined {
  const [, words = ''] = /\b(?:Id|id) of (?:the|an?) ([a-z]+(?: list)?)/.exec(label) ?? []
  const [, trace] = /\b(Trace) id\b/.exec(label) ?? []
  const word = (trace ?? words).toLowerCase()
  return RESOURCE_KINDS.find(kind => kind === word.replace(' ', '') || kind === word.split(' ')[0])
}

/** The ids with which the examples of a command use the argument or flag. */
async function demoIds(
  context: Context,
  {id, args, examples = []}: AskedCommand,
  name: string,
  label: string,
): Promise<readonly Suggestion[]> {
  if (kindIn(label) === undefined) return []
  const chosen = await context.chosen().catch(() => undefined)
  if (!chosen?.embedded) return []
  const place = Object.keys(args).indexOf(name)
  const found = examples.flatMap(example => {
    const line = typeof example === 'string' ? example : example.command
    const words = line
      .replace(/^.*?%> /, '')
      .split(/\s+/)
      .slice(id.split(':').length)
    if (name.startsWith('--')) return words.filter((_, at) => words[at - 1] === name)
    const end = words.findIndex(word => word.startsWith('-'))
    return words.slice(0, end === -1 ? words.length : end).slice(place, place + 1)
  })
  return found.filter(word => /^\d+$/.test(word)).map(value => ({value, from: 'demo data'}))
}
