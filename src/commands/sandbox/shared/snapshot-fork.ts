import {randomBytes} from 'node:crypto'
import {closeSync, existsSync, fsyncSync, openSync, rmSync} from 'node:fs'
import {join, resolve} from 'node:path'
import type {Context} from '../../../cli/context.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {fileFailure} from '../../../files/file-failure.ts'
import {linkNew} from '../../../files/place-file.ts'
import {createSandbox, type Snapshot} from '../../../sandbox/index.ts'
import {makeFolder} from './snapshot-files.ts'

/** The file of the state in a folder. */
export const stateFileIn = (folder: string): string => join(resolve(folder), 'sandbox.db')

/** Sees whether a folder has no state yet. @throws Failure INPUT_INVALID */
export function refuseState(folder: string): void {
  const file = stateFileIn(folder)
  if (![file, `${file}-wal`].some(each => existsSync(each))) return
  throw new Failure('INPUT_INVALID', {
    message: `${folder} has the state of a sandbox already, which is not replaced.`,
    hint: advice`Name another folder, or serve it with ${cardctl('sandbox', 'serve', '--data', {value: 'DIR'})} and load the snapshot there.`,
    effect: 'none',
  })
}

/**
 * Makes the file of a new sandbox, whole or not at all: it is made beside and linked into place, so nothing is replaced.
 *
 * @returns the file. @throws Failure INPUT_INVALID, STORE_UNAVAILABLE, CONFIG_UNREADABLE
 */
export async function forkIntoFolder(context: Context, folder: string, from: Snapshot): Promise<string> {
  refuseState(folder)
  makeFolder(resolve(folder))
  const file = stateFileIn(folder)
  const fresh = join(resolve(folder), `.cardctl-${randomBytes(6).toString('hex')}.tmp`)
  try {
    const sandbox = await createSandbox({file: fresh, from, now: context.surroundings.now})
    await sandbox.close()
    sync(fresh)
    if (!linked(fresh, file)) refuseState(folder)
    return file
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${fresh}${end}`, {force: true})
  }
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function linked(fresh: string, file: string): boolean {
  try {
    return linkNew(fresh, file, 0o600)
  } catch (error) {
    throw fileFailure(file, 'written', error)
  }
}
