import {execFileSync} from 'node:child_process'
import {chmodSync, lstatSync, readdirSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'

export interface ArchiveOptions {
  /** Modification time of every file, in seconds since 1970. */
  readonly date: number
  readonly fast: boolean
}

/** Packs a folder so that the same files give the same bytes: sorted, of one time, one owner and known modes. */
export function makeTarball(folder: string, archive: string, {date, fast}: ArchiveOptions): string {
  settleModes(folder)
  execFileSync('tar', [
    '--create',
    `--file=${archive}`,
    '--sort=name',
    `--mtime=@${date}`,
    '--owner=root:0',
    '--group=root:0',
    '--format=ustar',
    `--use-compress-program=gzip -n -${fast ? 1 : 9}`,
    `--directory=${dirname(folder)}`,
    basename(folder),
  ])
  return archive
}

/** What is started itself; everything else is read by the runtime. */
const EXECUTABLE = /(?:\/bin\/cardctl|-[a-z0-9]+\/cardctl|\/runtime\/node)$/

/** Modes that don't depend on the umask of whoever builds. */
export function settleModes(path: string): void {
  const stats = lstatSync(path)
  if (stats.isSymbolicLink()) return
  chmodSync(path, stats.isDirectory() || EXECUTABLE.test(path) ? 0o755 : 0o644)
  if (stats.isDirectory()) for (const name of readdirSync(path)) settleModes(join(path, name))
}
