import {rmdirSync, rmSync} from 'node:fs'
import {forgetTrailKey} from '../../../cli/audit-trail.ts'
import {type Places, placesOf, tracesOf, uninstall} from '../../../cli/completion/install.ts'
import {SHELLS} from '../../../cli/completion/scripts.ts'
import type {Context} from '../../../cli/context.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {listFolders} from '../../../files/list-files.ts'
import {refuseRunningIn} from '../../../journal/index.ts'
import {openEffectsIn} from '../../../journal/open-effects.ts'
import {counted} from '../../../money/amount.ts'
import {runningJudge} from './export-data.ts'
import {filesHere, type KeptHere, keptHere} from './kept-here.ts'
import {journalFolderOf} from './transfer.ts'

/** What `data remove --all` removes, or with `--dry-run` would remove. */
export interface Removal {
  readonly files: readonly KeptHere[]
  /** Names of profiles, whose stored secrets go too. */
  readonly profiles: readonly string[]
  readonly completion: readonly Places[]
  /** Files in the folders of cardctl that it didn't write, and folders that others use. They stay. */
  readonly stays: readonly string[]
}

/** Lists everything that cardctl wrote on this machine. Changes nothing. */
export async function removalHere(context: Context): Promise<Removal> {
  const all = await keptHere(context)
  const isOurs = ({name}: KeptHere): boolean => name !== 'other' && name !== 'proposals'
  const profiles = await context.service.profiles.list()
  return {
    files: all.filter(isOurs),
    // A person has to agree to each live one at a terminal: before anything else goes.
    profiles: profiles
      .filter(({builtIn}) => !builtIn)
      .sort((a, b) => Number(b.kind === 'live') - Number(a.kind === 'live'))
      .map(({name}) => name),
    completion: SHELLS.flatMap(shell => tracesOf(placesOf(shell, context.surroundings)) ?? []),
    stays: all.filter(kept => !isOurs(kept)).map(({path}) => path),
  }
}

/**
 * Refuses as long as the journal is the only one to know that something may have been sent.
 *
 * @throws Failure USAGE
 */
export function refuseOpenEffects({folders, surroundings}: Context): void {
  const folder = journalFolderOf(folders.data)
  refuseRunningIn(folder, runningJudge(folders.data, surroundings.now))
  const [first, ...others] = openEffectsIn(folder)
  if (first === undefined) return
  const {service, requests, rows} = first
  const more = others.length === 0 ? '' : `; so have ${counted(others.length, 'other journal')}`
  const open = [
    ...(requests > 0 ? [counted(requests, 'request')] : []),
    ...(rows > 0 ? [`${counted(rows, 'row')} of bulk jobs`] : []),
  ]
  throw new Failure('USAGE', {
    message: `The journal of ${service} has ${open.join(' and ')} whose effect is unknown${more}. Nothing else knows of that.`,
    hint: advice`Nothing was removed. Find out what happened: ${cardctl('requests', 'list', '--open')}, with the profile of that service`,
    effect: 'none',
  })
}

/** Removes it: secrets first, because their files say where they are. What fails can be run again. */
export async function removeHere(context: Context, {profiles, completion}: Removal): Promise<void> {
  for (const name of profiles) await context.service.profiles.remove(name)
  for (const {shell} of completion) uninstall(placesOf(shell, context.surroundings))
  await forgetTrailKey(context.folders.data, context.surroundings)
  for (const purpose of ['cache', 'data', 'config'] as const) {
    const folder = context.folders[purpose]
    for (const {path, kind} of await filesHere(context, purpose))
      if (kind !== undefined) rmSync(path, {force: true})
    for (const below of await listFolders(folder)) removeEmpty(below)
    removeEmpty(folder)
  }
}

/** A folder with files of somebody else stays. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It isn't empty, is used, or isn't there.
  }
}
