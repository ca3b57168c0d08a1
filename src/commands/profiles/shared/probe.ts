import type {Context} from '../../../cli/context.ts'
import {openClient} from '../../../cli/request.ts'
import {Failure} from '../../../errors/failure.ts'

export interface Probe {
  readonly profile: string
  readonly address: string
  readonly reachable: true
  readonly durationMs: number
}

/** One read that every service of this family has and that changes nothing. */
export async function probeProfile(context: Context): Promise<Probe> {
  const target = await context.target()
  const client = await openClient(context, target)
  const started = context.surroundings.now()
  try {
    await client.call({operation: 'a2a.list.v1', query: {size: 1}})
  } catch (error) {
    // A refusal for want of a right still shows that the address and the credentials are good.
    if (!(error instanceof Failure) || error.code !== 'FORBIDDEN') throw error
  } finally {
    await client.close()
  }
  return {
    profile: target.name,
    address: target.baseUrl,
    reachable: true,
    durationMs: context.surroundings.now() - started,
  }
}
