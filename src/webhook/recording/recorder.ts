import {Checkpointer, type Database, immediate} from '../../sqlite/index.ts'
import {callFingerprint} from '../call-fingerprint.ts'
import type {AuthAnswer, Outgoing} from '../decide.ts'
import type {Earlier, Found, Recorder} from '../earlier-decisions.ts'
import type {Exchange} from '../exchange.ts'
import type {ReceivedCall} from '../received-call.ts'
import {
  type Entry,
  exchangesOf,
  type GroupRow,
  insertGroup,
  isWhole,
  recordedId,
  toEntry,
} from './call-group.ts'
import type {KnownCalls} from './known-calls.ts'

/** A problem with writing the recording. Calls are still answered. */
export type RecordingTrouble =
  | {readonly kind: 'failing'; readonly reason: unknown}
  /** `late` calls were written after their answers had left; `lost` ones never will be. */
  | {readonly kind: 'over'; readonly late: number; readonly lost: number}
  /** The file was removed or replaced while it was open. */
  | {readonly kind: 'removed'; readonly file: string}

interface GroupRecorderOptions {
  /** How long a record may wait for its commit after its answer was sent, in ms. If absent, the answer waits. */
  readonly lagMs?: number | undefined
  /** Called when writing begins to fail, and when it works again. */
  onTrouble(trouble: RecordingTrouble): void
}

/** Between two attempts while writing fails, in ms. */
const RETRY_MS = 1000
/** Records that wait in memory while writing fails: about 25 MB. */
const MOST_WAITING = 10_000
/** Maximum number of calls in one row, so that reading one call never means reading many. */
const GROUP = 100
/** How many of the newest rows to search for calls that may be there already. */
const LOOK_BACK = Math.ceil(MOST_WAITING / GROUP)
/** How many of the newest rows to search for an id: an id that all calls share would be in every row. */
const MOST_GROUPS = 16
/** Characters between two checkpoints: about 6,000 calls. */
const CHECKPOINT_AFTER = 8_000_000

/**
 * Records of one turn of the event loop share a commit, and their answers wait for it. While writing fails, answers are
 * sent at once; the records are written later, and the oldest are dropped first.
 */
export class GroupRecorder implements Recorder {
  readonly #db: Database
  readonly #known: KnownCalls
  readonly #checkpointer: Checkpointer
  readonly #options: GroupRecorderOptions
  #entries: Entry[] = []
  /** Settles when the rows are written or writing has failed. Then the waiting answers are sent. */
  #written = Promise.withResolvers<void>()
  #cancel: (() => void) | undefined
  #failing = false
  #lost = 0
  #withoutReferences = 0
  #closed = false

  constructor(db: Database, known: KnownCalls, options: GroupRecorderOptions) {
    this.#db = db
    this.#known = known
    this.#checkpointer = new Checkpointer(db)
    this.#options = options
  }

  record(exchange: Exchange): Promise<void> {
    const {lagMs} = this.#options
    // From now on no answer waits for the recording.
    if (this.#closed) return Promise.resolve()
    this.#entries.push(toEntry(exchange))
    if (this.#failing && this.#entries.length > MOST_WAITING) {
      this.#entries.shift()
      this.#lost++
    }
    if (lagMs !== undefined) this.#writeIn(lagMs)
    if (lagMs !== undefined || this.#failing) return Promise.resolve()
    this.#writeNext()
    return this.#written.promise
  }

  earlier(id: string, masked: ReceivedCall): Earlier<Found> {
    // A masked id may match several calls.
    if (!isWhole(id)) return {}
    try {
      const groups = this.#known.groupsOf(id)
      if (groups.length === 0) return {}
      return this.#search(
        id,
        callFingerprint(masked),
        [...groups].sort((a, b) => b - a).slice(0, MOST_GROUPS),
      )
    } catch {
      // An unreadable recording must not cost an authorisation.
      return {}
    }
  }

  #search(id: string, fingerprint: number, groups: readonly number[]): Earlier<Found> {
    let reusedId: string | undefined
    for (const group of groups) {
      const row = this.#db.get<GroupRow>('SELECT content FROM call_group WHERE id = ?', [group])
      for (const exchange of row ? exchangesOf(this.#db, row) : []) {
        // Two ids may share a number.
        if (exchange.event.type !== 'auth' || recordedId(exchange) !== id) continue
        const isSame = callFingerprint(exchange.request.body as ReceivedCall) === fingerprint
        const decision = isSame ? keptAnswer(exchange) : undefined
        if (decision) return {decision}
        if (!isSame) reusedId ??= exchange.event.event
      }
    }
    return reusedId === undefined ? {} : {reusedId}
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#entries.length > 0) this.#write()
    this.#cancel?.()
    if (this.#failing)
      this.#options.onTrouble({kind: 'over', late: 0, lost: this.#lost + this.#entries.length})
    await this.#checkpointer.close()
    this.#db.close()
  }

  #foldSometimes(): void {
    if (this.#withoutReferences < CHECKPOINT_AFTER) return
    this.#withoutReferences = 0
    this.#checkpointer.begin()
  }

  #writeNext(): void {
    if (this.#cancel) return
    const next = setImmediate(() => this.#write())
    this.#cancel = () => clearImmediate(next)
  }

  #writeIn(delayMs: number): void {
    if (this.#cancel) return
    const timer = setTimeout(() => this.#write(), delayMs)
    this.#cancel = () => clearTimeout(timer)
  }

  #write(): void {
    this.#cancel?.()
    this.#cancel = undefined
    try {
      const entries = this.#failing ? this.#withoutWritten() : this.#entries
      // A single statement is a transaction.
      if (entries.length <= GROUP) this.#insert(entries)
      else immediate(this.#db, () => this.#insertAll(entries))
      if (this.#failing) this.#options.onTrouble({kind: 'over', late: this.#entries.length, lost: this.#lost})
      this.#entries = []
      this.#failing = false
      this.#lost = 0
    } catch (reason) {
      if (!this.#failing) this.#options.onTrouble({kind: 'failing', reason})
      this.#failing = true
      this.#writeIn(RETRY_MS)
    }
    this.#written.resolve()
    this.#written = Promise.withResolvers()
    this.#foldSometimes()
  }

  #insertAll(entries: readonly Entry[]): void {
    for (let at = 0; at < entries.length; at += GROUP) this.#insert(entries.slice(at, at + GROUP))
  }

  #insert(entries: readonly Entry[]): void {
    if (entries.length === 0) return
    const group = insertGroup(this.#db, entries)
    for (const {call, content} of entries) {
      if (call !== undefined) this.#known.add(call, group)
      this.#withoutReferences += content.length
    }
  }

  /** After a commit with an unknown outcome, the same calls are written again. */
  #withoutWritten(): readonly Entry[] {
    const rows = this.#db.all<GroupRow>(`SELECT content FROM call_group ORDER BY id DESC LIMIT ${LOOK_BACK}`)
    const written = new Set(rows.flatMap(row => exchangesOf(this.#db, row)).map(({event}) => event.event))
    return this.#entries.filter(({event}) => !written.has(event))
  }
}

/**
 * The decision of a recorded exchange, to replay it; undefined if there was none, or if masks have changed its answer.
 */
function keptAnswer({event, reply, steps}: Exchange): Found | undefined {
  if (event.type !== 'auth' || !isWhole(JSON.stringify(reply ?? null))) return undefined
  const {by, because, outcome} = event
  return {answer: outgoing(outcome === 'broken', reply), by, ...(because !== undefined && {because}), steps}
}

function outgoing(broken: boolean, reply: Exchange['reply']): Outgoing {
  if (reply === undefined) return {kind: 'none'}
  const {status, body} = reply
  return broken ? {kind: 'raw', status, body: String(body)} : {kind: 'reply', reply: body as AuthAnswer}
}
