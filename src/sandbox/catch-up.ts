import {settleSome} from './a2a/settlement.ts'
import {releaseDueHolds} from './authorise/holds.ts'
import type {Conditions} from './conditions.ts'
import {endDueTraces} from './remotecheckout/traces.ts'
import type {Service} from './service.ts'

/**
 * Does what time has brought about since the last request: settles batches, unless a server does that in the
 * background, ends remote checkout requests that are due, and releases holds. The state is then as if it had happened at its time.
 */
export async function catchUp(service: Service, conditions: Conditions): Promise<void> {
  if (conditions.batchesOpen) await settle(service)
  if (conditions.holdsDue) await releaseDueHolds(service.store, conditions.now)
  if (conditions.tracesDue) await endDueTraces(service.store, conditions.now)
}

async function settle({store, now, settler}: Service): Promise<void> {
  if (settler) return settler.kick()
  let more = true
  while (more) more = await settleSome(store, now)
}
