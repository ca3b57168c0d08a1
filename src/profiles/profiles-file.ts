import {randomBytes} from 'node:crypto'
import {realpath, rm} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {type ChildEnvironment, childEnvironment, variablesNamedIn} from '../children/child-environment.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {parseObject} from '../errors/parse-object.ts'
import {fileFailure, readConfiguration} from '../files/open-own-file.ts'
import {renameOver} from '../files/replace-file.ts'
import {foldersOf, makeFolder} from './folders.ts'
import {type HeldLock, withLock} from './lock.ts'
import {type Loosening, looseningsOf} from './loosening.ts'
import {EMBEDDED_PROFILE} from './profile-name.ts'
import type {ProfileSurroundings} from './surroundings.ts'
import type {JsonSchema, Raw} from './value-types.ts'

const NAME = 'profiles'

/** The format of profiles.json. */
const SCHEMA = 1

/** In bytes. A larger file isn't a list of profiles. */
const LARGEST = 4 * 1024 * 1024

/**
 * The content of profiles.json. An entry is checked only when its profile is used, so that a broken one doesn't block
 * the others. Editors get a schema that describes entries.
 */
export const fileSchema = (entry: JsonSchema = {}) => ({
  schema: {const: SCHEMA},
  current: {type: 'string', description: 'The profile to use where nothing else is said.'},
  profiles: {
    type: 'object',
    propertyNames: {not: {const: EMBEDDED_PROFILE}},
    additionalProperties: entry,
  },
})

/** profiles.json: `{"schema": 1, "current": NAME, "profiles": {NAME: {…}}}`. Entries are not checked yet. */
export interface ProfilesDocument {
  /** The profile chosen with `profiles use`, if any. */
  readonly current?: string
  readonly profiles: ReadonlyMap<string, unknown>
  /** The whole file, including unknown fields. */
  readonly raw: Raw
}

/** The new content after an edit; unknown fields of the file stay. */
export interface EditedDocument {
  readonly current?: string | undefined
  readonly profiles: ReadonlyMap<string, unknown>
}

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
  }: Pick<ProfileSurroundings, 'platform' | 'now' | 'notify' | 'signal' | 'agree'>,
): ProfileStore {
  const file = join(folder, `${NAME}.json`)
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
  /** Whether it was written; otherwise another process changed the file, so that more has to be agreed to. */
  const write = async (change: ChangeDocument, lock: HeldLock): Promise<boolean> => {
    const document = readDocument(file)
    const edited = change(document)
    if (openIn(document, edited).length > 0) return false
    const {current, profiles} = edited
    const {current: _old, ...others} = document.raw
    const named = current === undefined ? {} : {current}
    const content = {...others, ...named, profiles: Object.fromEntries(profiles), schema: SCHEMA}
    await writeDocument(file, content, lock)
    return true
  }
  return {
    file,
    read: () => readDocument(file),
    agreeTo,
    async edit(change) {
      for (const notice of await makeFolder(folder, platform)) notify?.(notice)
      let isWritten = false
      while (!isWritten) {
        // A person may take a while, and meanwhile other processes may write.
        await agreeTo(change)
        isWritten = await withLock(file, {now, signal}, lock => write(change, lock))
      }
    },
  }
}

const nobodyAgrees = ({profile}: Loosening): Failure =>
  new Failure('GATE_REFUSED', {
    message: `This change loosens the live profile ${profile}, and nobody can agree to it here.`,
    effect: 'none',
  })

function readDocument(file: string): ProfilesDocument {
  const bytes = readConfiguration(file, LARGEST)
  if (bytes === undefined) return {profiles: new Map(), raw: {}}
  const raw = parseObject(decode(file, bytes))
  if (raw === undefined) throw damaged(file, bytes.length === 0 ? 'is empty' : 'is not a JSON object')
  const {schema, current, profiles = {}} = raw
  if (typeof schema === 'number' && schema > SCHEMA) {
    throw damaged(file, `was written by a newer version (schema ${schema}; this version reads ${SCHEMA})`)
  }
  if (schema !== SCHEMA) throw damaged(file, `lacks "schema": ${SCHEMA}`)
  if (!isObject(profiles)) throw damaged(file, 'has a "profiles" that is not an object')
  if (current !== undefined && typeof current !== 'string') {
    throw damaged(file, 'has a "current" that is not the name of a profile')
  }
  if (Object.hasOwn(profiles, EMBEDDED_PROFILE)) {
    throw damaged(file, `has a profile named ${EMBEDDED_PROFILE}, which is the name of the built-in one`)
  }
  return {...(current === undefined ? {} : {current}), profiles: new Map(Object.entries(profiles)), raw}
}

function decode(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    throw damaged(file, 'is not UTF-8 text')
  }
}

const damaged = (file: string, how: string): Failure =>
  new Failure('CONFIG_DAMAGED', {
    message: `${file} ${how}; it was left as it is.`,
    hint: 'Correct the file, or move it away and add the profiles again.',
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
  new Failure('CONFIG_UNREADABLE', {
    message: `${file} cannot be written: only a part arrived, as on a full disk. It is as it was before.`,
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

/**
 * The environment for programs that this command starts: without the variables that a profile, a flag or a variable
 * names as secrets. Searches the text of profiles.json for the names, so that it also finds them in a broken entry or a damaged
 * file.
 */
export function environmentForChildren(
  surroundings: Pick<ProfileSurroundings, 'env' | 'platform' | 'homedir' | 'cwd' | 'argv'>,
): ChildEnvironment {
  const {env, platform, argv = []} = surroundings
  const own = Object.entries(env).flatMap(([name, value = '']) => (name.startsWith('CARDCTL_') ? value : []))
  return childEnvironment(
    env,
    [...argv, ...own, textOfProfiles(surroundings)].flatMap(variablesNamedIn),
    platform,
  )
}

function textOfProfiles(
  surroundings: Pick<ProfileSurroundings, 'env' | 'platform' | 'homedir' | 'cwd'>,
): string {
  try {
    return readConfiguration(join(foldersOf(surroundings).config, `${NAME}.json`))?.toString('utf8') ?? ''
  } catch {
    // Without the file no profile can be used. Whatever needs one reports why.
    return ''
  }
}
