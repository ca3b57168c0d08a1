import {machineOf} from './addresses.ts'
import {isRecord} from './json-object.ts'
import type {ProfileKind} from './target.ts'
import type {Problem} from './words.ts'

/** An address that a profile, or an override of one, leads to. */
export interface Addressed {
  readonly name: string
  readonly kind: ProfileKind
  /** `host` or `host:port`, see serviceHosts. */
  readonly hosts: readonly string[]
}

/**
 * What is wrong with a profile beside the others: one that isn't live must not lead to a machine that a live one names,
 * for the gate would stand open there; nor the other way round.
 */
export function checkNeighbours(
  {name, kind, hosts}: Addressed,
  profiles: ReadonlyMap<string, unknown>,
): Problem | undefined {
  const machines = new Set(hosts.map(machineOf))
  for (const [otherName, raw] of profiles) {
    if (otherName === name || !isRecord(raw) || (raw.kind === 'live') === (kind === 'live')) continue
    const shared = namedHosts(raw).find(host => machines.has(machineOf(host)))
    if (shared === undefined) continue
    const others = raw.kind === 'live' ? 'live profile' : 'profile'
    return {
      member: 'baseUrl',
      message: `leads to ${shared}, which the ${others} ${otherName} names too: live and other profiles share no host`,
    }
  }
  return undefined
}

/** The hosts of an entry that may be broken elsewhere: a live address stays one while its profile waits for mending. */
export function namedHosts(raw: Readonly<Record<string, unknown>>): readonly string[] {
  const groups = isRecord(raw.groups) ? Object.values(raw.groups) : []
  const urls = [raw.baseUrl, ...groups.map(group => (isRecord(group) ? group.baseUrl : undefined))]
  return urls.flatMap(url => {
    const parsed = typeof url === 'string' ? URL.parse(url) : null
    return parsed === null || parsed.host === '' ? [] : parsed.host
  })
}
