import {join} from 'node:path'
import {type ChildEnvironment, childEnvironment, variablesNamedIn} from '../children/child-environment.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {isObject, parseObject} from '../errors/is-object.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {readConfiguration} from '../files/open-own-file.ts'
import {EMBEDDED_PROFILE} from './profile-name.ts'
import {type ProfileKind, type StoredProfile, settings} from './settings.ts'
import {foldersOf, type ProfileSurroundings} from './surroundings.ts'
import {type JsonSchema, type Problem, type Raw, Reading, readFields} from './value-types.ts'

const NAME = 'profiles'

/** The format of profiles.json. */
export const SCHEMA = 1

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

/** The path of profiles.json. */
export const profilesFile = (folder: string): string => join(folder, `${NAME}.json`)

/**
 * Loads no package, because every command reads the file. A missing file counts as empty.
 *
 * @throws Failure CONFIG_DAMAGED, which names the file, CONFIG_UNREADABLE
 */
export function readDocument(file: string): ProfilesDocument {
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

type ReadProfile = {readonly profile: StoredProfile} | {readonly problems: readonly [Problem, ...Problem[]]}

/**
 * Turns one entry of profiles.json into a profile with its defaults, or returns all its problems. Every command uses
 * this, so it doesn't load Ajv, which alone would take longer than the rest of the start.
 */
export function readProfile(raw: unknown): ReadProfile {
  if (!isObject(raw)) return {problems: [{member: '(the entry)', message: 'is not an object'}]}
  const at = new Reading(raw)
  const profile = readFields(settings, raw, at) as StoredProfile
  const [first, ...rest] = at.problems
  return first === undefined ? {profile} : {problems: [first, ...rest]}
}

/** The settings of an entry with their defaults. One that can't be read is as it is stored. */
export function effectiveValues(raw: Raw): Raw {
  const at = new Reading(raw)
  const read: Record<string, unknown> = {...readFields(settings, raw, at)}
  for (const {member} of at.problems) {
    const [name = ''] = member.split('.')
    if (Object.hasOwn(raw, name)) read[name] = raw[name]
  }
  return read
}

/** A profile with nothing but a kind and a base URL. */
function defaultProfile(kind: ProfileKind, baseUrl: string): StoredProfile {
  return {...(readFields(settings, {kind}, new Reading({kind})) as StoredProfile), baseUrl}
}

/** The base URL of the embedded sandbox. The name is never resolved: the dispatcher responds itself. */
export const EMBEDDED_BASE_URL = 'http://sandbox.embedded'

/** The built-in sandbox, with a customerBID for remote checkout. It runs in this process. */
export const embeddedProfile: StoredProfile = {
  ...defaultProfile('sandbox', EMBEDDED_BASE_URL),
  settleDelayMs: 0,
  bid: 'SANDBOX',
}

/** One problem in words, for example "words.waleta is not a neutral word … . Did you mean walleta?" */
export function describeProblem({member, message, suggestion}: Problem): string {
  return `${member} ${message}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`
}

/** For a stored profile that can't be used. */
export function invalidProfile(name: string, problems: readonly Problem[]): Failure {
  return new Failure('PROFILE_INVALID', {
    message: `The profile ${name} cannot be used: ${problems.map(describeProblem).join(' ')}`,
    hint: advice`Correct it: ${cardctl('profiles', 'edit', {value: name}, '--interactive')}`,
    effect: 'none',
    data: {problems},
  })
}

/** For settings that the user passes now. */
export function invalidSettings(name: string, problems: readonly Problem[]): Failure {
  return new Failure('INPUT_INVALID', {
    message: `The profile ${name} was not stored: ${problems.map(describeProblem).join(' ')}`,
    effect: 'none',
    data: {problems},
  })
}
