import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {isAnswer} from '../../../cli/guided/check-answer.ts'
import {RequestWords} from '../../../cli/request-words.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {RequestRecord} from '../../../journal/index.ts'
import {amount, counted} from '../../../money/amount.ts'
import {sumByCurrency} from '../../../money/sum-by-currency.ts'
import {transfersIn} from '../../a2a/shared/written-batch.ts'
import {type Finding, type Resolved, resolveByPerson, resolveRequest} from './resolve-request.ts'

interface AskOptions {
  readonly confirm?: readonly string[] | undefined
  /** Learns what a person found. */
  readonly onFound?: (finding: Finding) => void
}

/**
 * Finds out what became of a request. What can't be found out, a person is asked who has looked at the service; without
 * one it stays unknown.
 */
export async function resolveOrAsk(
  context: Context,
  client: Client,
  record: RequestRecord,
  {confirm, onFound}: AskOptions = {},
): Promise<Resolved> {
  for (;;) {
    const resolved = await resolveRequest(context, client, record, confirm)
    if (resolved.verdict !== 'cannot tell' || !context.interactive || context.flags.yes) return resolved
    const {printer, prompter} = context
    printer.question(`${context.when(record.begunAt)}: ${await didIn(context, record)}. ${resolved.evidence}`)
    const chosen = await prompter.choose('What became of it?', [
      {value: 'look', name: 'Look again: the service may show it by now'},
      {value: 'had no effect', name: 'It had no effect: the service has nothing of it'},
      {value: 'had effect', name: 'It had its effect: the service has it'},
      {value: 'open', name: "I don't know: leave it open"},
    ])
    if (chosen === 'look') continue
    if (chosen === 'open') return resolved
    const because = await prompter.text('What did you check? It is kept with your name', isAnswer)
    onFound?.({verdict: chosen, because})
    return resolveByPerson(context, client.target, record, {verdict: chosen, because})
  }
}

/** What was to be done; of transfers also how many and how much, by which a person finds them. */
async function didIn(context: Context, record: RequestRecord): Promise<string> {
  using journal = await context.stores.journal()
  const body = journal.requests.keptInput(record.id)?.body
  const {did} = (await RequestWords.open(journal)).tell(record)
  if (record.operation !== 'a2a.create.v1' || !isObject(body)) return did
  const {transfers} = transfersIn(body)
  const sums = sumByCurrency(transfers).map(({currency, text}) => amount(text, currency))
  return `send ${[counted(transfers.length, 'transfer'), ...sums].join(', ')}`
}
