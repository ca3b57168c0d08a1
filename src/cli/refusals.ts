import type {Failure} from '../errors/failure.ts'
import type {Context} from './context.ts'

/** Whether an agent uses a live profile, whose settings are no matter of its own. */
const isAgentOnLive = ({caller, service}: Context): boolean =>
  caller.kind === 'agent' && service.known?.profile.kind === 'live'

/** Whether the audit trail has an entry of a failure. A policy records what it refuses itself. */
export const isRefusal = (context: Context, {code, details: {refuses}}: Failure): boolean =>
  code === 'GATE_REFUSED' || refuses === true || (code === 'PROFILE_INVALID' && isAgentOnLive(context))

const CHANGES = new Set(['add', 'edit', 'remove', 'use'])

/** Says to an agent who decides about a live profile, and not how to change it. */
export function forCaller(context: Context, failure: Failure): Failure {
  if (!isAgentOnLive(context)) return failure
  const teaches = failure.advice.commands.some(
    ({argv: [topic, verb = '']}) => topic === 'profiles' && CHANGES.has(verb),
  )
  if (failure.code !== 'PROFILE_INVALID' && !teaches) return failure
  const {name = 'that it uses'} = context.service.known ?? {}
  return failure.with({
    hint: `The person who looks after the profile ${name} decides about its settings.`,
    data: undefined,
  })
}
