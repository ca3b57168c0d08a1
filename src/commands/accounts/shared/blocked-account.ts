import type {Context} from '../../../cli/context.ts'
import type {Suggestion} from '../../../cli/guided/guide.ts'
import {recentlyUsed} from '../../../cli/guided/recently-used.ts'
import {nameNext} from '../../../cli/next-step.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {idsOf, resource} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {textAt} from '../../../output/fields.ts'
import {type KnownType, typeOf} from './account-type.ts'
import {touchedAccounts} from './touched-accounts.ts'

/** An account that was taken out of use from this machine, or may have been: no read of the service has its status. */
export interface BlockedAccount {
  readonly account: string
  /** What a request from here set. */
  readonly status: string
  /** `unknown` if it isn't known whether the account still has this status. */
  readonly effect: 'done' | 'unknown'
  /** When the request was sent, in ISO 8601. */
  readonly at: string
  readonly request: string
  /** The same for a person. */
  readonly note: string
}

/** The operations that may set the status of an account. Others, such as transfers, may be many. */
const CHANGES = Object.keys(operations).filter(id => id.startsWith('accounts.'))

/** How many accounts of a list have their type looked up while it is printed. */
const MOST_LOOKED_UP = 200

/** Notes that are printed one by one. */
const MOST_TOLD = 5

const IN_USE = 'ACCOUNT_OK'

/** What the journal of this machine has of an account. */
export interface KnownAccount {
  readonly type?: KnownType | undefined
  readonly blocked?: BlockedAccount | undefined
}

/** What is known of the accounts of these cards. Sends no request. */
export const accountsOf = (context: Context, cards: readonly unknown[]) =>
  knownAccounts(context, new Set(cards.map(accountOf)))

const accountOf = (card: unknown): string => textAt(card, 'accountId')

async function knownAccounts(
  context: Context,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, KnownAccount>> {
  try {
    return await touchedAccounts(context, ids, (journal, id) => ({
      type: typeOf(journal, id),
      blocked: blockedAccount(context, journal, id),
    }))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // What was read is right, so it must still be shown. Without a folder for it, there is no journal.
    if (error.code !== 'CONFIG_UNREADABLE')
      context.printer.warn(
        `It is not known whether the account was blocked from this machine. ${error.message}`,
        {code: 'ACCOUNT_UNKNOWN'},
      )
    return new Map()
  }
}

export const blockedOf = (accounts: ReadonlyMap<string, KnownAccount>): readonly BlockedAccount[] =>
  [...accounts.values()].flatMap(({blocked}) => blocked ?? [])

/** By the newest request that certainly set a status, and those after it whose effect is unknown. */
function blockedAccount(context: Context, journal: Journal, account: string): BlockedAccount | undefined {
  let open: {record: RequestRecord; status: string} | undefined
  let mayBe = false
  for (const record of journal.requests.iterate({
    resources: [resource('account', account)],
    operations: CHANGES,
  })) {
    const status =
      record.effect === 'none' || record.replayed === true ? undefined : statusSetBy(journal, record)
    if (status === undefined) continue
    // A repeat had its effect, with the first attempt if not now. Nothing from here can have come between them.
    const isCertain =
      record.effect === 'done' && (record.replayed !== 'unknown' || record.retryOf !== undefined)
    mayBe ||= status !== IN_USE
    if (isCertain && open === undefined)
      return status === IN_USE ? undefined : blockedBy(context, account, {record, status, effect: 'done'})
    open ??= {record, status}
    if (isCertain) break
  }
  return open !== undefined && mayBe ? blockedBy(context, account, {...open, effect: 'unknown'}) : undefined
}

/** Accounts that were blocked from this machine, for who takes one back: not closed ones, which stay so. */
export async function blockedHere(context: Context): Promise<readonly Suggestion[]> {
  const {resources} = await recentlyUsed(context)
  const known = await knownAccounts(context, idsOf('account', resources))
  return blockedOf(known)
    .filter(({status}) => !CLOSED.has(status))
    .map(({account, status, effect, at}) => {
      const words = effect === 'done' ? `set to ${status} from here` : `may be ${status}`
      return {value: account, from: `${words}, ${context.when(Date.parse(at))}`}
    })
}

/** What to know of accounts that money is sent from: out of use they send it nevertheless. */
export async function blockedSenders(
  context: Context,
  senders: ReadonlySet<string>,
): Promise<readonly {readonly words: string; readonly blocked: BlockedAccount}[]> {
  const known = await knownAccounts(context, [...senders].slice(0, MOST_LOOKED_UP))
  return blockedOf(known).map(blocked => {
    const {account, status, effect, at, request} = blocked
    const when = context.when(Date.parse(at))
    const words =
      effect === 'done'
        ? `was set to ${status} from this machine, ${when}`
        : `may be ${status}: the effect of request ${request} from this machine, ${when}, is unknown`
    return {
      blocked,
      words: `Account ${account} ${words}. A block declines its cards, but transfers from it are sent all the same.`,
    }
  })
}

const CLOSED: ReadonlySet<string> = new Set(['ACCOUNT_TO_CLOSE', 'ACCOUNT_CLOSED'])

function statusSetBy(journal: Journal, {id}: RequestRecord): string | undefined {
  const sent = journal.requests.sent(id)
  if (!isObject(sent)) return undefined
  if (sent.propertyToUpdate === 'IMMEDIATE_ACCOUNT_CLOSE') return 'ACCOUNT_CLOSED'
  return typeof sent.status === 'string' ? sent.status : undefined
}

function blockedBy(
  {when, commandLine}: Context,
  account: string,
  {record, status, effect}: {record: RequestRecord; status: string; effect: 'done' | 'unknown'},
): BlockedAccount {
  const {id: request, begunAt} = record
  const note =
    effect === 'done'
      ? `Account ${account} was set to ${status} from this machine, ${when(begunAt)}, which declines its cards unless others have changed it since.`
      : `Account ${account} may be out of use, so that its cards are declined: the effect of request ${request} from this machine, ${when(begunAt)}, which sets it to ${status}, is unknown. Find out: ${commandLine('requests', 'resolve', {value: request})}`
  return {account, status, effect, at: new Date(begunAt).toISOString(), request, note}
}

/** Looks up the accounts of the cards that a command reads, and tells everybody of those that decline them. */
export class AccountsOfCards {
  readonly #context: Context
  readonly #known = new Map<string, KnownAccount>()
  /** Ids seen since the last `tell`. */
  readonly #seen = new Set<string>()
  readonly #lookedUp = new Set<string>()
  readonly #told = new Set<string>()

  constructor(context: Context) {
    this.#context = context
  }

  /** Passes cards on. If they are read again and again, tells it each time. */
  async *through(cards: AsyncIterable<unknown>, isWatched: boolean): AsyncGenerator<unknown> {
    const isTable = this.#context.outputOptions.format === 'table'
    for await (const card of cards) {
      this.see(card)
      if (isTable && this.#lookedUp.size < MOST_LOOKED_UP) await this.lookUp()
      yield card
    }
    if (isWatched) await this.tell()
  }

  see(card: unknown): void {
    this.#seen.add(accountOf(card))
  }

  /** What is known of a card's account, once it is looked up. */
  of(card: unknown): KnownAccount {
    return this.#known.get(accountOf(card)) ?? {}
  }

  async lookUp(): Promise<void> {
    const ids = [...this.#seen].filter(id => !this.#lookedUp.has(id))
    const known = await knownAccounts(this.#context, ids)
    for (const id of ids) {
      this.#known.set(id, known.get(id) ?? {})
      this.#lookedUp.add(id)
    }
  }

  /** What is known about each account is told once. */
  async tell(): Promise<void> {
    await this.lookUp()
    const blocked = [...this.#seen].flatMap(id => this.#known.get(id)?.blocked ?? [])
    const isNew = ({request, effect}: BlockedAccount): boolean => !this.#told.has(`${request} ${effect}`)
    tellBlockedAccounts(this.#context, blocked.filter(isNew))
    for (const {request, effect} of blocked) this.#told.add(`${request} ${effect}`)
    this.#seen.clear()
    this.#lookedUp.clear()
  }
}

/** On stderr, in any format. */
export function tellBlockedAccounts(context: Context, blocked: readonly BlockedAccount[]): void {
  for (const {note, ...facts} of blocked.slice(0, MOST_TOLD))
    context.printer.warn(note, {code: 'ACCOUNT_BLOCKED_HERE', ...facts})
  const more = blocked.slice(MOST_TOLD).map(({account}) => account)
  if (more.length > 0)
    context.printer.warn(
      `${more.length} more accounts were blocked or closed from this machine, or may have been: ${more.join(', ')}`,
      {code: 'ACCOUNT_BLOCKED_HERE', accounts: more},
    )
  const [first] = blocked
  if (first !== undefined)
    nameNext(context, 'what was done to the account from here', 'history', 'account', {value: first.account})
}
