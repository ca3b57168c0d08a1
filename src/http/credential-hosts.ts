import {Failure} from '../errors/failure.ts'
import type {Target} from '../profiles/target.ts'

/**
 * Refuses before a credential would go to a host that it wasn't given for, e.g. after the base URL alone was
 * overridden.
 *
 * @throws Failure PROFILE_INVALID
 */
export function guardHost(target: Pick<Target, 'name' | 'hosts'>, host: string): void {
  if (target.hosts.includes(host.toLowerCase())) return
  throw new Failure('PROFILE_INVALID', {
    message: `The credentials of the profile ${target.name} are not meant for ${host}; nothing was sent.`,
    hint: 'Use a profile of its own for that address.',
    effect: 'none',
  })
}
