// Counts what makes the sources easy or hard to find one's way in: sizes, late imports, where topics lie, circles, and
// the ways of three commands. `node tools/measure-house.ts` prints a table; with `--walks`, what makes these ways long.
import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {dirname} from 'node:path'
import process from 'node:process'
import {circles} from './house/circles.ts'
import {walks} from './house/walks.ts'

const TOPICS = ['webhook', 'sandbox', 'imported', 'fleet'] as const

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter(file => /\.ts$/.test(file))
const textOf = (file: string): string => readFileSync(file, 'utf8')
const sources = files.filter(file => file.startsWith('src/'))
const lines = new Map(sources.map(file => [file, textOf(file).trimEnd().split('\n')]))
const total = (some: readonly string[], count: (text: readonly string[]) => number): number =>
  some.reduce((sum, file) => sum + count(lines.get(file) ?? []), 0)
/** Lines with code: not empty, and no comment alone. */
const codeIn = (text: readonly string[]): number =>
  text.filter(line => !/^\s*(?:$|\/\/|\/\*|\*)/.test(line)).length

const print = (name: string, value: string | number): void =>
  void process.stdout.write(`${name.padEnd(44)}${value}\n`)

const sizes = [...lines].map(([file, text]) => ({file, size: text.length})).sort((a, b) => b.size - a.size)
const tests = files.filter(file => file.startsWith('test/'))
print('files in src', sources.length)
print(
  'lines in src',
  total(sources, text => text.length),
)
print('code lines in src', total(sources, codeIn))
print('files over 200 lines', sizes.filter(({size}) => size > 200).length)
print(
  'longest files',
  sizes
    .slice(0, 3)
    .map(({file, size}) => `${size} ${file.slice(4)}`)
    .join(', '),
)
print('files in test', tests.length)
// The two lists whose entries are loaded one at a time are what they are for.
const listed = sources.filter(file => !/src\/(?:commands\/index|contract\/topics\.gen)\.ts$/.test(file))
print(
  "import('./…') outside of lists",
  total(listed, text => text.join('\n').match(/\bimport\(\s*'\.{1,2}\//g)?.length ?? 0),
)
for (const topic of TOPICS) {
  const named = sources.filter(file => file.slice('src/'.length).includes(topic))
  const own = (file: string) => new RegExp(`^src/(?:commands/)?${topic}/`).test(file)
  print(
    `${topic}: folders with files of that name`,
    `${new Set(named.map(dirname)).size}, ${named.filter(file => !own(file)).length} files outside of its rooms`,
  )
}
const {run, types} = circles()
print('circles between files that run', run)
print('circles of types', types)
const LONGEST = 30
for (const {name, files: count, rooms, returns, changes, single} of await walks()) {
  print(name, `${count} files, ${rooms} rooms, ${returns} returns`)
  if (!process.argv.includes('--walks')) continue
  for (const [what, list] of [
    ['changes of room', changes.slice(0, LONGEST)],
    ['files entered for one function', single],
  ] as const) {
    process.stdout.write(`  ${what}\n`)
    for (const one of list) process.stdout.write(`${one.times.toFixed(1).padStart(8)}  ${one.what}\n`)
  }
}
