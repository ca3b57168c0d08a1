// Keyed writes for some simulated days.
import {createSandbox, type SandboxOptions} from '../../../src/sandbox/index.ts'
import type {Store} from '../../../src/sandbox/store/store.ts'

const HOUR = 60 * 60 * 1000

interface Days {
  readonly options: SandboxOptions
  /** The same store once more. */
  readonly store: Store
  readonly hours: number
  /** Keyed writes in each hour. */
  readonly eachHour: number
}

/** @returns the number of keys that are stored after each hour. */
export async function keyedDays({options, store, hours, eachHour}: Days): Promise<readonly number[]> {
  let now = Date.UTC(2026, 5, 15)
  const sandbox = await createSandbox({now: () => now, ...options})
  const sizes: number[] = []
  try {
    for (let hour = 0; hour < hours; hour++) {
      const sent = Array.from({length: eachHour}, (_, at) =>
        sandbox.handle({
          method: 'PATCH',
          url: '/v4/DEBIT/2002?auditUser=test',
          headers: {'content-type': 'application/json', 'x-idempotency-key': `${hour}-${at}`},
          body: JSON.stringify({name: `n${at}`}),
        }),
      )
      for (const {status} of await Promise.all(sent)) if (status !== 200) throw new Error(`status ${status}`)
      sizes.push(await store.read(tx => tx.keptReplies.count()))
      now += HOUR
    }
  } finally {
    await sandbox.close()
    await store.close()
  }
  return sizes
}
