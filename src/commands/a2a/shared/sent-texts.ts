import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {listAt, numberAt, textAt} from '../../../output/fields.ts'
import {maskText} from '../../../sensitive/mask-text.ts'
import type {Transfer} from './read-transfers.ts'
import {rowLine} from './same-rows.ts'

/** A transfer of a batch, as the service returns it; without its text, unless `textOf` knows it. */
export function itemTransfer(
  item: unknown,
  textOf: (item: Transfer) => string | undefined = () => undefined,
): Transfer {
  const transfer = {
    fromAccountId: textAt(item, 'fromId'),
    toAccountId: textAt(item, 'toId'),
    amount: numberAt(item, 'amount') ?? Number(textAt(item, 'amount')),
    currency: textAt(item, 'currency'),
  }
  const text = textOf(transfer)
  return text === undefined ? transfer : {...transfer, text}
}

/** A transfer without its text, which the service doesn't return. */
export const lineOf = ({text: _, ...transfer}: Transfer): string => rowLine(transfer)

/** The request of this machine that made a batch. */
export function requestOfBatch(journal: Journal, batch: string): RequestRecord | undefined {
  for (const record of journal.requests.iterate({operation: 'a2a.create.v1'}))
    if (record.replyId === batch) return record
  return undefined
}

const transfersIn = (sent: unknown): readonly Transfer[] =>
  isObject(sent) && Array.isArray(sent.transfers) ? (sent.transfers as Transfer[]) : []

/** What the journal still has of the transfers of a request: all of them for 24 hours, after that up to 20. */
export function recordedTransfers(journal: Journal, request: string): readonly Transfer[] {
  const kept = transfersIn(journal.requests.keptInput(request)?.body)
  return kept.length > 0 ? kept : transfersIn(journal.requests.sent(request))
}

/** The request that made a batch, and the texts of its transfers exactly as sent, to send them again. */
export async function sentAs(context: Context, batch: string) {
  using journal = await context.stores.journal()
  const request = requestOfBatch(journal, batch)
  const sent = transfersIn(request && journal.requests.keptInput(request.id)?.body)
  const texts = Map.groupBy(sent, lineOf)
  return {
    request,
    /** Whether it is known which text it had, or that it had none. */
    knowsText: (item: Transfer): boolean =>
      new Set(texts.get(lineOf(item))?.map(({text}) => text)).size === 1,
    /** Undefined if it is not known which of several it was. */
    textOf: (item: Transfer): string | undefined => {
      const alike = new Set(texts.get(lineOf(item))?.map(({text}) => text))
      const [only] = alike
      return alike.size === 1 ? only : undefined
    },
  }
}

/** The texts of the transfers of a batch by the ids that the service gave them. */
export type SentTexts = ReadonlyMap<string, string>

/**
 * The texts as this machine sent them, to show them: masked, and shortened if they are very long. The journal keeps a
 * request whole for 24 hours, and after that up to 20 transfers. Left out is a text of which it isn't known
 * which of several equal transfers it belongs to.
 */
export function textsOfItems(
  journal: Journal,
  request: RequestRecord | undefined,
  items: readonly unknown[],
) {
  const texts = new Map<string, string>()
  if (request === undefined) return texts
  const kept = transfersIn(journal.requests.sent(request.id))
  const sent = kept.length > 0 ? kept : transfersIn(journal.requests.keptInput(request.id)?.body)
  const sentAlike = Map.groupBy(sent, lineOf)
  for (const [line, alike] of Map.groupBy(items, item => lineOf(itemTransfer(item)))) {
    const from = sentAlike.get(line) ?? []
    const isOneText = new Set(from.map(({text}) => text)).size === 1
    const isOneState = new Set(alike.map(item => textAt(item, 'status'))).size === 1
    // Equal transfers that ended alike may be told in the order in which they were sent.
    if (!isOneText && !(isOneState && alike.length === from.length)) continue
    for (const [at, item] of alike.entries()) {
      const {text} = from[isOneText ? 0 : at] ?? {}
      if (typeof text === 'string' && text !== '') texts.set(textAt(item, 'id'), maskText(text))
    }
  }
  return texts
}

/** The same for a batch as it was read. Nothing is kept on a machine that never sent anything. */
export async function textsOfBatch(context: Context, batch: unknown): Promise<SentTexts> {
  if (!(await context.stores.hasJournal())) return new Map()
  try {
    using journal = await context.stores.quietJournal()
    const request = requestOfBatch(journal, textAt(batch, 'id'))
    return textsOfItems(journal, request, listAt(batch, 'transfers.items'))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // What the service said is shown, whatever became of the journal.
    context.printer.warn(`The texts of the transfers are missing: ${error.message}`)
    return new Map()
  }
}
