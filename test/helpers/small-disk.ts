// A disk of a few MiB that can be full: a tmpfs, which only root can mount.
import {spawnSync} from 'node:child_process'
import {closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

export interface SmallDisk {
  readonly folder: string
  /** @param leave how many bytes to leave free. */
  fill(leave?: number): void
  free(): void
  /** From now on it can only be read. */
  lock(): void
  remove(): void
}

/** @returns undefined where nothing can be mounted. */
export function mountSmallDisk(mebibytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'cardctl-disk-'))
  const size = `size=${mebibytes}m,mode=755`
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]).status !== 0) {
    rmSync(folder, {recursive: true})
    return undefined
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: (leave = 0) => {
      const file = openSync(filler, 'w')
      const {bavail, bsize} = statfsSync(folder)
      const piece = Buffer.alloc(64 * 1024, 1)
      try {
        for (let left = bavail * bsize - leave; left > 0; left -= piece.length)
          writeSync(file, piece, 0, Math.min(left, piece.length))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler, {force: true}),
    lock: () => void spawnSync('mount', ['-o', 'remount,ro', folder]),
    remove: () => {
      spawnSync('umount', ['-l', folder])
      rmSync(folder, {recursive: true, force: true})
    },
  }
}
