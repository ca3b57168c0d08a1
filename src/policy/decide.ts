import {amountText, millionths, type Sums} from './exact-sums.ts'
import type {CallerKind, Policy, PolicyEffect, Rule, Rules} from './policy-file.ts'

/** A request as a policy judges it. */
export interface Asked {
  readonly profile: string
  /** `host` or `host:port`. */
  readonly host: string
  readonly kind: 'live' | 'test' | 'sandbox'
  /** The profile has names of its own for what goes over the wire. */
  readonly hasOwnNames: boolean
  readonly caller: CallerKind
  /** The user of the system. */
  readonly user: string
  /** Who approved it, which another user proposed. */
  readonly approvedBy: string | undefined
  /** All that the service may take it for. */
  readonly effects: readonly PolicyEffect[]
  readonly sums: Sums
}

export interface Decision {
  readonly allowed: boolean
  /** A sentence without a full stop. */
  readonly why: string
  /** The place in the policy that decides: `/etc/cardctl/policy.yaml:12`. */
  readonly line: string
  /** The users who may approve it. */
  readonly approvers?: readonly string[]
}

/** Whether a policy allows a request. What it has no line for is refused. */
export function decide(policy: Policy, asked: Asked): Decision {
  const {profile, caller} = asked
  const at = `/profiles/${profile}`
  const refuse = (why: string, pointer: string, approvers?: readonly string[]): Decision => ({
    allowed: false,
    why,
    line: policy.lineOf(pointer),
    ...(approvers && {approvers}),
  })
  const entry = Object.hasOwn(policy.profiles, profile) ? policy.profiles[profile] : undefined
  if (entry === undefined) return refuse(`there is no profile ${profile}`, '/profiles')
  const {hosts, kind = 'live', ownNames = false} = entry
  if (!hosts.some(host => host.toLowerCase() === asked.host))
    return refuse(`the profile ${profile} may not send to ${asked.host}`, `${at}/hosts`)
  if (kind !== asked.kind)
    return refuse(`the profile ${profile} is ${kind} there, and ${asked.kind} here`, `${at}/kind`)
  if (asked.hasOwnNames && !ownNames)
    return refuse(`the profile ${profile} may not have a dialect, words or prefixes of its own`, at)
  const rules = entry[caller]
  if (rules === undefined) return refuse(`there is no line for ${callers[caller]}`, at)
  const here = `${at}/${caller}`
  let decisive = here
  for (const effect of new Set(asked.effects)) {
    decisive = `${here}/${effect}`
    const rule: Rule | undefined = rules[effect]
    if (rule === undefined) return refuse(`${callers[caller]} has no line for ${effect}`, here)
    if (rule === 'refuse') return refuse(`${effect} is refused for ${callers[caller]}`, decisive)
    if (rule === 'allow') continue
    const {approvedBy} = rule
    if (asked.approvedBy === undefined || !approvedBy.includes(asked.approvedBy))
      return refuse(`${effect} by ${callers[caller]} needs an approval`, decisive, approvedBy)
  }
  return (
    overSum(rules, asked.sums, here, refuse) ?? {
      allowed: true,
      why: `${asked.effects.join(' and ')} by ${callers[caller]} is allowed`,
      line: policy.lineOf(decisive),
    }
  )
}

const callers = {person: 'a person', job: 'a job', agent: 'an agent'} as const

type Refuse = (why: string, pointer: string) => Decision

/** A request can't be above the sum of a day either, whatever was sent before. */
function overSum({sums: limits = {}}: Rules, sums: Sums, here: string, refuse: Refuse): Decision | undefined {
  for (const [currency, sum] of sums) {
    const limit = Object.hasOwn(limits, currency) ? limits[currency] : undefined
    const at = `${here}/sums`
    if (limit === undefined)
      return refuse(`there is no sum for amounts in ${currency}`, limits === undefined ? here : at)
    if (sum === undefined)
      return refuse(`an amount in ${currency} is unlimited, or no plain number`, `${at}/${currency}`)
    for (const per of ['request', 'day'] as const) {
      const most = millionths(limit[per]) ?? 0n
      if (most > 0n && sum <= most) continue
      const text = `${currency} ${amountText(sum)} is above the ${currency} ${amountText(most)} of a ${per}`
      return refuse(text, `${at}/${currency}/${per}`)
    }
  }
  return undefined
}

/** The sum of a day for a caller; undefined if there is no line. In millionths. */
export function dayLimit(
  policy: Policy,
  {profile, caller}: Pick<Asked, 'profile' | 'caller'>,
  currency: string,
): bigint | undefined {
  const limits = policy.profiles[profile]?.[caller]?.sums ?? {}
  const limit = Object.hasOwn(limits, currency) ? limits[currency] : undefined
  return limit && millionths(limit.day)
}
