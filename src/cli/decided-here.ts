import type {Failure} from '../errors/failure.ts'
import type {Journal} from '../journal/index.ts'
import type {Context} from './context.ts'
import {decided, type Proposal} from './proposals.ts'

/**
 * The folder's files may be removed by their owners, so what was decided is looked up in the own trail and journal too.
 *
 * @throws Failure USAGE if either knows that the proposal was decided or sent.
 */
export async function refuseDecidedHere(context: Context, {id, content}: Proposal): Promise<void> {
  using audit = await context.stores.audit()
  for (const {kind, at} of audit.newest({proposal: id})) {
    if (kind !== 'approve' && kind !== 'reject') continue
    const decision = kind === 'approve' ? 'approved' : 'rejected'
    throw decided(id, {decision, at: context.when(Date.parse(at))}, ', as your audit trail has it')
  }
  if (!(await context.stores.hasJournal())) return
  using journal = await context.stores.journal()
  const keys = content.requests.flatMap(({key}) => key ?? [])
  const [sent] = [
    ...journal.requests.list({proposal: id, limit: 1}),
    ...keys.flatMap(key => journal.requests.findKey(key)),
  ]
  if (sent !== undefined) throw sentBefore(context, id, sent)
}

/** To be asked within the transaction that records a request: of several processes, one sends. @param own its requests */
export const guardOf =
  (context: Context, id: string, own: ReadonlySet<string>) =>
  (journal: Journal): void => {
    const other = journal.requests.list({proposal: id}).find(sent => !own.has(sent.id))
    if (other !== undefined) throw sentBefore(context, id, other)
  }

const sentBefore = (
  {when}: Context,
  id: string,
  {id: request, begunAt}: {readonly id: string; readonly begunAt: number},
): Failure =>
  decided(id, {decision: 'approved', at: when(begunAt)}, `, as your journal has it (request ${request})`)
