import {execFileSync} from 'node:child_process'
import {chmodSync, copyFileSync, mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import runtimes from '../../bin/runtimes.json' with {type: 'json'}
import pjson from '../../package.json' with {type: 'json'}
import {PUBLISHED} from './publisher.ts'
import {settleModes} from './tarball.ts'

let listed: readonly string[] | undefined

/** The files that npm would publish. */
export function packedFiles(): readonly string[] {
  listed ??= listFiles()
  return listed
}

function listFiles(): readonly string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 16 * 1024 * 1024,
  })
  const [packed] = JSON.parse(output) as [{files: readonly {path: string}[]}]
  return packed.files.map(({path}) => path)
}

/** Copies a file of this folder to the same path in another one. */
export function copyInto(folder: string, path: string): void {
  const target = join(folder, path)
  mkdirSync(dirname(target), {recursive: true})
  copyFileSync(path, target)
}

/** An older Node.js hands over to the runtime that is installed with cardctl: bin/rerun.js runs from this version on. */
const ENGINES = {node: '>=18.0.0'}

/** Of these npm installs the one for its platform, without a script. */
const RUNTIMES = Object.fromEntries(Object.values(runtimes).map(name => [name, pjson.devDependencies.node]))

/** Scripts and development dependencies are for a clone. When npm installs a package, it warns about its scripts. */
function packedManifest(): string {
  const {scripts: _, devDependencies: __, allowScripts: ___, overrides: ____, ...manifest} = pjson
  return `${JSON.stringify({...manifest, ...PUBLISHED, engines: ENGINES, optionalDependencies: RUNTIMES}, null, 2)}\n`
}

/**
 * Makes the npm package in the folder `out`. npm packs the modes that it finds, so it gets a copy whose modes don't
 * depend on the umask of whoever builds.
 */
export function makeNpmPackage(scratch: string, out: string): void {
  for (const path of packedFiles()) copyInto(scratch, path)
  writeFileSync(join(scratch, 'package.json'), packedManifest())
  settleModes(scratch)
  chmodSync(join(scratch, pjson.bin.cardctl), 0o755)
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], {cwd: scratch})
}
