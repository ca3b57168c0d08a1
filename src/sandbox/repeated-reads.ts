import type {AnyInput, Operation} from '../contract/operation.ts'
import type {AnyHandler, Call} from './handlers.ts'
import type {Performed} from './perform.ts'
import type {PlainRequest} from './plain-http.ts'
import type {Transaction} from './store/store.ts'
import {tableNames} from './store/tables.ts'

/** Maximum size of everything that is kept, in characters. */
const MOST_KEPT = 1024 * 1024
/** Maximum size of one response. A larger one is a page, and nobody reads the same page twice. */
const LARGEST_KEPT = 32 * 1024
/** Size of a read besides its URL and response. */
const OVERHEAD = 500

/** A read that was checked and found valid, and its last response. */
export interface RepeatedRead {
  readonly operation: Operation
  readonly handler: AnyHandler
  readonly input: AnyInput
  /** Absent if the response depends on more than the rows. */
  last?: {readonly tx: Transaction; readonly version: number; readonly done: Performed}
}

/**
 * The reads that came before, by URL: the same URL needs no second check, and has the same response until a row changes.
 */
export class RepeatedReads {
  readonly #reads = new Map<string, RepeatedRead>()
  /** Characters that were kept since everything was last forgotten. */
  #size = 0

  of(request: PlainRequest): RepeatedRead | undefined {
    return isPlainRead(request) ? this.#reads.get(request.url) : undefined
  }

  add(request: PlainRequest, read: RepeatedRead): RepeatedRead | undefined {
    if (!isPlainRead(request) || read.operation.effect !== 'read') return undefined
    this.#makeRoom(OVERHEAD + 2 * request.url.length)
    this.#reads.set(request.url, read)
    return read
  }

  /** The response to a read: the last one, or a new one of `run`. */
  async respond(read: RepeatedRead, call: Call, run: (call: Call) => Promise<Performed>): Promise<Performed> {
    const version = versionOf(call.tx)
    if (read.last?.tx === call.tx && read.last.version === version) return read.last.done
    const watched = watch(call)
    const done = await run(watched.call)
    delete read.last
    // A read may write, such as a mark that it happened.
    if (!watched.dependsOnMore() && versionOf(call.tx) === version && done.body.length <= LARGEST_KEPT) {
      this.#makeRoom(done.body.length)
      read.last = {tx: call.tx, version, done}
    }
    return done
  }

  #makeRoom(size: number): void {
    this.#size += size
    if (this.#size <= MOST_KEPT) return
    this.#reads.clear()
    this.#size = size
  }
}

const isPlainRead = ({method, body}: PlainRequest): boolean => method === 'GET' && body.length === 0

/** The versions of all tables only grow, so their sum changes with each. */
function versionOf(tx: Transaction): number {
  let sum = 0
  for (const name of tableNames) sum += tx[name].version
  return sum
}

/** A call that knows whether the handler has looked at more than the rows: the time, random bytes, keys, the service. */
function watch(call: Call): {call: Call; dependsOnMore: () => boolean} {
  let isMore = false
  const more = <Name extends keyof Call>(name: Name): Call[Name] => {
    isMore = true
    return call[name]
  }
  return {
    call: {
      tx: call.tx,
      get now() {
        return more('now')
      },
      get random() {
        return more('random')
      },
      get service() {
        return more('service')
      },
      get sealer() {
        return more('sealer')
      },
    },
    dependsOnMore: () => isMore,
  }
}
