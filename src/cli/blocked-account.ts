import {existsSync} from 'node:fs'
import {operations} from '../contract/operations.gen.ts'
import {resource} from '../contract/resource.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import type {Journal, RequestRecord} from '../journal/index.ts'
import {journalFile} from '../journal/journal-file.ts'
import {touchedOf} from '../journal/recent-ids.ts'
import {textAt} from '../output/fields.ts'
import type {Context} from './context.ts'
import {nameNext} from './next-step.ts'

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

/** Notes that are printed one by one. */
const MOST_TOLD = 5

const IN_USE = 'ACCOUNT_OK'

/** The accounts of these cards. */
export function blockedAccountsOf(
  context: Context,
  cards: readonly unknown[],
): Promise<readonly BlockedAccount[]> {
  return blockedAccounts(context, new Set(cards.map(card => textAt(card, 'accountId'))))
}

/** Those that were blocked or closed from here, or may have been, by the journal of this machine. Sends no request. */
export async function blockedAccounts(
  context: Context,
  ids: ReadonlySet<string>,
): Promise<readonly BlockedAccount[]> {
  try {
    const touched = await touchedHere(
      context,
      [...ids].filter(id => id !== ''),
    )
    if (touched.length === 0) return []
    using journal = await context.stores.journal()
    return touched.flatMap(id => blockedAccount(context, journal, id) ?? [])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // Without a folder for it, there is no journal.
    if (error.code === 'CONFIG_UNREADABLE') return []
    // What was read is right, so it must still be shown.
    context.printer.warn(
      `It is not known whether the account was blocked from this machine. ${error.message}`,
      {code: 'ACCOUNT_UNKNOWN'},
    )
    return []
  }
}

/** Those that any request from here touched. Opening the journal would create it, and takes longer. */
async function touchedHere(context: Context, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return ids
  const file = journalFile(context.folders.data, await context.service.identity())
  if (!existsSync(file)) return []
  // A read without the log would miss what was written last.
  if (existsSync(`${file}-wal`)) return ids
  try {
    const touched = touchedOf(
      file,
      ids.map(id => resource('account', id)),
    )
    return ids.filter(id => touched.has(resource('account', id)))
  } catch {
    // Opening it brings it up to date, or says what is wrong.
    return ids
  }
}

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
      ? `Account ${account} was set to ${status} from this machine, ${when(begunAt)}, so its cards are declined. Others may have changed it since.`
      : `Account ${account} may be out of use, so that its cards are declined: the effect of request ${request} from this machine, ${when(begunAt)}, which sets it to ${status}, is unknown. Find out: ${commandLine('requests', 'resolve', {value: request})}`
  return {account, status, effect, at: new Date(begunAt).toISOString(), request, note}
}

/** Tells it to everybody who sees cards of such accounts, also to programs: the cards themselves look healthy. */
export class BlockedAccountNotes {
  readonly #context: Context
  readonly #seen = new Set<string>()
  readonly #told = new Set<string>()
  #found: Promise<readonly BlockedAccount[]> | undefined

  constructor(context: Context) {
    this.#context = context
  }

  /** Passes cards on. If they are read again and again, tells it each time. */
  async *through(cards: AsyncIterable<unknown>, isWatched: boolean): AsyncGenerator<unknown> {
    for await (const card of cards) {
      this.see(card)
      yield card
    }
    if (isWatched) await this.tell()
  }

  see(card: unknown): void {
    this.#seen.add(textAt(card, 'accountId'))
    this.#found = undefined
  }

  /** Those of the cards that were seen since the last `tell`. */
  found(): Promise<readonly BlockedAccount[]> {
    this.#found ??= blockedAccounts(this.#context, this.#seen)
    return this.#found
  }

  /** What is known about each account is told once. */
  async tell(): Promise<void> {
    const blocked = await this.found()
    const isNew = ({request, effect}: BlockedAccount): boolean => !this.#told.has(`${request} ${effect}`)
    tellBlockedAccounts(this.#context, blocked.filter(isNew))
    for (const {request, effect} of blocked) this.#told.add(`${request} ${effect}`)
    this.#seen.clear()
    this.#found = undefined
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
