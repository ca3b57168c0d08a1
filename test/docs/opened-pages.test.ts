// Each page that comes with the program can be read in the terminal, by its name and by the links of other pages, and is searched.
import {existsSync, globSync, readFileSync} from 'node:fs'
import {dirname, posix} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {helpLayout} from '../../src/cli/help/layout.ts'
import {pageText} from '../../src/cli/help/page-text.ts'
import {docsPages} from '../../src/cli/help/pages.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {ROOT} from './pages.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const {files} = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as {files: readonly string[]}
const shipped = files
  .flatMap(path => (path.endsWith('.md') ? [path] : globSync(`${path}/**/*.md`, {cwd: ROOT})))
  .filter(path => !/^(?:THIRD-PARTY-NOTICES\.md|dist\/|node_modules\/)/.test(path))
const layout = helpLayout({stdout: process.stdout, env: {}})
const titleOf = (path: string): string =>
  /^# (.*)$/m
    .exec(readFileSync(`${ROOT}/${path}`, 'utf8'))?.[1]
    ?.replaceAll('`', '')
    .toUpperCase() ?? 'no title'
const opens = (name: string): string | undefined => pageText([name], layout)?.split('\n')[0]

test('each page opens by its path, and by its links from other pages', () => {
  expect(shipped.length).toBeGreaterThan(100)
  const links = shipped.flatMap(path =>
    [...readFileSync(`${ROOT}/${path}`, 'utf8').matchAll(/\]\(([^):]+\.md)(?:#[^)]*)?\)/g)]
      .map(([, link = '']) => posix.normalize(posix.join(dirname(path), link)))
      .filter(target => shipped.includes(target) && existsSync(`${ROOT}/${target}`)),
  )
  const wrong = [...new Set([...shipped, ...links])].filter(path => opens(path) !== titleOf(path))
  expect(wrong).toEqual([])
})

test.each([
  ['README', 'README.md'],
  ['changelog', 'CHANGELOG.md'],
  ['webhook-contract', 'docs/commands/webhook-contract.md'],
  ['../examples/README.md', 'examples/README.md'],
  ['./idempotency.md#transfers', 'docs/idempotency.md'],
])('help %s opens %s', async (name, path) => {
  const {code, stdout} = await home.run(['help', name])
  expect({code, title: stdout.split('\n')[0]}).toEqual({code: 0, title: titleOf(path)})
})

test('no file elsewhere is opened', () => {
  expect(['../../../../etc/motd', '/etc/motd', 'node_modules/zod/README.md'].map(opens)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('each page is searched, unless it has the same as the help of commands', () => {
  const searched = docsPages().map(({name}) => name)
  const left = shipped.filter(path => !searched.includes(path))
  const ofCommands = left.filter(path => /^docs\/commands\/[a-z0-9]+\.md$/.test(path))
  expect(left.filter(path => !ofCommands.includes(path))).toEqual(['docs/README.md'])
})
