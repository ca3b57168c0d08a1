import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {formatAmount} from '../../../money/amount.ts'
import {fieldAt, listAt, textAt} from '../../../output/fields.ts'
import {whyFailed} from '../../a2a/shared/batch-views.ts'
import {requestOfBatch, textsOfItems} from '../../a2a/shared/sent-texts.ts'
import {wholeBatch} from '../../a2a/shared/whole-batch.ts'
import type {BatchReport} from './batch-view.ts'
import {sumsByStatus} from './transfer-sums.ts'

/** A batch with all its transfers, and who sent it from this machine. */
export async function batchReport(context: Context, client: Client, id: string): Promise<BatchReport> {
  const batch = await wholeBatch(client, id)
  const items = listAt(batch, 'transfers.items')
  using journal = await context.stores.journal()
  const sent = requestOfBatch(journal, textAt(batch, 'id') || id)
  const texts = textsOfItems(journal, sent, items)
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
            ticket: sent.ticket,
            note: sent.note,
          },
    sums: sumsByStatus(transfers),
    transfers,
  }
}
