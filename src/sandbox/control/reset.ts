import type {Call} from '../call.ts'
import {KEPT_SETTINGS} from '../kept-settings.ts'
import {seed} from '../seed/seed.ts'
import {tableNames} from '../store/tables.ts'

/** Puts the demo data back. The keys stay, so that what a client has pinned is still right. */
export async function reset({tx, sealer, service}: Call) {
  const kept = await Promise.all(KEPT_SETTINGS.map(id => tx.settings.get(id)))
  for (const name of tableNames) await tx[name].clear()
  for (const setting of kept) if (setting) await tx.settings.put(setting)
  await seed(tx, await sealer(), service.now())
  return {description: 'The demo data is back'}
}
