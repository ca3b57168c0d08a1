import {execFileSync} from 'node:child_process'
import {copyFileSync, cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import pjson from '../../package.json' with {type: 'json'}
import {digestOf} from './digest.ts'
import {fetchImagePackages} from './image-packages.ts'
import {type ArchiveOptions, settleModes} from './tarball.ts'

const PROGRAM = '/usr/lib/cardctl'
/** Nobody else's: as other images call the user without rights. */
const USER = 65532
const HOME = '/home/cardctl'

interface Blob {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

/**
 * Makes a container image without a daemon: a layer of Debian's packages, and one of the program.
 * https://github.com/opencontainers/image-spec/blob/v1.1.0/image-layout.md
 *
 * @param program the folder of the program, for Linux on x64
 * @returns the path of the archive, which is not compressed again
 */
export function makeImage(
  program: string,
  scratch: string,
  archive: string,
  options: ArchiveOptions,
): string {
  const layout = join(scratch, 'layout')
  const blobs = join(layout, 'blobs/sha256')
  mkdirSync(blobs, {recursive: true})
  const layers = [layDebian(join(scratch, 'system')), layProgramIn(join(scratch, 'program'), program)].map(
    folder => addLayer(folder, blobs, options),
  )
  const config = addJson(blobs, 'application/vnd.oci.image.config.v1+json', {
    architecture: 'amd64',
    os: 'linux',
    created: new Date(options.date * 1000).toISOString(),
    config: {
      User: `${USER}:${USER}`,
      Env: [`PATH=${PROGRAM}:/usr/bin`, `HOME=${HOME}`],
      Entrypoint: [`${PROGRAM}/cardctl`],
      WorkingDir: HOME,
      Labels: {
        'org.opencontainers.image.title': pjson.name,
        'org.opencontainers.image.version': pjson.version,
        'org.opencontainers.image.licenses': pjson.license,
      },
    },
    rootfs: {type: 'layers', diff_ids: layers.map(({content}) => content)},
  })
  const mediaType = 'application/vnd.oci.image.manifest.v1+json'
  const manifest = addJson(blobs, mediaType, {
    schemaVersion: 2,
    mediaType,
    config,
    layers: layers.map(({blob}) => blob),
  })
  const named = {...manifest, annotations: {'org.opencontainers.image.ref.name': pjson.version}}
  put(join(layout, 'index.json'), {schemaVersion: 2, manifests: [named]})
  put(join(layout, 'oci-layout'), {imageLayoutVersion: '1.0.0'})
  pack(layout, archive, options.date)
  return archive
}

/** The packages as they are, and what scanners for faults read of them. No script of a package is run. */
function layDebian(folder: string): string {
  const fetched = join(folder, '..', 'fetched')
  const status = join(folder, 'var/lib/dpkg/status.d')
  for (const path of [fetched, status, join(folder, 'etc')]) mkdirSync(path, {recursive: true})
  for (const name of ['usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib64'])
    mkdirSync(join(folder, name), {recursive: true})
  // As in Debian, so that the files of all packages are below /usr.
  execFileSync('ln', ['-s', 'usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib64', folder])
  for (const path of fetchImagePackages(fetched)) {
    const unpack = 'dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$2"'
    execFileSync('sh', ['-ec', unpack, 'unpack', path, folder])
    const control = execFileSync('dpkg-deb', ['--field', path], {encoding: 'utf8'})
    writeFileSync(join(status, basename(path).replace(/_.*/, '')), control)
  }
  execFileSync('ln', ['-sf', 'dash', join(folder, 'usr/bin/sh')])
  for (const name of ['usr/share/lintian', 'usr/share/man'])
    rmSync(join(folder, name), {recursive: true, force: true})
  writeFileSync(
    join(folder, 'etc/passwd'),
    `root:x:0:0::/root:/bin/sh\ncardctl:x:${USER}:${USER}::${HOME}:/bin/sh\n`,
  )
  writeFileSync(join(folder, 'etc/group'), `root:x:0:\ncardctl:x:${USER}:\n`)
  return folder
}

function layProgramIn(folder: string, program: string): string {
  mkdirSync(join(folder, HOME), {recursive: true})
  mkdirSync(join(folder, 'tmp'))
  settleModes(program)
  cpSync(program, join(folder, PROGRAM), {recursive: true})
  return folder
}

function addLayer(folder: string, blobs: string, {date, fast}: ArchiveOptions) {
  const tar = join(folder, '..', `${basename(folder)}.tar`)
  const packed = `${tar}.gz`
  pack(folder, tar, date)
  const content = `sha256:${digestOf(tar)}`
  execFileSync('sh', ['-ec', 'gzip -n "-$1" -c "$2" >"$3"', 'gzip', fast ? '1' : '9', tar, packed])
  return {content, blob: addBlob(blobs, 'application/vnd.oci.image.layer.v1.tar+gzip', packed)}
}

/** Sorted, of one time, and of root; the home belongs to the user. */
function pack(folder: string, archive: string, date: number): void {
  execFileSync('sh', ['-ec', 'chmod -R u=rwX,go=rX . && if [ -d tmp ]; then chmod 1777 tmp; fi'], {
    cwd: folder,
  })
  const home = `.${HOME}`
  const tar = (owner: number, ...argv: readonly string[]) => {
    const whose = [`--owner=:${owner}`, `--group=:${owner}`, '--numeric-owner']
    const same = [`--mtime=@${date}`, '--format=ustar', `--directory=${folder}`, `--file=${archive}`]
    execFileSync('tar', [...whose, ...same, ...argv])
  }
  tar(0, '--create', '--sort=name', `--exclude=${home}`, '.')
  if (existsSync(join(folder, home))) tar(USER, '--append', '--no-recursion', home)
}

function addBlob(blobs: string, mediaType: string, path: string): Blob {
  const hex = digestOf(path)
  copyFileSync(path, join(blobs, hex))
  return {mediaType, digest: `sha256:${hex}`, size: statSync(path).size}
}

function addJson(blobs: string, mediaType: string, value: object): Blob {
  const path = join(blobs, '..', 'written.json')
  put(path, value)
  try {
    return addBlob(blobs, mediaType, path)
  } finally {
    rmSync(path)
  }
}

const put = (path: string, value: object): void => writeFileSync(path, JSON.stringify(value))
