import {join} from 'node:path'
import {type Database, openDatabase, shrink} from '../../sqlite/index.ts'
import type {Exchange} from '../exchange.ts'
import {exchangesOf, type GroupRow} from './call-group.ts'
import {type ExchangeFilter, listExchanges} from './list-exchanges.ts'
import {pruneExchanges} from './prune-exchanges.ts'
import {recordingMigrations} from './schema.ts'
import {notedServers, type ServerNote} from './servers.ts'

/** Where calls are recorded unless somebody says otherwise. */
export const recordingFile = (dataFolder: string): string => join(dataFolder, 'webhook', 'events.db')

/** The calls that were recorded; servers may write to the same file meanwhile. */
export class Recording {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Newest first, one by one, so that memory does not grow with them. */
  iterate(filter: ExchangeFilter = {}): Generator<Exchange, void, undefined> {
    return listExchanges(this.#db, filter)
  }

  /** By the id of its event, `e_…`. */
  get(event: string): Exchange | undefined {
    const wanted = `"event":${JSON.stringify(event)}`
    const rows = this.#db.iterate<GroupRow>('SELECT content FROM call_group WHERE instr(content, ?)', [
      wanted,
    ])
    for (const row of rows) {
      const found = exchangesOf(this.#db, row).find(exchange => exchange.event.event === event)
      if (found) return found
    }
    return undefined
  }

  /** Removes what came before, ms since 1970, for good: its bytes are overwritten. Gives how many calls went. */
  async prune(before: number): Promise<number> {
    return pruneExchanges(this.#db, before)
  }

  /** How many calls there are. */
  count(): number {
    return this.#db.get<{n: number | null}>('SELECT sum(size) AS n FROM call_group')?.n ?? 0
  }

  /** Gives the room of what was removed back to the system. Gives how many bytes that were. */
  shrink(): number {
    return shrink(this.#db)
  }

  /** Servers that said they write here, the latest first; some may have ended without a word. */
  servers(): ServerNote[] {
    return notedServers(this.#db)
  }

  close(): void {
    this.#db.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/** @throws Failure STORE_DAMAGED (the file is kept as it is) or STORE_UNAVAILABLE. */
export const openRecording = (file: string): Recording =>
  new Recording(openDatabase(file, {kind: 'recording', migrations: recordingMigrations, shrinks: true}))
