import {execFileSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import process from 'node:process'
import {debianMirror} from '../debian-mirror.ts'
import {digestOf} from './digest.ts'

/** Where each package is in an archive of Debian, and its SHA-256. */
const PINS = join(import.meta.dirname, 'image-packages.json')

/** What the runtime is linked with, and the shell that starts it. */
const NAMES = ['libc6', 'libgcc-s1', 'gcc-12-base', 'libstdc++6', 'libatomic1', 'dash']

/** Puts the pinned packages into a folder. @throws Error if one has other bytes or is no longer in the archive */
export function fetchImagePackages(folder: string): readonly string[] {
  const pins: Readonly<Record<string, string>> = JSON.parse(readFileSync(PINS, 'utf8'))
  return Object.entries(pins).map(([path, sha256]) => {
    const file = join(folder, basename(path))
    const address = `${dirname(debianMirror().replace(/\/$/, ''))}/${path}`
    execFileSync('curl', ['--silent', '--show-error', '--fail', '--location', '--output', file, address])
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
  const pins = Object.fromEntries(found.map(([, path = '', sha256]) => [path, sha256]).sort())
  writeFileSync(PINS, `${JSON.stringify(pins, null, 2)}\n`)
}

if (import.meta.main && process.argv[2] === 'pin') pin()
