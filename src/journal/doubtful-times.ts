import type {TimeJudgement} from '../clock/trusted-clock.ts'
import {type Database, immediateUnsynced} from '../sqlite/index.ts'
import {KEY_LIFE_MS} from './key-rules.ts'

/** Whether the times of this machine can be believed. */
export interface JournalClock {
  /**
   * A sandbox needs no proof.
   *
   * @param newest when the newest entry was made, ms since 1970.
   */
  judge(newest: () => number | undefined): TimeJudgement
  /** A person says so. */
  readonly vouched: boolean
  /** Something depends on it. */
  needed(): void
}

export const STEADY: JournalClock = {
  judge: () => ({isBelieved: true, isProven: true}),
  vouched: false,
  needed: () => undefined,
}

/** `counts_from` of a request that was begun while the clock wasn't believed: it may have been at any time. */
const NOT_BELIEVED = 0
/** The same, while it was believed, but nothing had proved it. */
const UNPROVEN = 1

/** What `counts_from` of a new request is: null if its time is right. */
export function countsFrom({isBelieved, isProven}: TimeJudgement): number | null {
  if (!isBelieved) return NOT_BELIEVED
  return isProven ? null : UNPROVEN
}

/**
 * The latest time at which a request can have begun, where that may be later than it says. Null if it is right, 0 or 1
 * (long ago) if it isn't known yet.
 */
export const COUNTS_FROM = 'coalesce(counts_from, 0)'

/** As far as a clock may be wrong without being noticed. */
const NEAR_MS = 2 * KEY_LIFE_MS

/**
 * When the clock is believed: requests of times that weren't are right if that is about now. Others may have begun at
 * any time until now, so that they count from now.
 */
export function settleTimes(
  db: Database,
  {
    isProven,
    vouched,
    now,
  }: Pick<TimeJudgement, 'isProven'> & {readonly vouched: boolean; readonly now: number},
): void {
  const most = isProven ? UNPROVEN : NOT_BELIEVED
  if (db.get('SELECT 1 FROM request WHERE counts_from <= ? LIMIT 1', [most]) === undefined) return
  immediateUnsynced(db, () => {
    // A person says that the clock is right, and was before.
    if (vouched) db.run('UPDATE request SET counts_from = NULL WHERE counts_from = ?', [UNPROVEN])
    db.run(
      `UPDATE request SET counts_from = CASE WHEN begun_at BETWEEN :now - ${NEAR_MS} AND :now THEN NULL ELSE :now END
       WHERE counts_from <= :most`,
      {now, most},
    )
  })
}

/** When the newest request was begun; of those with a time that was believed, if there are any. */
export function newestRequest(db: Database): number | undefined {
  const sql = 'SELECT begun_at AS at FROM request'
  const newest =
    db.get<{at: number}>(`${sql} WHERE counts_from IS NULL ORDER BY begun_at DESC LIMIT 1`) ??
    db.get<{at: number}>(`${sql} ORDER BY begun_at DESC LIMIT 1`)
  return newest?.at
}
