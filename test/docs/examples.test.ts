// The examples for other people's code run as they stand, against the sources, and print what their comments say.
import {execFile} from 'node:child_process'
import {promisify} from 'node:util'
import {expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {blocksOf, pages} from './pages.ts'

const run = promisify(execFile)

/** The public entries. */
const entries = Object.keys(pjson.exports)
  .map(entry => entry.slice(2))
  .filter(name => !name.includes('.'))

const examples = pages().flatMap(page =>
  blocksOf(page)
    .filter(({language}) => ['js', 'ts'].includes(language))
    .map(({code}, at) => ({name: `${page.path} ${at + 1}`, code}))
    // Vitest runs these in test/binary/package.test.ts.
    .filter(({code}) => !code.includes("from 'vitest'")),
)

test('each public entry has an example', () => {
  expect(entries).toEqual(['card-crypto', 'sandbox', 'webhook'])
  for (const entry of entries)
    expect(
      examples.some(({code}) => code.includes(`'cardctl/${entry}'`)),
      entry,
    ).toBe(true)
})

test.each(examples)('$name', async ({code}) => {
  const expected = [...code.matchAll(/console\.log\(.*\)\s*\/\/ (.*)$/gm)].map(([, text]) => text)
  expect(expected.length, 'an example prints something').toBeGreaterThan(0)
  expect(expected).toHaveLength(code.split('console.log(').length - 1)
  const {stdout, stderr} = await run(process.execPath, ['--input-type=module', '-e', withSources(code)])
  expect(stdout.trimEnd().split('\n')).toEqual(expected)
  expect(stderr).toBe('')
})

/** Where the sources of an entry are, if not in the room with its name. */
const SOURCES: Readonly<Record<string, string>> = {webhook: 'webhook/public'}

/** A user's code finds the built entries by the package's name; here it gets their sources. */
function withSources(code: string): string {
  return code.replaceAll(/'cardctl\/([\w-]+)'/g, (_, entry: string) =>
    JSON.stringify(new URL(`../../src/${SOURCES[entry] ?? entry}/index.ts`, import.meta.url).href),
  )
}
