import type {AuditRecord} from '../audit/index.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import type {Journal} from '../journal/index.ts'
import type {Context} from './context.ts'
import {decided, type Proposal} from './proposals.ts'

/**
 * The folder's files may be removed by their owners, so what was decided is looked up in the own trail and journal too.
 *
 * @param signed a signature decides, so one that was made here has sent nothing yet.
 * @throws Failure USAGE if either knows that the proposal was decided or sent.
 */
export async function refuseDecidedHere(
  context: Context,
  {id, content}: Proposal,
  signed: boolean,
): Promise<void> {
  using audit = await context.stores.audit()
  for (const {kind, at, auditUser, profile} of audit.newest({proposal: id})) {
    if (kind !== 'approve' && kind !== 'reject') continue
    // A signature for another machine is made without a profile.
    if (kind === 'approve' && profile === '') {
      if (signed) continue
      throw signedBefore(context, id, {at, auditUser})
    }
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

const signedBefore = (
  {commandLine, when}: Context,
  id: string,
  {at, auditUser}: Pick<AuditRecord, 'at' | 'auditUser'>,
): Failure =>
  new Failure('USAGE', {
    message: `You signed proposal ${id} as ${auditUser ?? 'somebody'} at ${when(Date.parse(at))}, as your audit trail has it. Nothing was sent now.`,
    hint: advice`To send it with that signature: ${commandLine('requests', 'approve', {value: id}, '--signed', {value: 'FILE'})}`,
    effect: 'none',
  })

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
