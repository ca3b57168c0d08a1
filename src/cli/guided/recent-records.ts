import {existsSync} from 'node:fs'
import type {RequestRecord} from '../../journal/index.ts'
import {journalFile, keyFile} from '../../journal/journal-file.ts'
import type {Context} from '../context.ts'

/** So many requests are looked at: enough for what somebody worked on lately. */
const MOST_RECORDS = 300

/**
 * The latest requests in the journal of the chosen service, newest first. Leaves no trace: creates no journal, and
 * reports nothing of earlier runs. Empty if it can't be read, because the command itself will say why.
 */
export async function recentRecords(context: Context): Promise<readonly RequestRecord[]> {
  try {
    const service = await context.service()
    const {data} = context.folders
    const file = journalFile(data, service)
    if (!existsSync(file)) return []
    const {openJournal, localKeyFile, processSurroundings} = await import('../../journal/index.ts')
    const key = keyFile(data)
    using journal = openJournal({
      ...processSurroundings(context.surroundings.now),
      file,
      service,
      profile: (await context.chosen()).name,
      key: () => localKeyFile(key),
      keyFile: key,
    })
    return journal.list({limit: MOST_RECORDS})
  } catch {
    return []
  }
}
