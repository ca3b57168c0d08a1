import {existsSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'

export interface Asset {
  readonly type: string
  readonly bytes: Buffer
}

/** The page's files by the path they are served at; the build makes them (tools/build.ts). */
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/_inspect/refused': ['refused.html', 'text/html; charset=utf-8'],
  '/_inspect/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/_inspect/page.css': ['page.css', 'text/css; charset=utf-8'],
  '/_inspect/icon.svg': ['icon.svg', 'image/svg+xml'],
}

const read = new Map<string, Asset>()

/** A file of the page, or undefined where there is none at this path. */
export function findAsset(path: string): Asset | undefined {
  const [file, type] = Object.hasOwn(FILES, path) ? (FILES[path] ?? []) : []
  if (file === undefined || type === undefined) return undefined
  const known = read.get(file)
  if (known) return known
  const asset = {type, bytes: readFileSync(join(packageRoot(), 'dist', 'inspector', file))}
  read.set(file, asset)
  return asset
}

/** Sources and build lie at different depths below the package. */
function packageRoot(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}
