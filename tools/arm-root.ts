// Unpacks a small Debian for ARM64 and runs programs in it by qemu's user-mode emulation, in namespaces of its own: the kernel
// of this machine keeps no setting of it. Needs root, debootstrap, qemu-user-static and Debian's packages:
// `node tools/arm-root.ts FOLDER PROGRAM [ARGUMENT]...` runs a program of the root in FOLDER.
import {execFileSync, type StdioOptions, spawnSync} from 'node:child_process'
import {existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import process from 'node:process'
import {debianMirror} from './debian-mirror.ts'

/** Outside of any clone: every clone on this machine uses the same one. */
const CACHE = process.env.CARDCTL_ARM ?? '/var/cache/cardctl-arm'
const ROOT = join(CACHE, 'root')
const RELEASE = 'bookworm'

/** The libraries of the runtime, and the programs that tests start. */
const PACKAGES = ['libatomic1', 'libstdc++6', 'git', 'jq', 'openssl', 'openssh-client', 'procps', 'python3']

/** Where programs of the root see the folder that was given. */
export const SHARED_ON_ARM = '/mnt/shared'

/** Unpacks the root, unless it is there. No script of a package is run. */
export function makeArmRoot(): void {
  if (existsSync(ROOT)) return
  mkdirSync(CACHE, {recursive: true})
  const fresh = mkdtempSync(join(CACHE, 'making-'))
  const quiet = {stdio: ['ignore', 'ignore', 'inherit'] satisfies StdioOptions}
  try {
    const packages = `--include=${PACKAGES.join(',')}`
    const argv = ['--foreign', '--arch=arm64', '--variant=minbase', packages, RELEASE, fresh, debianMirror()]
    execFileSync('debootstrap', argv, quiet)
    // /lib and others are links into /usr, which dpkg-deb itself would replace by folders.
    const unpack = 'dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$2"'
    for (const archive of globSync(join(fresh, 'var/cache/apt/archives/*.deb')))
      execFileSync('sh', ['-ec', unpack, 'unpack', archive, fresh], quiet)
    rmSync(join(fresh, 'var/cache/apt'), {recursive: true})
    mkdirSync(join(fresh, SHARED_ON_ARM), {recursive: true})
    writeFileSync(join(fresh, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n')
    writeFileSync(
      join(fresh, 'etc/passwd'),
      'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n',
    )
    writeFileSync(join(fresh, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n')
    renameSync(fresh, ROOT)
  } finally {
    rmSync(fresh, {recursive: true, force: true})
  }
}

/**
 * The user namespace has a table of its own of what starts programs of other processors. The shell stays the first process,
 * and takes leave of those whose parent has ended: a shell in qemu waits for ever.
 */
const ENTER = `set -e
root=$1 shared=$2
shift 2
mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
cat /usr/lib/binfmt.d/qemu-aarch64.conf >/proc/sys/fs/binfmt_misc/register
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$shared" "$root${SHARED_ON_ARM}"
cd "$root${SHARED_ON_ARM}"
chroot "$root" /usr/bin/env --chdir=${SHARED_ON_ARM} "$@"
`

export interface ArmRun {
  /** Shown to the program as SHARED_ON_ARM, and its working folder. */
  readonly folder: string
  readonly env?: Readonly<Record<string, string>> | undefined
  /** In milliseconds. */
  readonly timeout: number
  readonly stdio?: StdioOptions
}

/** Runs a program to its end, with nothing on stdin. Whatever it started is gone afterwards. */
export function runOnArm(argv: readonly string[], {folder, env, timeout, stdio}: ArmRun) {
  const {status, stdout} = spawnSync(
    'unshare',
    [
      '--map-root-user',
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      '/bin/sh',
      '-c',
      ENTER,
      'enter',
      ROOT,
      resolve(folder),
      ...argv,
    ],
    {
      env: {PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/tmp', LANG: 'C.UTF-8', TMPDIR: '/tmp', ...env},
      encoding: 'utf8',
      stdio: stdio ?? ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 * 1024 * 1024,
      timeout,
      killSignal: 'SIGKILL',
    },
  )
  return {status, stdout}
}

if (import.meta.main) {
  const [folder, ...argv] = process.argv.slice(2)
  makeArmRoot()
  if (folder !== undefined)
    process.exitCode = runOnArm(argv, {folder, timeout: 3_600_000, stdio: 'inherit'}).status ?? 1
}
