import {CLOCK_OFFSET, sandboxNow, setClock} from '../clock.ts'
import {ENDPOINT_KEY, KEPT_BY_LOADS, SEAL_KEY} from '../seal.ts'
import type {Service} from '../service.ts'
import type {Collection, Stored, Transaction} from '../store/store.ts'
import {SEEDED, tableNames} from '../store/tables.ts'
import {checkSnapshot, rowsOf, type Snapshot, type StateRow, snapshotOf} from './snapshot.ts'
import {turns} from './turns.ts'

/** The state as it is in one transaction. @throws Failure INPUT_INVALID if it is too large */
export async function takeSnapshot(service: Pick<Service, 'now'>, tx: Transaction): Promise<Snapshot> {
  return snapshotOf(stateRows(tx), {savedAt: service.now(), now: await sandboxNow(service, tx)})
}

/** Rows that are read at once: other tenants wait meanwhile. */
const PAGE = 500

async function* stateRows(tx: Transaction): AsyncGenerator<StateRow> {
  for (const name of tableNames) {
    const table = tx[name] as Collection<Stored, never>
    for (let after: Stored | undefined; ; ) {
      const rows = await table.list({limit: PAGE, ...(after && {after: after.id})})
      for (const row of rows) if (belongsToState(name, row)) yield [name, row]
      after = rows.at(-1)
      if (rows.length < PAGE) break
    }
  }
}

/**
 * How far the clock is ahead depends on the machine, so a snapshot has its time instead. A request that still runs has had
 * no effect yet, and its process isn't in the snapshot.
 */
function belongsToState(name: string, row: Stored): boolean {
  if (name === 'settings') return row.id !== CLOCK_OFFSET && !KEPT_BY_LOADS.includes(row.id)
  return name !== 'keptReplies' || !('running' in row) || row.running === null
}

/**
 * Replaces the state by that of a snapshot. The clock goes on from where the snapshot has it.
 *
 * @throws Failure INPUT_INVALID for what is no snapshot; then nothing has changed.
 */
export async function loadSnapshot(
  {now}: Pick<Service, 'now'>,
  tx: Transaction,
  given: unknown,
): Promise<Snapshot> {
  const snapshot = checkSnapshot(given)
  const rows = await rowsOf(snapshot)
  const kept = await settingsToKeep(tx, rows)
  for (const name of tableNames) await tx[name].clear()
  const turn = turns()
  for (const [name, row] of rows) {
    await (tx[name] as Collection<Stored, never>).put(row)
    await turn()
  }
  for (const setting of kept) await tx.settings.put(setting)
  // Without it, the next process that opens the store would write the demo data.
  if ((await tx.settings.get(SEEDED)) === undefined) await tx.settings.put({id: SEEDED, value: now()})
  await setClock(tx, Date.parse(snapshot.now) - now())
  return snapshot
}

/**
 * What a load keeps. The rows of a snapshot need its key. The one that it replaces has encrypted the credentials of the
 * tenant's endpoint, which belong to no snapshot.
 */
async function settingsToKeep(tx: Transaction, rows: readonly StateRow[]) {
  const kept = (await Promise.all(KEPT_BY_LOADS.map(id => tx.settings.get(id)))).flatMap(
    setting => setting ?? [],
  )
  const before = await tx.settings.get(SEAL_KEY)
  const isSame = rows.some(
    ([name, row]) =>
      name === 'settings' && row.id === SEAL_KEY && 'value' in row && row.value === before?.value,
  )
  if (before === undefined || isSame || kept.some(({id}) => id === ENDPOINT_KEY)) return kept
  return [...kept, {id: ENDPOINT_KEY, value: before.value}]
}
