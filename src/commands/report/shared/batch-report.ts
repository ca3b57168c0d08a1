import {hasEnded} from '../../../cli/batch-ends.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {formatAmount} from '../../../money/amount.ts'
import {fieldAt, listAt, textAt} from '../../../output/fields.ts'
import {ACCEPTED} from '../../../output/outcome.ts'
import {asksService} from '../../a2a/shared/ask-service.ts'
import {whyFailed} from '../../a2a/shared/batch-views.ts'
import {itemDigests} from '../../a2a/shared/parts.ts'
import {probableRequest} from '../../a2a/shared/probable-request.ts'
import type {Transfer} from '../../a2a/shared/read-transfers.ts'
import {recentBatches} from '../../a2a/shared/recent-batches.ts'
import {saidAgain, saidByBatch} from '../../a2a/shared/said-again.ts'
import {type SentAgain, sentAgain} from '../../a2a/shared/sent-again.ts'
import {sentElsewhere} from '../../a2a/shared/sent-elsewhere.ts'
import {itemTransfer, requestOfBatch, sentAs, textsOfItems} from '../../a2a/shared/sent-texts.ts'
import {isUndone} from '../../a2a/shared/undone-items.ts'
import {wholeBatch} from '../../a2a/shared/whole-batch.ts'
import {proposers} from '../../history/shared/proposers.ts'
import type {BatchReport} from './batch-view.ts'
import {sumsByStatus} from './transfer-sums.ts'

/** A batch with all its transfers, and who sent it from this machine. */
export async function batchReport(context: Context, client: Client, id: string): Promise<BatchReport> {
  const batch = await wholeBatch(client, id)
  const items = listAt(batch, 'transfers.items')
  using journal = await context.stores.journal()
  const batchId = textAt(batch, 'id') || id
  const sent = requestOfBatch(journal, batchId) ?? probableRequest(journal, batch)
  using audit = await context.stores.audit('list')
  const proposer = proposers(audit)(sent?.proposal)
  const texts = textsOfItems(journal, sent, items)
  const {textOf} = await sentAs(context, batchId)
  const transfers = items.map(item => ({
    id: textAt(item, 'id'),
    from: textAt(item, 'fromId'),
    to: textAt(item, 'toId'),
    amount: formatAmount(textAt(item, 'amount'), textAt(item, 'currency')),
    currency: textAt(item, 'currency'),
    text: texts.get(textAt(item, 'id')) ?? '',
    status: textAt(item, 'status'),
    reason: whyFailed(item, '; '),
  }))
  const failed = items
    .filter(item => textAt(item, 'status') === 'FAILED' && isUndone(item))
    .map(item => itemTransfer(item, one => textOf(one)))
  const again =
    failed.length === 0 ? [] : await whereAgain(context, client, journal, {id: batchId, sent, failed})
  const {name: profile} = await context.service.chosen()
  return {
    batch: id,
    profile,
    service: (await context.service.identity()).words,
    status: textAt(batch, 'status'),
    description: textAt(batch, 'description'),
    started: fieldAt(batch, 'startTime'),
    ended: fieldAt(batch, 'completionTime'),
    sent:
      sent === undefined
        ? undefined
        : {
            request: sent.id,
            at: new Date(sent.begunAt).toISOString(),
            auditUser: sent.auditUser,
            state: sent.state,
            proposal: sent.proposal,
            proposedBy: proposer?.by,
            proposedNote: sent.note === undefined ? undefined : proposer?.note,
            ticket: sent.ticket,
            note: sent.note,
            isErased: journal.requests.sent(sent.id) === undefined,
          },
    sentAgain: again,
    sums: sumsByStatus(transfers),
    transfers,
  }
}

/**
 * Where failed transfers were sent again: by the journal of this machine, and by the batches of the service since then.
 * If those can't be read, only the first are known.
 */
async function whereAgain(
  context: Context,
  client: Client,
  journal: Journal,
  {
    id,
    sent,
    failed,
  }: {
    readonly id: string
    readonly sent: RequestRecord | undefined
    readonly failed: readonly Transfer[]
  },
): Promise<readonly SentAgain[]> {
  const digests = itemDigests(journal, failed)
  const own = sentAgain(journal, {batch: id, failed: failed.length, digests, request: sent})
  const left = failed.length - own.reduce((sum, {transfers}) => sum + transfers, 0)
  if (left <= 0 || !asksService(client, undefined)) return own
  const listed = await recentBatches(client, context.surroundings.now()).catch(ifUnread)
  const {found} = await sentElsewhere(context, client, [{transfers: failed}], {retried: id, listed})
  const others = Map.groupBy(
    found.filter(one => one.isOther !== true && one.elsewhere !== undefined),
    ({request}) => request.replyId,
  )
  const same = [
    ...own,
    ...[...others].map(([batch, some]) => ({
      batch,
      transfers: some.length,
      ended: hasEnded({status: some[0]?.elsewhere?.status}) ? 'done' : ACCEPTED,
    })),
  ]
  return [...same, ...saidAgain(id, (listed ?? []).map(saidByBatch), same)]
}

function ifUnread(error: unknown): undefined {
  if (!(error instanceof Failure) || isInterruption(error)) throw error
}
