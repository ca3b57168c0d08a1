import {sandboxNow} from '../clock.ts'
import {Problem} from '../problems.ts'
import type {Service} from '../service.ts'
import type {Transaction} from '../store/store.ts'
import {type Abandoned, findAbandoned, takeOver} from './asking.ts'
import {purchaseOf} from './authorisation.ts'
import {decideAndEnd} from './authorise.ts'
import {partiesOf} from './check.ts'
import {tellClient} from './reverse.ts'

/** How often to look for calls of processes that ended, ms. */
const EVERY_MS = 2_000

/**
 * Sends the calls again whose process ended before the endpoint had answered, from now on. Any process that shares the
 * store may do it: under the lock, the first one takes them, for a time.
 *
 * @returns what stops it.
 */
export function resumeCalls(service: Service): () => void {
  let isBusy = false
  let isStopped = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    void resumeAbandoned(service)
      .catch(error => isStopped || service.onError(error))
      .finally(() => {
        isBusy = false
      })
  }, EVERY_MS)
  timer.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

async function resumeAbandoned(service: Service): Promise<void> {
  const {store} = service
  const find = async (tx: Transaction) => findAbandoned(service, tx, await sandboxNow(service, tx))
  if ((await store.read(find)).length === 0) return
  const {taken, now} = await store.transaction(async tx => {
    const taken: Abandoned[] = []
    for (const each of await find(tx)) taken.push(await takeOver(service, tx, each))
    return {taken, now: await sandboxNow(service, tx)}
  })
  await Promise.all(taken.map(each => resume(service, each, now)))
}

async function resume(service: Service, {authorisation, reversal}: Abandoned, now: number): Promise<void> {
  try {
    if (reversal !== undefined) await tellClient(service, authorisation, {reversal, now})
    else {
      const began = service.monotonic()
      const purchase = purchaseOf(authorisation)
      const parties = await service.store.read(async tx => {
        const hold = authorisation.isIncrement ? await tx.holds.get(authorisation.transactionId) : undefined
        return partiesOf(tx, purchase, hold)
      })
      await decideAndEnd(
        service,
        {purchase, parties, pending: authorisation, declined: undefined},
        {began, now},
      )
    }
  } catch (error) {
    // The sandbox was reset in the meantime.
    if (!(error instanceof Problem)) throw error
  }
}
