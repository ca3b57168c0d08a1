// A test writes to several databases and waits until the disk has each commit. In memory that takes no time.
import {mkdtempSync, readFileSync, rmSync, statfsSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'

const MEMORY = '/dev/shm'

/** In bytes. A container often has 64 MiB there, which the tests that fill a disk use up. */
const ENOUGH = 1024 ** 3

/** Makes the folders of this run below one in memory, where there is one to use; TMPDIR names another place. */
export function setup(): (() => void) | undefined {
  if (process.env.TMPDIR || !isUsable()) return undefined
  const folder = mkdtempSync(join(MEMORY, 'cardctl-'))
  process.env.TMPDIR = folder
  return () => {
    delete process.env.TMPDIR
    rmSync(folder, {recursive: true, force: true})
  }
}

/** Whether it has room and can hold the programs that tests write. */
function isUsable(): boolean {
  try {
    const {bavail, bsize} = statfsSync(MEMORY)
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const options = mounts.findLast(line => line.split(' ')[1] === MEMORY)?.split(' ')[3] ?? ''
    return bavail * bsize >= ENOUGH && !options.split(',').includes('noexec')
  } catch {
    return false
  }
}
