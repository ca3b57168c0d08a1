// Builds and packs a copy of the committed sources twice, as two people would: in different folders, with another home,
// umask, language and time zone. Compares every byte of what comes out.
import {execFileSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {digestOf} from '../../tools/package/digest.ts'

// --fast compresses little: the bytes of the packages differ from those of a release, but not from each other.
const isFast = process.argv.includes('--fast')
/** The same one twice, whatever is committed meanwhile. */
const commit = execFileSync('git', ['rev-parse', 'HEAD'], {encoding: 'utf8'}).trim()
const folder = mkdtempSync(join(tmpdir(), 'cardctl-twice-'))
try {
  const first = release('first', {umask: '022', LANG: 'C.UTF-8', TZ: 'UTC'})
  const second = release('a/second', {
    umask: '077',
    LANG: 'fi_FI',
    TZ: 'Asia/Tokyo',
    HOME: join(folder, 'home'),
  })
  const differing = Object.keys(first).filter(name => first[name] !== second[name])
  process.stdout.write(`${Object.keys(first).join(', ')}: ${differing.length} differ\n${differing}\n`)
  process.exitCode = differing.length > 0 || Object.keys(first).length < 12 ? 1 : 0
} finally {
  rmSync(folder, {recursive: true, force: true})
}

interface Surroundings extends Readonly<Record<string, string>> {
  readonly umask: string
}

/** Digests of the files of a release, by name. */
function release(name: string, {umask, ...surroundings}: Surroundings): Readonly<Record<string, string>> {
  const tree = join(folder, name)
  mkdirSync(tree, {recursive: true})
  execFileSync('sh', ['-c', `umask ${umask} && git archive ${commit} | tar -x -C ${tree}`])
  // As in a clone: a link to another folder would lead esbuild out of the tree, by a path that differs.
  execFileSync('cp', ['-a', ...(onSameDisk(tree) ? ['-l'] : []), 'node_modules', tree])
  const env = {...process.env, ...surroundings, SOURCE_DATE_EPOCH: '1790000000'}
  // For every system: those of Windows hold a launcher that is compiled anew, those of macOS and Windows other libraries.
  const making = `make-release.ts --commit ${commit}${isFast ? ' --fast' : ''}`
  for (const tool of ['generate-contract.ts', 'build.ts', making])
    execFileSync('sh', ['-c', `umask ${umask} && node tools/${tool}`], {
      cwd: tree,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const out = join(tree, 'release')
  return Object.fromEntries(readdirSync(out).map(file => [file, digestOf(join(out, file))]))
}

/** Then files may have two names, which takes no space. */
function onSameDisk(folder: string): boolean {
  return statSync(folder).dev === statSync('node_modules').dev
}
