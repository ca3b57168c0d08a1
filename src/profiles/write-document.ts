import {copyFile, readFile, rename, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {Failure} from '../errors/failure.ts'
import {errnoOf} from '../errors/system-reason.ts'
import {previousOf, SCHEMA} from './document.ts'
import {fileFailure} from './file-failure.ts'

export const PROFILES_FILE = 'profiles.json'

/**
 * Replaces profiles.json (0600, by a file beside it and a rename). The folder must exist and the lock be held. What was
 * there before is kept until the new content was read back, for a disk that fills up can cut a write short.
 *
 * @throws Failure CONFIG_UNREADABLE; the old file is in place then.
 */
export async function writeDocument(
  folder: string,
  content: Readonly<Record<string, unknown>>,
): Promise<void> {
  const file = join(folder, PROFILES_FILE)
  const previous = previousOf(file)
  const document: Record<string, unknown> = {...content, schema: SCHEMA}
  const had = await keep(file, previous)
  try {
    // Door: conf brings a validator along, and nothing that only reads profiles should pay for it.
    const {default: Conf} = await import('conf')
    const conf = new Conf({
      cwd: folder,
      configName: 'profiles',
      clearInvalidConfig: false,
      accessPropertiesByDotNotation: false,
      configFileMode: 0o600,
    })
    conf.store = document
    if (!(await holds(file, document))) throw cutShort(file)
  } catch (error) {
    if (had) await rename(previous, file)
    else await rm(file, {force: true})
    throw fileFailure(file, 'written', error)
  }
  await rm(previous, {force: true})
}

/** The writer below conf writes once and doesn't look at how much went through. */
function cutShort(file: string): Failure {
  return new Failure('CONFIG_UNREADABLE', {
    message: `${file} cannot be written: only a part went through, as on a full disk. It is as it was before.`,
    effect: 'none',
  })
}

/** Copies the file, if it is there; with a full disk this fails before anything was touched. */
async function keep(file: string, previous: string): Promise<boolean> {
  try {
    await copyFile(file, previous)
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    await rm(previous, {force: true})
    throw fileFailure(file, 'written', error)
  }
}

async function holds(file: string, document: Readonly<Record<string, unknown>>): Promise<boolean> {
  try {
    return JSON.stringify(JSON.parse(await readFile(file, 'utf8'))) === JSON.stringify(document)
  } catch {
    return false
  }
}
