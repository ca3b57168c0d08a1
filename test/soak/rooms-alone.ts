// Copies each room that could be a package of its own to an empty folder, with what it and its tests import, and with the
// packages on its list. Compiles it and runs its tests there.
import {execFileSync} from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {basename, dirname, join, resolve} from 'node:path'
import process from 'node:process'
import table from '../../tools/rooms.json' with {type: 'json'}
import {TSC} from '../../tools/run.ts'

const {apart}: {readonly apart: Readonly<Record<string, {readonly packages: readonly string[]}>>} = table
const TOOLS = ['@types', 'fast-check', 'typescript', 'vitest', '@vitest']
const IMPORT = /(?:\bfrom|\bimport|\bimport\(|new URL\()\s*'(\.{1,2}\/[^']+)'/g
const PACKAGE = /(?:\bfrom|\bimport\()\s*'((?!node:)[^.'][^']*)'/g

/** Packages that files import, by what they import of them. */
const packagesOf = (files: readonly string[]): readonly string[] =>
  files.flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(PACKAGE)].map(([, path = '']) =>
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
  )

/** What the files import and read beside them, and so on. */
function withImports(files: readonly string[]): Set<string> {
  const found = new Set<string>()
  const queue = [...files]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (found.has(file)) continue
    found.add(file)
    if (!/\.tsx?$/.test(file)) continue
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const next = join(dirname(file), path)
      if (existsSync(next) && /\.\w+$/.test(next)) queue.push(next)
    }
  }
  return found
}

const wanted = process.argv.slice(2)
for (const [room, {packages}] of Object.entries(apart)) {
  if (wanted.length > 0 && !wanted.includes(room)) continue
  const folder = mkdtempSync(join(tmpdir(), `cardctl-${room}-`))
  try {
    const files = [...withImports(globSync([`{src,test}/${room}/**/*.*`, 'src/contract/**/*.ts']))]
    for (const file of files) cpSync(file, join(folder, file), {recursive: true})
    const others = files.filter(file => /\.tsx?$/.test(file) && !file.startsWith(`src/${room}/`))
    for (const file of ['package.json', 'tsconfig.json', 'examples', 'docs', 'src/contract', 'test/fixtures'])
      cpSync(file, join(folder, file), {recursive: true})
    for (const name of new Set([...packages, ...TOOLS, ...packagesOf(others)])) {
      const link = join(folder, 'node_modules', name)
      mkdirSync(dirname(link), {recursive: true})
      if (existsSync(`node_modules/${name}`) && !existsSync(link))
        symlinkSync(resolve('node_modules', name), link)
    }
    // A project of vitest starts the server that these share.
    const without = files
      .filter(file => /\.test\.ts$/.test(file) && readFileSync(file, 'utf8').includes("inject('postgres')"))
      .flatMap(file => ['--exclude', `**/${basename(file)}`])
    for (const tool of [
      [TSC, '--noEmit', '-p', '.'],
      ['node_modules/.bin/vitest', 'run', '--testTimeout', '60000', '--dir', `test/${room}`, ...without],
    ]) {
      const [name = '', ...argv] = tool
      execFileSync(resolve(name), argv, {cwd: folder, stdio: 'inherit'})
    }
    process.stdout.write(`${room}: stands alone, ${without.length / 2} test files left out\n`)
  } catch (error) {
    process.stdout.write(`${room}: ${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}
