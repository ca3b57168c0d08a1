import {openClient} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {probeCall} from '../../../cli/probe-call.ts'

export interface Probe {
  readonly profile: string
  readonly address: string
  readonly reachable: true
  readonly durationMs: number
  /** The person that the service logs. */
  readonly auditUser: string
}

/** Whether the service accepts the credential of a profile. @throws Failure if that is not proved */
export async function probeProfile(context: Context): Promise<Probe> {
  const target = await context.service.target()
  const client = await openClient(context, target)
  const probe = probeCall(target)
  const started = context.surroundings.now()
  try {
    await client.call(probe.call)
  } catch (error) {
    if (!probe.proves(error)) throw error
  } finally {
    await client.close()
  }
  return {
    profile: target.name,
    address: target.baseUrl,
    reachable: true,
    durationMs: context.surroundings.now() - started,
    auditUser: target.auditUser,
  }
}
