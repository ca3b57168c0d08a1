// Makes the packages for macOS and looks at their files: no part of them can run here. Needs the registry of npm.
import {execFileSync} from 'node:child_process'
import {globSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import pjson from '../../package.json' with {type: 'json'}
import {digestOf} from '../../tools/package/digest.ts'
import checksums from '../../tools/runtime-checksums.json' with {type: 'json'}

/** The magic number of a 64-bit Mach-O file, and its type of processor: mach-o/loader.h, mach/machine.h. */
const MACH_O = 0xfeed_facf
const PROCESSORS = {'darwin-arm64': 0x0100_000c, 'darwin-x64': 0x0100_0007} as const

const folder = mkdtempSync(join(tmpdir(), 'cardctl-macos-'))
let faults = 0
function check(name: string, isGood: boolean): void {
  if (!isGood) faults++
  process.stdout.write(`${isGood ? 'ok' : 'FAULT'}\t${name}\n`)
}

try {
  const platforms = Object.keys(PROCESSORS).flatMap(name => ['--platform', name])
  const making = ['tools/make-release.ts', ...platforms, '--fast', '--out', join(folder, 'release')]
  execFileSync('node', making, {stdio: ['ignore', 'ignore', 'inherit']})
  for (const platform of ['darwin-arm64', 'darwin-x64'] as const) lookAt(platform)
  const formula = readFileSync(join(folder, 'release/cardctl.rb'), 'utf8')
  for (const [name] of Object.entries(PROCESSORS)) {
    const archive = `cardctl-${pjson.version}-${name}.tar.gz`
    const block = `${archive}"\n      sha256 "${digestOf(join(folder, 'release', archive))}"`
    check(`the formula has the checksum of ${archive}`, formula.includes(block))
  }
} finally {
  rmSync(folder, {recursive: true, force: true})
}
process.exitCode = faults > 0 ? 1 : 0

function lookAt(platform: keyof typeof PROCESSORS): void {
  const name = `cardctl-${pjson.version}-${platform}`
  execFileSync('tar', ['-xzf', join(folder, 'release', `${name}.tar.gz`), '-C', folder])
  const files = globSync('**/*', {cwd: join(folder, name), withFileTypes: true}).filter(entry =>
    entry.isFile(),
  )
  const paths = files.map(entry => join(entry.parentPath, entry.name))
  const binaries = paths.filter(path => path.endsWith('.node') || path.endsWith('runtime/node'))
  check(`${platform}: the runtime and the library of the keyring`, binaries.length === 2)
  for (const path of binaries) {
    const head = readFileSync(path).subarray(0, 8)
    const isRight = head.readUInt32LE(0) === MACH_O && head.readUInt32LE(4) === PROCESSORS[platform]
    check(`${platform}: ${path.slice(folder.length + 1)} is Mach-O for its processor`, isRight)
  }
  check(
    `${platform}: the runtime is that of Node.js`,
    digestOf(join(folder, name, 'runtime/node')) === checksums[platform],
  )
  execFileSync('sh', ['-n', join(folder, name, 'cardctl')])
  check(`${platform}: the launcher is a shell script`, true)
  const notices = readFileSync(join(folder, name, 'THIRD-PARTY-NOTICES.md'), 'utf8')
  check(
    `${platform}: the notices and the licence of the runtime`,
    notices.length > 10_000 && paths.some(path => path.endsWith('runtime/LICENSE')),
  )
  const endings = paths.map(path => path.slice(folder.length + name.length + 2).toLowerCase())
  check(`${platform}: no names that differ only by their case`, new Set(endings).size === endings.length)
}
