// A root folder with a shell and the libraries that a Node.js of nodejs.org is linked with: no Node.js, no npm, no users.
import {execFileSync, spawnSync} from 'node:child_process'
import {copyFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import process from 'node:process'

/** Debian's names of what the control file depends on, with what these need. */
const LIBRARIES = ['libc6', 'libstdc++6', 'libgcc-s1', 'libatomic1', 'gcc-12-base', 'libcrypt1']

/** A new root can be made, entered and given packages only by root, on Debian. */
export const canMakeRoot =
  process.getuid?.() === 0 && existsSync('/usr/bin/dpkg') && existsSync('/usr/sbin/chroot')

export function makeEmptyRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'cardctl-root-'))
  for (const folder of ['bin', 'tmp', 'home', 'var/lib/dpkg/info', 'var/lib/dpkg/updates'])
    mkdirSync(join(root, folder), {recursive: true})
  for (const [program, name] of [
    ['/bin/dash', 'bin/sh'],
    ['/bin/readlink', 'bin/readlink'],
  ] as const) {
    copyFileSync(program, join(root, name))
    copyLibraries(program, root)
  }
  copyLibraries(process.execPath, root)
  const known = spawnSync('dpkg-query', ['--status', ...LIBRARIES], {encoding: 'utf8'})
  writeFileSync(join(root, 'var/lib/dpkg/status'), known.stdout)
  return root
}

export const MUSL_LOADER = '/lib/ld-musl-x86_64.so.1'

/** With Debian's packages musl and busybox-static. */
export const canMakeMuslRoot = canMakeRoot && existsSync(MUSL_LOADER) && existsSync('/bin/busybox')

/** A root folder with musl in place of glibc. Its shell is linked with neither. */
export function makeMuslRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'cardctl-musl-'))
  for (const folder of ['bin', 'lib', 'home']) mkdirSync(join(root, folder))
  copyFileSync(MUSL_LOADER, join(root, MUSL_LOADER))
  for (const name of ['sh', 'readlink']) copyFileSync('/bin/busybox', join(root, 'bin', name))
  return root
}

function copyLibraries(program: string, root: string): void {
  const linked = execFileSync('ldd', [program], {encoding: 'utf8'}).match(/\/lib\S+/g) ?? []
  for (const path of linked) {
    mkdirSync(join(root, dirname(path)), {recursive: true})
    copyFileSync(path, join(root, path))
  }
}

/** Runs a program of the root, as a user without a name, with nothing in the environment but a home. */
export function runIn(root: string, command: string, ...argv: string[]) {
  const {status, stdout, stderr, error} = spawnSync('/usr/sbin/chroot', [root, command, ...argv], {
    env: {HOME: '/home', PATH: '/usr/bin:/bin', CARDCTL_PROFILE: 'sandbox'},
    encoding: 'utf8',
  })
  return {code: status, stdout, stderr: `${error?.message ?? ''}${stderr}`}
}
