import {localKeyFile, openJournal, processSurroundings} from '../../journal/index.ts'
import {journalFile, keyFile as keyFileIn} from '../../journal/journal-file.ts'
import {type RecentIds, recentIds} from '../../journal/recent-ids.ts'
import type {Context} from '../context.ts'
import {RequestWords} from '../request-words.ts'

/** What requests to the chosen service used. Nothing if its journal can't be read: the command itself will say why. */
export async function recentlyUsed(context: Context): Promise<RecentIds> {
  try {
    return recentIds(journalFile(context.folders.data, await context.service.identity()))
  } catch {
    return {requests: [], jobs: [], resources: []}
  }
}

/** What requests sent, by their ids. Nothing if the journal can't be opened. */
export async function sentBy(
  context: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  if (ids.length === 0) return new Map()
  try {
    const service = await context.service.identity()
    const {data} = context.folders
    const keyFile = keyFileIn(data, service)
    using journal = openJournal({
      ...processSurroundings(context.surroundings.now),
      file: journalFile(data, service),
      service,
      profile: (await context.service.chosen()).name,
      key: () => localKeyFile(keyFile),
      keyFile,
    })
    return new Map(ids.map(id => [id, journal.requests.sent(id)]))
  } catch {
    return new Map()
  }
}

interface OpenRequest {
  readonly id: string
  /** What it was to do. */
  readonly did: string
  /** ms since 1970. */
  readonly begunAt: number
}

/** The newest requests whose effect is unknown. Nothing if the journal can't be read. */
export async function openRequests(context: Context, most: number): Promise<readonly OpenRequest[]> {
  try {
    if (!(await context.stores.hasJournal())) return []
    using journal = await context.stores.quietJournal()
    const found = (['unknown', 'unfinished'] as const)
      .flatMap(state => journal.requests.list({state, limit: most}))
      .toSorted((a, b) => b.begunAt - a.begunAt)
      .slice(0, most)
    if (found.length === 0) return []
    const words = await RequestWords.open(journal)
    return found.map(record => ({id: record.id, did: words.tell(record).did, begunAt: record.begunAt}))
  } catch {
    return []
  }
}
