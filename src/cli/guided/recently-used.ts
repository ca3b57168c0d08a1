import {journalFile} from '../../journal/journal-file.ts'
import {type RecentIds, recentIds} from '../../journal/recent-ids.ts'
import type {Context} from '../context.ts'

/** What requests to the chosen service used. Nothing if its journal can't be read: the command itself will say why. */
export async function recentlyUsed(context: Context): Promise<RecentIds> {
  try {
    return recentIds(journalFile(context.folders.data, await context.service()))
  } catch {
    return {requests: [], jobs: [], resources: []}
  }
}
