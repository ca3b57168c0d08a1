import type {ErrorCode} from '../errors/registry.ts'
import type {JobRow, RowEnd, RowState} from './job.ts'
import type {JobStore, RowStanding} from './job-store.ts'

/** A row whose turn it is. */
export interface NextRow {
  readonly row: JobRow
  /** How it ends without being sent, because of an earlier row of its resource. */
  readonly held?: RowEnd
}

/**
 * Gives out the rows of a job so that the rows of one resource keep their order: a row follows when the one before it is
 * done, is held back when that one failed or is unknown, and is passed over when that one is still open at the end of the
 * run. What has to wait is found again on the disk by the row it waits for, so memory holds no more than the rows on
 * their way and those whose end isn't written down yet.
 */
export interface RowOrder {
  /** undefined at the end of the rows, and when the run is over. */
  next(): Promise<NextRow | undefined>
  /** A row ended, though that may not be on the disk yet. */
  ended(row: number, end: RowEnd, request: string | undefined): void
  /** The ends of these rows are on the disk. */
  written(rows: readonly {readonly row: number}[]): void
  /** Whoever had the row is through with it, ended or not. */
  left(row: number): void
}

/** Rows are read from the disk so many at a time. */
const PAGE = 256

export interface OrderOptions {
  /** Whether the run stops early. */
  readonly isOver: () => boolean
  /** Rows leave without looking at each other. */
  readonly isUnordered: boolean
}

export function rowOrder(store: JobStore, job: string, {isOver, isUnordered}: OrderOptions): RowOrder {
  const isOrdered = !isUnordered && store.isOrdered(job)
  const onTheirWay = new Set<number>()
  const ends = new Map<number, RowStanding>()
  const cursor = rowCursor(store, job)
  /** At most one for each row that ended, and the first to be taken. */
  const released: JobRow[] = []
  let sleepers: (() => void)[] = []

  const wake = (): void => {
    const all = sleepers
    sleepers = []
    for (const resolve of all) resolve()
  }

  /** undefined: not now. */
  const judge = (row: JobRow): NextRow | undefined => {
    const {follows} = row
    if (!isOrdered || follows === undefined) return {row}
    if (onTheirWay.has(follows)) return undefined
    const before = ends.get(follows) ?? store.standing(job, follows)
    if (before === undefined || before.state === 'done') return {row}
    const held = heldBehind(follows, before)
    // What may have had its effect is not unsent, whatever became of the row before it.
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
        // Many rows of one resource must not keep answers waiting.
        if (passed % PAGE === 0) await new Promise<void>(resolve => setImmediate(resolve))
      }
    },

    ended(row, {state, message, code}, request) {
      if (!isOrdered) return
      onTheirWay.delete(row)
      ends.set(row, {state, message, code, request})
      if (!SETTLED.has(state)) return
      const follower = store.follower(job, row)
      // What the cursor hasn't come to yet, it will find free.
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
/** Ends that decide about the rows behind. */
const SETTLED: ReadonlySet<RowState> = new Set(['done', 'failed', 'unknown', 'held'])

/** How a row ends that must not go, behind a row in this state; undefined if it may go later. */
function heldBehind(row: number, {state, message, code, request}: RowStanding): RowEnd | undefined {
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
      // The row that began it is the one to look at.
      return {state, code, message}
    default:
      return undefined
  }
}

/** The rows of a job that are to be sent, in their order. */
function rowCursor(store: JobStore, job: string): {next(): JobRow | undefined; at(): number} {
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
