import {execFileSync} from 'node:child_process'
import {readdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {gzipSync} from 'node:zlib'

/**
 * Makes a folder with Debian packages a repository of apt, whose only part is the folder itself. `Release` has the digests of
 * the two lists, and its signature is what apt believes. https://wiki.debian.org/DebianRepository/Format#Flat_Repository_Format
 */
export function makeAptRepository(folder: string, date: number): void {
  // apt-ftparchive would list them, too.
  for (const name of ['Release', 'InRelease', 'Release.gpg']) rmSync(join(folder, name), {force: true})
  const packages = readdirSync(folder).filter(name => name.endsWith('.deb'))
  const list = packages.sort().map(name => ftparchive(folder, 'packages', name))
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content)
  write('Packages', list.join(''))
  write('Packages.gz', gzipSync(list.join(''), {level: 9}))
  write('Release', release(folder, date))
}

function release(folder: string, date: number): string {
  const facts = {
    Origin: 'cardctl',
    Label: 'cardctl',
    Suite: 'stable',
    Architectures: 'amd64 arm64',
    Date: new Date(date * 1000).toUTCString().replace('GMT', 'UTC'),
  }
  const options = Object.entries(facts).flatMap(([name, value]) => [
    '-o',
    `APT::FTPArchive::Release::${name}=${value}`,
  ])
  return ftparchive(folder, ...options, 'release', '.')
}

const ftparchive = (folder: string, ...argv: readonly string[]): string =>
  execFileSync('apt-ftparchive', argv, {
    cwd: folder,
    encoding: 'utf8',
    env: {...process.env, LC_ALL: 'C', TZ: 'UTC'},
  })
