// Copies each room that could be a package of its own to an empty folder, with what it and its tests import, and with the
// packages on its list alone. Compiles it and runs its tests there.
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
import {dirname, join, resolve} from 'node:path'
import process from 'node:process'
import table from '../../tools/rooms.json' with {type: 'json'}

const {apart}: {readonly apart: Readonly<Record<string, {readonly packages: readonly string[]}>>} = table
const rooms: Readonly<Record<string, readonly string[]>> = table.rooms
const TOOLS = ['@types', 'fast-check', 'typescript', 'vitest', '@vitest']
const IMPORT = /(?:\bfrom|\bimport|\bimport\(|new URL\()\s*'(\.{1,2}\/[^']+)'/g

/** The room, the rooms that these may import, and so on. */
function withAllowed(room: string, found = new Set<string>()): Set<string> {
  found.add(room)
  for (const next of rooms[room] ?? []) if (!found.has(next)) withAllowed(next, found)
  return found
}

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

for (const [room, {packages}] of Object.entries(apart)) {
  const folder = mkdtempSync(join(tmpdir(), `cardctl-${room}-`))
  try {
    for (const name of [...withAllowed(room)])
      cpSync(`src/${name}`, join(folder, 'src', name), {recursive: true})
    for (const file of withImports(globSync(`test/${room}/**/*.*`)))
      cpSync(file, join(folder, file), {recursive: true})
    for (const file of ['package.json', 'tsconfig.json', 'examples', 'docs'])
      cpSync(file, join(folder, file), {recursive: true})
    for (const name of [...packages, ...TOOLS]) {
      const link = join(folder, 'node_modules', name)
      mkdirSync(dirname(link), {recursive: true})
      if (existsSync(`node_modules/${name}`)) symlinkSync(resolve('node_modules', name), link)
    }
    for (const tool of [
      ['tsc', '--noEmit', '-p', '.'],
      ['vitest', 'run', '--dir', `test/${room}`],
    ]) {
      const [name = '', ...argv] = tool
      execFileSync(resolve('node_modules/.bin', name), argv, {cwd: folder, stdio: 'inherit'})
    }
    process.stdout.write(`${room}: stands alone\n`)
  } catch (error) {
    process.stdout.write(`${room}: ${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}
