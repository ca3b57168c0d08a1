import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

/** Works in a new folder that only this user can enter (0700), and removes it in any case. */
export async function inTemporaryFolder(
  prefix: string,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  try {
    await work(folder)
  } finally {
    await rm(folder, {recursive: true, force: true})
  }
}
