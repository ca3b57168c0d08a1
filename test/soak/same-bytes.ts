// Builds and packs a copy of the committed sources twice, in two folders, and compares every byte of what comes out.
import {execFileSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import process from 'node:process'
import {digestOf} from '../../tools/package/digest.ts'

// --fast compresses little: the bytes of the packages differ from those of a release, but not from each other.
const isFast = process.argv.includes('--fast')
/** The same one twice, whatever is committed meanwhile. */
const commit = execFileSync('git', ['rev-parse', 'HEAD'], {encoding: 'utf8'}).trim()
const folder = mkdtempSync(join(tmpdir(), 'cardctl-twice-'))
try {
  const [first, second] = ['first', 'a/second'].map(release)
  const differing = Object.keys(first ?? {}).filter(name => first?.[name] !== second?.[name])
  process.stdout.write(`${Object.keys(first ?? {}).join(', ')}: ${differing.length} differ\n${differing}\n`)
  process.exitCode = differing.length > 0 || Object.keys(first ?? {}).length < 4 ? 1 : 0
} finally {
  rmSync(folder, {recursive: true, force: true})
}

/** Digests of the files of a release, by name. */
function release(name: string): Readonly<Record<string, string>> {
  const tree = join(folder, name)
  mkdirSync(tree, {recursive: true})
  execFileSync('sh', ['-c', `git archive ${commit} | tar -x -C ${tree}`])
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'))
  const env = {...process.env, SOURCE_DATE_EPOCH: '1790000000'}
  for (const tool of ['generate-contract.ts', 'build.ts', 'package.ts', 'sign-release.ts'])
    execFileSync('node', [`tools/${tool}`, ...(isFast && tool === 'package.ts' ? ['--fast'] : [])], {
      cwd: tree,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const out = join(tree, 'release')
  return Object.fromEntries(readdirSync(out).map(file => [file, digestOf(join(out, file))]))
}
