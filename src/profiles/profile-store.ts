import {join} from 'node:path'
import {type ProfilesDocument, readDocument} from './document.ts'
import {makeFolder} from './folders.ts'
import {withLock} from './lock.ts'
import type {ProfileSurroundings} from './surroundings.ts'
import {PROFILES_FILE, writeDocument} from './write-document.ts'

/** What an edit leaves behind; members of the file that aren't known stay as they are. */
export interface EditedDocument {
  readonly current?: string | undefined
  readonly profiles: ReadonlyMap<string, unknown>
}

/** profiles.json with edits that never lose another process's. */
export interface ProfileStore {
  readonly file: string
  read(): Promise<ProfilesDocument>
  /** Runs `change` on the newest state while nobody else edits; if it throws, nothing is written. */
  edit(change: (document: ProfilesDocument) => EditedDocument): Promise<void>
}

export function openStore(
  folder: string,
  {platform, now, notify, signal}: Pick<ProfileSurroundings, 'platform' | 'now' | 'notify' | 'signal'>,
): ProfileStore {
  const file = join(folder, PROFILES_FILE)
  return {
    file,
    read: () => readDocument(file),
    async edit(change) {
      for (const notice of await makeFolder(folder, platform)) notify?.(notice)
      await withLock(file, {now, signal}, async lock => {
        const document = await readDocument(file)
        const {current, profiles} = change(document)
        const {current: _old, ...others} = document.raw
        lock.assertHeld()
        await writeDocument(folder, {
          ...others,
          ...(current === undefined ? {} : {current}),
          profiles: Object.fromEntries(profiles),
        })
      })
    },
  }
}
