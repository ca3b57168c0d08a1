// What the pages name is there: files, links, scripts, commands and flags.
import {existsSync, globSync, readFileSync} from 'node:fs'
import {dirname, join, normalize} from 'node:path'
import {describe, expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {anchorsOf, blocksOf, inlineCodeOf, linksOf, pages, ROOT} from './pages.ts'

const all = pages()
const maps = all.filter(({path}) => !/^docs\/(?!decisions)/.test(path))
const readmes = globSync('src/*/README.md', {cwd: ROOT}).map(path => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}))

/** Made by a build or by the user's own hand, so not in a fresh clone. */
const MADE = /^(dist|node_modules|\.reports)\/|^oclif\.manifest\.json$/

/** Words in backquotes that look like a path of the repository: a folder of it, or a file at its top. */
function pathsIn(codes: readonly string[]): readonly string[] {
  return codes
    .flatMap(code => code.split(/\s+/))
    .filter(
      word =>
        /^(src|test|tools|docs|bin|bench|\.ci)\/[\w./-]*$/.test(word) ||
        /^[\w.-]+\.(md|json|cjs|mjs|ts)$/.test(word) ||
        /^\.[a-z-]+\.cjs$/.test(word),
    )
    .filter(word => !MADE.test(word))
}

describe.each([...maps, ...readmes].map(page => [page.path, page] as const))('%s', (_, page) => {
  const codes = [...inlineCodeOf(page), ...blocksOf(page).map(({code}) => code)]

  test('names paths that are there', () => {
    // A bare file name may belong to the user: transfers.csv, profiles.json.
    const named = pathsIn(codes).filter(path => path.includes('/') || path === 'package.json')
    expect(named.filter(path => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test('names scripts that are there', () => {
    const scripts: Readonly<Record<string, string>> = pjson.scripts
    const named = codes.flatMap(code => [...code.matchAll(/npm (?:run )?([a-z-]+)/g)])
    const unknown = named
      .map(([, name = '']) => name)
      .filter(name => !(name in scripts) && !['ci', 'install', 'pack', 'publish', 'version'].includes(name))
    expect(unknown).toEqual([])
  })
})

test('CONTRIBUTING.md and the README of each room stay short, and lead to many places', () => {
  const contributing = all.find(({path}) => path === 'CONTRIBUTING.md')
  const lines = ({text = ''} = {}) => text.trimEnd().split('\n').length
  expect(lines(contributing)).toBeLessThanOrEqual(150)
  expect(readmes.filter(readme => lines(readme) > 40).map(({path}) => path)).toEqual([])
  const named = [contributing, ...readmes].flatMap(page => (page ? pathsIn(inlineCodeOf(page)) : []))
  expect(new Set(named).size).toBeGreaterThan(150)
})

test('the README of a room names files and folders that are there', () => {
  const missing = readmes.flatMap(readme =>
    inlineCodeOf(readme)
      .filter(
        code =>
          /^[a-z][\w/-]*(?:\.ts|\/)$/.test(code) &&
          !/^(?:src|test|docs|tools|bench|bin|examples)\//.test(code),
      )
      .filter(code => globSync(`${dirname(readme.path)}/**/${code}`, {cwd: ROOT}).length === 0)
      .map(code => `${readme.path}: ${code}`),
  )
  expect(missing).toEqual([])
})

test('every relative link leads somewhere, to a heading where it says so', () => {
  const broken: string[] = []
  for (const page of all) {
    for (const {target, anchor} of linksOf(page)) {
      const path = target === '' ? page.path : normalize(join(dirname(page.path), target))
      if (!existsSync(join(ROOT, path))) broken.push(`${page.path}: ${target}`)
      else if (anchor !== '') {
        const text = readFileSync(join(ROOT, path), 'utf8')
        if (!anchorsOf({path, text}).includes(anchor)) broken.push(`${page.path}: ${target}#${anchor}`)
      }
    }
  }
  expect(broken).toEqual([])
})

test('every script of package.json has its file', () => {
  const files = Object.values(pjson.scripts).flatMap(
    script => script.match(/\b(?:tools|bench)\/[\w.-]+/g) ?? [],
  )
  expect(files.length).toBeGreaterThan(5)
  expect(files.filter(path => !existsSync(join(ROOT, path)))).toEqual([])
})
