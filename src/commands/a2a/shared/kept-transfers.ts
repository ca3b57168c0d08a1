import type {Client} from '../../../cli/client/client.ts'
import type {Outcome, RequestOptions} from '../../../cli/client/options.ts'
import type {Context} from '../../../cli/context.ts'
import type {KeptRequest, KeptTransfers} from '../../../cli/proposal-content.ts'
import {operations} from '../../../contract/operations.gen.ts'
import type {Transfer} from './read-transfers.ts'
import {sayAccepted} from './said-early.ts'
import {noteSameRows, sameRows} from './same-rows.ts'
import {noteSentEarlier, type SendBatch, sendPart} from './send-transfers.ts'
import type {WayOn} from './split-failure.ts'
import {confirmWritten, type KeptAnswers} from './written-batch.ts'

/**
 * Asks about all transfers of a proposal or plan together; those that were sent since are refused, as by `a2a create`.
 *
 * @returns how to send each batch that is left.
 */
export async function confirmKept(
  context: Context,
  client: Client,
  requests: readonly KeptRequest[],
  {again, rest, batches}: KeptTransfers,
  answers: KeptAnswers,
  {approved = true, wayOn}: {readonly approved?: RequestOptions['approved']; readonly wayOn: WayOn},
): Promise<readonly ((send: SendBatch) => Promise<Outcome>)[]> {
  const operation = operations['a2a.create.v1']
  for (const {input, key: idempotencyKey} of requests)
    await client.prepare({operation, input}, {idempotencyKey, approved})
  const parts = requests.map(({input: {body}}, at) => ({
    number: at + 1,
    of: requests.length,
    transfers: (body as {transfers: readonly Transfer[]}).transfers,
    key: batches[at]?.key ?? '',
    reference: batches[at]?.reference,
    body,
  }))
  const all = parts.flatMap(({transfers}) => transfers)
  noteSameRows(context, sameRows(all))
  if (again) await noteSentEarlier(context, all)
  const sent = await confirmWritten(context, client, parts, {...answers, again, rest}, {isKept: true})
  return sent.left.map(part => async send => {
    const outcome = await sendPart(context, part, sent, send, wayOn)
    sayAccepted(context, part, outcome)
    return outcome
  })
}
