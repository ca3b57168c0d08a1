// cardctl is in no registry: whoever asked npm's for that name would run the program of somebody else.
import {existsSync, globSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {blocksOf, inlineCodeOf, ROOT} from './pages.ts'

/** Pages for readers who are in the folder of the clone, where npx runs what is installed there. */
const IN_THE_CLONE =
  /^(?:README|CONTRIBUTING|docs\/README|docs\/installation|docs\/completion|docs\/decisions\/.*)\.md$/

/** What the registry is asked for by name: packages of others that a page needs, with their exact names. */
const KNOWN = /^(?:node@\d+\.\d+\.\d+|@opentelemetry\/(?:api|auto-instrumentations-node))$/

const FILE = /^(?:\.{1,2}|~)?\/.*|\.tgz$/
const WITH_VALUE = new Set(['--prefix', '-C', '--registry'])

/** Each place where a line of shell would have a package manager look up a name; empty if there is none. */
function namesAsked(code: string, isInClone: boolean): readonly string[] {
  return code
    .split('\n')
    .flatMap(line => line.split(/[|;&#]+/))
    .flatMap(command => {
      const words = command.trim().split(/\s+/)
      const at = words.findIndex(word => /^(?:npx|npm|pnpm|yarn|bun|bunx)$/.test(word))
      const [program, verb = ''] = at < 0 ? [] : words.slice(at)
      if (program === undefined || verb === '') return []
      if (program === 'npx') return isInClone && isInstalled(verb) ? [] : [command.trim()]
      if (program !== 'npm') return [command.trim()]
      if (!/^(?:i|install|add|exec|x|create|init)$/.test(verb)) return []
      const named = words
        .slice(at + 2)
        .filter((word, index, all) => !word.startsWith('-') && !WITH_VALUE.has(all[index - 1] ?? ''))
      return named.every(word => FILE.test(word) || KNOWN.test(word)) ? [] : [command.trim()]
    })
}

const isInstalled = (name: string): boolean =>
  name === 'cardctl' || (/^\w+$/.test(name) && existsSync(join(ROOT, 'node_modules/.bin', name)))

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

test('no page has a reader ask a registry for a name that is not known', () => {
  const paths = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], {cwd: ROOT})
  expect(paths.length).toBeGreaterThan(60)
  const asked = paths.flatMap(path => {
    const page = {path, text: read(path)}
    const code = [...blocksOf(page).map(block => block.code), ...inlineCodeOf(page)]
    return code
      .flatMap(each => namesAsked(each, IN_THE_CLONE.test(path)))
      .map(command => `${path}: ${command}`)
  })
  expect(asked).toEqual([])
})

test('no message, help text or example does', () => {
  const paths = globSync(['src/**/*.{ts,tsx}', 'bin/*', 'examples/**/*.*', 'examples/**/Dockerfile'], {
    cwd: ROOT,
    exclude: ['**/*.gen.*', '**/*.md'],
  })
  const asked = paths.flatMap(path =>
    read(path)
      .split('\n')
      .filter(line => /\b(?:npx|pnpm|yarn|bunx?|npm (?:i|install|add|exec|x|create|init))\s/.test(line))
      // The text of a string, from the name of the program to the quote that ends it; ${…} is one word.
      .map(line =>
        line.replace(/^.*?(?=\b(?:npx|pnpm|yarn|bunx?|npm)\s)/, '').replaceAll(/\$\{[^}]*\}/g, 'X'),
      )
      .flatMap(line => namesAsked(line.replace(/['"`].*$/, ''), false))
      .map(command => `${path}: ${command}`),
  )
  expect(asked).toEqual([])
})

test.each([
  ['npx cardctl tour', false],
  ['npx --yes cardctl', true],
  ['npx some-tool-of-others', true],
  ['npm install cardctl', true],
  ['sudo npm i -g cardctl', true],
  ['npm ci && npm exec cardctl', true],
  ['pnpm dlx cardctl', true],
])('%s is one', (line, isInClone) => {
  expect(namesAsked(line, isInClone)).not.toEqual([])
})

test.each([
  'npx cardctl tour',
  'npm ci',
  'npm install ./cardctl-0.1.0.tgz',
  'npm install --prefix here ./a.tgz',
])('%s is none in the clone', line => {
  expect(namesAsked(line, true)).toEqual([])
})
