import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import type {Journal} from '../../../journal/index.ts'
import {marksIn} from '../../../output/batch-marks.ts'
import {textAt} from '../../../output/fields.ts'
import {asksService} from './ask-service.ts'
import {ownBatches} from './own-batches.ts'
import type {Part} from './parts.ts'
import {recentBatches, timeOf} from './recent-batches.ts'
import {rowsMark, setOf} from './reference.ts'

/** What another machine has sent of a split, as the batches of the service show it. */
export interface PartsElsewhere {
  /** The ids of the batches by the numbers of the parts. */
  readonly batches: ReadonlyMap<number, string>
  /** The reference of the set that they are of. */
  readonly set?: string | undefined
  /** All recent batches. */
  readonly listed: readonly unknown[] | undefined
  /** Why they are not known. */
  readonly unread: Failure | undefined
}

/** How much the clocks of the service and of this machine may differ, in ms. */
const CLOCKS_MS = 5 * 60_000

/**
 * Looks for batches with the number of a part in their reference (`/3of4`) and the digest of its rows.
 *
 * @param since when this machine has sent the first part, in milliseconds since 1970: an older split is another one.
 * @returns undefined if the service isn't asked.
 */
export async function partsElsewhere(
  context: Context,
  client: Client,
  journal: Journal,
  parts: readonly Part[],
  {
    since = 0,
    serviceCheck,
  }: {readonly since?: number | undefined; readonly serviceCheck: boolean | undefined},
): Promise<PartsElsewhere | undefined> {
  if (!asksService(client, serviceCheck)) return undefined
  const now = context.surroundings.now()
  try {
    const listed = await recentBatches(client, now)
    const ownOf = ownBatches(journal, now)
    const places = new Map(
      listed.flatMap(batch => {
        const {reference = '', rows, restOf} = marksIn(textAt(batch, 'description'))
        const at = timeOf(textAt(batch, 'startTime'))
        const isOlder = at !== undefined && at < since - CLOCKS_MS
        const place = /\/\d+of\d+$/.exec(reference)?.[0]
        return place === undefined || isOlder || ownOf(batch) !== undefined
          ? []
          : [[`${place} ${rows}`, {id: textAt(batch, 'id'), set: restOf ?? setOf(reference)}] as const]
      }),
    )
    const found = parts.flatMap(({number, of, transfers}) => {
      const sent = places.get(`/${number}of${of} ${rowsMark(transfers)}`)
      return sent === undefined ? [] : [{number, ...sent}]
    })
    const batches = new Map(found.map(({number, id}) => [number, id]))
    return {batches, set: found[0]?.set, listed, unread: undefined}
  } catch (error) {
    if (!(error instanceof Failure) || isInterruption(error)) throw error
    return {batches: new Map(), listed: undefined, unread: error}
  }
}
