import {Failure} from '../errors/failure.ts'
import type {Journal, Pruned, PrunedJobs} from '../journal/index.ts'
import type {PruneReport} from '../output/changes.ts'
import type {Context} from './context.ts'
import {parseDuration} from './flags.ts'
import type {Surroundings} from './surroundings.ts'

const DAY = 86_400_000

/** How long finished requests and jobs are kept by default. */
export const KEEP_MS = 90 * DAY

/** The same set of transfers is refused for this long after it was sent, in ms. */
export const AGAIN_AFTER_MS = 7 * DAY

export const guardedTransfers = {operation: 'a2a.create.v1', forMs: AGAIN_AFTER_MS}

/**
 * CARDCTL_KEEP: how long finished requests and jobs are kept; undefined for `off`, which keeps them until a prune
 * command.
 *
 * @throws Failure INPUT_INVALID
 */
export function keepMs({env}: Pick<Surroundings, 'env'>): number | undefined {
  const given = env.CARDCTL_KEEP?.trim()
  if (given === undefined || given === '') return KEEP_MS
  if (given === 'off') return undefined
  try {
    return parseDuration(given, 'CARDCTL_KEEP')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure('INPUT_INVALID', {
      message: `The environment variable CARDCTL_KEEP is neither a duration nor off.`,
      hint: 'For example: CARDCTL_KEEP=30d',
      effect: 'none',
    })
  }
}

/**
 * Runs after a write: removes some of what is finished and old. Never removes what is unfinished or protects against a
 * second effect.
 */
export function tidyJournal({surroundings}: Context, journal: Journal): void {
  const keep = keepMs(surroundings)
  if (keep === undefined) return
  try {
    journal.upkeep.tidy({before: journal.store.earliest() - keep, guarded: guardedTransfers})
  } catch (error) {
    // Locked, full or damaged: the record itself is written, and the next run tries again.
    if (!(error instanceof Failure)) throw error
  }
}

export function requestsReport({removed, kept}: Pruned, freedBytes: number): PruneReport {
  return {
    what: 'requests',
    removed,
    kept: reasons([
      [kept.keys, 'younger than 24 hours, so their keys still protect'],
      [kept.guarded, 'transfers of the last 7 days, which are not sent a second time'],
      [kept.unknown, 'effect unknown; see requests resolve, or add --unresolved'],
      [kept.running, 'still running'],
      [kept.clock ?? 0, BY_CLOCK],
    ]),
    freedBytes,
  }
}

/** Why old records stay. */
export const BY_CLOCK = 'the clock of this machine may have jumped; if it is right, add --clock-is-right'

export function jobsReport(
  {removed, rows, kept}: PrunedJobs,
  freedBytes: number,
): PruneReport & {rows: number} {
  return {
    what: 'bulk jobs',
    removed,
    rows,
    kept: reasons([
      [kept.keys, 'worked on in the last 24 hours, so the keys of their rows still protect'],
      [kept.open, 'rows are left; see bulk resume and bulk cancel'],
      [kept.unknown, 'rows with an unknown effect; see requests resolve'],
      [kept.running, 'still running'],
      [kept.clock ?? 0, BY_CLOCK],
    ]),
    freedBytes,
  }
}

const reasons = (counts: readonly (readonly [number, string])[]): PruneReport['kept'] =>
  counts.filter(([count]) => count > 0).map(([count, why]) => ({count, why}))
