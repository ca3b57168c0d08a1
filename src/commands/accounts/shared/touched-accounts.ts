import {existsSync} from 'node:fs'
import type {Context} from '../../../cli/context.ts'
import {resource} from '../../../contract/resource.ts'
import type {Journal} from '../../../journal/index.ts'
import {journalFile} from '../../../journal/journal-file.ts'
import {touchedOf} from '../../../journal/recent-ids.ts'

/**
 * What the journal knows about the accounts that requests from this machine touched, by id. Opens the journal once, and
 * only if there is such an account: opening takes time, and would create it.
 */
export async function touchedAccounts<Told>(
  context: Context,
  ids: Iterable<string>,
  tell: (journal: Journal, id: string) => Told | undefined,
): Promise<ReadonlyMap<string, Told>> {
  const touched = await touchedHere(
    context,
    [...ids].filter(id => id !== ''),
  )
  if (touched.length === 0) return new Map()
  using journal = await context.stores.journal()
  return new Map(
    touched.flatMap((id): [string, Told][] => {
      const told = tell(journal, id)
      return told === undefined ? [] : [[id, told]]
    }),
  )
}

async function touchedHere(context: Context, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return ids
  const file = journalFile(context.folders.data, await context.service.identity())
  if (!existsSync(file)) return []
  // A read without the log would miss what was written last.
  if (existsSync(`${file}-wal`)) return ids
  try {
    const touched = touchedOf(
      file,
      ids.map(id => resource('account', id)),
    )
    return ids.filter(id => touched.has(resource('account', id)))
  } catch {
    // Opening it brings it up to date, or says what is wrong.
    return ids
  }
}
