import {join} from 'node:path'
import {type ChildEnvironment, childEnvironment, variablesNamedIn} from '../children/child-environment.ts'
import {readOwnFile} from '../files/open-own-file.ts'
import {foldersOf} from './folders.ts'
import type {ProfileSurroundings} from './surroundings.ts'
import {PROFILES_FILE} from './write-document.ts'

/**
 * What a program that this command starts gets of the environment: no variable that any profile or a flag names as a
 * secret. Names are looked for in the text of profiles.json, so that they count in a broken entry and a damaged file too.
 */
export function environmentForChildren(
  surroundings: Pick<ProfileSurroundings, 'env' | 'platform' | 'homedir' | 'cwd' | 'argv'>,
): ChildEnvironment {
  const {env, platform, argv = []} = surroundings
  const texts = [...argv, profilesText(surroundings)]
  return childEnvironment(env, texts.flatMap(variablesNamedIn), platform)
}

function profilesText(
  surroundings: Pick<ProfileSurroundings, 'env' | 'platform' | 'homedir' | 'cwd'>,
): string {
  try {
    return readOwnFile(join(foldersOf(surroundings).config, PROFILES_FILE))?.toString('utf8') ?? ''
  } catch {
    // Without the file no profile can be used; whoever needs one says why it can't be read.
    return ''
  }
}
