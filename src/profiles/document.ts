import {existsSync} from 'node:fs'
import {Failure} from '../errors/failure.ts'
import {readOwnFile} from '../files/open-own-file.ts'
import {isRecord, parseObject} from './json-object.ts'
import {EMBEDDED_PROFILE} from './target.ts'

/** The format of profiles.json that this version reads and writes. */
export const SCHEMA = 1

/** No list of profiles is that long; something else has the file's name. In bytes. */
const LARGEST = 4 * 1024 * 1024

/** profiles.json: `{"schema": 1, "current": NAME, "profiles": {NAME: {…}}}`. Entries are not checked yet. */
export interface ProfilesDocument {
  /** The chosen profile, if `use` chose one. */
  readonly current?: string
  readonly profiles: ReadonlyMap<string, unknown>
  /** Everything that stands in the file, members that aren't known too. */
  readonly raw: Readonly<Record<string, unknown>>
}

/**
 * Reads profiles.json without anything heavy: every command passes here. A missing file is an empty one.
 *
 * @throws Failure CONFIG_DAMAGED naming the file, which is left as it is; CONFIG_UNREADABLE.
 */
export async function readDocument(file: string): Promise<ProfilesDocument> {
  const bytes = readOwnFile(file, LARGEST)
  if (bytes === undefined) return {profiles: new Map(), raw: {}}
  const raw = parseObject(decode(file, bytes))
  if (raw === undefined) throw damaged(file, bytes.length === 0 ? 'is empty' : 'is not a JSON object')
  const {schema, current, profiles = {}} = raw
  if (typeof schema === 'number' && schema > SCHEMA) {
    throw damaged(file, `was written by a newer version (schema ${schema}; this one reads ${SCHEMA})`)
  }
  if (schema !== SCHEMA) throw damaged(file, 'has no member schema with the number 1')
  if (!isRecord(profiles)) throw damaged(file, 'has a member profiles that is not an object')
  if (current !== undefined && typeof current !== 'string') {
    throw damaged(file, 'has a member current that is not the name of a profile')
  }
  if (Object.hasOwn(profiles, EMBEDDED_PROFILE)) {
    throw damaged(file, `has a profile named ${EMBEDDED_PROFILE}, which is the built-in one's name`)
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

/** Where an edit keeps the old content until the new one was read back. */
export function previousOf(file: string): string {
  return `${file}.previous`
}

function damaged(file: string, how: string): Failure {
  const previous = previousOf(file)
  const rest = existsSync(previous) ? `; ${previous} holds it as it was before the last edit` : ''
  return new Failure('CONFIG_DAMAGED', {
    message: `${file} ${how}; it was left as it is.`,
    hint: `Correct the file, or move it away and add the profiles again${rest}.`,
    effect: 'none',
  })
}
