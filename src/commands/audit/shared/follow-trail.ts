import type {Audit, AuditRecord, NewEntries, TrailPlace, TrailPosition} from '../../../audit/index.ts'
import type {Context} from '../../../cli/context.ts'
import type {Period} from '../../../cli/moment.ts'
import {checkTrail} from './check-trail.ts'

/** How long to wait for new entries, ms. */
const PAUSE_MS = 1000

interface FollowOptions {
  readonly from: TrailPosition
  /** Waits for more at the end, until the run is stopped. */
  readonly isEndless: boolean
  /** Keeps the position behind entries that were written. */
  keep(position: TrailPosition): Promise<void>
}

/**
 * The entries behind a position, oldest first. What was given is kept as the new position when the next are asked for,
 * so ask after they were written. The chain and seal are checked at the end and, of an endless run, when it has caught
 * up and when an entry doesn't follow the one before.
 *
 * @throws Failure CONFIG_DAMAGED for a broken trail, after its entries were given; INPUT_INVALID for another trail
 */
export async function* followTrail(
  context: Context,
  audit: Audit,
  {from, isEndless, keep}: FollowOptions,
): AsyncGenerator<readonly AuditRecord[], void, undefined> {
  const {sleep, signal} = context.surroundings
  let place: TrailPlace = from
  let isChecked = false
  for (;;) {
    const {entries, missing, isDoubtful, hasMore, place: next} = audit.after(place)
    if (missing) warnOfMissing(context, missing)
    if (entries.length > 0) {
      yield entries
      await keep(next)
    }
    place = next
    isChecked &&= !isDoubtful
    if (hasMore) continue
    if (!isChecked) await checkTrail(context, audit)
    isChecked = true
    if (!isEndless) return
    await sleep(PAUSE_MS, signal)
    signal.throwIfAborted()
  }
}

/**
 * The entries with a higher number, oldest first.
 *
 * @param period leaves others out
 * @throws Failure INPUT_INVALID if the trail ends before the number
 */
export function* entriesAfter(
  context: Context,
  audit: Audit,
  after: number,
  {since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY}: Partial<Period>,
): Generator<AuditRecord, void, undefined> {
  let place: TrailPlace = {seq: after}
  for (let hasMore = true; hasMore; ) {
    const found = audit.after(place)
    if (found.missing) warnOfMissing(context, found.missing)
    for (const entry of found.entries) {
      const at = Date.parse(entry.at)
      if (at >= since && at < until) yield entry
    }
    ;({place, hasMore} = found)
  }
}

function warnOfMissing({printer}: Context, {from, to}: NonNullable<NewEntries['missing']>): void {
  printer.warn(`Entries ${from} to ${to} are not in the trail: they were pruned or removed.`)
}
