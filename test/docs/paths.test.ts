// What the pages name is there: files, links, scripts, commands and flags.
import {existsSync, readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {dirname, join, normalize} from 'node:path'
import {describe, expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {anchorsOf, blocksOf, inlineCodeOf, linksOf, pages, ROOT} from './pages.ts'

const all = pages()
const maps = all.filter(({path}) => !/^docs\/(?!architecture|decisions)/.test(path))

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

describe.each(maps.map(page => [page.path, page] as const))('%s', (_, page) => {
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

test('the map of CONTRIBUTING.md leads to many places', () => {
  const contributing = all.find(({path}) => path === 'CONTRIBUTING.md')
  expect(contributing).toBeDefined()
  expect(contributing && new Set(pathsIn(inlineCodeOf(contributing))).size).toBeGreaterThan(40)
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

interface Rule {
  readonly name: string
  readonly to: {readonly pathNot?: readonly string[]}
}

describe('docs/architecture.md', () => {
  const page = all.find(({path}) => path === 'docs/architecture.md')
  const rooms = /<!-- rooms -->([\s\S]*)<!-- \/rooms -->/.exec(page?.text ?? '')?.[1] ?? ''
  const {forbidden} = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
    forbidden: readonly Rule[]
  }

  test('says of every room whom it may import, as the checker has it', () => {
    const told = new Map(
      [...rooms.matchAll(/^\| `([\w-]+)` \|[^|]*\|([^|]*)\|$/gm)].map(([, room = '', list = '']) => [
        room,
        [...list.matchAll(/[a-z]+(?:-[a-z]+)*(?=,|;|\s*$| and | by )/g)]
          .map(([name]) => name)
          .filter(name => name !== 'import')
          .sort(),
      ]),
    )
    const checked = new Map(
      forbidden
        .filter(({name}) => name.startsWith('room-'))
        .map(({name, to}) => {
          const room = name.slice('room-'.length)
          const allowed = (to.pathNot ?? []).flatMap(pattern => pattern.match(/[a-z]+(?:-[a-z]+)*/g) ?? [])
          return [room, allowed.filter(each => each !== 'src' && each !== room).sort()]
        }),
    )
    expect(checked.size).toBeGreaterThan(10)
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(checked))
  })
})
