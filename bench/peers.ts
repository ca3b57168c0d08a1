// Other programs that cardctl is compared with. They come from the npm registry, each in a folder of its own that is
// kept for the next run. Their install scripts don't run.
import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'

const FOLDER = fileURLToPath(new URL('../node_modules/.cache/bench-peers/', import.meta.url))

export interface Peer {
  readonly name: string
  readonly version: string
  /** The file to run, within the folder of the package. */
  readonly path: string
}

/** The Go binary is in a separate package for each platform. */
export const STRIPE: Peer = {
  name: `@stripe/cli-${process.platform}-${process.arch}`,
  version: '1.52.0',
  path: 'bin/stripe',
}

/** A mock server of OpenAPI documents. */
export const PRISM: Peer = {name: '@stoplight/prism-cli', version: '5.16.0', path: 'dist/index.js'}

export type Installed = {readonly file: string} | {readonly missing: string}

/** Installs a peer if necessary. Returns its file, or the reason why it is unavailable. */
export function installPeer({name, version, path}: Peer): Installed {
  const folder = join(FOLDER, `${name.replace('/', '+')}@${version}`)
  const file = join(folder, 'node_modules', name, path)
  if (existsSync(file)) return {file}
  // Rename it only when it is complete.
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, {recursive: true})
  try {
    writeFileSync(join(unfinished, 'package.json'), '{"private": true}')
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund']
    const {status, stderr} = spawnSync('npm', ['install', ...flags, `${name}@${version}`], {
      cwd: unfinished,
      encoding: 'utf8',
    })
    if (status !== 0) return {missing: `npm ended with ${/npm error code (\S+)/.exec(stderr)?.[1] ?? status}`}
    rmSync(folder, {recursive: true, force: true})
    renameSync(unfinished, folder)
    return existsSync(file) ? {file} : {missing: `the package has no ${path}`}
  } finally {
    rmSync(unfinished, {recursive: true, force: true})
  }
}
