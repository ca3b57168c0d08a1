import {openClient} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'

export interface Probe {
  readonly profile: string
  readonly address: string
  readonly reachable: true
  readonly durationMs: number
  /** The person that the service logs. */
  readonly auditUser: string
}

/** A read that every service supports and that changes nothing. */
export async function probeProfile(context: Context): Promise<Probe> {
  const target = await context.service.target()
  const client = await openClient(context, target)
  const started = context.surroundings.now()
  try {
    await client.call({operation: 'a2a.list.v1', query: {size: 1}})
  } catch (error) {
    // A refusal because of a missing permission still proves that the base URL and the credentials work.
    if (!(error instanceof Failure) || error.code !== 'FORBIDDEN') throw error
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
