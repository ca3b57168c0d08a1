// The suites that docs/webhook-tests.md shows are good ones, and its tables name all that suites can say.
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

test('every field of a step and of an expectation is described', () => {
  const described = new Set(
    [...page.text.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-zA-Z0-9]+)/g)].map(([, name]) => name),
    ),
  )
  const fields = [
    ...Object.keys(schema.properties.steps.items.properties).filter(
      name => name !== 'amount' && name !== 'remaining',
    ),
    ...Object.keys(schema.$defs.expectation.properties),
  ]
  expect(fields.filter(name => !described.has(name))).toEqual([])
})
