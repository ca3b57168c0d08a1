// The suites that docs/webhook-tests.md shows are good ones, and the table of fields says what each is for.
import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import schema from '../../docs/webhook-suite.schema.json' with {type: 'json'}
import {readSuite} from '../../src/webhook/suite/index.ts'
import {blocksOf, pages, ROOT} from './pages.ts'

const page = pages().find(({path}) => path === 'docs/webhook-tests.md') ?? {path: '', text: ''}
const suites = blocksOf(page)
  .filter(({language}) => language === 'yaml' || language === 'json')
  .map(({code}) => code)

test.each(suites.map((text, at) => [at + 1, text] as const))('suite %i is a good one', async (_, text) => {
  expect((await readSuite(text, 'page')).problems).toEqual([])
})

test('the suite of the first five minutes is the example that runs', () => {
  expect(suites[0]?.trimEnd()).toBe(readFileSync(`${ROOT}examples/suite.yaml`, 'utf8').trimEnd())
})

const tables = readFileSync(`${ROOT}docs/commands/file-formats.md`, 'utf8')

test('every field of a suite or a dialect is described', () => {
  const rows = [...tables.matchAll(/^\| `(.+?)` \| (.*?) *\|$/gm)]
  expect(rows.length).toBeGreaterThan(60)
  expect(rows.filter(([, , meaning = '']) => meaning.length < 3).map(([, name]) => name)).toEqual([])
  const described = new Set(rows.map(([, name]) => name))
  const fields = [
    ...Object.keys(schema.properties.steps.items.properties),
    ...Object.keys(schema.$defs.expectation.properties),
  ]
  expect(fields.filter(name => !described.has(name))).toEqual([])
})
