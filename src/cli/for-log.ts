import {powerShellQuoted, shellWord} from '../errors/suggested-command.ts'
import {type Folders, foldersOf} from '../profiles/index.ts'
import type {ForLog} from './command-line.ts'
import type {Surroundings} from './surroundings.ts'

/** What chooses the profiles and the journal. A profile of the environment is a flag of each command. */
const CHOOSING: readonly (readonly [variable: string, folder: keyof Folders])[] = [
  ['CARDCTL_CONFIG_DIR', 'config'],
  ['CARDCTL_DATA_DIR', 'data'],
]

/**
 * What precedes a command in a log, so that it uses the same folders when it is pasted into a shell that lacks the
 * environment of the job. Nothing on a terminal, whose environment the reader has.
 */
export function forLog({env, homedir, platform, stderr}: Surroundings): ForLog | undefined {
  if (stderr.isTTY) return undefined
  const set = CHOOSING.flatMap(([variable, folder]) => {
    if (!env[variable]) return []
    const chosen = foldersOf({env, homedir, platform})[folder]
    if (chosen === usual({homedir, platform, env: {...env, [variable]: undefined}}, folder)) return []
    return platform === 'win32'
      ? [`$env:${variable}=${powerShellQuoted(chosen)};`]
      : [`${variable}=${shellWord(chosen, platform)}`]
  })
  return {folders: set.length === 0 ? undefined : set.join(' ')}
}

/** Where the same user has it without the variable; undefined without a home folder. */
function usual(given: Parameters<typeof foldersOf>[0], folder: keyof Folders): string | undefined {
  try {
    return foldersOf(given)[folder]
  } catch {
    return undefined
  }
}
