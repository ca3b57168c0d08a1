// Makes a small Debian that has Wine, and runs programs of the package for Windows in it. Needs root, debootstrap and
// Debian's packages: `node tools/wine-root.ts` makes it, `node tools/wine-root.ts FOLDER PROGRAM [ARGUMENT]...` runs a program of FOLDER.
import {execFileSync, type StdioOptions, spawnSync} from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import process from 'node:process'
import {debianMirror} from './debian-mirror.ts'

/** Outside of any clone: every clone on this machine uses the same one. */
const CACHE = process.env.CARDCTL_WINE ?? '/var/cache/cardctl-wine'
const ROOT = join(CACHE, 'root')

/** The first release of Debian whose Wine starts the Node.js of the package. */
const RELEASE = 'trixie'

/** Where programs in Wine see the folder that was given. Wine shows / as the drive Z:. */
const SHARED = '/mnt/shared'
export const SHARED_IN_WINE = 'Z:\\mnt\\shared'

/** Whether there is a root in which a program of Windows can run at once. */
export const hasWine = process.getuid?.() === 0 && existsSync(join(ROOT, 'root/prefix/system.reg'))

/** Makes the root, unless it is there. */
export function makeWineRoot(): void {
  if (existsSync(join(ROOT, 'root/prefix/system.reg'))) return
  mkdirSync(CACHE, {recursive: true})
  const fresh = mkdtempSync(join(CACHE, 'making-'))
  try {
    const quiet = {stdio: ['ignore', 'ignore', 'inherit'] satisfies StdioOptions}
    execFileSync(
      'debootstrap',
      ['--variant=minbase', '--include=wine,wine64', RELEASE, fresh, debianMirror()],
      quiet,
    )
    rmSync(join(fresh, 'var/cache/apt'), {recursive: true})
    mkdirSync(join(fresh, SHARED))
    writeFileSync(join(fresh, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n')
    const made = enter(fresh, ['/bin/sh', '-c', 'wine wineboot --init && wineserver --wait'], {isKept: true})
    if (made.status !== 0) throw new Error(`Wine cannot make its folder: ${made.stderr}`)
    renameSync(fresh, ROOT)
  } finally {
    rmSync(fresh, {recursive: true, force: true})
  }
}

export interface WineRun {
  /** Shown to the program as SHARED_IN_WINE, and its working folder. */
  readonly folder: string
  readonly env?: Readonly<Record<string, string>> | undefined
  /** In milliseconds. */
  readonly timeout?: number | undefined
}

export interface WineEnd {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a program of Windows to its end, with nothing on stdin. What it changes outside of the folder is gone afterwards,
 * and so is everything that it started.
 *
 * @param program its path in the folder, with slashes
 */
export function runInWine(
  program: string,
  argv: readonly string[],
  {folder, env, timeout}: WineRun,
): WineEnd {
  return enter(ROOT, ['wine', `${SHARED}/${program}`, ...argv], {folder, env, timeout})
}

/** In a mount namespace of its own, so that nothing stays mounted, and a process namespace, so that nothing stays running. */
const ENTER = `set -e
root=$1 shared=$2 kept=$3
shift 3
mount --make-rprivate /
if [ "$kept" = no ]; then
  mount -t tmpfs tmpfs /mnt
  mkdir /mnt/upper /mnt/work /mnt/root
  mount -t overlay -o "lowerdir=$root,upperdir=/mnt/upper,workdir=/mnt/work" overlay /mnt/root
  root=/mnt/root
fi
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
mkdir -p "$root/mnt/full" "$root/mnt/readonly"
mount -t tmpfs -o size=64k tmpfs "$root/mnt/full"
mount -t tmpfs -o ro tmpfs "$root/mnt/readonly"
[ -z "$shared" ] || mount --bind "$shared" "$root${SHARED}"
exec chroot "$root" /bin/sh -c 'cd ${SHARED} && exec "$@"' in "$@"
`

interface Entered extends Partial<WineRun> {
  /** Changes the root itself. */
  readonly isKept?: boolean
}

function enter(root: string, command: readonly string[], {folder, env, timeout, isKept}: Entered): WineEnd {
  const scratch = mkdtempSync(join(tmpdir(), 'cardctl-wine-'))
  const path = (name: string) => join(scratch, name)
  // Node.js for Windows can write to files and to consoles of Wine, but not to a pipe of Linux.
  const [stdout, stderr] = [openSync(path('stdout'), 'w'), openSync(path('stderr'), 'w')]
  const settings = [root, folder === undefined ? '' : resolve(folder), isKept ? 'yes' : 'no']
  try {
    const {status} = spawnSync(
      'unshare',
      [
        '--mount',
        '--pid',
        '--fork',
        '--kill-child',
        '/bin/sh',
        '-c',
        ENTER,
        'enter',
        ...settings,
        ...command,
      ],
      {
        stdio: ['ignore', stdout, stderr],
        env: {...WINE, ...env},
        ...(timeout === undefined ? {} : {timeout, killSignal: 'SIGKILL'}),
      },
    )
    const read = (name: string) => readFileSync(path(name), 'utf8')
    return {status, stdout: read('stdout'), stderr: read('stderr').replace(NOISE, '')}
  } finally {
    for (const file of [stdout, stderr]) closeSync(file)
    rmSync(scratch, {recursive: true, force: true})
  }
}

/** What Wine says without a desktop. */
const NOISE =
  /^(?:error: XDG_RUNTIME_DIR is invalid.*|wine: (?:created the configuration|failed to open L"C:\\\\windows\\\\syswow64).*)\n/gm

const WINE = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
  WINEPREFIX: '/root/prefix',
  WINEARCH: 'win64',
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
  // Wine calls itself a Windows that Node.js doesn't know.
  NODE_SKIP_PLATFORM_CHECK: '1',
}

if (import.meta.main) {
  const [folder, program, ...argv] = process.argv.slice(2)
  makeWineRoot()
  if (folder !== undefined && program !== undefined) {
    const {status, stdout, stderr} = runInWine(program, argv, {folder})
    process.stdout.write(stdout)
    process.stderr.write(stderr)
    process.exitCode = status ?? 1
  }
}
