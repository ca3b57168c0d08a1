import {Failure} from '../errors/failure.ts'
import {liveProfilesAt} from './addresses.ts'
import {effectiveValues, invalidProfile, readProfile} from './read-profile.ts'
import {ceilings, type Direction, demands, type SettingChange, strictest} from './setting-change.ts'
import type {StoredProfile} from './settings.ts'
import type {Raw} from './value-types.ts'

/** What a live service may be sent, whichever profile names it, and what loosens each rule. The weightiest comes first. */
export const hostRules = {
  readOnly: strictest(true),
  secondPersonFor: demands,
  ceiling: ceilings,
  requireTicket: strictest(true),
  serviceCheck: strictest(true),
  idempotency: strictest('documented'),
  strict: strictest(true),
} as const satisfies {readonly [Name in keyof StoredProfile]?: Direction}

const rules = Object.entries<Direction>(hostRules)

/** The rules of the first entry that don't hold with the second. */
export function loosenedRules(before: Raw, after: Raw): readonly SettingChange[] {
  const [old, now] = [effectiveValues(before), effectiveValues(after)]
  return rules.flatMap(([name, direction]) => direction(old[name], now[name], name))
}

/** A live profile of the file, by whose rules its host is reached. */
interface HostOwner {
  readonly name: string
  readonly raw: Raw
}

/**
 * The loosest of the live profiles that name one of the hosts; undefined if none does.
 *
 * @param hosts `host` or `host:port`
 * @throws Failure PROFILE_INVALID if all of them are broken
 */
export function loosestAt(
  hosts: readonly string[],
  profiles: ReadonlyMap<string, unknown>,
): HostOwner | undefined {
  const owners: readonly HostOwner[] = liveProfilesAt(hosts, profiles)
  const sound = owners.filter(({raw}) => 'profile' in readProfile(raw))
  const [broken] = owners
  if (broken !== undefined && sound.length === 0) {
    const read = readProfile(broken.raw)
    throw invalidProfile(broken.name, 'problems' in read ? read.problems : [])
  }
  return sound.toSorted((a, b) => compareRules(a.raw, b.raw) || (a.name < b.name ? -1 : 1))[0]
}

/** Negative if the first permits more. */
function compareRules(a: Raw, b: Raw): number {
  const [one, other] = [effectiveValues(a), effectiveValues(b)]
  for (const [name, direction] of rules) {
    const isLooser = direction(other[name], one[name], name).length > 0
    const isStricter = direction(one[name], other[name], name).length > 0
    if (isLooser !== isStricter) return isLooser ? -1 : 1
  }
  return 0
}

/** The rules of an entry as stored, with the folder that a second person needs. */
export const rulesOf = (raw: Raw): Raw =>
  Object.fromEntries(
    [...rules.map(([name]) => name), 'proposals'].flatMap(name =>
      Object.hasOwn(raw, name) ? [[name, raw[name]]] : [],
    ),
  )

/**
 * Of each rule the stricter one, where a profile is led to the host of another one.
 *
 * @throws Failure PROFILE_INVALID where neither is stricter
 */
export function stricterRules(
  name: string,
  own: StoredProfile,
  {name: owner, raw}: HostOwner,
): StoredProfile {
  const theirs = effectiveValues(raw)
  let taken: Record<string, unknown> = {}
  for (const [rule, direction] of rules) {
    const value = own[rule as keyof typeof hostRules]
    if (direction(theirs[rule], value, rule).length === 0) continue
    if (direction(value, theirs[rule], rule).length > 0) {
      throw new Failure('PROFILE_INVALID', {
        message: `The base URL leads the profile ${name} to the host of the live profile ${owner}, and their ${rule} can't both hold.`,
        hint: `Use the profile ${owner}.`,
        effect: 'none',
      })
    }
    taken = {...taken, [rule]: theirs[rule]}
    if (rule === 'secondPersonFor') taken = {...taken, proposals: theirs.proposals ?? own.proposals}
  }
  return {...own, ...taken}
}
