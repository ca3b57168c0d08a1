// Makes what is installed without npm: a folder with its own Node.js as a tarball or, for Windows, a zip file, and on Linux
// a Debian package. Needs a build, GNU tar, and for Windows the compiler of gcc-mingw-w64-x86-64. `--platform npm` makes the npm package,
// without the scripts that are for a clone, and `--platform image` a container image, of packages that Debian's mirror has. The same sources, versions and SOURCE_DATE_EPOCH give the same bytes, in any folder.
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import process from 'node:process'
import {parseArgs} from 'node:util'
import pjson from '../package.json' with {type: 'json'}
import {makeDebianPackage} from './package/debian-package.ts'
import {makeImage} from './package/oci-image.ts'
import {makeNpmPackage} from './package/packed-files.ts'
import {DEBIAN_NAMES, isPlatform, PLATFORMS} from './package/platforms.ts'
import {layProgram} from './package/program-folder.ts'
import {sourceDate} from './package/source-date.ts'
import {makeTarball} from './package/tarball.ts'
import {makeZip} from './package/zip-file.ts'

const {values} = parseArgs({
  options: {
    platform: {type: 'string', multiple: true, default: [`${process.platform}-${process.arch}`]},
    out: {type: 'string', default: 'release'},
    // Compress little: for tests.
    fast: {type: 'boolean', default: false},
  },
})

const out = resolve(values.out)
const scratch = mkdtempSync(join(tmpdir(), 'cardctl-package-'))
const date = sourceDate()

try {
  mkdirSync(out, {recursive: true})
  for (const platform of values.platform) {
    if (platform === 'npm') {
      makeNpmPackage(join(scratch, platform), out)
      made(join(out, `cardctl-${pjson.version}.tgz`))
      continue
    }
    if (platform === 'image') {
      const folder = join(scratch, platform, `cardctl-${pjson.version}-linux-x64`)
      layProgram(folder, 'linux-x64', 'image', scratch)
      const archive = join(out, `cardctl-${pjson.version}-linux-x64.oci.tar`)
      made(makeImage(folder, join(scratch, platform), archive, {date, fast: values.fast}))
      continue
    }
    if (!isPlatform(platform))
      throw new Error(`No runtime is known for ${platform}. Choose ${Object.keys(PLATFORMS).join(', ')}.`)
    const name = `cardctl-${pjson.version}-${platform}`
    const folder = join(scratch, name)
    layProgram(folder, platform, 'tarball', scratch)
    const [make, ending] = platform === 'win32-x64' ? [makeZip, 'zip'] : [makeTarball, 'tar.gz']
    made(make(folder, join(out, `${name}.${ending}`), {date, fast: values.fast}))
    const architecture = DEBIAN_NAMES[platform]
    if (architecture !== undefined) {
      const tree = join(scratch, 'debian', architecture)
      layProgram(join(tree, 'usr/lib/cardctl'), platform, 'deb', scratch)
      made(makeDebianPackage(tree, out, architecture, {date, fast: values.fast}))
    }
  }
} finally {
  rmSync(scratch, {recursive: true, force: true})
}

function made(path: string): void {
  process.stdout.write(`${path}\n`)
}
