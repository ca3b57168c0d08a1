// The rule files that docs/webhook-rules.md shows are good ones, and its tables name all that rules can say.
import {expect, test} from 'vitest'
import schema from '../../docs/webhook-rules.schema.json' with {type: 'json'}
import {createPreview, readRules} from '../../src/webhook/rules/index.ts'
import {callOf} from '../webhook/calls.ts'
import {blocksOf, pages} from './pages.ts'

const page = pages().find(({path}) => path === 'docs/webhook-rules.md') ?? {path: '', text: ''}
const files = blocksOf(page)
  .filter(({language}) => language === 'yaml')
  .map(({code}) => code)

/** The code spans of the first column of the table that follows a heading row. */
function firstColumn(head: string): readonly string[] {
  const [, table = ''] =
    new RegExp(`^\\| ${head} \\|.*\\n\\|---.*\\n((?:\\|.*\\n)+)`, 'm').exec(page.text) ?? []
  const cells = table.split('\n').map(line => line.split(' | ')[0] ?? '')
  return cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code))
}

const complaints = async (text: string) => {
  const {problems, warnings} = await readRules(text)
  return [...problems, ...warnings]
}

const {properties} = schema.properties.rules.items

test('there are rule files to look at', () => {
  expect(files.length).toBeGreaterThan(1)
})

test.each(files.map((file, at) => [at + 1, file] as const))('rule file %i is a good one', async (_, file) => {
  expect(await complaints(file)).toEqual([])
})

test('every condition is described', () => {
  expect([...firstColumn('under `when`')].sort()).toEqual(Object.keys(properties.when.properties).sort())
})

test('every form of a condition is one', async () => {
  const forms = firstColumn('a condition')
  expect(forms.length).toBeGreaterThan(8)
  for (const form of forms) {
    const spec = form.replaceAll('X', 'FIN').replaceAll('Y', 'SWE')
    expect(await complaints(`rules: [{when: {merchant: ${spec}}, then: approve}]`), form).toEqual([])
  }
})

test('every answer is described, and is one', async () => {
  const forms = firstColumn('under `then`').map(form => (form.startsWith('delay:') ? `{${form}}` : form))
  for (const name of Object.keys(properties.then.properties)) {
    expect(
      forms.some(form => form.startsWith(`{${name}:`)),
      name,
    ).toBe(true)
  }
  for (const form of forms) expect(await complaints(`rules: [{then: ${form}}]`), form).toEqual([])
})

test('the first file decides as it reads', async () => {
  const {rules} = await readRules(files[0] ?? '')
  const preview = createPreview(rules)
  const noon = Date.UTC(2026, 5, 15, 9)
  const big = {transactionAmount: {amount: 200.01, currency: 'EUR'}}
  expect(preview(callOf('atm', 'a', big), noon)).toMatchObject({rule: 'big ATM', decision: 'decline 61'})
  expect(preview(callOf('atm', 'b'), noon).rule).not.toBe('big ATM')
  expect(preview(callOf('hotel', 'c'), noon).rule).not.toBe('abroad at night')
  expect(preview(callOf('hotel', 'd'), noon + 11 * 3_600_000).rule).toBe('abroad at night')
  expect(preview(callOf('fuel', 'e'), noon)).toMatchObject({rule: 'fuel', decision: 'partial 50 EUR'})
})
