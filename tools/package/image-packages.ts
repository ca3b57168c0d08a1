import {execFileSync, spawnSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import process from 'node:process'
import {debianMirror} from '../debian-mirror.ts'
import {digestOf} from './digest.ts'

/** Where each package is in an archive of Debian, and its SHA-256. */
const PINS = join(import.meta.dirname, 'image-packages.json')

/** What the runtime is linked with, and the shell that starts it. */
const NAMES = ['libc6', 'libgcc-s1', 'gcc-12-base', 'libstdc++6', 'libatomic1', 'dash']

const pins = (): Readonly<Record<string, string>> => JSON.parse(readFileSync(PINS, 'utf8'))

const addressOf = (path: string): string => `${dirname(debianMirror().replace(/\/$/, ''))}/${path}`

/** Whether the archive has all of them: it drops a package after its security update, and may be out of reach. */
export const hasImagePackages = (): boolean =>
  Object.keys(pins()).every(
    path =>
      spawnSync('curl', ['--silent', '--fail', '--location', '--head', '--max-time', '10', addressOf(path)])
        .status === 0,
  )

/** Puts the pinned packages into a folder. @throws Error if one has other bytes or is no longer in the archive */
export function fetchImagePackages(folder: string): readonly string[] {
  return Object.entries(pins()).map(([path, sha256]) => {
    const file = join(folder, basename(path))
    const argv = ['--silent', '--show-error', '--fail', '--location', '--output', file, addressOf(path)]
    execFileSync('curl', argv)
    const actual = digestOf(file)
    if (actual !== sha256) throw new Error(`${path} has the SHA-256 ${actual} instead of ${sha256}.`)
    return file
  })
}

/** Pins what apt would install now: after a security update of Debian. */
function pin(): void {
  const uris = execFileSync('apt-get', ['--print-uris', 'download', ...NAMES], {encoding: 'utf8'})
  const found = [...uris.matchAll(/\/(debian(?:-security)?\/pool\/\S+\.deb)' \S+ \d+ SHA256:(\w+)/g)]
  if (found.length !== NAMES.length) throw new Error(`apt knows ${found.length} of ${NAMES.length} packages.`)
  const pinned = Object.fromEntries(found.map(([, path = '', sha256]) => [path, sha256]).sort())
  writeFileSync(PINS, `${JSON.stringify(pinned, null, 2)}\n`)
}

if (import.meta.main && process.argv[2] === 'pin') pin()
