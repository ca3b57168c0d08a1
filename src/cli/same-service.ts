import {parseObject} from '../errors/is-object.ts'
import {socketUrl} from '../network/check-url.ts'
import {type FoundPolicy, socketOf} from '../policy/index.ts'
import type {Context} from './context.ts'

/**
 * Whether two identities are of one service. Each user reaches a server of another user by an address of their own; the
 * policy says which of them are served with the same profile.
 */
export async function isSameService(
  context: Pick<Context, 'policy'>,
  one: string,
  other: string,
): Promise<boolean> {
  if (one === other) return true
  const found = await context.policy
  const profile = servedProfile(found, one)
  return profile !== undefined && profile === servedProfile(found, other)
}

/** The profile that the server behind an address serves, by the policy; undefined for any other address. */
export function servedProfile(found: FoundPolicy | undefined, identity: string): string | undefined {
  const gate = found !== undefined && 'policy' in found ? found.policy.gate : undefined
  const {address, groups, ...more} = parseObject(identity) ?? {}
  if (gate === undefined || Object.keys(more).length > 0 || JSON.stringify(groups) !== '{}') return undefined
  return gate.callers.find(caller => {
    const {port} = caller
    const own =
      port === undefined
        ? `${new URL(socketUrl(socketOf(gate.folder, caller))).host}:80`
        : `127.0.0.1:${port}`
    return own === address
  })?.profile
}
