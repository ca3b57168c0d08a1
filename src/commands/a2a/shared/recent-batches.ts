import type {Client} from '../../../cli/client/client.ts'
import {type FetchPage, pagedItems} from '../../../cli/pages.ts'
import {AGAIN_AFTER_MS} from '../../../cli/retention.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {listAt, textAt} from '../../../output/fields.ts'

/** The service keeps batches for as long as it likes; a longer list is not read to its end. */
const MOST_PAGES = 200

/**
 * The batches of the last 7 days, by the clock of the service. A list that is sorted from new to old is read until a
 * whole page is older, any other to its end. A batch whose time can't be read counts as recent.
 *
 * @param now the time of this machine, if the service doesn't say its own.
 * @throws Failure if the list can't be read; LIST_INCOMPLETE if it has no end after 200 pages.
 */
export async function recentBatches(client: Client, now: number): Promise<readonly unknown[]> {
  const found: unknown[] = []
  const order = new Order()
  let since = now - AGAIN_AFTER_MS
  let left = 0
  const fetch: FetchPage = async (query, options) => {
    const call = {operation: operations['a2a.list.v1'], input: {path: {}, query}}
    const {response} = await client.request(call, options)
    const said = Date.parse(response.headers.date ?? '')
    if (!Number.isNaN(said)) since = said - AGAIN_AFTER_MS
    left = listAt(response.body, 'items').length
    return response.body
  }
  let isOld = true
  const flags = {all: true, 'max-pages': MOST_PAGES}
  for await (const batch of pagedItems(operations['a2a.list.v1'], flags, fetch).items) {
    order.add(timeOf(textAt(batch, 'startTime')))
    const isRecent = isSince(batch, since)
    if (isRecent) found.push(batch)
    isOld &&= !isRecent
    if (--left > 0) continue
    if (isOld && order.isFalling) break
    isOld = true
  }
  return found
}

/** Milliseconds since 1970. The service writes a local time without its zone, which is taken for UTC. */
export function timeOf(text: string): number | undefined {
  const time = Date.parse(/(?:Z|[-+]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? undefined : time
}

export function isSince(batch: unknown, since: number): boolean {
  const startedAt = timeOf(textAt(batch, 'startTime'))
  return startedAt === undefined || startedAt >= since
}

/** Whether the times of a list have fallen so far, and at least once. */
class Order {
  #before: number | undefined
  #fell = false
  #broken = false

  add(time: number | undefined): void {
    const before = this.#before
    if (time === undefined || (before !== undefined && time > before)) this.#broken = true
    else if (before !== undefined && time < before) this.#fell = true
    this.#before = time
  }

  get isFalling(): boolean {
    return this.#fell && !this.#broken
  }
}
