import type {Client} from '../../../cli/client/client.ts'
import type {Call, Outcome, RequestOptions, SendAsTransfers} from '../../../cli/client/options.ts'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {marksIn} from '../../../output/batch-marks.ts'
import {textAt} from '../../../output/fields.ts'
import {sentMeanwhile} from './ask-service.ts'
import {confirmTransfers, isAskedAbout} from './confirm.ts'
import type {Part} from './parts.ts'
import type {Transfer} from './read-transfers.ts'
import {sameRows} from './same-rows.ts'
import {askOf, partsLeft, sendPart} from './send-transfers.ts'
import type {WaysOut} from './sent-words.ts'
import type {TransferAnswers} from './transfer-flags.ts'

/** For commands that send any request: what they send of transfers has the checks of `a2a create`. */
export function asTransfers(
  context: Context,
  client: () => Promise<Client>,
  call: Call,
  answers: TransferAnswers,
): Pick<RequestOptions, 'asTransfers'> {
  return {
    asTransfers: async send => {
      return sendWritten(context, await client(), call, answers, send)
    },
  }
}

/** What was answered beforehand, and whether by a person who signed it. */
export type KeptAnswers = TransferAnswers & {readonly isSigned?: boolean | undefined}

/** @throws Failure USAGE if a body has no list of transfers. */
export function transfersIn(body: unknown): {readonly transfers: readonly Transfer[]} {
  const transfers = isObject(body) ? body.transfers : undefined
  if (Array.isArray(transfers) && transfers.every(isObject)) return body as {transfers: Transfer[]}
  throw new Failure('USAGE', {
    message: 'There are no transfers.',
    hint: 'Add --from FILE, --transfer or --data.',
    effect: 'none',
  })
}

/**
 * Asks about batches that are sent as they were written, with all checks of `a2a create`.
 *
 * @returns those that are still to be sent, and what `sendPart` needs to know.
 */
export async function confirmWritten(
  context: Context,
  client: Client,
  parts: readonly Part[],
  {again = false, rest = false, isSigned, ...answers}: KeptAnswers & {readonly rest?: boolean},
  said: WaysOut,
) {
  const all = parts.flatMap(({transfers}) => transfers)
  const ways = {...said, whole: all}
  const found = await partsLeft(context, client, all, parts, {...answers, again, rest})
  const {earlier, service, sought, ...sent} = found
  const {left} = sent
  const transfers = left.flatMap(part => part.transfers)
  const asked = {serviceCheck: answers['service-check'], known: earlier, ways, ...service}
  const same = sameRows(all)
  const {'service-check': serviceCheck} = answers
  const isAsked = isAskedAbout(context, answers)
  const looking = {isAsked, again, serviceCheck, ways, sought, ...service, looksAfter: said.isKept}
  const lookAgain = await sentMeanwhile(context, client, left, looking)
  const ask = again
    ? undefined
    : askOf(context, client, left, {...asked, listed: lookAgain.listed ?? service.listed})
  await confirmTransfers(
    context,
    client.target,
    {transfers, parts: left, same, earlier, ways, ask, isSigned, whole: rest ? all : undefined},
    answers,
  )
  await lookAgain.afterQuestion()
  return {...sent, lookAgain}
}

/** `asTransfers` of commands that send any request. */
export async function sendWritten(
  context: Context,
  client: Client,
  {input: {body}}: Call,
  answers: KeptAnswers,
  send: SendAsTransfers,
): Promise<Outcome> {
  const {transfers} = transfersIn(body)
  const {reference} = marksIn(textAt(body, 'description'))
  const part = {number: 1, of: 1, transfers, key: '', reference, body}
  const sent = await confirmWritten(context, client, [part], answers, {})
  const [only] = sent.left
  if (only === undefined) throw new Error('a whole batch is left or refused')
  return sendPart(context, only, sent, (_, {trace}) =>
    // The key is that of the command, and what else the request may be is still asked.
    send({trace, confirmed: 'transfers', careful: false}),
  )
}
