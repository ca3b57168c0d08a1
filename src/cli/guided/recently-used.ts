import {localKeyFile, openJournal, processSurroundings} from '../../journal/index.ts'
import {journalFile, keyFile as keyFileIn} from '../../journal/journal-file.ts'
import {type RecentIds, recentIds} from '../../journal/recent-ids.ts'
import type {Context} from '../context.ts'

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
