import {existsSync, readFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {shellWord} from '../errors/suggested-command.ts'

/** How cardctl was installed; `unknown` if nothing in its folder says it. */
export type InstallationKind = 'clone' | 'npm-global' | 'npm-folder' | 'tarball' | 'deb' | 'unknown'

export interface Installation {
  readonly kind: InstallationKind
  /** Where the program is. */
  readonly folder: string
}

/** What to do, and the command that does it. VERSION in it is the newer version. */
export interface UpgradeStep {
  readonly about: string
  readonly command?: string
}

interface System {
  readonly platform: NodeJS.Platform
  readonly arch: string
}

/** @param folder the root of the package: its links are resolved already */
export function installationIn(folder: string, platform: NodeJS.Platform): Installation {
  return {kind: kindOf(folder, platform), folder}
}

function kindOf(folder: string, platform: NodeJS.Platform): InstallationKind {
  const packed = distributionOf(folder)
  if (packed) return packed
  // npm never publishes this file.
  if (existsSync(join(folder, 'package-lock.json'))) return 'clone'
  if (basename(dirname(folder)) !== 'node_modules') return 'unknown'
  const prefix = prefixOf(folder, platform)
  if (existsSync(join(prefix, platform === 'win32' ? 'cardctl.cmd' : 'bin/cardctl'))) return 'npm-global'
  return existsSync(join(folder, '../../package.json')) ? 'npm-folder' : 'unknown'
}

/** tools/package.ts writes it into the folders that need no Node.js. */
function distributionOf(folder: string): 'tarball' | 'deb' | undefined {
  const path = join(folder, 'distribution')
  const name = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  return name === 'tarball' || name === 'deb' ? name : undefined
}

/** The folder that npm calls the prefix, of a global installation. */
const prefixOf = (folder: string, platform: NodeJS.Platform): string =>
  join(folder, platform === 'win32' ? '../..' : '../../..')

/** The file of a release that an installation is upgraded with; undefined if it has none. */
export function releaseFile(
  {kind}: Installation,
  {platform, arch}: System,
  version: string,
): string | undefined {
  switch (kind) {
    case 'npm-global':
    case 'npm-folder':
      return `cardctl-${version}.tgz`
    case 'tarball':
      return `cardctl-${version}-${platform}-${arch}.${platform === 'win32' ? 'zip' : 'tar.gz'}`
    case 'deb':
      return `cardctl_${version}_${arch === 'arm64' ? arch : 'amd64'}.deb`
    default:
      return undefined
  }
}

/** A file that was got and verified. */
interface GotFile {
  readonly version: string
  readonly file: string
}

/**
 * The steps of an upgrade, in order.
 *
 * @param got what it is upgraded with; by default it has to be got first
 */
export function upgradeSteps(
  installation: Installation,
  system: System,
  got?: GotFile,
): readonly UpgradeStep[] {
  const {kind, folder} = installation
  const {platform, arch} = system
  const path = (...parts: readonly string[]): string => shellWord(join(folder, ...parts), platform)
  const wait: UpgradeStep = {about: 'Wait until bulk jobs have ended, and stop the servers of cardctl.'}
  const version = got?.version ?? 'VERSION'
  const name = releaseFile(installation, system, version) ?? ''
  const get: readonly UpgradeStep[] =
    got === undefined
      ? [
          {
            about: `Get ${name} where you got cardctl, and check its signature: ${join(folder, 'docs/installation.md')}`,
          },
        ]
      : []
  const file = got === undefined ? `./${name}` : shellWord(got.file, platform)
  const npmInstall = (...where: readonly string[]): UpgradeStep => ({
    about: 'Install it.',
    command: ['npm install', ...where, file].join(' '),
  })
  const check: UpgradeStep = {about: 'Check the result.', command: 'cardctl doctor'}
  switch (kind) {
    case 'clone':
      return [
        wait,
        {about: 'Go to the clone.', command: `cd ${path()}`},
        {about: 'Get the newer sources.', command: 'git pull --ff-only'},
        {about: 'Install what they need, and build.', command: 'npm ci'},
        check,
      ]
    case 'npm-global': {
      const prefix = shellWord(prefixOf(folder, platform), platform)
      return [...get, wait, npmInstall('--global', '--prefix', prefix), check]
    }
    case 'npm-folder':
      return [...get, wait, npmInstall('--prefix', path('../..')), check]
    case 'tarball': {
      const isWindows = platform === 'win32'
      const program = path('..', `cardctl-${version}-${platform}-${arch}`, 'cardctl')
      return [
        ...get,
        {about: 'Unpack it.', command: `tar ${isWindows ? '-xf' : '-xzf'} ${file} -C ${path('..')}`},
        isWindows
          ? {about: `Put the new folder in PATH, in place of ${folder}.`}
          : {
              about: 'If a link leads to the program, let it lead to the new one.',
              command: `ln -sf ${program} ~/.local/bin/cardctl`,
            },
        check,
        {about: `When nothing uses the old folder, delete it: ${folder}`},
      ]
    }
    case 'deb':
      return [...get, wait, {about: 'Install it.', command: `sudo dpkg -i ${file}`}, check]
    case 'unknown':
      return [
        {
          about: `Nothing in ${folder} says how it was installed. Install the newer version the same way, or another way: ${join(folder, 'docs/installation.md')}`,
        },
        check,
      ]
  }
}
