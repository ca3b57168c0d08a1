import type {Client} from '../../../cli/client/client.ts'
import type {Outcome, RequestOptions} from '../../../cli/client/options.ts'
import type {Context} from '../../../cli/context.ts'
import type {KeptRequest, KeptTransfers} from '../../../cli/proposal-content.ts'
import {operations} from '../../../contract/operations.gen.ts'
import type {Failure} from '../../../errors/failure.ts'
import type {Transfer} from './read-transfers.ts'
import {ifCutOff, sayAccepted, sayIfCutOff} from './said-early.ts'
import {noteSameRows, sameRows} from './same-rows.ts'
import {noteSentEarlier, type SendBatch, sendPart, twiceSent} from './send-transfers.ts'
import type {WayOn} from './split-failure.ts'
import {confirmWritten, type KeptAnswers} from './written-batch.ts'

interface Sending {
  readonly approved?: RequestOptions['approved']
  readonly wayOn: WayOn
  readonly lineAgain?: string | undefined
}

interface KeptToSend {
  readonly sends: readonly ((send: SendBatch) => Promise<Outcome>)[]
  /** See `LookAgain.twice`. */
  twice(): Promise<Failure | undefined>
}

/**
 * Asks about all transfers of a proposal or plan together; those that were sent since are refused, as by `a2a create`.
 *
 * @param lineAgain the command that sends what is left, if it may be run again.
 * @returns how to send each batch that is left, and the look at the service once all are sent.
 */
export async function confirmKept(
  context: Context,
  client: Client,
  requests: readonly KeptRequest[],
  {again, rest, batches}: KeptTransfers,
  answers: KeptAnswers,
  {approved = true, wayOn, lineAgain}: Sending,
): Promise<KeptToSend> {
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
  sayIfCutOff(context, sent.left, ifCutOff(context, lineAgain))
  const sends = sent.left.map(part => async (send: SendBatch) => {
    const outcome = await sendPart(context, part, sent, send, wayOn)
    sayAccepted(context, part, outcome)
    return outcome
  })
  return {sends, twice: () => twiceSent(sent)}
}
