import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import type {SuggestedCommand} from '../errors/suggested-command.ts'
import {listAt, textAt} from '../output/fields.ts'
import type {Client} from './client/client.ts'
import type {Call} from './client/options.ts'
import type {Context} from './context.ts'

/** What the id is of in the path of a topic. */
const KINDS = new Map([
  ['accounts', 'account'],
  ['cards', 'card'],
])

/**
 * A refusal of an id that nothing has: whether it is the id of a card where an account is meant, or the other way round.
 * That takes one read, so it is asked for a person, or where it costs nothing.
 *
 * @param withId the line that was typed, with another id in place of one
 * @returns undefined if it is neither
 */
export async function otherKind(
  context: Context,
  client: Client,
  error: unknown,
  {operation, input}: Call,
  withId: (id: string, other: string) => SuggestedCommand,
): Promise<Failure | undefined> {
  if (!(error instanceof Failure) || error.details.status !== 404) return undefined
  if (!context.interactive && !client.target.embedded) return undefined
  const [only, other] = Object.entries(input.path).flatMap(([name, id]) => {
    const kind = /^(?:card|account)Id$/.test(name)
      ? name.slice(0, -2)
      : name === 'id' && KINDS.get(operation.topic)
    return kind && /^\d+$/.test(id) ? [{kind, id}] : []
  })
  if (only === undefined || other !== undefined) return undefined
  const {kind, id} = only
  try {
    if (kind === 'card') {
      const query = {size: 1}
      const response = await client.call({operation: 'cards.listByAccount.v4', path: {accountId: id}, query})
      if (listAt({response}, 'response').length === 0) return undefined
      const list = context.commandLine('cards', 'list', '--account', {value: id})
      return error.with({hint: advice`${id} is the id of an account. See its cards: ${list}`})
    }
    const account = textAt(await client.call({operation: 'cards.get.v4', path: {id}}), 'accountId')
    if (account === '') return undefined
    return error.with({
      hint: advice`${id} is the id of a card, and its account is ${account}. For that account: ${withId(id, account)}`,
    })
  } catch (failure) {
    // Nothing more is known than what the service said first.
    if (failure instanceof Failure) return undefined
    throw failure
  }
}
