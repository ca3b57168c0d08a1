import {type Database, immediate} from '../../sqlite/index.ts'
import type {Found} from '../decided.ts'
import type {Exchange, Recorder} from '../exchange.ts'
import {callNumber, type ExchangeRow, insertRow, toExchange, toRow} from './exchange-row.ts'
import {keptAnswer} from './kept-answer.ts'
import {isWhole} from './masked-places.ts'

/** What somebody should know of a recording that cannot be written. Answers leave meanwhile. */
export type RecordingTrouble =
  | {readonly kind: 'failing'; readonly reason: unknown}
  /** `late` calls were written after their answers had left; `lost` ones never will be. */
  | {readonly kind: 'over'; readonly late: number; readonly lost: number}

export interface GroupRecorderOptions {
  /** How long a record may wait for its commit, ms, while its answer has left already; absent: the answer waits. */
  readonly lagMs?: number | undefined
  /** Once when writing begins to fail, and once when that is over. */
  onTrouble(trouble: RecordingTrouble): void
}

/** Between two tries while writing fails, ms. */
const RETRY_MS = 1000
/** Records that wait in memory while writing fails: some 25 MB. */
const MOST_WAITING = 10_000

/**
 * Records that come in one turn of the event loop share a commit, and their answers wait for it. While writing fails
 * answers leave at once; what then waits is written when it is over, the oldest is given up first.
 */
export class GroupRecorder implements Recorder {
  readonly #db: Database
  readonly #options: GroupRecorderOptions
  #rows: ExchangeRow[] = []
  #leaving: (() => void)[] = []
  #cancel: (() => void) | undefined
  #failing = false
  #lost = 0
  #closed = false

  constructor(db: Database, options: GroupRecorderOptions) {
    this.#db = db
    this.#options = options
  }

  record(exchange: Exchange): Promise<void> {
    const {lagMs} = this.#options
    // Whoever comes now waits for no answer any more.
    if (this.#closed) return Promise.resolve()
    this.#rows.push(toRow(exchange))
    if (this.#failing && this.#rows.length > MOST_WAITING) {
      this.#rows.shift()
      this.#lost++
    }
    if (lagMs !== undefined) this.#writeIn(lagMs)
    if (lagMs !== undefined || this.#failing) return Promise.resolve()
    this.#writeNext()
    return new Promise(resolve => this.#leaving.push(resolve))
  }

  answerTo(id: string): Found | undefined {
    // An id with a mask in it may stand for several.
    if (!isWhole(id)) return undefined
    try {
      const sql = 'SELECT content FROM exchange WHERE call = ? ORDER BY at'
      for (const row of this.#db.all<ExchangeRow>(sql, [callNumber(id)])) {
        const exchange = toExchange(row)
        // Two ids may share a number.
        if (exchange.event.type === 'auth' && exchange.event.id === id) return keptAnswer(exchange)
      }
      return undefined
    } catch {
      // A recording that cannot be read must not cost an authorisation.
      return undefined
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#rows.length > 0) this.#write()
    this.#cancel?.()
    if (this.#failing) this.#options.onTrouble({kind: 'over', late: 0, lost: this.#lost + this.#rows.length})
    this.#db.close()
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
      immediate(this.#db, () => {
        for (const row of this.#rows) insertRow(this.#db, row)
      })
      if (this.#failing) this.#options.onTrouble({kind: 'over', late: this.#rows.length, lost: this.#lost})
      this.#rows = []
      this.#failing = false
      this.#lost = 0
    } catch (reason) {
      if (!this.#failing) this.#options.onTrouble({kind: 'failing', reason})
      this.#failing = true
      this.#writeIn(RETRY_MS)
    }
    for (const leave of this.#leaving.splice(0)) leave()
  }
}
