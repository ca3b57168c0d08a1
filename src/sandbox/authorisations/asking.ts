import type {AuthCall} from '../../contract/auth-call.ts'
import {uuid} from '../ids.ts'
import {existing} from '../problems.ts'
import type {Service} from '../service.ts'
import type {Transaction} from '../store/store.ts'
import type {Asking, Authorisation} from './authorisation.ts'
import {PENDING_MS} from './holds.ts'

/** How much longer than its calls may take a process has them, ms. It may be busy. */
const LEASE_MARGIN_MS = 5_000

/**
 * Takes a call: until its time is over, no other process sends it. A warm-up may come first. The clock is that of the
 * store, because those of machines differ.
 */
export function asking({store, now, webhook}: Service, call: AuthCall): Asking {
  return {call, until: (store.now ?? now)() + 2 * (webhook?.deadlineMs ?? 0) + LEASE_MARGIN_MS}
}

/** The hold of zero that stands for the call about a reversal, until the endpoint has answered. */
export const noticeId = (authorisationId: string, reversal: number): string =>
  `${authorisationId}/${reversal}`

/** A call that another process took and did not finish. */
export interface Abandoned {
  readonly authorisation: Authorisation
  readonly asking: Asking
  /** Which reversal it is about; undefined for the purchase itself. */
  readonly reversal: number | undefined
}

/** The calls whose process had them for too long: it was killed, or its machine is gone. */
export async function findAbandoned(
  {store, now}: Service,
  tx: Transaction,
  sandboxNow: number,
): Promise<readonly Abandoned[]> {
  const waiting = await tx.holds.list({upTo: {member: 'until', value: sandboxNow + PENDING_MS}})
  const found: Abandoned[] = []
  for (const {id} of waiting) {
    const [authorisationId = '', reversal] = id.split('/')
    const authorisation = await tx.authorisations.get(authorisationId)
    const at = reversal === undefined ? undefined : Number(reversal)
    const own = at === undefined ? authorisation : authorisation?.reversals[at]
    if (authorisation && own?.asking && own.asking.until <= (store.now ?? now)()) {
      found.push({authorisation, asking: own.asking, reversal: at})
    }
  }
  return found
}

/** Takes an abandoned call. It keeps its id, so an endpoint that knows it already answers as before. */
export async function takeOver(
  service: Service,
  tx: Transaction,
  {authorisation: {id}, asking: {call}, reversal}: Abandoned,
): Promise<Abandoned> {
  // Read again: another call about the same authorisation may have been taken before.
  const authorisation = existing(await tx.authorisations.get(id), 'authorisation')
  const again = {...call, metadata: {...call.metadata, traceId: uuid(service.random)}}
  const taken = asking(service, again)
  const next: Authorisation =
    reversal === undefined
      ? {...authorisation, asking: taken}
      : {
          ...authorisation,
          reversals: authorisation.reversals.map((each, at) =>
            at === reversal ? {...each, asking: taken} : each,
          ),
        }
  await tx.authorisations.put(next)
  return {authorisation: next, asking: taken, reversal}
}
