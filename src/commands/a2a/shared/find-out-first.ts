import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {Failure} from '../../../errors/failure.ts'
import type {RequestRecord} from '../../../journal/index.ts'
import {listAt, textAt} from '../../../output/fields.ts'
import {resolveOrAsk} from '../../requests/shared/ask-finding.ts'

/**
 * What is left to send. If that depends on a request whose effect is unknown, a person may find it out here, and the
 * command goes on.
 *
 * @throws Failure EFFECT_UNKNOWN if it stays unknown, or nobody is asked
 */
export async function findOutFirst<T>(context: Context, client: Client, left: () => Promise<T>): Promise<T> {
  const asked = new Set<string>()
  for (;;) {
    try {
      return await left()
    } catch (error) {
      const record = await openIn(context, error)
      if (record === undefined || asked.has(record.id) || !isLookedFor(client, record)) throw error
      asked.add(record.id)
      await findOut(context, client, record, error as Failure)
    }
  }
}

async function findOut(
  context: Context,
  client: Client,
  record: RequestRecord,
  failure: Failure,
): Promise<void> {
  context.printer.question(
    `${failure.message} cardctl got no response, so it is not known whether the service took them.`,
  )
  const chosen = await context.prompter.choose('What now?', [
    {
      value: 'find',
      name: 'Find out what became of them: this reads the batches of the service, and sends nothing',
    },
    {value: 'nothing', name: 'Send nothing'},
  ])
  if (chosen === 'nothing') throw failure
  const {verdict, evidence} = await resolveOrAsk(context, client, record)
  if (verdict === 'cannot tell') throw failure
  context.printer.note(
    verdict === 'had effect' ? `They were sent: ${evidence}` : `They were not sent: ${evidence}`,
  )
}

/** The request whose effect a refusal asks for, where a person can answer. */
async function openIn(context: Context, error: unknown): Promise<RequestRecord | undefined> {
  if (!(error instanceof Failure) || error.code !== 'EFFECT_UNKNOWN') return undefined
  if (!context.interactive || context.flags.yes) return undefined
  const {requestId, data} = error.details
  const id = requestId ?? textAt(listAt(data, 'earlier')[0], 'request')
  using journal = await context.stores.journal()
  const record = journal.requests.get(id)
  return record?.state === 'running' ? undefined : record
}

/** Whether its batch can be found by its reference, without sending anything. */
const isLookedFor = ({target}: Client, {reference}: RequestRecord): boolean =>
  reference !== undefined && target.dialect?.refusal(operations['a2a.list.v1']) === undefined
