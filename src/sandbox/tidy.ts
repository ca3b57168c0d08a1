import {forgetTokens} from './cards/card-data-page.ts'
import {sandboxNow} from './clock.ts'
import {forgetExpired} from './idempotency.ts'
import {forgetControls, REMEMBERED_MS} from './pincontrol/operations.ts'
import type {ProcessTable} from './process-mark.ts'
import type {Store, Transaction} from './store/store.ts'

/** Rows that are removed in one transaction. */
const MOST = 500

interface TidyOptions {
  /** The real clock, epoch ms. */
  readonly now: () => number
  readonly processes: ProcessTable
}

/**
 * Removes what has expired, also from a store that nobody writes to: idempotency keys, control ids and tokens.
 *
 * @returns the number of idempotency keys.
 * @throws Failure STORE_UNAVAILABLE
 */
export async function tidyStore(store: Store, {now, processes}: TidyOptions): Promise<number> {
  let removed = 0
  // A read takes no lock, and leaves nothing to commit.
  while (await store.read(async tx => hasExpired(await sandboxNow({now}, tx), tx))) {
    const some = await store.transaction(async tx => {
      const at = await sandboxNow({now}, tx)
      await forgetControls(tx, at)
      await forgetTokens(tx, at)
      return forgetExpired(tx, {now: at, processes, most: MOST})
    })
    removed += some
    if (some < MOST) break
  }
  return removed
}

async function hasExpired(now: number, tx: Transaction): Promise<boolean> {
  const upTo = (value: number) => ({upTo: {member: 'expiresAt', value}, limit: 1}) as const
  const found = [
    await tx.keptReplies.list(upTo(now)),
    await tx.pinControls.list(upTo(now - REMEMBERED_MS)),
    await tx.cardDataTokens.list(upTo(now - REMEMBERED_MS)),
  ]
  return found.some(rows => rows.length > 0)
}
