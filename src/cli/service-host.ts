import {Failure} from '../errors/failure.ts'
import {isLoopback} from '../network/check-url.ts'
import type {Policy} from '../policy/index.ts'
import {machineOf} from '../profiles/index.ts'
import type {Context} from './context.ts'
import {recordRefusal} from './record-changes.ts'

/** The profile of a policy that names a host, however this machine is spelled. */
export function policyProfileAt({profiles}: Pick<Policy, 'profiles'>, host: string): string | undefined {
  const machine = machineOf(host)
  const isSame = (named: string) => URL.canParse(`https://${named}`) && machineOf(named) === machine
  return Object.entries(profiles).find(([, {hosts}]) => hosts.some(isSame))?.[0]
}

/**
 * Requests to a service are judged, asked about and recorded. Calls to an endpoint are not, and a dialect says what they
 * hold, so they may not go to a host that a policy or a live profile names.
 *
 * @throws Failure GATE_REFUSED
 */
export async function refuseServiceHost(context: Context, url: URL): Promise<void> {
  const why = await serviceHostWhy(context, url)
  if (why === undefined) return
  const {message, hint} = why
  throw new Failure('GATE_REFUSED', {message, hint, effect: 'none'})
}

/** The same for an address that somebody types while a server runs. Gives why it is refused, without a full stop. */
export async function serviceHostProblem(
  context: Context,
  command: string,
  url: URL,
): Promise<string | undefined> {
  const why = await serviceHostWhy(context, url)
  if (why === undefined) return undefined
  await recordRefusal(context, command, new Failure('GATE_REFUSED', why))
  return `${why.message.replace(/\.$/, '')}. ${why.hint.replace(/\.$/, '')}`
}

/** Why an address is refused; undefined if it isn't. @param what would go there, for people. */
export async function serviceHostWhy(
  {policy, service}: Context,
  {host, hostname}: URL,
  what = 'calls of a service',
): Promise<{readonly message: string; readonly hint: string} | undefined> {
  const found = await policy
  if (found !== undefined && 'problem' in found) {
    if (isLoopback(hostname)) return undefined
    return {
      message: `Calls to ${host} are refused while the policy can't be used: ${found.problem}`,
      hint: 'The owner of the policy decides what it allows.',
    }
  }
  const named = found && policyProfileAt(found.policy, host)
  if (found !== undefined && named !== undefined) {
    return {
      message: `${host} is the host of the profile ${named} in the policy (${found.policy.lineOf(`/profiles/${named}/hosts`)}): ${what} don't go there.`,
      hint: `${found.policy.contact ?? `The owner of the policy, ${found.policy.owner},`} decides what goes there.`,
    }
  }
  const [live] = await service.profiles.liveAt(host)
  return live === undefined
    ? undefined
    : {
        message: `${host} is the host of the live profile ${live}: ${what} don't go there.`,
        hint: `The person who looks after the profile ${live} decides what goes there.`,
      }
}
