import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

/** One entry of package-lock.json, `node_modules/…` path included. */
export interface LockedPackage {
  readonly path: string
  readonly name: string
  readonly version: string
  readonly license: string
  readonly integrity: string | undefined
  readonly resolved: string | undefined
  readonly installScript: boolean
  /** Not in the tree of someone who installs the packed tool. */
  readonly development: boolean
}

interface LockFile {
  readonly packages: Readonly<Record<string, Entry>>
}
interface Entry {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Every package of the lock file but the project itself. */
export function lockedPackages(): readonly LockedPackage[] {
  const {packages} = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as LockFile
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({
      path,
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version ?? '',
      license: entry.license ?? 'unknown',
      integrity: entry.integrity,
      resolved: entry.resolved,
      installScript: entry.hasInstallScript ?? false,
      development: entry.dev ?? false,
    }))
}
