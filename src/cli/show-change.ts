import type {AnyInput, Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import {textAt} from '../output/fields.ts'
import type {Context} from './context.ts'
import type {Client} from './request.ts'

/** Names of the things that no operation can read. */
const UNREADABLE: Readonly<Record<string, string>> = {
  accounts: 'an account',
  pricelists: 'a price list or its periods',
  pin: 'a PIN',
}

/** What an operation changes, if no operation reads it: "an account". */
export const readlessWords = ({topic}: Operation): string => UNREADABLE[topic] ?? 'it'

/** `--show-change` if no operation can read what is changed. */
export function reportNoRead(context: Context, {topic}: Operation): void {
  const what = UNREADABLE[topic]
  if (what === undefined) return
  context.printer.warn(
    `--show-change shows nothing here: the service offers no read of ${what}. What was sent is shown below, and later by requests show.`,
  )
}

/** A customer's enrolment as the service shows it now; undefined if there is none. */
export async function enrolmentOf(client: Client, {path, body}: AnyInput) {
  const {customerBID = ''} = (body ?? {}) as {customerBID?: string}
  try {
    const customerId = path.customerId ?? (await customerOf(client, path.cardId ?? ''))
    return await client.call({
      operation: 'remotecheckout.getCustomer.v1',
      path: {customerId},
      body: {customerBID},
    })
  } catch (error) {
    if (error instanceof Failure && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

async function customerOf(client: Client, cardId: string): Promise<string> {
  return textAt(await client.call({operation: 'cards.get.v4', path: {id: cardId}}), 'customerId')
}
