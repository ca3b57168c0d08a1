import {type Issue, inOrder, once, parseText, schemaProblems} from '../user-files/index.ts'
import type {PolicyFile} from './policy-file.ts'
import {validators} from './validators.gen.js'

const loadSchema = () => import('../../docs/policy.schema.json', {with: {type: 'json'}})

export interface ReadPolicy {
  /** Absent if there are problems. */
  readonly policy?: PolicyFile
  readonly problems: readonly Issue[]
  /** The line of a JSON pointer. */
  lineOf(pointer: string): number
}

/** Reads a policy, and reports everything that is wrong with it, in order. */
export async function readPolicy(text: string): Promise<ReadPolicy> {
  const {value, problems, at} = await parseText(text)
  const lineOf = (pointer: string): number => at(pointer, 'key').line
  if (problems.length > 0) return {problems, lineOf}
  const {issues} = await schemaProblems(value, at, {
    validate: validators.policy,
    loadSchema,
    forms: [
      [/UNSTATED/, 'a currency such as EUR, or UNSTATED for amounts without one'],
      [/\\d\{1,12\}/, 'an amount such as 5000 or "12.50", zero or more'],
      [/a-z_/, 'the name of a user of the system'],
      [/a-p/, 'a fingerprint as data keys shows it'],
      [/\^\//, 'an absolute path'],
    ],
  })
  if (issues.length > 0) return {problems: inOrder(once(issues)), lineOf}
  const policy = value as PolicyFile
  const found = contradictions(policy).map(({pointer, message}) => ({...at(pointer, 'key'), message}))
  return found.length > 0 ? {problems: inOrder(once(found)), lineOf} : {policy, problems: [], lineOf}
}

interface Contradiction {
  readonly pointer: string
  readonly message: string
}

/** What no schema can say. */
function contradictions({profiles, gate}: PolicyFile): readonly Contradiction[] {
  const loose = Object.entries(profiles).flatMap(([name, {kind = 'live', agent = {}}]) =>
    (['write', 'destroy', 'disclose', 'unknown'] as const).flatMap(effect =>
      kind === 'live' && agent[effect] === 'allow'
        ? [
            {
              pointer: `/profiles/${name}/agent/${effect}`,
              message: `${effect} needs a person on a live profile: write approvedBy with the users who approve`,
            },
          ]
        : [],
    ),
  )
  const {callers = []} = gate ?? {}
  const places = new Set<string>()
  const served = callers.flatMap(({user, profile, port}, at): readonly Contradiction[] => {
    const pointer = `/gate/callers/${at}`
    const place = port === undefined ? `${user}/${profile}` : String(port)
    const isTaken = places.has(place)
    places.add(place)
    return [
      ...(Object.hasOwn(profiles, profile)
        ? []
        : [{pointer: `${pointer}/profile`, message: `${profile} is not a profile of this policy`}]),
      ...(isTaken
        ? [
            {
              pointer,
              message: `${port === undefined ? 'this user and profile are' : 'this port is'} named twice`,
            },
          ]
        : []),
    ]
  })
  return [...loose, ...served]
}
