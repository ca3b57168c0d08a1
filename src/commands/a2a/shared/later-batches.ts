import {resource} from '../../../contract/resource.ts'
import type {Journal} from '../../../journal/index.ts'
import {marksIn} from '../../../output/batch-marks.ts'
import {listAt, textAt} from '../../../output/fields.ts'
import {type FailedRow, type LaterBatch, withoutLines} from './corrected.ts'
import {digestsIn} from './parts.ts'
import type {Transfer} from './read-transfers.ts'
import type {EarlierRequest, ReadBatch, SentEarlier} from './sent-earlier.ts'
import {itemTransfer, lineOf, recordedTransfers} from './sent-texts.ts'
import {movedTransfers} from './undone-items.ts'

/** The ids of the transfers of a batch that a row may be. */
export const itemsLike = (batch: unknown, transfer: Transfer): readonly string[] =>
  listAt(batch, 'transfers.items')
    .filter(item => lineOf(itemTransfer(item)) === lineOf(transfer))
    .map(item => textAt(item, 'id'))

/** What requests of this machine have sent after rows failed, oldest first. */
export async function laterBatches(
  read: ReadBatch,
  journal: Journal,
  {
    transfers,
    rows,
    found,
    requests,
  }: {
    readonly transfers: readonly Transfer[]
    readonly rows: readonly FailedRow[]
    readonly found: readonly SentEarlier[]
    readonly requests: readonly EarlierRequest[]
  },
): Promise<readonly LaterBatch[]> {
  const accounts = new Set(
    rows.flatMap(({transfer: {fromAccountId, toAccountId}}) => [
      resource('account', fromAccountId),
      resource('account', toAccountId),
    ]),
  )
  const since = Math.min(...rows.map(({at = 0}) => at))
  const later: LaterBatch[] = []
  for (const request of [...requests].reverse()) {
    const {resources = [], job: set} = journal.requests.get(request.id) ?? {}
    if (request.begunAt <= since || !resources.some(one => accounts.has(one))) continue
    const batch = await read(request)
    const recorded = recordedTransfers(journal, request.id)
    const whole =
      recorded.length === digestsIn(journal.requests.itemsOf(request.id)).length ? recorded : undefined
    const moved = batch === undefined ? whole : movedTransfers(listAt(batch, 'transfers.items'))
    const lines = found
      .filter(one => one.request === request)
      .flatMap(({row}) => transfers[row - 1] ?? [])
      .map(lineOf)
    later.push({
      sent: {request},
      at: request.begunAt,
      set,
      fixes: marksIn(textAt(batch, 'description')).fixes,
      moved: moved && withTexts(withoutLines(moved, lines), recorded),
      touches: account => resources.includes(resource('account', account)),
    })
  }
  return later
}

/** With the texts that this machine sent, where the service returns none. */
export function withTexts(moved: readonly Transfer[], recorded: readonly Transfer[]): readonly Transfer[] {
  const texts = Map.groupBy(recorded, lineOf)
  return moved.map(transfer => {
    const [first, ...others] = texts.get(lineOf(transfer)) ?? []
    const isOne = first !== undefined && others.every(({text}) => text === first.text)
    return isOne && transfer.text === undefined ? {...transfer, text: first.text ?? ''} : transfer
  })
}
