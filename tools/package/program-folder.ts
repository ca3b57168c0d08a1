import {execFileSync} from 'node:child_process'
import {copyFileSync, cpSync, existsSync, globSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import pjson from '../../package.json' with {type: 'json'}
import lock from '../../package-lock.json' with {type: 'json'}
import checksums from '../runtime-checksums.json' with {type: 'json'}
import {digestOf} from './digest.ts'
import {copyInto, packedFiles} from './packed-files.ts'
import {PLATFORMS, type Platform, runtimeName} from './platforms.ts'

/** `cardctl upgrade` reads which one it is. Nobody upgrades cardctl in a container. */
export type Distribution = 'tarball' | 'deb' | 'image'

/**
 * Lays the program into an empty folder, with the packages it needs and its own runtime.
 *
 * @param scratch a folder for packages of other platforms, which are fetched by npm
 * @throws Error if the runtime or a package is not the one whose checksum is known
 */
export function layProgram(
  folder: string,
  platform: Platform,
  distribution: Distribution,
  scratch: string,
): void {
  for (const path of packedFiles()) if (!WITHOUT.test(path)) copyInto(folder, path)
  for (const name of Object.keys(pjson.dependencies))
    copyPackage(`node_modules/${name}`, join(folder, 'node_modules', name))
  const {runtime, keyring} = PLATFORMS[platform]
  copyPackage(packageFolder(keyring, scratch), join(folder, 'node_modules', keyring))
  layRuntime(join(folder, 'runtime'), packageFolder(runtime, scratch), platform)
  writeFileSync(join(folder, 'distribution'), `${distribution}\n`)
  layLauncher(folder, platform, distribution)
}

/** What starts the sources, or another runtime. */
const WITHOUT = /^bin\/(?:dev\.mjs|rerun\.js|child\.js|runtimes\.json)$/

function copyPackage(from: string, to: string): void {
  cpSync(from, to, {recursive: true, filter: path => !path.slice(from.length).includes('node_modules')})
}

/** The folder of an installed package, or of one that npm fetches because it is for another platform. */
function packageFolder(name: string, scratch: string): string {
  const places = [`node_modules/${name}`, `node_modules/node/node_modules/${name}`]
  const installed = places.find(path => existsSync(path))
  if (installed !== undefined) return installed
  const target = join(scratch, 'fetched', name)
  if (!existsSync(target)) {
    mkdirSync(target, {recursive: true})
    const version = name.startsWith('node-') ? pjson.devDependencies.node : lockedEntry(name).version
    execFileSync('npm', ['pack', '--silent', '--pack-destination', target, `${name}@${version}`])
    const archive = join(target, readdirSync(target)[0] ?? '')
    // The checksum of a runtime is that of its binary, compared below.
    if (!name.startsWith('node-'))
      expectDigest(name, `sha512-${digestOf(archive, 'sha512', 'base64')}`, lockedEntry(name).integrity)
    execFileSync('tar', ['-xzf', archive, '-C', target])
  }
  return join(target, 'package')
}

interface LockedEntry {
  readonly version: string
  readonly integrity: string
}

function lockedEntry(name: string): LockedEntry {
  const packages: Readonly<Record<string, Partial<LockedEntry>>> = lock.packages
  const {version, integrity} = packages[`node_modules/${name}`] ?? {}
  if (version === undefined || integrity === undefined) throw new Error(`package-lock.json lacks ${name}.`)
  return {version, integrity}
}

function layRuntime(folder: string, from: string, platform: Platform): void {
  mkdirSync(folder)
  const binary = join(folder, runtimeName(platform))
  copyFileSync(join(from, 'bin', runtimeName(platform)), binary)
  expectDigest(`The runtime of ${platform}`, digestOf(binary), checksums[platform])
  // That of Windows has no licence file; all platforms of a release have the same.
  const [licence = ''] = globSync('node_modules/node/node_modules/node-*/LICENSE')
  copyFileSync(licence, join(folder, 'LICENSE'))
}

function expectDigest(what: string, actual: string, expected: string): void {
  if (actual !== expected)
    throw new Error(`${what} is not the one expected: ${actual} instead of ${expected}.`)
}

/**
 * Starts the program in place of the shell, so that every signal reaches it. It finds nohup by the variable `_`
 * (bin/hang-up.js), which bash as `sh` would set to the runtime.
 */
const startIn = (here: string): string => `case $started_by in
  */nohup) exec env "_=$started_by" "${here}/runtime/node" "${here}/bin/run.js" "$@" ;;
esac
exec "${here}/runtime/node" "${here}/bin/run.js" "$@"
`

/** Where glibc has its loader, and the folder of its libraries on Debian. */
const GLIBC: Readonly<Partial<Record<Platform, readonly [loader: string, libraries: string]>>> = {
  'linux-x64': ['/lib64/ld-linux-x86-64.so.2', '/lib/x86_64-linux-gnu'],
  'linux-arm64': ['/lib/ld-linux-aarch64.so.1', '/lib/aarch64-linux-gnu'],
}

/**
 * Without its loader, a shell says that the runtime is not found, and an old glibc names a version that it lacks: neither says what
 * to do. Before 2.34, its file has the version in its name; the list has those of systems in use. Nothing is started to find out.
 */
function checkOfLibrary(platform: Platform): string {
  const glibc = GLIBC[platform]
  if (glibc === undefined) return ''
  const [loader, libraries] = glibc
  return `refuse() {
  echo "cardctl needs glibc 2.28 or later, and this system has $1: install cardctl by npm, with a Node.js that is built for this system." >&2
  exit 3
}
[ -e ${loader} ] || refuse 'another C library, such as musl'
for version in 17 19 22 23 24 26 27; do
  if [ -e "/lib64/libc-2.$version.so" ] || [ -e "${libraries}/libc-2.$version.so" ]; then refuse "2.$version"; fi
done
`
}

/**
 * Small systems lack libraries that the runtime is linked with, and its loader doesn't say what to do. Only where the usual
 * folders have none is the runtime started to find out.
 */
function checkOfOthers(platform: Platform): string {
  const glibc = GLIBC[platform]
  if (glibc === undefined) return ''
  const [, libraries] = glibc
  return `for library in libatomic.so.1 libstdc++.so.6; do
  for folder in ${libraries} /usr${libraries} /lib64 /usr/lib64 /lib /usr/lib; do
    [ ! -e "$folder/$library" ] || continue 2
  done
  said=$("$here/runtime/node" --version 2>&1) && break
  echo "cardctl needs $library, and this system lacks it: install libatomic and libstdc++ (Debian: libatomic1 libstdc++6)." >&2
  exit 3
done
`
}

/** Relative links are followed by hand: not every system has `readlink -f`. */
const shellLauncher = (platform: Platform): string => `#!/bin/sh
# Starts cardctl with the Node.js of this folder, also through symbolic links.
started_by=\${_-}
${checkOfLibrary(platform)}self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=\${self%/*}/$link ;;
  esac
done
case $self in
  */*) here=\${self%/*} ;;
  *) here=. ;;
esac
${checkOfOthers(platform)}${startIn('$here')}`

/** The Debian package is always in one place: nothing to look for. */
const DEBIAN_LAUNCHER = `#!/bin/sh
started_by=\${_-}
${startIn('/usr/lib/cardctl')}`

function layLauncher(folder: string, platform: Platform, distribution: Distribution): void {
  if (platform === 'win32-x64') compileLauncher(join(folder, 'cardctl.exe'))
  else
    writeFileSync(join(folder, 'cardctl'), distribution === 'deb' ? DEBIAN_LAUNCHER : shellLauncher(platform))
}

/** A .cmd file would expand `%`, split at `&`, and ask after Ctrl-C. Nothing of the compiler's own gets into it. */
export function compileLauncher(path: string): void {
  const flags = ['-Os', '-Wall', '-Werror', '-s', '-municode', '-mconsole', '-Wl,-e,cardctl']
  const alone = ['-nostdlib', '-nostartfiles', '-ffreestanding', '-fno-stack-protector']
  const same = ['-Wl,--no-insert-timestamp']
  const source = join(import.meta.dirname, 'launcher.c')
  execFileSync('x86_64-w64-mingw32-gcc', [...flags, ...alone, ...same, '-o', path, source, '-lkernel32'])
}
