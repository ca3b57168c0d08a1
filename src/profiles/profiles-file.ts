import {randomBytes} from 'node:crypto'
import {realpath, rm} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {Failure} from '../errors/failure.ts'
import {fileFailure} from '../files/file-failure.ts'
import {renameOver} from '../files/replace-file.ts'
import {makeFolder} from './folder-modes.ts'
import {type HeldLock, withLock} from './lock.ts'
import {looseningsOf} from './loosening.ts'
import {changesOf} from './profile-changes.ts'
import {
  type EditedDocument,
  fileSchema,
  type ProfilesDocument,
  profilesFile,
  readDocument,
  SCHEMA,
} from './read-profile.ts'
import type {Loosening} from './setting-change.ts'
import type {ProfileChange, ProfileSurroundings} from './surroundings.ts'
import type {Raw} from './value-types.ts'

/** May run more than once. */
type ChangeDocument = (document: ProfilesDocument) => EditedDocument

/** profiles.json. Edits never lose the edit of another process. */
export interface ProfileStore {
  readonly file: string
  /** Loads no package, because every command reads the file. A missing file counts as empty. */
  read(): ProfilesDocument
  /** Asks for what `edit` would ask for. @throws Failure GATE_REFUSED, CONFIRMATION_DECLINED */
  agreeTo(change: ChangeDocument): Promise<void>
  /**
   * Runs `change` on the current content under a lock, after a person agreed to what it takes from a live profile. If it
   * throws, nothing is written.
   *
   * @throws Failure GATE_REFUSED, CONFIRMATION_DECLINED
   */
  edit(change: ChangeDocument): Promise<void>
}

/** Every call may throw Failure CONFIG_DAMAGED, which names the file and leaves it unchanged, or CONFIG_UNREADABLE. */
export function openStore(
  folder: string,
  {
    platform,
    now,
    notify,
    signal,
    agree,
    record,
  }: Pick<ProfileSurroundings, 'platform' | 'now' | 'notify' | 'signal' | 'agree' | 'record'>,
): ProfileStore {
  const file = profilesFile(folder)
  const agreed = new Set<string>()
  const openIn = (before: ProfilesDocument, after: EditedDocument) =>
    looseningsOf(before.profiles, after.profiles).filter(found => !agreed.has(JSON.stringify(found)))
  const agreeTo = async (change: ChangeDocument): Promise<void> => {
    const document = readDocument(file)
    for (const found of openIn(document, change(document))) {
      if (agree === undefined) throw nobodyAgrees(found)
      await agree(found)
      agreed.add(JSON.stringify(found))
    }
  }
  /** What was changed; undefined if another process changed the file, so that more has to be agreed to. */
  const write = async (
    change: ChangeDocument,
    lock: HeldLock,
  ): Promise<readonly ProfileChange[] | undefined> => {
    const document = readDocument(file)
    const edited = change(document)
    if (openIn(document, edited).length > 0) return undefined
    const {current, profiles} = edited
    const {current: _old, ...others} = document.raw
    const named = current === undefined ? {} : {current}
    const content = {...others, ...named, profiles: Object.fromEntries(profiles), schema: SCHEMA}
    await writeDocument(file, content, lock)
    return changesOf(document, edited)
  }
  return {
    file,
    read: () => readDocument(file),
    agreeTo,
    async edit(change) {
      const save = async (): Promise<readonly ProfileChange[]> => {
        for (const notice of makeFolder(folder, platform)) notify?.(notice)
        for (;;) {
          // A person may take a while, and meanwhile other processes may write.
          await agreeTo(change)
          const changed = await withLock(file, {now, signal}, lock => write(change, lock))
          if (changed !== undefined) return changed
        }
      }
      await agreeTo(change)
      if (record === undefined) await save()
      else await record(save)
    },
  }
}

const nobodyAgrees = ({profile}: Loosening): Failure =>
  new Failure('GATE_REFUSED', {
    message: `This change loosens the live profile ${profile}, and nobody can agree to it here.`,
    effect: 'none',
  })

type Content = Raw & Readonly<Record<'schema' | 'profiles', unknown>>

/**
 * conf checks the content and writes it beside the file, which is replaced once conf has read all of it back: the writer
 * that conf uses doesn't notice if a full disk takes only a part (docs/decisions/0012-profiles-are-read-without-a-library.md).
 */
async function writeDocument(file: string, document: Content, lock: HeldLock): Promise<void> {
  // People who keep the file under version control link to it.
  const target = await realpath(file).catch(() => file)
  const [cwd, configName] = [dirname(target), `.cardctl-${randomBytes(6).toString('hex')}`]
  const fresh = join(cwd, `${configName}.tmp`)
  try {
    // Loaded on first use: conf loads Ajv, about 100 ms that only an edit needs to pay.
    const {default: Conf} = await import('conf')
    const conf = new Conf<Content>({
      cwd,
      configName,
      fileExtension: 'tmp',
      schema: fileSchema(),
      // The schema is our own. Checking it would compile the whole meta-schema each time.
      ajvOptions: {validateSchema: false},
      clearInvalidConfig: false,
      accessPropertiesByDotNotation: false,
      configFileMode: 0o600,
    })
    conf.store = document
    if (!holds(conf, document)) throw cutShort(file)
    lock.assertHeld()
    await renameOver(fresh, target)
  } catch (error) {
    await rm(fresh, {force: true})
    throw fileFailure(file, 'written', error)
  }
}

const cutShort = (file: string): Failure =>
  new Failure('DISK_FULL', {
    message: `The disk of ${file} is full: only a part arrived. It is as it was before.`,
    effect: 'none',
  })

/** conf reads the file each time that it is asked for its content. */
function holds(conf: {readonly store: Content}, document: Content): boolean {
  try {
    return JSON.stringify(conf.store) === JSON.stringify(document)
  } catch {
    return false
  }
}
