import type {Context} from '../../../cli/context.ts'
import {recentlyUsed} from '../../../cli/guided/recently-used.ts'
import {resource} from '../../../contract/resource.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {Journal} from '../../../journal/index.ts'
import {textAt} from '../../../output/fields.ts'
import {BY_TYPE} from './account-type.ts'

/** Number of earlier requests that are looked through. */
const FARTHEST = 200

export interface KnownType {
  readonly type: string
  readonly segment?: string
  /** The request that was sent under it. */
  readonly from: string
}

/** "Account 2001 is of type credit, as in request r_01JD8…." */
export const typeWords = (id: string, {type, from}: KnownType): string =>
  `Account ${id} is of type ${type}, as in request ${from}.`

/** `typeOf` without creating a journal where there is none. */
export async function knownType(context: Context, id: string): Promise<KnownType | undefined> {
  const {resources} = await recentlyUsed(context)
  if (!resources.includes(resource('account', id))) return undefined
  using journal = await context.stores.journal()
  return typeOf(journal, id)
}

/** The type of an account by an earlier change of it that the service accepted. No read of the service has it. */
export function typeOf(journal: Journal, id: string): KnownType | undefined {
  for (const record of journal.requests.iterate({resources: [resource('account', id)], limit: FARTHEST})) {
    if (record.effect !== 'done') continue
    const {operation, id: from} = record
    const found = Object.entries(BY_TYPE).find(([, patch]) => patch === operation)
    if (found !== undefined) return {type: found[0], from}
    if (operation === 'accounts.patchCreditReminder.v4') return {type: 'credit', from}
    if (operation !== 'accounts.patchMulticurrency.v4') continue
    const sent = journal.requests.sent(record.id)
    if (isObject(sent) && typeof sent.multiCurr === 'string')
      return {type: sent.multiCurr, segment: sent.multiCurr, from}
  }
  return undefined
}

/** How many accounts of a list have their type looked up. */
const MOST_LOOKED_UP = 200

/** The types of the accounts in a list of cards, for people. */
export class AccountTypes {
  readonly known = new Map<string, string | undefined>()
  readonly #context: Context

  constructor(context: Context) {
    this.#context = context
  }

  /** Passes cards on, each after the type of its account is looked up. */
  async *through(cards: AsyncIterable<unknown>): AsyncGenerator<unknown> {
    const isShown = this.#context.outputOptions.format === 'table'
    for await (const card of cards) {
      const id = textAt(card, 'accountId')
      if (isShown && id !== '' && !this.known.has(id) && this.known.size < MOST_LOOKED_UP) {
        const found = await knownType(this.#context, id).catch(() => undefined)
        this.known.set(id, found?.type)
      }
      yield card
    }
  }
}
