import {setClock} from './clock.ts'
import {openService} from './create-sandbox.ts'
import type {SandboxOptions} from './options.ts'
import type {Snapshot} from './snapshot/snapshot.ts'
import {takeSnapshot} from './snapshot/state.ts'
import {openSqliteCopy, openSqliteStore} from './store/sqlite-store.ts'
import type {Store} from './store/store.ts'

/** Enough for the tests that a large machine starts at once. */
const MOST_READY = 50
/** How long no store must have been taken before others are made ready, ms. */
const IDLE_MS = 20

/** A store for a new sandbox. With `from`, it is empty, and that snapshot belongs in it. */
interface Taken {
  readonly store: Store
  readonly from?: Snapshot
}

/** What every sandbox of a server begins with. */
interface Start {
  readonly now: () => number
  readonly snapshot: Snapshot
  /** Of a database with that state; undefined on a Node.js that can't copy one. */
  readonly content: Uint8Array | undefined
}

/**
 * Stores in memory that begin with the same state and share nothing. A copy of a database takes less than loading a
 * snapshot, but most of that is for memory that the system hands out, so some are made while nobody waits.
 */
export class ReadyStores {
  readonly #start: Start
  readonly #ready: Store[] = []
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  private constructor(start: Start) {
    this.#start = start
    this.#fillLater(0)
  }

  /** With the demo data, or the state of `from`. @throws Failure INPUT_INVALID */
  static async open({
    now = Date.now,
    random,
    from,
  }: Pick<SandboxOptions, 'now' | 'random' | 'from'>): Promise<ReadyStores> {
    const store = openSqliteStore(undefined)
    const {service, close} = await openService(store, {now, ...(random && {random}), ...(from && {from})})
    try {
      const snapshot = from ?? (await store.read(tx => takeSnapshot(service, tx)))
      return new ReadyStores({now, snapshot, content: store.content()})
    } finally {
      await close()
    }
  }

  async take(): Promise<Taken> {
    const {now, snapshot, content} = this.#start
    if (content === undefined) return {store: openSqliteStore(undefined), from: snapshot}
    this.#fillLater(IDLE_MS)
    const store = this.#ready.pop() ?? openSqliteCopy(content)
    // It goes on from where the snapshot has it.
    await store.transaction(tx => setClock(tx, Date.parse(snapshot.now) - now()))
    return {store}
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await Promise.all(this.#ready.splice(0).map(store => store.close()))
  }

  #fillLater(ms: number): void {
    clearTimeout(this.#timer)
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#addOne(), ms).unref()
  }

  /** One at a time: a request that comes meanwhile waits for one at most. */
  async #addOne(): Promise<void> {
    const {content} = this.#start
    if (content === undefined || this.#ready.length >= MOST_READY) return
    const store = openSqliteCopy(content)
    // The first write of a connection reads the whole schema.
    await store.transaction(tx => setClock(tx, 0))
    if (this.#isClosed) return store.close()
    this.#ready.push(store)
    this.#fillLater(1)
  }
}
