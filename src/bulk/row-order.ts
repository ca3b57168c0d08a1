import type {ErrorCode} from '../errors/registry.ts'
import type {JobRow, RowEnd, RowState} from './job.ts'
import type {RowProgress, RowStore} from './row-store.ts'

/** The next row to send. */
export interface NextRow {
  readonly row: JobRow
  /** How it ends without being sent, because of an earlier row of its resource. */
  readonly held?: RowEnd
}

/**
 * Hands out the rows of a job so that the rows of one resource keep their order. A row follows when the previous one is
 * done, is held when that one failed or is unknown, and is skipped if that one is still open at the end of the run.
 */
export interface RowOrder {
  /** undefined after the last row, and when the run is over. */
  next(): Promise<NextRow | undefined>
  /** A row ended, though that may not be on disk yet. */
  ended(row: number, end: RowEnd, request: string | undefined): void
  /** The caller is through with the row, ended or not. */
  left(row: number): void
}

interface LocalRowOrder extends RowOrder {
  /** The ends of these rows are on the disk. */
  written(rows: readonly {readonly row: number}[]): void
}

/** Number of rows to read from disk at a time. */
const PAGE = 256

export interface OrderOptions {
  /** Whether the run stops early. */
  readonly isOver: () => boolean
  /** Send rows without regard to each other. */
  readonly isUnordered: boolean
}

/**
 * The order of a job of this machine. Rows that wait are found on disk by the row they wait for, so memory has only the
 * rows in flight and those whose end is not recorded yet.
 */
export function rowOrder(store: RowStore, job: string, {isOver, isUnordered}: OrderOptions): LocalRowOrder {
  const isOrdered = !isUnordered && store.isOrdered(job)
  const onTheirWay = new Set<number>()
  const ends = new Map<number, RowProgress>()
  const cursor = rowCursor(store, job)
  /** At most one for each row that ended. These are taken first. */
  const released: JobRow[] = []
  let sleepers: (() => void)[] = []

  const wake = (): void => {
    const all = sleepers
    sleepers = []
    for (const resolve of all) resolve()
  }

  /** undefined means: not now. */
  const judge = (row: JobRow): NextRow | undefined => {
    const {follows} = row
    if (!isOrdered || follows === undefined) return {row}
    if (onTheirWay.has(follows)) return undefined
    const before = ends.get(follows) ?? store.progressOf(job, follows)
    if (before === undefined || before.state === 'done') return {row}
    const held = heldBehind(follows, before)
    // A row that may have had an effect was sent, whatever happened to the previous row.
    return held === undefined || row.state === 'sent' ? undefined : {row, held}
  }

  return {
    async next() {
      for (let passed = 0; ; ) {
        if (isOver()) return undefined
        const row = released.shift() ?? cursor.next()
        if (row === undefined) {
          if (!isOrdered || onTheirWay.size === 0) return undefined
          await new Promise<void>(resolve => sleepers.push(resolve))
          continue
        }
        const taken = judge(row)
        if (taken !== undefined) {
          onTheirWay.add(row.row)
          return taken
        }
        passed++
        // Many rows of one resource must not delay the handling of responses.
        if (passed % PAGE === 0) await new Promise<void>(resolve => setImmediate(resolve))
      }
    },

    ended(row, {state, message, code}, request) {
      if (!isOrdered) return
      onTheirWay.delete(row)
      ends.set(row, {state, message, code, request})
      if (!SETTLED.has(state)) return
      const follower = store.follower(job, row)
      // Rows that the cursor hasn't reached yet will be free when it does.
      if (follower === undefined || follower.row > cursor.at() || !OPEN.has(follower.state)) return
      released.push(follower)
      wake()
    },

    written(rows) {
      for (const {row} of rows) if (!onTheirWay.has(row)) ends.delete(row)
    },

    left(row) {
      onTheirWay.delete(row)
      wake()
    },
  }
}

const OPEN: ReadonlySet<RowState> = new Set(['waiting', 'sent', 'again'])
/** Ends that decide about the following rows. */
const SETTLED: ReadonlySet<RowState> = new Set(['done', 'failed', 'unknown', 'held'])

/** How a row ends that must not be sent, after a row in this state; undefined if it may be sent later. */
function heldBehind(row: number, {state, message, code, request}: RowProgress): RowEnd | undefined {
  const end = (because: ErrorCode, what: string): RowEnd => ({
    state: 'held',
    code: because,
    message: `Not sent: row ${row} of the same resource ${what}.`,
  })
  switch (state) {
    case 'failed':
      return end('EARLIER_ROW_FAILED', 'failed')
    case 'unknown': {
      const name = request === undefined ? '' : ` (request ${request})`
      return end('EARLIER_ROW_UNKNOWN', `has an unknown effect${name}`)
    }
    case 'held':
      // The row that caused it is the one to look at.
      return {state, code, message}
    default:
      return undefined
  }
}

/** The rows of a job that are still to be sent, in their order. */
function rowCursor(store: RowStore, job: string): {next(): JobRow | undefined; at(): number} {
  let page: readonly JobRow[] = []
  let place = 0
  let after = 0
  return {
    next() {
      if (place === page.length) {
        page = store.next(job, after, PAGE)
        place = 0
      }
      const row = page[place++]
      if (row === undefined) place = page.length
      else after = row.row
      return row
    },
    at: () => after,
  }
}
